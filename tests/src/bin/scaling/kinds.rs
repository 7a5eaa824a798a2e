//! The kinds of input, as sketches of any size.

use std::fmt::Write as _;

/// A kind of input.
pub(crate) struct Kind {
    /// Parts that the input has many of.
    pub name: &'static str,
    /// Number of these parts at the smallest size.
    pub smallest: usize,
    /// True if it is a model with errors, so that nothing is generated.
    pub is_wrong: bool,
    /// The input of a size.
    pub make: fn(usize) -> Made,
}

/// An input.
#[derive(Default)]
pub(crate) struct Made {
    /// The model.
    pub sketch: String,
    /// Rules in addition to the rules that ship.
    pub rules: String,
    /// Files beside the model, with their names.
    pub files: Vec<(&'static str, String)>,
}

const fn kind(name: &'static str, smallest: usize, make: fn(usize) -> Made) -> Kind {
    Kind {
        name,
        smallest,
        is_wrong: false,
        make,
    }
}

const fn wrong(name: &'static str, smallest: usize, make: fn(usize) -> Made) -> Kind {
    Kind {
        is_wrong: true,
        ..kind(name, smallest, make)
    }
}

/// All of them.
pub(crate) const KINDS: &[Kind] = &[
    kind("actions in a row", 1000, |n| {
        row(n, |i| format!("A{i}: action time=\"1\""))
    }),
    kind("actions of one name", 1000, |n| {
        row(n, |i| format!("A{i} (A): action time=\"1\""))
    }),
    kind("names that end in numbers of others", 1000, |n| {
        row(n, |i| format!("A{i} (A_{}): action time=\"1\"", i % 7))
    }),
    kind("names that C reserves", 1000, |n| {
        row(n, |i| format!("A{i} (printf): action time=\"1\""))
    }),
    kind("actions with code", 1000, |n| {
        headed(
            "int G = 1\n",
            row(n, |i| {
                format!("A{i}: action cost=\"G\" code=\"G = G + {i};\"")
            }),
        )
    }),
    kind("plain actions", 1000, |n| {
        row(n, |i| format!("A{i}: plain"))
    }),
    kind("messages", 500, |n| {
        row(2 * n, |i| match i % 2 {
            0 => format!("S{i}: bsend dest=\"pid + 1\" size=\"{i}\" tag=\"{i}\""),
            _ => format!(
                "R{i}: brecv source=\"pid - 1\" size=\"{0}\" tag=\"{0}\"",
                i - 1
            ),
        })
    }),
    kind("requests by name", 500, |n| {
        row(2 * n, |i| match i % 2 {
            0 => format!("A{i}: nbsend dest=\"0\" size=\"8\" request=\"r{i}\""),
            _ => format!("A{i}: wait request=\"r{}\"", i - 1),
        })
    }),
    kind("locks by name", 500, |n| {
        row(n, |i| {
            format!("L{i}: critical name=\"lock{i}\" {{\nstart -> A -> end\n}}")
        })
    }),
    kind("collectives", 1000, |n| {
        row(n, |i| match i % 3 {
            0 => format!("A{i}: barrier"),
            1 => format!("A{i}: broadcast root=\"0\" size=\"8\""),
            _ => format!("A{i}: allreduce size=\"8\""),
        })
    }),
    kind("parallel regions", 250, |n| {
        row(n, |i| {
            format!(
                "L{i}: parallel threads=\"2\" {{\nlocal int l = {i}\nstart -> A -> B -> end\n\
             A: action cost=\"l\" code=\"l = l + tid;\"\nB: ompbarrier\n}}"
            )
        })
    }),
    kind("loops in a row", 500, |n| {
        row(n, |i| {
            format!("L{i}: loop iterations=\"{i}\" {{\nstart -> A -> end\n}}")
        })
    }),
    kind("loops drawn by flows", 500, |n| {
        let mut text = "int G = 1\nstart -> M0\n".to_owned();
        for i in 0..n {
            let _ = writeln!(
                text,
                "M{i}: merge\nD{i}: decision\nM{i} -> A{i} -> D{i}\n\
                 D{i} -[G < {i}]-> M{i}\nD{i} -[else]-> M{}",
                i + 1
            );
        }
        plain(format!("{text}M{n}: merge\nM{n} -> end\n"))
    }),
    kind("nesting as deep as may be", 16, |n| {
        row(n, |i| {
            const DEPTH: usize = 50;
            let open = |depth| {
                format!(
                    "L{depth}: loop iterations=\"2\" {{\nstart -> L{} -> end\n",
                    depth + 1
                )
            };
            let inside: String = (1..DEPTH).map(open).collect();
            let first = format!("L{i}: loop iterations=\"2\" {{\nstart -> L1 -> end\n");
            format!(
                "{first}{inside}L{DEPTH}: action time=\"1\"\n{}",
                "}\n".repeat(DEPTH)
            )
        })
    }),
    kind("branches of a fork", 250, |n| {
        wide("fork", "join", n, |_| "->".to_owned())
    }),
    kind("branches of a decision", 250, |n| {
        headed(
            "int G = 1\n",
            wide("decision", "merge", n, |i| format!("-[G == {i}]->")),
        )
    }),
    kind("decisions in a row", 500, |n| {
        let mut text = "int G = 1\nstart -> D0\n".to_owned();
        for i in 0..n {
            let _ = writeln!(
                text,
                "D{i}: decision\nM{i}: merge\nD{i} -[G == {i}]-> A{i} -> M{i}\n\
                 D{i} -[else]-> B{i} -> M{i}\nM{i} -> D{}",
                i + 1
            );
        }
        plain(format!("{text}D{n}: merge\nD{n} -> end\n"))
    }),
    kind("ways out of a chain of decisions", 250, |n| {
        let mut text = "int G = 1\nstart -> D0\nE: merge\nE -> end\n".to_owned();
        for i in 0..n {
            let _ = writeln!(
                text,
                "D{i}: decision\nD{i} -[G == {i}]-> A{i} -> E\nD{i} -[else]-> D{}",
                i + 1
            );
        }
        plain(format!("{text}D{n}: merge\nD{n} -> E\n"))
    }),
    kind("calls of one activity", 1000, |n| {
        headed(
            "activity Sub {\nstart -> A -> end\n}\n",
            row(n, |i| format!("C{i}: call calls Sub")),
        )
    }),
    kind("activities that call the next", 250, |n| {
        let mut text = "start -> C -> end\nC: activity+ calls Sub0\n".to_owned();
        for i in 0..n {
            let _ = writeln!(
                text,
                "activity Sub{i} {{\nstart -> C -> end\nC: activity+ calls Sub{}\n}}",
                i + 1
            );
        }
        plain(format!("{text}activity Sub{n} {{\nstart -> A -> end\n}}\n"))
    }),
    kind("activities side by side", 500, |n| {
        let activities: String = (0..n)
            .map(|i| format!("activity Sub{i} {{\nstart -> A -> end\n}}\n"))
            .collect();
        headed(&activities, row(n, |i| format!("C{i}: call calls Sub{i}")))
    }),
    kind("a chain of cost functions", 500, |n| {
        let functions: String = (1..=n)
            .map(|i| format!("double f{i}(int n) = f{}(n) + 1\n", i - 1))
            .collect();
        let first = "double f0(int n) = n\n";
        headed(
            &format!("{first}{functions}"),
            row(1, |_| {
                format!("A: action cost=\"f{n}(pid)\"").replace("A:", "A0:")
            }),
        )
    }),
    kind("a chain of cost functions, the last first", 500, |n| {
        let functions: String = (1..=n)
            .rev()
            .map(|i| format!("double f{i}(int n) = f{}(n) + G\n", i - 1))
            .collect();
        let first = "int G = 1\ndouble f0(int n) = n\n";
        headed(
            &format!("{functions}{first}"),
            row(1, |_| {
                format!("A0: action cost=\"f{n}(pid)\" code=\"G = 2;\"")
            }),
        )
    }),
    kind("cost functions and calls of them", 500, |n| {
        let functions: String = (0..n)
            .map(|i| format!("double f{i}(int n) = n + {i}\n"))
            .collect();
        headed(
            &functions,
            row(n, |i| format!("A{i}: action cost=\"f{i}(pid)\"")),
        )
    }),
    kind("global variables", 500, |n| {
        let variables: String = (0..n).map(|i| format!("int G{i} = {i}\n")).collect();
        headed(
            &variables,
            row(n, |i| {
                format!("A{i}: action cost=\"G{i}\" code=\"G{i} = {i};\"")
            }),
        )
    }),
    kind("parameters", 500, |n| {
        let variables: String = (0..n).map(|i| format!("const int P{i} = {i}\n")).collect();
        headed(
            &variables,
            row(n, |i| format!("A{i}: action cost=\"P{i}\"")),
        )
    }),
    kind("local variables", 500, |n| {
        let variables: String = (0..n).map(|i| format!("local int l{i} = {i}\n")).collect();
        headed(
            &variables,
            row(n, |i| format!("A{i}: action cost=\"l{i}\"")),
        )
    }),
    kind("terms of a cost", 1000, |n| {
        let terms: Vec<String> = (0..n).map(|i| format!("{i}.5 * pid")).collect();
        // In groups, as depth is limited.
        let groups: Vec<String> = terms.chunks(40).map(|it| it.join(" + ")).collect();
        row(groups.len(), |i| {
            format!("A{i}: action cost=\"{}\"", groups[i])
        })
    }),
    kind("statements of one code", 125, |n| {
        let code: String = (0..n).map(|i| format!("G = G + {i}; ")).collect();
        headed(
            "int G = 1\n",
            row(1, |_| format!("A0: action time=\"1\" code=\"{code}\"")),
        )
    }),
    kind("rows of a table", 58_750, |n| Made {
        files: vec![(
            "table.csv",
            (0..n).map(|i| format!("{i},{}\n", i % 10)).collect(),
        )],
        ..row(1, |_| {
            "A0: action cost=\"interpolate(QUOTEtable.csvQUOTE, pid)\"".to_owned()
        })
    }),
    kind("rules with `through=\"any\"`, 500 actions", 250, |n| Made {
        rules: rules(n),
        ..row(500, |i| format!("A{i}: action time=\"1\""))
    }),
    kind("actions, 500 rules with `through=\"any\"`", 500, |n| Made {
        rules: rules(500),
        ..row(n, |i| format!("A{i}: action time=\"1\""))
    }),
    wrong("unknown variables", 500, |n| {
        row(n, |i| format!("A{i}: action cost=\"unknown{i}\""))
    }),
    wrong("unknown variables among many known", 500, |n| {
        let variables: String = (0..n).map(|i| format!("int Known{i} = {i}\n")).collect();
        headed(
            &variables,
            row(n, |i| format!("A{i}: action cost=\"known{i}\"")),
        )
    }),
    wrong("unknown functions", 500, |n| {
        row(n, |i| format!("A{i}: action cost=\"f{i}(1)\""))
    }),
    wrong("unknown requests", 500, |n| {
        row(n, |i| format!("A{i}: wait request=\"r{i}\""))
    }),
    wrong("costs that cannot be read", 500, |n| {
        row(n, |i| format!("A{i}: action cost=\"1 + * {i}\""))
    }),
    wrong("elements that nothing reaches", 500, |n| {
        let lost: String = (0..n).map(|i| format!("A{i}: decision\n")).collect();
        headed(&lost, row(1, |_| "B0: action time=\"x\"".to_owned()))
    }),
    kind("warnings", 500, |n| {
        row(n, |i| format!("A{i}: action time=\"1\" colour=\"red{i}\""))
    }),
];

fn plain(sketch: String) -> Made {
    Made {
        sketch,
        ..Made::default()
    }
}

fn headed(head: &str, mut made: Made) -> Made {
    made.sketch.insert_str(0, head);
    made
}

/// Elements in a row, each declared in the first line of what `element` gives.
fn row(count: usize, element: impl Fn(usize) -> String) -> Made {
    let (mut text, mut chain) = (String::new(), "start".to_owned());
    for i in 0..count {
        let declared = element(i);
        let key = declared.split([':', ' ']).next().unwrap_or_default();
        // Writing to a string does not fail.
        let _ = write!(chain, " -> {key}");
        text += &declared;
        text.push('\n');
    }
    plain(format!("{text}{chain} -> end\n"))
}

/// Branches side by side, each with the flow to it.
fn wide(open: &str, close: &str, count: usize, arrow: impl Fn(usize) -> String) -> Made {
    let mut text = format!("O: {open}\nC: {close}\nstart -> O\nC -> end\n");
    for i in 0..count {
        let _ = writeln!(text, "O {} A{i} -> C", arrow(i));
    }
    if open == "decision" {
        text += "O -[else]-> C\n";
    }
    plain(text)
}

/// Rules that look from each element over all behind it, and find nothing wrong.
fn rules(count: usize) -> String {
    let mut text = String::from(
        "<mcl xmlns=\"http:///schemas/prophet/mcl/1\" name=\"own\">\n\
         <elements><element name=\"last\" node=\"ActivityFinalNode\"/></elements>\n<rules>\n",
    );
    for i in 0..count {
        let _ = writeln!(
            text,
            "<rule code=\"OWN{i}\" severity=\"warning\" element=\"any\"><summary>S.</summary>\
             <message>m</message><help>h</help>\
             <when><not><is element=\"last\"/></not>\
             <not><next element=\"last\" through=\"any\"/></not></when></rule>"
        );
    }
    text + "</rules>\n</mcl>\n"
}

//! Generates sketches of each kind of input, in any size, from `kinds.txt`.

use std::fmt::Write as _;

pub(crate) struct Kind {
    /// Name of the kind: what the input contains many of.
    pub name: &'static str,
    /// How many of them the smallest input contains.
    pub smallest: usize,
    /// Whether the model has errors, so that nothing can be generated from it.
    pub is_wrong: bool,
    /// A word that says what else is made, or how often.
    more: &'static str,
    lines: &'static str,
}

#[derive(Default)]
pub(crate) struct Made {
    pub sketch: String,
    /// Rules in addition to the built-in ones.
    pub rules: String,
    /// Files next to the model, by name.
    pub files: Vec<(&'static str, String)>,
}

/// Approximate nesting depth that the reader allows.
const DEPTH: usize = 50;
/// Terms in each cost. Expressions may only be nested to a limited depth.
const TERMS: usize = 40;

pub(crate) fn kinds() -> Vec<Kind> {
    let texts = include_str!("kinds.txt").split("\n=== ").skip(1);
    let kind = |text: &'static str| {
        let (head, lines) = text.split_once('\n')?;
        let (name, size) = head.rsplit_once(": ")?;
        let (smallest, more) = size.split_once(' ').unwrap_or((size, ""));
        Some(Kind {
            name,
            smallest: smallest.parse().ok()?,
            is_wrong: more == "wrong",
            more,
            lines,
        })
    };
    texts
        .map(|text| kind(text).unwrap_or_else(|| panic!("{text}")))
        .collect()
}

impl Kind {
    pub(crate) fn make(&self, n: usize) -> Made {
        let (mut sketch, mut chain) = (String::new(), "start".to_owned());
        let mut rows = Vec::new();
        let lines = self.lines.lines().filter_map(|it| it.split_once(' '));
        for (word, line) in lines {
            let filled = |i: usize| filled(line, i, n) + "\n";
            match word {
                "head" | "tail" => sketch += &filled(0),
                "each" => sketch.extend((0..n).map(filled)),
                "back" => sketch.extend((0..n).rev().map(filled)),
                _ => rows.push((word, line)),
            }
        }
        let count = match (rows.first().map(|it| it.0), self.more) {
            (_, "twice") => 2 * n,
            (Some("one"), _) => 1,
            (Some("500"), _) => 500,
            (Some("terms"), _) => n.div_ceil(TERMS),
            (first, _) => first.map_or(0, |_| n),
        };
        for i in 0..count {
            let declared = filled(rows[i % rows.len()].1, i, n);
            let key = declared.split([':', ' ']).next().unwrap_or_default();
            let _ = write!(chain, " -> {key}");
            sketch.extend([&declared, "\n"]);
        }
        if count > 0 {
            sketch.extend([&chain, " -> end\n"]);
        }
        let rows_of_table = |i: usize| format!("{i},{}\n", i % 10);
        Made {
            sketch,
            rules: match self.more {
                "rules" => rules(n),
                "500-rules" => rules(500),
                _ => String::new(),
            },
            files: match self.more {
                "table" => vec![("table.csv", (0..n).map(rows_of_table).collect())],
                _ => Vec::new(),
            },
        }
    }
}

fn filled(line: &str, i: usize, n: usize) -> String {
    let mut text = line.replace("\\n", "\n");
    for (name, value) in [
        ("{i}", i),
        ("{i-1}", i.saturating_sub(1)),
        ("{i+1}", i + 1),
        ("{i%7}", i % 7),
        ("{n}", n),
    ] {
        text = text.replace(name, &value.to_string());
    }
    if text.contains("{terms}") {
        let terms = (TERMS * i..n.min(TERMS * (i + 1))).map(|it| format!("{it}.5 * pid"));
        text = text.replace("{terms}", &terms.collect::<Vec<_>>().join(" + "));
    }
    if text.contains("{statements}") {
        let code: String = (0..n).map(|it| format!("G = G + {it}; ")).collect();
        text = text.replace("{statements}", &code);
    }
    if text.contains("{nesting}") {
        let open = |it| {
            format!(
                "L{it}: loop iterations=\"2\" {{\nstart -> L{} -> end\n",
                it + 1
            )
        };
        let inside: String = (1..DEPTH).map(open).collect();
        let close = "}\n".repeat(DEPTH);
        let nesting = format!("{inside}L{DEPTH}: action time=\"1\"\n{close}");
        text = text.replace("{nesting}", &nesting);
    }
    text
}

/// Writes rules that search all elements after each element, and find nothing wrong.
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

//! Writes a program as a model in XML.
//!
//! | module | is |
//! |---|---|
//! | `names` | variables, parameters and expressions as text |
//! | `comms` | communicators as functions |
//! | `code` | statements without messages as code |
//! | `messages` | calls of MPI as elements |
//! | `flow` | statements as elements |

mod code;
mod comms;
mod flow;
mod messages;
mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use prophet_text::markup::escaped;
use prophet_text::{Problem, problem};

use crate::facts::{Facts, Origin};
use crate::program::{Expr, Stmt, Var, What};
use crate::tree::Place;

/// Seconds that an operation takes, unless something tells more.
pub(crate) const PRICE_S: f64 = 1e-9;

/// A model as text, and what was left open.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) elements: u64,
    pub(crate) notes: Vec<String>,
    /// Defaults of the parameters.
    pub(crate) parameters: BTreeMap<String, f64>,
    /// Parameters that stand for words of the command line, and for what the source doesn't tell.
    pub(crate) given: BTreeMap<usize, String>,
    pub(crate) opened: Vec<String>,
    /// The parameter with the price of each element, and the place of each element.
    pub(crate) prices: BTreeMap<String, String>,
    pub(crate) places: BTreeMap<String, String>,
}

/// What an element costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Costs {
    /// Operations, all with the same price.
    Seconds,
    /// Operations by kind.
    Operations,
    /// Operations with a price of the element.
    Each,
}

/// Writes a program as a model with this name. `settings` are values of its parameters.
pub(crate) fn model(
    facts: &Facts<'_>,
    name: &str,
    settings: &[(String, f64)],
    costs: Costs,
) -> Result<Written, Problem> {
    let program = facts.program;
    if !program.functions.contains_key("main") {
        let help = "pass all files of the program";
        return Err(Problem::with_help("the files do not define `main`", help));
    }
    let mut writer = Writer::new(facts, costs);
    writer.notes.clone_from(&program.notes);
    for name in facts
        .recursive
        .iter()
        .filter(|it| facts.acting.contains(*it))
    {
        writer
            .notes
            .push(format!("{name} calls itself; its calls were left open"));
    }
    writer.activity("main")?;
    writer.finish(name, settings)
}

impl Written {
    pub(crate) fn value(&self, parameter: &str) -> f64 {
        self.parameters.get(parameter).copied().unwrap_or(0.0)
    }
}

#[derive(Debug, Clone)]
struct Parameter {
    of: &'static str,
    value: String,
    comment: String,
}

/// A communicator, as far as the model can say which ranks are in it.
#[derive(Debug, Clone, PartialEq)]
enum Comm {
    World,
    /// A grid, by the variable of its communicator, and the number of its axes.
    Grid(Var, i64),
    /// The ranks with the same color, by the variable of the communicator, with color and key.
    Split(Var, Box<[Expr; 2]>),
    Unknown,
}

/// Names with a meaning in the cost language.
const RESERVED: &str = "pid uid tid nid NUM_PROCESSES NUM_NODES NUM_CPUS NUM_THREADS ANY \
    PROC_NULL true false \
    M_PI M_E argc SECONDS_PER_OPERATION min max round floor ceil log exp sqrt gamma normal \
    uniform init end loop fn let type match self";

struct Writer<'w, 'p> {
    facts: &'w Facts<'p>,
    costs: Costs,
    prices: BTreeMap<String, String>,
    places: BTreeMap<String, String>,
    text: String,
    depth: usize,
    /// How many elements begin with a name.
    nodes: BTreeMap<String, u32>,
    function: String,
    names: BTreeMap<Var, String>,
    used: BTreeSet<String>,
    globals: BTreeMap<String, (&'static str, usize)>,
    parameters: BTreeMap<String, Parameter>,
    given: BTreeMap<usize, String>,
    opened: BTreeMap<(Place, String), String>,
    functions: BTreeMap<String, String>,
    activities: Vec<String>,
    done: BTreeSet<String>,
    comms: BTreeMap<Var, Comm>,
    /// Flags of the loops around, and whether they need them.
    loops: Vec<Option<String>>,
    jumps: u32,
    /// Whether the next receive was written with its probe.
    is_probed: bool,
    pending: String,
    cost: BTreeMap<&'static str, Expr>,
    at: Place,
    elements: u64,
    notes: Vec<String>,
}

impl<'w, 'p> Writer<'w, 'p> {
    fn new(facts: &'w Facts<'p>, costs: Costs) -> Self {
        let functions = facts.program.functions.keys().map(String::as_str);
        let mut writer = Self {
            facts,
            costs,
            prices: BTreeMap::new(),
            places: BTreeMap::new(),
            text: String::new(),
            depth: 2,
            nodes: BTreeMap::new(),
            function: String::new(),
            names: BTreeMap::new(),
            used: RESERVED.split(' ').chain(functions).map(key).collect(),
            globals: BTreeMap::new(),
            parameters: BTreeMap::new(),
            given: BTreeMap::new(),
            opened: BTreeMap::new(),
            functions: BTreeMap::new(),
            activities: Vec::new(),
            done: BTreeSet::new(),
            comms: BTreeMap::new(),
            loops: Vec::new(),
            jumps: 0,
            is_probed: false,
            pending: String::new(),
            cost: BTreeMap::new(),
            at: Place::default(),
            elements: 0,
            notes: Vec::new(),
        };
        writer.name_given();
        writer.find_comms();
        writer
    }

    /// Names parameters after the variables that get them.
    fn name_given(&mut self) {
        let mut found: BTreeMap<usize, String> = BTreeMap::new();
        for (var, origins) in &self.facts.origins {
            for origin in origins {
                let (Origin::Value(of) | Origin::Changed(of)) = origin else {
                    continue;
                };
                for part in of.all() {
                    if let Expr::Given(word) = part {
                        let name = &self.facts.program.variables[*var].name;
                        found.entry(*word).or_insert_with(|| name.clone());
                    }
                }
            }
        }
        let functions = self.facts.program.functions.values();
        for of in functions.flat_map(|it| it.body.expressions()) {
            if let Expr::Given(word) = of {
                let name = || format!("argument{word}");
                found.entry(*word).or_insert_with(name);
            }
        }
        for (word, name) in found {
            let name = self.unused(&name);
            let default = self.facts.program.defaults.get(&word);
            let (of, value) = match default {
                Some(Expr::Real(value)) => ("double", value.to_string()),
                Some(Expr::Int(value)) => ("long", value.to_string()),
                _ => ("long", "1".to_owned()),
            };
            if default.is_none() {
                self.notes.push(format!(
                    "the source has no default for the parameter {name}: set it with \
                     --set {name}=VALUE"
                ));
            }
            let comment = format!("Word {word} of the command line.");
            self.parameters
                .insert(name.clone(), Parameter { of, value, comment });
            self.given.insert(word, name);
        }
    }

    fn unused(&mut self, name: &str) -> String {
        let mut made = name.to_owned();
        let mut number = 1;
        while !self.used.insert(key(&made)) {
            number += 1;
            made = format!("{name}{number}");
        }
        made
    }

    /// Writes a function as an activity.
    fn activity(&mut self, name: &str) -> Result<(), Problem> {
        if !self.done.insert(name.to_owned()) {
            return Ok(());
        }
        if self.done.len() > 4096 {
            return Err(problem!(
                "the program has more than 4096 functions that send"
            ));
        }
        let function = &self.facts.program.functions[name];
        let outer = (
            std::mem::take(&mut self.text),
            std::mem::replace(&mut self.function, name.to_owned()),
            std::mem::take(&mut self.loops),
            std::mem::replace(&mut self.depth, 2),
            std::mem::take(&mut self.pending),
            std::mem::take(&mut self.cost),
        );
        self.open_loop(&function.body, false);
        self.arm(&[&function.body])?;
        self.loops.pop();
        self.line("<final/>");
        let place = self.facts.program.place(function.body.place);
        let shown = if name == "main" { "Main" } else { name };
        let body = std::mem::take(&mut self.text);
        self.activities.push(format!(
            "  <activity name=\"{shown}\">\n    <comment>{}</comment>\n{body}  </activity>\n",
            escaped(&place)
        ));
        (
            self.text,
            self.function,
            self.loops,
            self.depth,
            self.pending,
            self.cost,
        ) = outer;
        Ok(())
    }

    fn finish(mut self, name: &str, settings: &[(String, f64)]) -> Result<Written, Problem> {
        for (name, value) in settings {
            let Some(parameter) = self.parameters.get_mut(name) else {
                let known: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
                let help = format!("choose one of {}", known.join(", "));
                return Err(Problem::with_help(
                    format!("unknown parameter `{name}`"),
                    help,
                ));
            };
            if value.fract() != 0.0 {
                parameter.of = "double";
            }
            parameter.value = value.to_string();
        }
        let mut text = format!(
            "<model xmlns=\"http:///schemas/prophet/model/1\" name=\"{}\" main=\"Main\">\n",
            escaped(if name.is_empty() { "Analyzed" } else { name })
        );
        for (name, Parameter { of, value, comment }) in &self.parameters {
            let _ = writeln!(
                text,
                "  <parameter name=\"{name}\" type=\"{of}\" value=\"{value}\">\n    \
                 <comment>{}</comment>\n  </parameter>",
                escaped(comment)
            );
        }
        for (name, (of, length)) in &self.globals {
            let length = match length {
                0 | 1 => String::new(),
                _ => format!(" length=\"{length}\""),
            };
            let value = if length.is_empty() {
                " value=\"0\""
            } else {
                ""
            };
            let _ = writeln!(
                text,
                "  <global name=\"{name}\" type=\"{of}\"{length}{value}/>"
            );
        }
        self.activities.reverse();
        text += &self.called_functions();
        text.extend(self.activities.iter().map(String::as_str));
        text += "</model>\n";
        let is_left =
            |it: &&String| !self.done.contains(*it) && !self.facts.recursive.contains(*it);
        let left: Vec<&str> = { self.facts.acting.iter().filter(is_left) }
            .map(String::as_str)
            .collect();
        if !left.is_empty() {
            let left = left.join(", ");
            let told = format!("nothing in the model calls these functions with messages: {left}");
            self.notes.push(told);
        }
        self.notes.dedup();
        let value = |it: &Parameter| it.value.parse().unwrap_or(0.0);
        let parameters = self.parameters.iter();
        Ok(Written {
            parameters: parameters.map(|it| (it.0.clone(), value(it.1))).collect(),
            given: self.given,
            opened: self.opened.into_values().collect(),
            prices: self.prices,
            places: self.places,
            text,
            elements: self.elements,
            notes: self.notes,
        })
    }

    /// Returns the functions that activities call, and those that these functions call.
    fn called_functions(&self) -> String {
        const BEGIN: &str = "  <function name=\"";
        let texts = self.functions.values();
        let all: Vec<&str> = texts.flat_map(|it| it.split(BEGIN).skip(1)).collect();
        let name = |it: &str| it.split('"').next().unwrap_or_default().to_owned();
        let mut kept: BTreeSet<usize> = BTreeSet::new();
        let mut text = self.activities.concat();
        loop {
            let is_called = |it: &usize| text.contains(&format!("{}(", name(all[*it])));
            let next = (0..all.len()).filter(|it| !kept.contains(it));
            let Some(next) = next.into_iter().find(is_called) else {
                break;
            };
            kept.insert(next);
            text += all[next];
        }
        kept.into_iter().flat_map(|it| [BEGIN, all[it]]).collect()
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    fn node(&mut self, kind: &str) -> String {
        self.elements += 1;
        let number = self.nodes.entry(kind.to_owned()).or_default();
        *number += 1;
        if *number == 1 {
            kind.to_owned()
        } else {
            format!("{kind}{number}")
        }
    }

    fn comment(&self) -> String {
        let place = self.facts.program.place(self.at);
        format!("<comment>{}</comment>", escaped(&place))
    }

    /// Writes an action with its place in the source.
    fn action(&mut self, name: &str, stereotype: &str, tags: &[(&str, String)]) {
        let mut text = format!("<action name=\"{name}\" stereotype=\"{stereotype}\"");
        for (tag, value) in tags {
            let _ = write!(text, " {tag}=\"{}\"", escaped(value));
        }
        let comment = self.comment();
        let place = self.facts.program.place(self.at);
        self.places.insert(name.to_owned(), place);
        self.line(&format!("{text}>{comment}</action>"));
    }

    fn note(&mut self, place: Place, told: &str) {
        let note = format!("{}: {told}", self.facts.program.place(place));
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Returns the parameter that stands for what the source doesn't tell.
    fn open(&mut self, place: Place, kind: &str, value: &str, told: &str) -> String {
        let key = (place, kind.to_owned());
        if let Some(known) = self.opened.get(&key) {
            return known.clone();
        }
        let name = self.unused(&format!("{kind}_line{}", place.line));
        let comment = format!("{}: {told}", self.facts.program.place(place));
        self.note(
            place,
            &format!("{told}; set it with the parameter {name} (here {value})"),
        );
        let value = value.to_owned();
        let of = if value.contains('.') {
            "double"
        } else {
            "long"
        };
        self.parameters
            .insert(name.clone(), Parameter { of, value, comment });
        self.opened.insert(key, name.clone());
        name
    }
}

/// Returns what names must differ in.
fn key(name: &str) -> String {
    name.to_lowercase().replace('_', "")
}

/// Returns whether a statement always ends in a jump.
fn always_jumps(stmt: &Stmt) -> bool {
    match &stmt.what {
        What::Break | What::Continue | What::Return(_) => true,
        What::Block(of) => of.iter().any(always_jumps),
        What::If(_, then, other) => always_jumps(then) && always_jumps(other),
        _ => false,
    }
}

/// Returns whether a statement can jump out of itself. Inside of a loop, only a return does.
fn may_jump(stmt: &Stmt) -> bool {
    match &stmt.what {
        What::Break | What::Continue | What::Return(_) => true,
        What::Loop(of) => of
            .body
            .all()
            .iter()
            .any(|it| matches!(it.what, What::Return(_))),
        _ => stmt.parts().into_iter().any(may_jump),
    }
}

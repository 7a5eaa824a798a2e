//! Defines graphs as text and structures as pseudo-code, for tests.

mod large;
mod random;
mod walk;

use std::fmt::Write as _;

use prophet_testing::assert_cases;

use super::{Block, Exit, Graph, Label, Node, Statement};
use crate::index::{List, ListPlace as _};

/// Parses a graph from lines such as `A > d` (continues), `d ? X Y : Z` (two guards and an `else`)
/// and `F .` (ends). Nodes with lowercase names are silent. The flow starts at the first line.
fn graph(text: &str) -> (Graph, Vec<&str>) {
    let mut names: Vec<&str> = Vec::new();
    let mut number = |name| -> Node {
        names.iter().position(|known| *known == name).map_or_else(
            || {
                names.push(name);
                Node::new(names.len() - 1)
            },
            Node::new,
        )
    };
    let mut exits = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let node = number(words[0]);
        let exit = match words[1] {
            "." => Exit::Stop,
            ">" => Exit::Next(number(words[2])),
            _ => {
                let colon = words.iter().position(|word| *word == ":");
                let arms = &words[2..colon.unwrap_or(words.len())];
                Exit::Branch {
                    arms: arms.iter().map(|name| number(name)).collect(),
                    otherwise: colon.map(|colon| number(words[colon + 1])),
                }
            }
        };
        exits.push((node, exit));
    }
    let mut nodes: List<Node, Exit> = vec![Exit::Stop; names.len()].into_iter().collect();
    for (node, exit) in exits {
        nodes[node] = exit;
    }
    let is_silent = |node: &Node| names[node.number()].starts_with(char::is_lowercase);
    let silent = nodes.places().filter(is_silent).collect();
    (
        Graph {
            entry: Node::new(0),
            nodes,
            silent,
        },
        names,
    )
}

#[test]
fn graphs_get_their_structures() {
    for file in ["tests/cases/branches.txt", "tests/cases/loops.txt"] {
        assert_cases(file, |case| pseudo_code(case.input));
    }
}

/// Structures a graph, and renders it as pseudo-code. `d1` is the second guard of `d`.
fn pseudo_code(text: &str) -> String {
    let (graph, names) = graph(text);
    let mut code = String::new();
    write_block(&super::structure(&graph), &names, 0, &mut code);
    code
}

fn write_block(block: &Block, names: &[&str], indent: usize, code: &mut String) {
    for statement in block {
        code.push_str(&"    ".repeat(indent));
        write_statement(statement, names, indent, code);
        code.push('\n');
    }
}

fn write_nested(head: &str, block: &Block, names: &[&str], indent: usize, code: &mut String) {
    code.push_str(head);
    if block.is_empty() {
        code.push_str("{}");
        return;
    }
    code.push_str("{\n");
    write_block(block, names, indent + 1, code);
    code.push_str(&"    ".repeat(indent));
    code.push('}');
}

fn write_statement(statement: &Statement, names: &[&str], indent: usize, code: &mut String) {
    let prefix = |label: &Option<Label>| label.map_or(String::new(), |one| format!("'{one}: "));
    let suffix = |label: &Option<Label>| label.map_or(String::new(), |one| format!(" '{one}"));
    let mut nested = |head: &str, block| write_nested(head, block, names, indent, code);
    match statement {
        Statement::Visit(node) => code.push_str(names[node.number()]),
        Statement::Branch {
            node,
            arms,
            otherwise,
        } => {
            for (number, arm) in arms.iter().enumerate() {
                let word = if number == 0 { "" } else { " else " };
                nested(&format!("{word}if {}{number} ", names[node.number()]), arm);
            }
            match otherwise.as_deref() {
                Some([only @ Statement::Branch { .. }]) => {
                    code.push_str(" else ");
                    write_statement(only, names, indent, code);
                }
                Some(_) => nested(" else ", otherwise.as_ref().unwrap()),
                None => {}
            }
        }
        Statement::Loop { label, body, .. } => nested(&format!("{}loop ", prefix(label)), body),
        Statement::While {
            label,
            node,
            negated,
            body,
            ..
        } => {
            let not = if *negated { "!" } else { "" };
            nested(
                &format!("{}while {not}{}0 ", prefix(label), names[node.number()]),
                body,
            );
        }
        Statement::Labeled { label, body } => nested(&prefix(&Some(*label)), body),
        Statement::Break(label) => write!(code, "break{}", suffix(label)).unwrap(),
        Statement::Continue(label) => write!(code, "continue{}", suffix(label)).unwrap(),
        Statement::Return => code.push_str("return"),
        Statement::Dispatch {
            label,
            entry,
            states,
        } => {
            writeln!(code, "'{label}: dispatch {} {{", names[entry.number()]).unwrap();
            for (state, block) in states {
                code.push_str(&"    ".repeat(indent + 1));
                write_nested(
                    &format!("{}: ", names[state.number()]),
                    block,
                    names,
                    indent + 1,
                    code,
                );
                code.push('\n');
            }
            code.push_str(&"    ".repeat(indent));
            code.push('}');
        }
        Statement::Goto { label, state } => {
            write!(code, "goto '{label} {}", names[state.number()]).unwrap();
        }
    }
}

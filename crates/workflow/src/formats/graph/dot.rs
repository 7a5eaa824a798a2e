//! Reads graphs in DOT.

use prophet_text::Problem;

use super::super::NamedText;
use super::Graph;
use crate::quoted;

const DEPTH_MAX: usize = 64;

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Sign(char),
    Arrow,
}

struct Tokens<'a> {
    file: NamedText<'a>,
    rest: &'a str,
    line: usize,
}

impl Tokens<'_> {
    fn wrong(&self, what: impl Into<String>) -> Problem {
        let help = "Use a graph as written by Nextflow's `-with-dag` or Snakemake's `--dag`.";
        self.file.at(self.line, Problem::with_help(what, help))
    }

    fn skip(&mut self, bytes: usize) -> String {
        let (skipped, rest) = self.rest.split_at(bytes);
        self.line += skipped.matches('\n').count();
        self.rest = rest;
        skipped.to_owned()
    }

    fn blanks(&mut self) {
        loop {
            let start = self.rest.trim_start();
            self.skip(self.rest.len() - start.len());
            let end = if start.starts_with('#') || start.starts_with("//") {
                start.find('\n').unwrap_or(start.len())
            } else if start.starts_with("/*") {
                start.find("*/").map_or(start.len(), |it| it + 2)
            } else {
                return;
            };
            self.skip(end);
        }
    }

    fn is_before(&mut self, sign: char) -> bool {
        self.blanks();
        self.rest.starts_with(sign)
    }

    fn next(&mut self) -> Result<Option<Token>, Problem> {
        self.blanks();
        let Some(first) = self.rest.chars().next() else {
            return Ok(None);
        };
        if first == '"' {
            return self.text().map(Token::Word).map(Some);
        }
        if self.rest.starts_with("->") {
            self.skip(2);
            return Ok(Some(Token::Arrow));
        }
        if first == '<' {
            return Err(self.wrong("HTML labels are not supported"));
        }
        if !is_word(first) {
            self.skip(first.len_utf8());
            return Ok(Some(Token::Sign(first)));
        }
        let end = self.rest.find(|it| !is_word(it));
        Ok(Some(Token::Word(self.skip(end.unwrap_or(self.rest.len())))))
    }

    /// Returns a quoted text, in which `\n` stands for a line break.
    fn text(&mut self) -> Result<String, Problem> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, letter)) = chars.next() {
            match letter {
                '"' => {
                    self.skip(at + 1);
                    return Ok(text);
                }
                '\\' => match chars.next().map(|it| it.1) {
                    Some('n' | 'l' | 'r') => text.push('\n'),
                    Some('\n') | None => {}
                    Some(other) => text.push(other),
                },
                _ => text.push(letter),
            }
        }
        Err(self.wrong("missing end of a string"))
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '.'
}

pub(super) fn read(file: NamedText<'_>) -> Result<Graph, Problem> {
    let text = file.text.trim_start_matches('\u{feff}');
    let mut tokens = Tokens {
        file,
        rest: text,
        line: 1,
    };
    let mut graph = Graph::default();
    let mut depth = 0_usize;
    // The nodes of the statement, and whether an arrow precedes the next one.
    let mut nodes: Vec<usize> = Vec::new();
    let mut is_after_arrow = false;
    let mut names_graph = false;
    while let Some(token) = tokens.next()? {
        match token {
            Token::Sign('{') => {
                depth += 1;
                if depth > DEPTH_MAX {
                    let what = format!("parts are nested more than {DEPTH_MAX} deep");
                    return Err(tokens.wrong(what));
                }
                (nodes, is_after_arrow, names_graph) = (Vec::new(), false, false);
            }
            Token::Sign('}') => {
                depth = depth
                    .checked_sub(1)
                    .ok_or_else(|| tokens.wrong("a `}` has no `{`"))?;
                nodes.clear();
            }
            Token::Sign('[') => attributes(&mut tokens, &mut graph, &nodes)?,
            Token::Sign(';') => nodes.clear(),
            Token::Sign(',') => {}
            Token::Sign(sign) => {
                let what = format!("unexpected {}", quoted(&sign.to_string()));
                return Err(tokens.wrong(what));
            }
            Token::Arrow if nodes.is_empty() => return Err(tokens.wrong("an arrow has no start")),
            Token::Arrow => is_after_arrow = true,
            Token::Word(word) if depth == 0 || word == "subgraph" => names_graph = true,
            Token::Word(word) if matches!(&*word, "graph" | "node" | "edge") => nodes.clear(),
            Token::Word(_) if names_graph => {}
            Token::Word(_) if tokens.is_before('=') => {
                tokens.next()?;
                tokens.next()?;
                nodes.clear();
            }
            Token::Word(word) => {
                let node = graph.node(&word);
                if std::mem::take(&mut is_after_arrow) {
                    let from = nodes.last().copied().unwrap_or(node);
                    graph.edges.push((from, node));
                } else {
                    nodes.clear();
                }
                nodes.push(node);
            }
        }
    }
    if depth > 0 {
        return Err(tokens.wrong("missing end of the graph"));
    }
    Ok(graph)
}

/// Reads attributes. A label or style belongs to the statement's node if there is only one.
fn attributes(tokens: &mut Tokens<'_>, graph: &mut Graph, nodes: &[usize]) -> Result<(), Problem> {
    let mut last = [None, None];
    loop {
        match tokens.next()? {
            None => return Err(tokens.wrong("missing end of the attributes")),
            Some(Token::Sign(']')) => return Ok(()),
            Some(token) => {
                if let ([Some(Token::Word(key)), Some(Token::Sign('='))], Token::Word(value)) =
                    (&last, &token)
                    && let [node] = nodes
                {
                    match &**key {
                        "label" | "xlabel" if !value.is_empty() => {
                            graph.labels[*node].clone_from(value);
                        }
                        "style" => {
                            graph.dashed[*node] = value.split(',').any(|it| it.trim() == "dashed");
                        }
                        _ => {}
                    }
                }
                let [_, equals] = last;
                last = [equals, Some(token)];
            }
        }
    }
}

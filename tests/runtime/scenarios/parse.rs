//! Parses the language of scenarios: the machine, and what its processes do.
//!
//! ```text
//! | [power]                        # a machine file without its name and source, if there is one
//! --nodes 2 --processes 3          # the machine, as flags of a program
//! 0: recv any 2 cost 0.5; at 3     # what process 0 does
//! 1-2: work 1.5                    # and those after it
//!   send 0 2 tag pid
//! else: ...                        # who is not named before
//! ```
//!
//! A statement is a word, followed by operands, options, and blocks in braces. `send'Large` is the
//! element `Large`. Elements are numbered in the order of the text, and their ids are higher by
//! one. `run.rs` lists the words.

use std::collections::VecDeque;

/// Options of statements that have a value.
const OPTIONS: [&str; 20] = [
    "tag", "value", "cost", "as", "comm", "moves", "within", "threads", "chunk", "lock", "by",
    "stream", "device", "event", "peer", "bytes", "share", "memory", "fp64", "fp32",
];

/// Words that aren't elements.
const PLAIN: [&str; 8] = [
    "hold", "note", "at", "times", "if", "give-up", "waste", "drop-at",
];

pub(super) struct Scenario {
    pub(super) flags: Vec<String>,
    /// The steps, by the processes that run them: `0`, `1-2` or `else`.
    parts: Vec<(String, Vec<Step>)>,
    pub(super) elements: Vec<&'static str>,
    pub(super) requests: Vec<&'static str>,
}

pub(super) struct Step {
    pub(super) word: String,
    /// The number and name of the element.
    pub(super) element: (u32, &'static str),
    pub(super) operands: Vec<String>,
    pub(super) options: Vec<(String, String)>,
    pub(super) blocks: Vec<Vec<Self>>,
}

impl Step {
    pub(super) fn option(&self, name: &str) -> Option<&str> {
        let mut named = self.options.iter().filter(|it| it.0 == name);
        named.next().map(|it| &*it.1)
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.operands.iter().any(|it| it == word)
    }
}

impl Scenario {
    pub(super) fn parse(text: &str) -> Self {
        let mut parser = Parser::default();
        let (mut flags, mut parts) = (Vec::new(), Vec::<(String, String)>::new());
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default();
            let who = line.split_once(':').filter(|(who, _)| !who.contains(' '));
            match (who, parts.last_mut()) {
                (Some((who, rest)), _) => parts.push((who.to_owned(), format!("{rest}\n"))),
                (None, Some((_, steps))) => steps.extend([line, "\n"]),
                (None, None) => flags.extend(line.split_whitespace().map(str::to_owned)),
            }
        }
        let parts = parts.into_iter().map(|(who, steps)| {
            parser.tokens = tokens(&steps);
            let steps = parser.steps();
            assert!(parser.tokens.is_empty(), "a brace is closed twice");
            (who, steps)
        });
        Self {
            flags,
            parts: parts.collect(),
            elements: parser.elements,
            requests: parser.requests,
        }
    }

    pub(super) fn steps(&self, pid: i64) -> &[Step] {
        let number = |text: &str| text.parse::<i64>().expect("a process has a number");
        let is_of = |who: &str| match who.split_once('-') {
            _ if who == "else" => true,
            Some((first, last)) => (number(first)..=number(last)).contains(&pid),
            None => number(who) == pid,
        };
        let part = self.parts.iter().find(|(who, _)| is_of(who));
        part.map(|(_, steps)| &**steps).unwrap_or_default()
    }
}

fn tokens(text: &str) -> VecDeque<String> {
    let spaced = text
        .replace('{', " { ")
        .replace('}', " } ")
        .replace(';', " ; ");
    let mut tokens: VecDeque<String> = VecDeque::new();
    for line in spaced.lines() {
        for (number, word) in line.split_whitespace().enumerate() {
            // The end of a line ends a statement, unless the next line begins with a block.
            if number == 0 && word != "{" {
                tokens.push_back(";".to_owned());
            }
            tokens.push_back(word.to_owned());
        }
    }
    tokens
}

#[derive(Default)]
struct Parser {
    tokens: VecDeque<String>,
    elements: Vec<&'static str>,
    requests: Vec<&'static str>,
}

impl Parser {
    fn next(&mut self) -> String {
        self.tokens.pop_front().expect("a statement goes on")
    }

    /// Parses statements until the text or the block ends.
    fn steps(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some(token) = self.tokens.front() {
            match &**token {
                "}" => break,
                ";" => drop(self.tokens.pop_front()),
                _ => steps.push(self.step()),
            }
        }
        steps
    }

    fn step(&mut self) -> Step {
        let token = self.next();
        let (word, name) = token.split_once('\'').unwrap_or((&token, ""));
        let mut step = Step {
            word: word.to_owned(),
            element: (0, ""),
            operands: Vec::new(),
            options: Vec::new(),
            blocks: Vec::new(),
        };
        if !PLAIN.contains(&word) {
            step.element = numbered(&mut self.elements, &named(word, name));
        }
        if ["give-up", "waste", "drop-at"].contains(&word) {
            step.operands
                .extend((word == "drop-at").then(|| self.next()));
            step.blocks.push(vec![self.step()]);
            return step;
        }
        while let Some(token) = self.tokens.front().filter(|it| *it != ";" && *it != "}") {
            let token = token.clone();
            self.tokens.pop_front();
            if token == "{" {
                step.blocks.push(self.steps());
                let end = self.tokens.pop_front();
                assert_eq!(end.as_deref(), Some("}"), "a block of `{word}` has an end");
            } else if OPTIONS.contains(&&*token) {
                let value = self.next();
                if token == "as" {
                    numbered(&mut self.requests, &value);
                }
                step.options.push((token, value));
            } else {
                let is_request = word == "wait" && !["first", "seen", "real"].contains(&&*token);
                if is_request {
                    numbered(&mut self.requests, &token);
                }
                step.operands.push(token);
            }
        }
        step
    }
}

/// Returns the name of a statement's element, which is its own or else the word.
fn named(word: &str, name: &str) -> String {
    match (word, name) {
        ("pass", "") => "Flows".to_owned(),
        (_, "") => {
            let (first, rest) = word.split_at(1);
            first.to_uppercase() + rest
        }
        _ => name.to_owned(),
    }
}

/// Returns the number of a name. Names are numbered in the order in which they first occur.
fn numbered(names: &mut Vec<&'static str>, name: &str) -> (u32, &'static str) {
    let known = names.iter().position(|it| *it == name);
    let number = known.unwrap_or_else(|| {
        // Elements keep names forever, but there are few.
        names.push(Box::leak(name.to_owned().into_boxed_str()));
        names.len() - 1
    });
    (u32::try_from(number).expect("few"), names[number])
}

//! Writes the behavior of models for numbers of ranks that weren't recorded and that no formula
//! covers: an average rank's exchange.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_text::markup::escaped;

use super::super::step::Step;
use super::super::uniform::{self, Amounts, Part, PartKind, Role};
use super::{Writer, values};
use crate::event::Kind;

const OTHERS: &str = "OtherRanks";
/// End of the decision on whether a number of ranks was recorded.
pub(super) const END: &str = "    </when>\n    <otherwise>\n      <call name=\"OtherRanks\" \
                              stereotype=\"activity+\" activity=\"OtherRanks\"/>\n    \
                              </otherwise>\n    </decision>\n";

impl Writer<'_> {
    pub(super) fn others(&mut self, steps: &[Step]) {
        let parts = uniform::parts(steps, &self.points.clone());
        let before = std::mem::take(&mut self.text);
        self.depth = 2;
        self.parts_of_others(&parts);
        let body = std::mem::replace(&mut self.text, before);
        let _ = write!(
            self.activities,
            "  <activity name=\"{OTHERS}\">\n    <comment>What ranks do on average, with numbers \
             of ranks that were not recorded: every message has a receive.\
             </comment>\n{body}    <final/>\n  </activity>\n"
        );
    }

    fn parts_of_others(&mut self, parts: &[Part]) {
        for part in parts {
            match &part.kind {
                PartKind::Compute(role) => {
                    let name = self.name("OtherCompute");
                    let cost = self.average(&part.amounts, "double");
                    let cost = match role {
                        Role::All => cost,
                        Role::Master => format!("pid == 0 ? {cost} : 0.0"),
                        Role::Others => format!("pid == 0 ? 0.0 : {cost}"),
                    };
                    self.line(&format!(
                        "<action name=\"{name}\" stereotype=\"action+\" cost=\"{cost}\"/>"
                    ));
                    self.elements += 1;
                }
                PartKind::Loop(body) => {
                    let count = self.average(&part.times, "long");
                    self.begin_loop(&count);
                    self.parts_of_others(body);
                    self.end_loop(&count);
                }
                PartKind::Called(kind) => {
                    let (count, size) = (self.average(&part.times, "long"), self.mean_of(part));
                    self.begin_loop(&count);
                    let name = self.name("OtherCollective");
                    let root = if kind.is_rooted() { " root=\"0\"" } else { "" };
                    let size = match kind {
                        Kind::Barrier => String::new(),
                        _ => format!(" size=\"{size}\""),
                    };
                    self.line(&format!(
                        "<action name=\"{name}\" stereotype=\"{}\"{root}{size}/>",
                        kind.name()
                    ));
                    self.elements += 1;
                    self.end_loop(&count);
                }
                PartKind::Messages(Role::All) => self.exchange_of_others(part),
                PartKind::Messages(role) => self.messages_of_master(part, *role),
            }
        }
    }

    /// Writes an exchange around the ring: each rank sends to the next rank, then to the one after
    /// it, and so on, and receives from the ranks before it.
    fn exchange_of_others(&mut self, part: &Part) {
        let (count, size) = (self.average(&part.times, "long"), self.mean_of(part));
        self.turns += 1;
        let (turn, ranks) = (format!("turn{}", self.turns), "NUM_PROCESSES");
        let next = format!("{ranks} &gt; 1 ? {turn} % ({ranks} - 1) + 1 : 0");
        self.begin_turns(&count, &turn, &next);
        let name = self.name("OtherExchange");
        self.partners += 2;
        self.line(&format!(
            "<action name=\"{name}\" stereotype=\"sendrecv\" dest=\"(pid + {turn}) % {ranks}\" \
             source=\"(pid + {ranks} - {turn}) % {ranks}\" size=\"{size}\"/>"
        ));
        self.elements += 3;
        self.end_loop(&count);
    }

    /// Writes messages between the first rank and the others, which take turns.
    fn messages_of_master(&mut self, part: &Part, role: Role) {
        let (count, size) = (self.average(&part.times, "long"), self.mean_of(part));
        self.turns += 1;
        let (turn, ranks) = (format!("turn{}", self.turns), "NUM_PROCESSES");
        let [send, receive] = [
            ("OtherSend", "bsend", "dest"),
            ("OtherReceive", "brecv", "source"),
        ];
        let (master, other) = match role {
            Role::Master => (send, receive),
            _ => (receive, send),
        };
        let message = |writer: &mut Self, (kind, stereotype, end), partner: &str| {
            let name = writer.name(kind);
            let size = match end {
                "dest" => format!(" size=\"{size}\""),
                _ => String::new(),
            };
            writer.elements += 1;
            writer.line(&format!(
                "<action name=\"{name}\" stereotype=\"{stereotype}\" {end}=\"{partner}\"{size}/>"
            ));
        };
        let name = self.name("IsMaster");
        self.line(&format!("<decision name=\"{name}\">"));
        self.line("<when guard=\"pid &gt; 0\">");
        let share = format!("({count} + {ranks} - 1 - pid) / ({ranks} - 1)");
        self.begin_loop(&share);
        message(self, other, "0");
        self.end_loop(&share);
        self.line("</when>");
        self.line(&format!("<when guard=\"{ranks} &gt; 1\">"));
        self.begin_turns(&count, &turn, &format!("{turn} % ({ranks} - 1) + 1"));
        message(self, master, &turn);
        self.end_loop(&count);
        self.line("</when>");
        self.line("<otherwise/>");
        self.line("</decision>");
        self.elements += 3;
    }

    /// Starts a loop in which the variable `turn` takes the value of `next` each time.
    fn begin_turns(&mut self, count: &str, turn: &str, next: &str) {
        let name = self.name("Turn");
        self.line(&format!(
            "<action name=\"{name}\"><code>{turn} = 0;</code></action>"
        ));
        self.begin_loop(count);
        let name = self.name("Turn");
        self.line(&format!(
            "<action name=\"{name}\"><code>{turn} = {next};</code></action>"
        ));
    }

    /// Starts a loop, unless there is only one iteration.
    fn begin_loop(&mut self, count: &str) {
        if count == "1" {
            return;
        }
        let name = self.name("OtherLoop");
        self.elements += 1;
        self.line(&format!(
            "<block name=\"{name}\" stereotype=\"loop+\" iterations=\"{count}\">"
        ));
        self.depth += 1;
    }

    fn end_loop(&mut self, count: &str) {
        if count == "1" {
            return;
        }
        if self.text.ends_with("</decision>\n") {
            self.line("<flow-final/>");
        }
        self.depth -= 1;
        self.line("</block>");
    }

    fn mean_of(&mut self, part: &Part) -> String {
        let mean = |(amount, times): (&f64, &f64)| amount / times.max(f64::MIN_POSITIVE);
        let sizes = part.amounts.iter().zip(&part.times).map(mean).collect();
        self.average(&sizes, "long")
    }

    /// Returns an average over the runs, as a constant or as a call of a fitted function.
    fn average(&mut self, amounts: &Amounts, of: &'static str) -> String {
        let runs = self.points.runs().iter();
        let at = runs.map(|it| {
            let ranks = std::iter::once(f64::from(it.ranks));
            ranks.chain(it.parameters.iter().copied()).collect()
        });
        let known: Vec<(Vec<f64>, f64)> = at.zip(amounts.iter().copied()).collect();
        let names: Vec<String> = std::iter::once("NUM_PROCESSES".to_owned())
            .chain(self.points.names.iter().cloned())
            .collect();
        let is_constant = amounts
            .iter()
            .all(|it| it.to_bits() == amounts[0].to_bits());
        let fitted = self.learning.filter(|_| !is_constant);
        let fitted = fitted.and_then(|it| it.costs.fitted(&names, &known));
        if is_constant && of == "long" {
            return format!("{:.0}", amounts[0]);
        }
        let expression = fitted.map_or_else(|| values::number(amounts[0]), |it| it.expression);
        if is_constant {
            return expression;
        }
        let expression = match of {
            "long" => format!("llround({expression})"),
            _ => expression,
        };
        let known = self.averages.len() + 1;
        let number = *self.averages.entry(expression.clone()).or_insert(known);
        let name = format!("Other{number}");
        if number == known {
            let _ = writeln!(
                self.lists.text,
                "  <function name=\"{name}\" result=\"{of}\">\n    <comment>Fitted to the means of \
                 the recorded numbers of ranks.</comment>\n    <body>return {};</body>\n  \
                 </function>",
                escaped(&expression)
            );
        }
        format!("{name}()")
    }
}

pub(super) type Averages = BTreeMap<String, usize>;

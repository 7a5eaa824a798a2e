//! Reads workloads. Each process is a job of an open workload, or belongs to the population of a
//! closed workload.

use super::super::reader::Reader;
use super::super::tree::NodeId;
use super::arrivals::{CYCLES, cycles};
use super::{Annotation, Price};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::marte as rules;
use crate::marte_values::{self, Dimension, Item, Statistic, Value, ValueKind, ValueProblem};
use crate::model::{DiagramId, Variable};
use crate::path;
use crate::source::{Span, Text};

/// A workload that can be simulated.
enum Pattern {
    /// Jobs arrive one after another, with this time in between.
    Open { gap: Text },
    /// Jobs alternately think for this time, if any, and work.
    Closed { delay: Option<Text> },
}

impl Reader<'_, '_> {
    /// Applies the program's workload, and returns the new main activity.
    pub(in crate::xmi) fn arrivals(
        &mut self,
        main: NodeId,
        diagram: DiagramId,
        globals: &mut Vec<Variable>,
    ) -> DiagramId {
        self.advise_hosts();
        let in_main = |node: &NodeId| {
            let id = self.element_of.get(node);
            *node == main || id.is_some_and(|id| self.elements[id.0].diagram == diagram)
        };
        let events: Vec<NodeId> = self
            .marte
            .workloads
            .keys()
            .copied()
            .filter(in_main)
            .collect();
        let [event] = events[..] else {
            if let [_, second, ..] = events[..] {
                let what = "there is a second workload, but only one can be simulated";
                self.refuse_workload(second, what.to_owned());
            }
            return diagram;
        };
        let Some(annotation) = self.marte.workloads.remove(&event) else {
            return diagram;
        };
        self.note_tags(&annotation, &["pattern"]);
        let Some(pattern) = self.pattern(&annotation) else {
            return diagram;
        };
        match pattern {
            Pattern::Open { gap } => self.open(main, diagram, gap, annotation.span),
            Pattern::Closed { delay } => {
                globals.push(cycles(annotation.span));
                self.closed(main, diagram, delay, annotation.span)
            }
        }
    }

    fn refuse_workload(&mut self, event: NodeId, message: String) {
        let span = self.marte.workloads.get(&event).map(|it| it.span);
        let span = span.unwrap_or_default();
        self.diagnostics
            .push(Diagnostic::new(&rules::BAD_WORKLOAD, span, message));
    }

    /// Reads the pattern of a workload. If it can't be simulated, reports why.
    fn pattern(&mut self, annotation: &Annotation) -> Option<Pattern> {
        let text = annotation.value("pattern")?;
        let read = marte_values::parse(&text.value).and_then(|value| self.pattern_of(value, text));
        match read {
            Ok(pattern) => Some(pattern),
            Err(problem) => {
                let span = text.locate(self.tree.source, problem.at.start, problem.at.end);
                let message = format!("the workload cannot be simulated: {}", problem.message);
                let help = "patterns are closed(population=4, extDelay=(value=2, unit=s)), \
                            open(arrivalRate=(value=5, unit=Hz)) and periodic(period=…)";
                self.diagnostics
                    .push(Diagnostic::new(&rules::BAD_WORKLOAD, span, message).help(help));
                None
            }
        }
    }

    fn pattern_of(&mut self, value: Value<'_>, text: &Text) -> Result<Pattern, ValueProblem> {
        let Value { kind, at } = value;
        let ValueKind::Call(name, items) = kind else {
            let message = "expected a pattern, such as `open(…)`".to_owned();
            return Err(ValueProblem { at, message });
        };
        let part = |name: &str| {
            let named = items.iter().find(|it| it.name == Some(name));
            named.map(|it| it.value.clone())
        };
        let check = |known: &[&str]| unknown_part(&items, known).map_or(Ok(()), Err);
        let need = |name: &str| {
            let message = format!("it needs `{name}`");
            part(name).ok_or(ValueProblem {
                at: at.clone(),
                message,
            })
        };
        match name {
            "closed" => {
                check(&["population", "extDelay"])?;
                self.advise_population(need("population")?, text)?;
                let delay = part("extDelay").filter(|it| !is_zero(it));
                let delay = delay.map(|it| self.duration(it, text)).transpose()?;
                let delay = delay.map(|(price, _)| price.text);
                Ok(Pattern::Closed { delay })
            }
            "open" => {
                check(&["arrivalRate", "interArrivalTime", "arrivalProcess"])?;
                let process = part("arrivalProcess");
                let is_even = process.as_ref().map_or(Ok(false), is_even)?;
                let gap = match (part("arrivalRate"), part("interArrivalTime")) {
                    (Some(rate), None) => self.gap_of_rate(rate, text, is_even)?,
                    (None, Some(time)) => self.gap_of_time(time, text, is_even)?,
                    _ => {
                        let message =
                            "it needs exactly one of `arrivalRate` and `interArrivalTime`".into();
                        return Err(ValueProblem { at, message });
                    }
                };
                self.advise_jobs(text);
                Ok(Pattern::Open { gap })
            }
            "periodic" => {
                check(&["period"])?;
                let gap = self.gap_of_time(need("period")?, text, true)?;
                self.advise_jobs(text);
                Ok(Pattern::Open { gap })
            }
            _ => {
                let message = format!("`{name}` is not a supported pattern");
                Err(ValueProblem { at, message })
            }
        }
    }

    fn duration(
        &mut self,
        value: Value<'_>,
        text: &Text,
    ) -> Result<(Price, Statistic), ValueProblem> {
        let quantity = marte_values::quantity(value, Dimension::Time)?;
        Ok((self.code(&quantity, text)?, quantity.statistic))
    }

    /// Returns the time between arrivals for a rate. It is exponentially distributed, unless
    /// arrivals are even.
    fn gap_of_rate(
        &mut self,
        rate: Value<'_>,
        text: &Text,
        is_even: bool,
    ) -> Result<Text, ValueProblem> {
        let quantity = marte_values::quantity(rate, Dimension::Frequency)?;
        let price = self.code(&quantity, text)?;
        let (before, after) = if is_even {
            ("1.0 / (", ")")
        } else {
            ("exponential(1.0 / (", "))")
        };
        Ok(around(before, &price.text, after))
    }

    /// Returns the time between arrivals from a mean or a distribution.
    fn gap_of_time(
        &mut self,
        time: Value<'_>,
        text: &Text,
        is_even: bool,
    ) -> Result<Text, ValueProblem> {
        let (price, statistic) = self.duration(time, text)?;
        if is_even || price.is_random || statistic == Statistic::Constant {
            return Ok(price.text);
        }
        Ok(around("exponential(", &price.text, ")"))
    }

    /// Says that each process is a job.
    fn advise_jobs(&mut self, text: &Text) {
        let message = "each process is a job of the workload".to_owned();
        let help = "`--processes` sets how many arrive, `--cpus-per-node` how many are served at \
                    a time";
        self.advise(text.span, message, help);
    }

    /// Says that the processes are the population.
    fn advise_population(
        &mut self,
        population: Value<'_>,
        text: &Text,
    ) -> Result<(), ValueProblem> {
        let at = population.at.clone();
        let quantity = marte_values::quantity(population, Dimension::Number)?;
        // Reports undeclared names, as in a cost.
        self.code(&quantity, text)?;
        let shown = text.value.get(at).unwrap_or_default();
        let known = |name: &str| self.value_of_variable(name);
        let value = marte_values::constant(&quantity.value, &known);
        let value = value.map_or_else(|| "N".to_owned(), |it| it.to_string());
        let message = format!(
            "each process is a member of the population of {}",
            path::shorten(shown)
        );
        let help = format!(
            "run it with `--processes {value}`; `--{CYCLES}` sets how often each does its work, \
             and `--cpus-per-node` how many are served at a time"
        );
        self.advise(text.span, message, &help);
        Ok(())
    }

    /// Names the flags that correspond to the hosts and pools in the file.
    fn advise_hosts(&mut self) {
        const KNOWN: [&str; 7] = [
            "resMult",
            "poolSize",
            "schedPolicy",
            "utilization",
            "throughput",
            "host",
            "instance",
        ];
        for (_, host) in std::mem::take(&mut self.marte.hosts) {
            self.note_tags(&host, &KNOWN);
            if let Some(policy) = host.value("schedPolicy")
                && !matches!(policy.value.as_str(), "FIFO" | "FCFS")
            {
                let message = format!("the policy `{}` is ignored", path::shorten(&policy.value));
                let help = "CPUs serve first come, first served; see `--discipline`";
                self.advise(policy.span, message, help);
            }
            let sizes = [
                ("resMult", "how many CPUs the steps of all processes share"),
                (
                    "poolSize",
                    "how many steps are served at a time; no other pool limits them",
                ),
            ];
            for (tag, what) in sizes {
                let Some(text) = host.value(tag) else {
                    continue;
                };
                let shown = path::shorten(&text.value).into_owned();
                let message = format!("the `{tag}` of a `{}` is {shown}", host.name);
                self.advise(
                    text.span,
                    message,
                    &format!("`--cpus-per-node` sets {what}"),
                );
            }
        }
    }

    fn advise(&mut self, span: Span, message: String, help: &str) {
        self.diagnostics
            .push(Diagnostic::new(&rules::FLAG, span, message).help(help));
    }
}

fn around(before: &str, inner: &Text, after: &str) -> Text {
    let mut text = Text::new(before, inner.span);
    text.push(inner);
    text.push_str(after);
    text
}

fn unknown_part(items: &[Item<'_>], known: &[&str]) -> Option<ValueProblem> {
    let is_known = |it: &&Item<'_>| it.name.is_some_and(|name| known.contains(&name));
    let unknown = items.iter().find(|it| !is_known(it))?;
    let message = match unknown.name {
        Some(name) => format!("it has an unknown part `{name}`"),
        None => format!("its parts need names: {}", known.join(", ")),
    };
    let at = unknown.value.at.clone();
    Some(ValueProblem { at, message })
}

fn is_zero(value: &Value<'_>) -> bool {
    let Ok(quantity) = marte_values::quantity(value.clone(), Dimension::Time) else {
        return false;
    };
    marte_values::constant(&quantity.value, &|_| None) == Some(0.0)
}

/// Returns `true` for evenly spaced arrivals, or `false` for a Poisson process.
fn is_even(process: &Value<'_>) -> Result<bool, ValueProblem> {
    let at = process.at.clone();
    match process.kind {
        ValueKind::Name(name) | ValueKind::Text(name) => match name.to_ascii_lowercase().as_str() {
            "poisson" | "exponential" => Ok(false),
            "deterministic" | "constant" | "periodic" => Ok(true),
            _ => {
                let message = format!("the process `{name}` is not supported; use `poisson`");
                Err(ValueProblem { at, message })
            }
        },
        _ => {
            let message = "expected the name of a process".to_owned();
            Err(ValueProblem { at, message })
        }
    }
}

//! Writes regions as calls of their diagrams, with OpenMP pragmas.

use super::contexts::Context;
use super::handler::{SkeletonHandler, timed};
use crate::family::Elements as _;
use prophet_codegen::emit::Listing;
use prophet_frontend::program::action::Gate;
use prophet_frontend::program::{
    Construct, DiagramIndex, ElementIndex, Iterations, Region, Schedule, Team,
};

impl SkeletonHandler<'_> {
    pub(super) fn execute_region(&mut self, region: &Region, lines: &mut Listing) {
        let inside = self.context.inside(&region.construct);
        match &region.construct {
            Construct::Parallel(team) => {
                let threads = self.threads(region, team);
                let call = self.only(region, inside);
                timed(&self.names.elements[region.element], lines, |lines| {
                    lines.line(&format!("#pragma omp parallel num_threads({threads})"));
                    lines.line(&call);
                });
            }
            Construct::ParallelDo(team, shared) => self.shared_loop(region, team, shared, lines),
            Construct::ParallelSections(team) => self.sections(region, team, lines),
            Construct::Fork => self.fork(region, lines),
            Construct::Flows(_) => unreachable!("the target refuses them"),
            Construct::Gated(gate) => {
                let call = self.only(region, inside);
                self.gated(*gate, region.element, &call, lines);
            }
        }
    }

    fn only(&self, region: &Region, inside: Context) -> String {
        let calls = region.parts.iter().map(|&part| self.call_of(part, inside));
        calls.collect()
    }

    /// Writes an element around its content, if only some threads may enter it, or only one at a
    /// time.
    pub(super) fn gated(
        &self,
        gate: Gate,
        element: ElementIndex,
        content: &str,
        lines: &mut Listing,
    ) {
        let name = &self.names.elements[element];
        let guard = match (gate, self.context) {
            (Gate::Critical, _) => match self.program.elements[element].lock {
                Some(lock) => Some(format!("#pragma omp critical(lock_{lock})")),
                None => Some("#pragma omp critical".to_owned()),
            },
            (Gate::Atomic, _) => Some(format!("#pragma omp critical(atomic_{name})")),
            (Gate::Single | Gate::Master, Context::Alone) => None,
            (Gate::Single, Context::Team) => Some("#pragma omp single".to_owned()),
            (Gate::Single, Context::Part) => Some(format!("prophet_alone(&{name});")),
            (Gate::Master, Context::Team) => Some("#pragma omp master".to_owned()),
            (Gate::Master, Context::Part) => Some("if (prophet_tid() == 0)".to_owned()),
        };
        timed(name, lines, |lines| {
            if let Some(guard) = &guard {
                lines.line(guard);
            }
            lines.line(content);
        });
    }

    fn threads(&self, region: &Region, team: &Team) -> String {
        let name = &self.names.elements[region.element];
        let count = match team {
            Some(count) => self.value(region.element, count),
            None => "process.num_threads".to_owned(),
        };
        format!("prophet_threads(&{name}, {count})")
    }

    /// Returns `true` if a construct starts a new team in the current context.
    fn has_team(&self, team: &Team) -> bool {
        team.is_some() || self.context == Context::Alone
    }

    fn shared_loop(
        &mut self,
        region: &Region,
        team: &Team,
        shared: &Iterations,
        lines: &mut Listing,
    ) {
        let element = region.element;
        let name = &self.names.elements[element].clone();
        let count = self.value(element, &shared.count);
        let chunk = shared.chunk.as_ref().map(|it| self.value(element, it));
        let threads = self.threads(region, team);
        let turn = match &shared.variable {
            Some(variable) => self.names.declare(variable),
            None => self.names.hide("turn"),
        };
        let end = self.names.hide(&format!("{turn}_end"));
        let size = self.names.hide("chunk");
        let call = self.only(region, Context::Part);
        let has_team = self.has_team(team);
        let is_part = self.context == Context::Part;
        timed(name, lines, |lines| {
            lines.line(&format!(
                "int64_t {end} = prophet_iterations(&{name}, {count});"
            ));
            if let Some(chunk) = &chunk {
                let chunk = format!("prophet_chunk(&{name}, {chunk})");
                lines.line(&format!("int64_t {size} = {chunk};"));
            }
            let chunk = chunk.as_ref().map(|_| size.as_str());
            let schedule = schedule(shared.schedule, chunk);
            match (has_team, is_part) {
                (true, _) => lines.line(&format!(
                    "#pragma omp parallel for num_threads({threads}) {schedule}"
                )),
                (false, false) => lines.line(&format!("#pragma omp for {schedule}")),
                (false, true) => {
                    if chunk.is_some() {
                        lines.line(&format!("(void){size};"));
                    }
                    lines.line(&format!("prophet_alone(&{name});"));
                }
            }
            lines.line(&format!(
                "for (int64_t {turn} = 0; {turn} < {end}; {turn}++)"
            ));
            lines.open();
            lines.line(&call);
            lines.close("}");
        });
    }

    fn sections(&self, region: &Region, team: &Team, lines: &mut Listing) {
        let name = &self.names.elements[region.element];
        let threads = self.threads(region, team);
        let calls = self.calls(&region.parts, Context::Part);
        let (head, section) = match (self.has_team(team), self.context) {
            (true, _) => {
                let head = format!("#pragma omp parallel sections num_threads({threads})");
                (head, Some("#pragma omp section"))
            }
            (false, Context::Part) => (format!("prophet_alone(&{name});"), None),
            (false, Context::Alone | Context::Team) => {
                let head = "#pragma omp sections".to_owned();
                (head, Some("#pragma omp section"))
            }
        };
        timed(name, lines, |lines| {
            lines.line(&head);
            lines.open();
            for call in &calls {
                if let Some(section) = section {
                    lines.line(section);
                }
                lines.line(call);
            }
            lines.close("}");
        });
    }

    /// Writes a thread for each branch. OpenMP sections aren't suitable: a thread could execute two
    /// of them, but branches can wait for each other, and their numbers are thread numbers.
    fn fork(&self, region: &Region, lines: &mut Listing) {
        let name = &self.names.elements[region.element];
        let calls = self.calls(&region.parts, Context::Alone);
        let count = calls.len();
        timed(name, lines, |lines| {
            lines.line(&format!("#pragma omp parallel num_threads({count})"));
            lines.open();
            lines.line(&format!("prophet_expect_threads(&{name}, {count});"));
            lines.line("switch (omp_get_thread_num())");
            lines.open();
            for (number, call) in calls.iter().enumerate() {
                case(lines, number, call);
            }
            lines.close("}");
            lines.close("}");
        });
    }

    fn calls(&self, parts: &[DiagramIndex], inside: Context) -> Vec<String> {
        parts
            .iter()
            .map(|&part| self.call_of(part, inside))
            .collect()
    }
}

fn case(lines: &mut Listing, number: usize, call: &str) {
    lines.line(&format!("case {number}:"));
    lines.line(&format!("    {call}"));
    lines.line("    break;");
}

/// Writes the schedule clause of a loop.
fn schedule(schedule: Schedule, chunk: Option<&str>) -> String {
    let name = match schedule {
        Schedule::Static => "static",
        Schedule::Dynamic => "dynamic",
        Schedule::Guided => "guided",
    };
    match chunk {
        Some(chunk) => format!("schedule({name}, {chunk})"),
        None => format!("schedule({name})"),
    }
}

//! Writes regions as calls of functions in the headers. The content of a region becomes functions
//! with the parameter `unit`.

use super::handler::{Actors, UNIT};
use crate::family::Elements as _;
use prophet_codegen::emit::Listing;
use prophet_frontend::program::{
    Construct, DiagramIndex, ElementIndex, Iterations, Region, Schedule, Team,
};

impl Actors<'_> {
    pub(super) fn execute_region(&mut self, region: &Region, lines: &mut Listing) {
        let element = &self.names.elements[region.element].clone();
        match &region.construct {
            Construct::Parallel(team) => {
                let threads = self.threads(team, region.element);
                let head = format!("parallel(unit, {element}, {threads}");
                self.around(&head, "", &region.parts, lines);
            }
            Construct::ParallelDo(team, shared) => {
                let threads = self.threads(team, region.element);
                let work = self.work(shared, region.element);
                let head = format!("paralleldo(unit, {element}, {threads}, {work}");
                let variable = shared.variable.as_ref();
                let name = variable.map_or(String::new(), |it| self.names.declare(it));
                self.around(&head, &format!(", int64_t {name}"), &region.parts, lines);
            }
            Construct::ParallelSections(team) => {
                let threads = self.threads(team, region.element);
                let count = region.parts.len();
                let head = format!("parallelsections(unit, {element}, {threads}, {count}");
                self.choice(&head, ", int64_t part", "part", &region.parts, lines);
            }
            Construct::Fork => {
                let head = format!("fork(unit, {}", region.parts.len());
                self.choice(&head, "", "unit.tid()", &region.parts, lines);
            }
            Construct::Flows(_) => unreachable!("the target refuses them"),
            Construct::Gated(gate) => {
                let head = self.gate(*gate, region.element);
                self.around(&head, "", &region.parts, lines);
            }
        }
    }

    fn around(&self, head: &str, more: &str, parts: &[DiagramIndex], lines: &mut Listing) {
        lines.line(&format!("prophet::{head}, [&]({UNIT}{more})"));
        lines.open();
        for &part in parts {
            let call = self.call_of(part);
            lines.line(&format!("{call};"));
        }
        lines.close("});");
    }

    /// Writes a region with several parts. `number` selects the part to run.
    fn choice(
        &self,
        head: &str,
        more: &str,
        number: &str,
        parts: &[DiagramIndex],
        lines: &mut Listing,
    ) {
        lines.line(&format!("prophet::{head}, [&]({UNIT}{more})"));
        lines.open();
        lines.line(&format!("switch ({number})"));
        lines.open();
        for (at, &part) in parts.iter().enumerate() {
            let call = self.call_of(part);
            lines.line(&format!("case {at}:"));
            lines.line(&format!("    {call};"));
            lines.line("    break;");
        }
        lines.close("}");
        lines.close("});");
    }

    fn threads(&self, team: &Team, element: ElementIndex) -> String {
        match team {
            None => "prophet::DEFAULT_THREADS".to_owned(),
            Some(count) => self.value(element, count),
        }
    }

    fn work(&self, shared: &Iterations, element: ElementIndex) -> String {
        let name = &self.names.elements[element];
        let count = self.value(element, &shared.count);
        let schedule = match shared.schedule {
            Schedule::Static => "Static",
            Schedule::Dynamic => "Dynamic",
            Schedule::Guided => "Guided",
        };
        let chunk = match &shared.chunk {
            None => "std::nullopt".to_owned(),
            Some(chunk) => self.value(element, chunk),
        };
        format!("prophet::work(unit, {name}, {count}, prophet::Schedule::{schedule}, {chunk})")
    }
}

//! Compiles regions.

use prophet_frontend::lang::ir::Expression;
use prophet_frontend::program::action::Gate;
use prophet_frontend::program::{Construct, Pass, Region, Schedule};
use prophet_runtime as runtime;

use super::count;
use super::unit::Unit;
use crate::code::{ParallelDo, Part, Region as Made};
use crate::op::{Op, Reg};

impl Unit<'_, '_> {
    pub(super) fn region(&mut self, region: &Region) {
        self.mark(region.element, &region.needs);
        let (element, variable) = (region.element, region.variable());
        let runtime::Element { index, name, id } = self.compiler.named(element);
        let made = match &region.construct {
            Construct::Parallel(team) => {
                let threads = self.optional(team.as_ref());
                let element = runtime::Parallel::new(index, name, id);
                Made::Parallel(element, threads, self.only_part(region, None))
            }
            Construct::ParallelDo(team, shared) => Made::ParallelDo(Box::new(ParallelDo {
                element: runtime::ParallelDo::new(index, name, id),
                threads: self.optional(team.as_ref()),
                count: self.value(&shared.count),
                schedule: match shared.schedule {
                    Schedule::Static => runtime::Schedule::Static,
                    Schedule::Dynamic => runtime::Schedule::Dynamic,
                    Schedule::Guided => runtime::Schedule::Guided,
                },
                chunk: self.optional(shared.chunk.as_ref()),
                part: self.only_part(region, variable),
            })),
            Construct::ParallelSections(team) => {
                let threads = self.optional(team.as_ref());
                let element = runtime::ParallelSections::new(index, name, id);
                Made::Sections(element, threads, self.parts(region))
            }
            Construct::Fork => {
                let element = runtime::Fork::new(index, name, id);
                Made::Fork(element, self.parts(region))
            }
            Construct::Flows(targets) => {
                let element = runtime::Flows::new(index, name, id);
                let targets = targets.iter().copied().map(count).collect();
                Made::Flows(element, targets, self.parts(region))
            }
            Construct::Gated(gate) => {
                let lock = self.compiler.lock(element);
                let part = self.only_part(region, None);
                match gate {
                    Gate::Critical => {
                        let element = runtime::Critical::new(index, name, id).named(lock);
                        Made::Critical(element, part)
                    }
                    Gate::Atomic => Made::Atomic(runtime::Atomic::new(index, name, id), part),
                    Gate::Single => Made::Single(runtime::Single::new(index, name, id), part),
                    Gate::Master => Made::Master(runtime::Master::new(index, name, id), part),
                }
            }
        };
        let regions = &mut self.compiler.code.regions;
        regions.push(made);
        let region = count(regions.len() - 1);
        self.emit(Op::Region { region });
    }

    pub(super) fn pass(&mut self, pass: &Pass) {
        let runtime::Element { index, name, id } = self.compiler.named(pass.element);
        let flows = pass.flows.iter().copied().map(count).collect();
        let passes = &mut self.compiler.code.passes;
        passes.push((runtime::Flows::new(index, name, id), flows));
        let pass = count(passes.len() - 1);
        self.emit(Op::Pass { pass });
    }

    pub(super) fn optional(&mut self, value: Option<&Expression>) -> Option<Reg> {
        value.map(|value| self.value(value))
    }

    fn parts(&mut self, region: &Region) -> Vec<Part> {
        region
            .parts
            .iter()
            .map(|&part| self.part(part, None))
            .collect()
    }

    fn only_part(&mut self, region: &Region, iteration: Option<&str>) -> Part {
        match region.parts[..] {
            [part] => self.part(part, iteration),
            _ => unreachable!("only forks and sections have several parts"),
        }
    }
}

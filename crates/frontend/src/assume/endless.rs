//! Makes loops that no flow leaves run only once. Otherwise, they would run forever.

use super::{Change, Mender, TRIALS_MAX};
use crate::check;
use prophet_model::model::{ElementId, Flow};

impl Mender<'_> {
    /// Removes the backward flows of endless loops; returns `false` if no loop is endless.
    pub(super) fn end_loops(&mut self) -> bool {
        // An inner loop shows up only after the outer loop's backward flow has been removed.
        for trial in 0..TRIALS_MAX {
            let loops = check::endless_loops(self.model);
            if loops.is_empty() {
                return trial > 0;
            }
            for nodes in loops {
                self.end_loop(&nodes);
            }
        }
        true
    }

    fn end_loop(&mut self, nodes: &[ElementId]) {
        let Some(&first) = nodes.first() else { return };
        let is_inside = |id: ElementId| nodes.binary_search(&id).is_ok();
        let diagram = self.model.element(first).diagram;
        let flows = &self.model.diagram(diagram).flows;
        let enters = |it: &&Flow| is_inside(it.target) && !is_inside(it.source);
        let entry = flows.iter().filter(enters).map(|it| it.target).min();
        let entry = entry.unwrap_or(first);
        let leads_back = |it: &Flow| it.target == entry && is_inside(it.source);
        let back: Vec<Flow> = flows.iter().filter(|it| leads_back(it)).cloned().collect();
        self.model.diagrams[diagram.0]
            .flows
            .retain(|it| !leads_back(it));
        for flow in back {
            let [from, to] = [flow.source, entry].map(|it| &self.model.element(it).path);
            let text = format!(
                "the flow back from {from} to {to} is never taken: the loop has no exit, so it \
                 runs once"
            );
            // An assumed flow isn't in the file. Its place is the node's.
            let ends = [flow.source, entry].map(|it| self.model.element(it).span);
            let change = if ends.contains(&flow.span) {
                Change::ByHand
            } else {
                Change::Gone(vec![flow.span])
            };
            self.note(flow.source, flow.span, text, change);
        }
    }
}

//! Finds the work items that wait for another stream because of `cudaStreamWaitEvent`.

use std::collections::BTreeMap;

use super::history::History;
use super::profile::{Profile, Span, SpanKind};

/// The work items that each waiting work item depends on.
pub(super) type AwaitedWorks = BTreeMap<usize, Vec<usize>>;

struct CallsRead<'p> {
    profile: &'p Profile,
    history: &'p History,
    /// The work items that the next work item on each stream waits for.
    pending: BTreeMap<u64, Vec<usize>>,
    /// Each thread's waits since its last launch for which the trace doesn't state the stream.
    untold: Vec<usize>,
    awaited: AwaitedWorks,
}

/// Finds the work items that each work item waits for.
pub(super) fn awaited(profile: &Profile, history: &History) -> AwaitedWorks {
    let mut calls = CallsRead {
        profile,
        history,
        pending: BTreeMap::new(),
        untold: vec![0; profile.threads],
        awaited: AwaitedWorks::new(),
    };
    for span in &profile.spans {
        match span.kind {
            SpanKind::StreamWait => calls.wait(span),
            _ => calls.launch(span),
        }
    }
    calls.awaited
}

impl CallsRead<'_> {
    fn wait(&mut self, span: &Span) {
        let waited = self.profile.waits.get(&span.correlation);
        let Some(waited) = waited.filter(|it| it.event.is_some()) else {
            self.untold[span.thread] += 1;
            return;
        };
        if let Some(work) = self.history.awaited(*waited, span) {
            self.pending.entry(waited.stream).or_default().push(work);
        }
    }

    /// Makes the work items that a call launches wait for what their streams wait for.
    fn launch(&mut self, span: &Span) {
        let works = self.history.of_call(span);
        let Some(first) = works.first() else {
            return;
        };
        let all = &self.profile.works;
        let untold = std::mem::take(&mut self.untold[span.thread]);
        let mut waited = self
            .pending
            .remove(&all[*first].stream.1)
            .unwrap_or_default();
        if untold > 0 {
            // The candidate that ends last.
            let others = self.history.last_of_all(span.start);
            let others = others
                .filter(|it| it.0 != all[*first].stream)
                .map(|it| it.1);
            let mut others: Vec<usize> = { others }
                .filter(|it| all[*it].end <= all[*first].start)
                .collect();
            others.sort_by_key(|it| std::cmp::Reverse(all[*it].end));
            waited.extend(others.into_iter().take(untold));
        }
        waited.retain(|it| all[*it].end <= all[*first].start);
        if !waited.is_empty() {
            self.awaited.insert(*first, waited);
        }
    }
}

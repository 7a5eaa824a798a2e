//! Tracks the work that was launched on each stream, in launch order.

use std::collections::BTreeMap;

use super::profile::{Ns, Profile, Span, SpanKind, Stream, StreamWork, Waited};

#[derive(Debug)]
pub(super) struct History {
    launched: BTreeMap<Stream, Vec<(Ns, usize)>>,
    times: Vec<Option<Ns>>,
    /// The work items that each call launched.
    of_calls: BTreeMap<u64, Vec<usize>>,
    /// When a call recorded each event.
    recorded: BTreeMap<u64, Ns>,
}

impl History {
    pub(super) fn of(profile: &Profile, is_kept: &[bool]) -> Self {
        let calls = profile.spans.iter().filter(|it| it.correlation != 0);
        let calls: BTreeMap<u64, &Span> = { calls }
            .filter(|it| is_kept[it.thread])
            .map(|it| (it.correlation, it))
            .collect();
        let mut of_calls: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (number, work) in profile.works.iter().enumerate() {
            if calls.contains_key(&work.correlation) {
                of_calls.entry(work.correlation).or_default().push(number);
            }
        }
        // Clocks can differ, but nothing starts before its launch.
        let launch = |work: &StreamWork| {
            let first = of_calls.get(&work.correlation)?.first()?;
            let first = profile.works[*first].start;
            Some(calls.get(&work.correlation)?.start.min(first))
        };
        let times: Vec<Option<Ns>> = profile.works.iter().map(launch).collect();
        let mut launched: BTreeMap<Stream, Vec<(Ns, usize)>> = BTreeMap::new();
        for (number, work) in profile.works.iter().enumerate() {
            let time = times[number].unwrap_or(work.start);
            launched
                .entry(work.stream)
                .or_default()
                .push((time, number));
        }
        for all in launched.values_mut() {
            all.sort_unstable();
        }
        let records = profile
            .spans
            .iter()
            .filter(|it| it.kind == SpanKind::Record);
        Self {
            recorded: records.map(|it| (it.correlation, it.start)).collect(),
            launched,
            times,
            of_calls,
        }
    }

    pub(super) fn time(&self, work: usize) -> Option<Ns> {
        self.times[work]
    }

    pub(super) fn of_call(&self, span: &Span) -> &[usize] {
        self.of_calls
            .get(&span.correlation)
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the last work item launched on a stream before a time.
    fn last_of(&self, stream: u64, before: Ns) -> Option<usize> {
        let found = self.launched.iter().find(|(it, _)| it.1 == stream)?;
        last(found.1, before)
    }

    /// Returns the work item that a call waits for, if the trace states its stream or event.
    pub(super) fn awaited(&self, waited: Waited, call: &Span) -> Option<usize> {
        let Some((on, by)) = waited.event else {
            return self.last_of(waited.stream, call.start);
        };
        let recorded = self.recorded.get(&by).copied();
        self.last_of(on, recorded.unwrap_or(call.start))
    }

    /// Iterates over the last work items that were launched on each stream before a time.
    pub(super) fn last_of_all(&self, before: Ns) -> impl Iterator<Item = (Stream, usize)> {
        let all = self.launched.iter();
        all.filter_map(move |(stream, all)| Some((*stream, last(all, before)?)))
    }
}

fn last(launched: &[(Ns, usize)], before: Ns) -> Option<usize> {
    let count = launched.partition_point(|it| it.0 < before);
    Some(launched[count.checked_sub(1)?].1)
}

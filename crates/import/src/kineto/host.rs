//! Finds where threads wait for other threads or, in synchronizing calls, for streams.

use super::gaps::{Busy, Gap};
use super::history::History;
use super::profile::{Ns, Profile, Span, SpanKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) time: Ns,
    pub(super) thread: usize,
    pub(super) why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// A moment that other tasks may wait for.
    Mark,
    /// The call with this correlation launches work.
    Launch(u64),
    /// The thread has waited for what the call at this index in `spans` waits for.
    Synchronized(usize),
    Resumed(Option<(usize, Ns)>),
}

/// Returns the moments of all threads, sorted by time.
pub(super) fn points(
    profile: &Profile,
    history: &History,
    busy: &Busy,
    is_kept: &[bool],
) -> Vec<Moment> {
    let mut points = Vec::new();
    for gap in busy.gaps(is_kept) {
        let Gap {
            thread,
            start,
            end,
            cause,
        } = gap;
        let mut add = |time, thread, why| points.push(Moment { time, thread, why });
        if let Some(time) = start {
            add(time, thread, Why::Mark);
        }
        if let Some((other, time)) = cause {
            add(time, other, Why::Mark);
        }
        add(end, thread, Why::Resumed(cause));
    }
    for (number, span) in profile.spans.iter().enumerate() {
        let thread = span.thread;
        let mut add = |time, why| points.push(Moment { time, thread, why });
        if !is_kept[thread] {
            continue;
        }
        let works = history.of_call(span);
        if let Some(time) = works.first().and_then(|it| history.time(*it)) {
            add(time, Why::Launch(span.correlation));
        }
        if matches!(span.kind, SpanKind::Synchronize { .. }) || has_waited(profile, span, works) {
            add(span.start, Why::Mark);
            add(span.end, Why::Synchronized(number));
        }
    }
    for thread in (0..profile.threads).filter(|it| is_kept[*it]) {
        if let Some((_, time)) = busy.range(thread) {
            let why = Why::Mark;
            points.push(Moment { time, thread, why });
        }
    }
    points.sort_by_key(|it| it.time);
    points
}

/// Returns `true` if the call that starts a copy waited until the copy ended.
fn has_waited(profile: &Profile, span: &Span, works: &[usize]) -> bool {
    let within = |it: &usize| (span.start..=span.end).contains(&profile.works[*it].end);
    span.kind == SpanKind::Copy && works.iter().any(within)
}

pub(super) fn awaited(profile: &Profile, history: &History, span: &Span) -> Vec<usize> {
    let is_over = |it: &usize| profile.works[*it].end <= span.end;
    let SpanKind::Synchronize { of_all } = span.kind else {
        return history
            .of_call(span)
            .iter()
            .copied()
            .filter(is_over)
            .collect();
    };
    let all = history
        .last_of_all(span.start)
        .map(|it| it.1)
        .filter(is_over);
    if of_all {
        return all.collect();
    }
    let one = match profile.waits.get(&span.correlation) {
        Some(waited) => history.awaited(*waited, span),
        // The trace doesn't name the stream, so choose the candidate that ends last.
        None => all.max_by_key(|it| profile.works[*it].end),
    };
    one.into_iter().filter(is_over).collect()
}

//! Summarizes a recording for people.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use prophet_import::recording::{Counts, Parallel, RankRecording, Region};
use prophet_import::{Recording, is_read};
use prophet_text::{count, counted, fitted, percent, short_count, time};

const NAMED: usize = 6;
/// Maximum width of a region's name, in columns.
const NAME_COLUMNS: usize = 60;
/// Share of a rank's time above which a note says that the rank was blocked.
const BLOCKED: f64 = 0.01;
/// Returns the lines about a recording; empty if there are no ranks.
pub(crate) fn lines(folder: &Path, recording: &Recording) -> String {
    let ranks = recording.ranks();
    let mut calls: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, number) in ranks.iter().flat_map(|it| &it.calls) {
        *calls.entry(name).or_default() += number;
    }
    let all: u64 = calls.values().sum();
    let wall_ns = ranks.iter().map(|it| it.wall_ns).max().unwrap_or(0);
    let mut text = format!(
        "wrote {}: {} of {} in {}\n",
        folder.display(),
        counted(all, "call", "calls"),
        counted(ranks.len() as u64, "rank", "ranks"),
        time(seconds(wall_ns))
    );
    let mut order: Vec<(&str, u64)> = calls
        .iter()
        .map(|(name, number)| (*name, *number))
        .collect();
    order.sort_by_key(|(name, number)| (std::cmp::Reverse(*number), *name));
    let named = order.iter().take(NAMED);
    let named: Vec<String> = named
        .map(|(name, number)| format!("MPI_{name} {}", count(*number)))
        .collect();
    let more = if order.len() > NAMED { ", …" } else { "" };
    let _ = writeln!(text, "calls     {}{more}", named.join(", "));
    let _ = writeln!(text, "overhead  {}", overhead(recording));
    text += &counters(recording);
    text += &regions(recording);
    text += &openmp(recording);
    text + &notes(recording, &order)
}

/// Describes how much time the recording itself took, on the rank with the largest share.
fn overhead(recording: &Recording) -> String {
    let share = |rank: &RankRecording| {
        let calls: u64 = rank.calls.values().sum();
        let taken_ns = calls.saturating_mul(rank.overhead_ns);
        seconds(taken_ns) / seconds(rank.wall_ns.max(1))
    };
    let ranks = recording.ranks().iter();
    let largest = ranks.clone().map(share).fold(0.0, f64::max);
    let longest_ns = ranks.map(|it| it.overhead_ns).max().unwrap_or(0);
    format!(
        "{} per call, up to {} of a rank's time",
        time(seconds(longest_ns)),
        percent(largest)
    )
}

/// Describes instructions and cache misses, or explains why they weren't counted.
fn counters(recording: &Recording) -> String {
    let mut all = Counts::default();
    let ranks = recording.ranks().iter();
    ranks.clone().for_each(|it| all += it.counts);
    if let Some(rank) = ranks.clone().find(|it| !it.uncounted.is_empty()) {
        let why = &rank.uncounted;
        return format!(
            "counters  the kernel does not count instructions and cache misses: {why}\n"
        );
    }
    if all == Counts::default() {
        return String::new();
    }
    format!("counters  {} between calls\n", counts(all))
}

fn counts(all: Counts) -> String {
    format!(
        "{} instructions, {} cache misses",
        short_count(all.instructions),
        short_count(all.cache_misses)
    )
}

/// Describes the OpenMP parallel regions of the rank that spent most time in them.
fn openmp(recording: &Recording) -> String {
    let ranks = recording.ranks().iter();
    if ranks.clone().any(|it| it.has_unreported_threads) {
        return "note: the program uses several OpenMP threads, but its OpenMP runtime does not \
                support OMPT, so parallel regions are not recorded; LLVM's runtime does, and also \
                works for GCC programs: set LD_PRELOAD to its libomp.so\n"
            .to_owned();
    }
    let longest = ranks.max_by_key(|it| it.parallel.wall_ns);
    let Some(rank) = longest.filter(|it| it.parallel != Parallel::default()) else {
        return String::new();
    };
    let Parallel {
        regions,
        threads,
        wall_ns,
    } = rank.parallel;
    format!(
        "OpenMP    {} of up to {}: {}, up to {} of a rank's time\n",
        counted(regions, "parallel region", "parallel regions"),
        counted(threads, "thread", "threads"),
        time(seconds(wall_ns)),
        percent(seconds(wall_ns) / seconds(rank.wall_ns.max(1)))
    )
}

/// Lists the regions that the program marks, with their times over all ranks, longest first.
fn regions(recording: &Recording) -> String {
    let mut all: BTreeMap<&str, Region> = BTreeMap::new();
    for (name, region) in recording.ranks().iter().flat_map(|it| &it.regions) {
        *all.entry(name).or_default() += region;
    }
    let mut order: Vec<_> = all.into_iter().collect();
    order.sort_by_key(|it| std::cmp::Reverse(it.1.computing_ns.saturating_add(it.1.calls_ns)));
    let line = |(name, region): &(&str, Region)| {
        let counted = if region.counts == Counts::default() {
            String::new()
        } else {
            format!("; {}", counts(region.counts))
        };
        format!(
            "region    {}: {} times, {} computing, {} in calls{counted}\n",
            fitted(name, NAME_COLUMNS),
            count(region.times),
            time(seconds(region.computing_ns)),
            time(seconds(region.calls_ns)),
        )
    };
    let more = order.len().saturating_sub(NAMED);
    let mut text: String = order.iter().take(NAMED).map(line).collect();
    if more > 0 {
        let more = counted(more as u64, "more region", "more regions");
        let _ = writeln!(text, "          and {more}");
    }
    text
}

/// Reports the longest time that any rank slept or waited for files between calls.
fn blocked(recording: &Recording) -> String {
    let share = |rank: &&RankRecording| seconds(rank.blocked_ns) / seconds(rank.wall_ns.max(1));
    let ranks = recording.ranks().iter();
    let longest = ranks.max_by(|one, other| share(one).total_cmp(&share(other)));
    match longest.filter(|it| share(it) > BLOCKED) {
        Some(rank) => format!(
            "note: between calls, a rank slept or waited for files for up to {}, {} of its time; \
             this is not computing, so `run` and models ignore it\n",
            time(seconds(rank.blocked_ns)),
            percent(share(&rank))
        ),
        None => String::new(),
    }
}

fn notes(recording: &Recording, calls: &[(&str, u64)]) -> String {
    let mut text = String::new();
    let early: Vec<String> = { recording.ranks().iter().zip(0..) }
        .filter(|it: &(_, u32)| !it.0.is_over)
        .map(|(_, rank)| rank.to_string())
        .collect();
    if !early.is_empty() {
        let listed = early
            .iter()
            .take(NAMED)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        let more = if early.len() > NAMED { ", …" } else { "" };
        let _ = writeln!(
            text,
            "note: {} ended without `MPI_Finalize` ({listed}{more}); the recording contains what \
             they did until then, and cannot be replayed",
            counted(early.len() as u64, "rank", "ranks"),
        );
    }
    let failed: u64 = recording.ranks().iter().map(|it| it.failed).sum();
    if failed > 0 {
        let calls = counted(failed, "call", "calls");
        let _ = writeln!(
            text,
            "note: {calls} to MPI failed; the recording omits them"
        );
    }
    text += &blocked(recording);
    if recording.ranks().iter().any(|it| it.threads > 1) {
        text +=
            "note: several threads call MPI; `import` and `run` do not support such recordings\n";
    }
    let unread = calls.iter().filter(|it| !is_read(it.0));
    let unread: Vec<String> = unread
        .map(|(name, number)| format!("MPI_{name} {}", count(*number)))
        .collect();
    if !unread.is_empty() {
        let _ = writeln!(
            text,
            "note: these calls are counted, but `import` and `run` do not support them: {}",
            unread.join(", ")
        );
    }
    text
}

#[expect(clippy::cast_precision_loss, reason = "it is a duration")]
pub(crate) fn seconds(ns: u64) -> f64 {
    ns as f64 * 1e-9
}

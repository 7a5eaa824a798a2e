//! Turns the events of a rank into tasks.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::chart::{Chart, seconds};
use super::comm::{World, event};
use super::device::{self, AwaitedWorks};
use super::gaps::Busy;
use super::history::History;
use super::host::{self, Moment, Why};
use super::profile::{Ns, Profile, SpanKind, Stream, StreamWork, StreamWorkKind};
use crate::event::{self as events, Group, RankEvent};
use crate::tasks::{Groups, TaskAction, TaskCall, Tasks};

/// Overlap of two consecutive work items on a stream that is ignored, because old traces are
/// rounded to microseconds.
const ROUNDED: Ns = 1_000;

#[derive(Debug)]
pub(super) struct KinetoRank<'p> {
    profile: &'p Profile,
    /// Whether each thread operates, launches or waits. All others only poll.
    is_kept: Vec<bool>,
    history: History,
    awaited: AwaitedWorks,
    /// Known NCCL calls, by the index of their work item.
    calls: BTreeMap<usize, RankEvent>,
}

struct Making<'r> {
    rank: &'r KinetoRank<'r>,
    chart: Chart,
    /// Each thread's unit and last task.
    threads: Vec<(u32, Option<u32>)>,
    /// Each stream's units, and the last work item on each.
    lanes: BTreeMap<Stream, Vec<(u32, u32)>>,
    launches: u32,
    /// Shortest time between a launch and the start of its work item.
    latency: Ns,
    launched: BTreeMap<u64, u32>,
    works: Vec<Option<u32>>,
    /// The last call of each group of ranks.
    last_calls: BTreeMap<Option<u32>, u32>,
    unknown: usize,
}

impl<'p> KinetoRank<'p> {
    pub(super) fn new(profile: &'p Profile, world: &World, groups: &mut Groups) -> Self {
        let mut is_kept = vec![false; profile.threads];
        let works: Vec<u64> = {
            let mut all: Vec<u64> = profile.works.iter().map(|it| it.correlation).collect();
            all.sort_unstable();
            all
        };
        for span in &profile.spans {
            let is_launch = works.binary_search(&span.correlation).is_ok();
            let counts = matches!(
                span.kind,
                SpanKind::Operation | SpanKind::Synchronize { .. }
            );
            is_kept[span.thread] |= counts || is_launch;
        }
        let history = History::of(profile, &is_kept);
        let awaited = device::awaited(profile, &history);
        let mut calls = BTreeMap::new();
        for (number, work) in profile.works.iter().enumerate() {
            if let StreamWorkKind::Comm(kernel) = &work.what
                && let Some(call) = event(kernel, &profile.groups, world, groups)
            {
                calls.insert(number, call);
            }
        }
        Self {
            profile,
            is_kept,
            history,
            awaited,
            calls,
        }
    }

    /// Returns the tasks, and how many NCCL calls are unknown.
    pub(super) fn tasks(&self) -> Result<(Tasks, usize), String> {
        let busy = Busy::of(self.profile);
        let points = host::points(self.profile, &self.history, &busy, &self.is_kept);
        let mut making = Making::new(self, points.first().map(|it| it.time));
        // At equal times, threads come first, because work items wait for their launches.
        let mut points = points.into_iter().peekable();
        for number in 0..self.profile.works.len() {
            let start = self.profile.works[number].start;
            while let Some(point) = points.next_if(|it| it.time <= start) {
                making.point(point)?;
            }
            making.work(number)?;
        }
        points.try_for_each(|point| making.point(point))?;
        let mut tasks = making.chart.tasks;
        tasks.finish()?;
        Ok((tasks, making.unknown))
    }
}

impl<'r> Making<'r> {
    fn new(rank: &'r KinetoRank<'r>, first: Option<Ns>) -> Self {
        let works = &rank.profile.works;
        let first = first
            .into_iter()
            .chain(works.first().map(|it| it.start))
            .min();
        let mut chart = Chart::new(first.unwrap_or(0));
        let launches = chart.tasks.unit("launches", 1);
        let threads = (0..rank.profile.threads).map(|thread| {
            let places = u32::from(rank.is_kept[thread]);
            (chart.tasks.unit(format!("thread {thread}"), places), None)
        });
        let threads = threads.collect();
        let times =
            { 0..works.len() }.filter_map(|it| Some(works[it].start - rank.history.time(it)?));
        Self {
            rank,
            threads,
            lanes: BTreeMap::new(),
            launches,
            latency: times.min().unwrap_or(0),
            launched: BTreeMap::new(),
            works: vec![None; works.len()],
            last_calls: BTreeMap::new(),
            chart,
            unknown: 0,
        }
    }

    fn point(&mut self, point: Moment) -> Result<(), String> {
        let (unit, last) = self.threads[point.thread];
        let mut after: Vec<u32> = last.into_iter().collect();
        match point.why {
            Why::Mark | Why::Launch(_) => {}
            Why::Synchronized(span) => {
                let KinetoRank {
                    profile, history, ..
                } = self.rank;
                let works = host::awaited(profile, history, &profile.spans[span]);
                after.extend(works.into_iter().filter_map(|it| self.works[it]));
            }
            Why::Resumed(cause) => {
                let other = cause.and_then(|(thread, _)| self.threads[thread].1);
                after.extend(other.filter(|it| self.chart.end(*it) <= point.time));
            }
        }
        let is_new = |last: u32| after.len() > 1 || self.chart.end(last) < point.time;
        let task = match last {
            Some(last) if !is_new(last) => last,
            _ => self.chart.compute(unit, point.time, &after),
        };
        self.threads[point.thread].1 = Some(task);
        if let Why::Launch(correlation) = point.why {
            let launch = match self.latency {
                0 => task,
                latency => self.chart.latency(self.launches, latency, task),
            };
            self.launched.insert(correlation, launch);
        }
        self.check()
    }

    fn work(&mut self, number: usize) -> Result<(), String> {
        let work = &self.rank.profile.works[number];
        let (unit, last) = self.lane(work);
        let launch = self.rank.history.time(number);
        let launch = launch.and_then(|_| self.launched.get(&work.correlation).copied());
        let mut after: Vec<u32> = launch.into_iter().chain(last).collect();
        let awaited = self.rank.awaited.get(&number).into_iter().flatten();
        after.extend(awaited.filter_map(|it| self.works[*it]));
        let last_end = last.map_or(work.start, |it| self.chart.end(it));
        let start = work.start.max(last_end);
        let end = work.end.max(start);
        let doing = match &work.what {
            StreamWorkKind::Kernel => {
                TaskAction::Kernel(events::Work::seconds(seconds(end - start)))
            }
            StreamWorkKind::Copy => TaskAction::Copy(seconds(end - start)),
            StreamWorkKind::Comm(_) => {
                let call = self.rank.calls.get(&number).cloned();
                if let Some(RankEvent::Collective(collective)) = &call {
                    let group = collective.group.as_ref();
                    after = vec![self.in_turn(group, &after, start)];
                }
                self.unknown += usize::from(call.is_none());
                TaskAction::Call(Box::new(TaskCall {
                    event: call,
                    seconds: Some(seconds(end - start)),
                }))
            }
        };
        let task = self.chart.work(unit, doing, (start, end), &after);
        self.works[number] = Some(task);
        self.lanes
            .entry(work.stream)
            .or_default()
            .iter_mut()
            .filter(|it| it.0 == unit)
            .for_each(|it| it.1 = task);
        self.check()
    }

    /// Returns the moment at which a collective can start. A group's calls start in the same order
    /// on all of its ranks.
    fn in_turn(&mut self, group: Option<&Arc<Group>>, after: &[u32], start: Ns) -> u32 {
        let group = group.map(|it| it.number);
        let last = self.last_calls.get(&group).copied();
        let last = last.filter(|it| self.chart.end(*it) <= start);
        let after: Vec<u32> = after.iter().copied().chain(last).collect();
        let turn = self.chart.moment(&after);
        self.last_calls.insert(group, turn);
        turn
    }

    /// Returns a unit of the stream that is free for a work item, and the unit's last task.
    fn lane(&mut self, work: &StreamWork) -> (u32, Option<u32>) {
        let lanes = self.lanes.entry(work.stream).or_default();
        let chart = &mut self.chart;
        let free = lanes
            .iter()
            .filter(|it| chart.end(it.1) <= work.start + ROUNDED);
        if let Some((unit, last)) = free.max_by_key(|it| chart.end(it.1)) {
            return (*unit, Some(*last));
        }
        let (device, stream) = work.stream;
        let unit = chart
            .tasks
            .unit(format!("stream {stream} of GPU {device}"), 1);
        lanes.push((unit, u32::MAX));
        (unit, None)
    }

    fn check(&self) -> Result<(), String> {
        if self.chart.is_full() {
            return Err("it has too many events".to_owned());
        }
        Ok(())
    }
}

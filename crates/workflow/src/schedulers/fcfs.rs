//! Implements first come, first served scheduling.

use std::collections::VecDeque;

use crate::{HostId, Scheduler, TaskId, View};

/// First come, first served. A task that doesn't fit on any host holds back all later tasks.
#[derive(Debug, Default)]
pub struct Fcfs(VecDeque<TaskId>);

impl Scheduler for Fcfs {
    fn ready(&mut self, task: TaskId, _: &View<'_>) {
        self.0.push_back(task);
    }

    fn next(&mut self, view: &View<'_>) -> Option<(TaskId, HostId)> {
        let host = view.first_fit(*self.0.front()?)?;
        Some((self.0.pop_front()?, host))
    }
}

/// First come, first served, on the host that stores most of the task's inputs. If several hosts
/// do, the one whose site stores most of them.
#[derive(Debug, Default)]
pub struct DataAware(VecDeque<TaskId>);

impl Scheduler for DataAware {
    fn ready(&mut self, task: TaskId, _: &View<'_>) {
        self.0.push_back(task);
    }

    fn next(&mut self, view: &View<'_>) -> Option<(TaskId, HostId)> {
        let task = *self.0.front()?;
        let bytes = |host| (view.bytes_on(task, host), view.bytes_at_site(task, host));
        // If several hosts are equally good, the first one is the fastest.
        let mut best: Option<((f64, f64), HostId)> = None;
        for host in view.all_fits(task) {
            let bytes = bytes(host);
            if best.is_none_or(|it| bytes > it.0) {
                best = Some((bytes, host));
            }
        }
        self.0.pop_front();
        let (_, host) = best.or_else(|| {
            self.0.push_front(task);
            None
        })?;
        Some((task, host))
    }
}

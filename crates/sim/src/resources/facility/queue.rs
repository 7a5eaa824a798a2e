//! Queues processes that wait for a server, and tracks running services.

use std::collections::VecDeque;

use crate::kernel::Waiter;

#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    pub(super) unit: u32,
    pub(super) generation: u32,
    pub(super) priority: i32,
    /// Length of the service in seconds; `None` if the process reserves the server until it
    /// releases it.
    pub(super) service_s: Option<f64>,
}

/// Requests by descending priority. Requests of equal priority are in order of arrival.
#[derive(Debug, Default)]
pub(super) struct Queue(VecDeque<Request>);

impl Queue {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(super) fn push_last(&mut self, request: Request) {
        self.0.push_back(request);
    }

    #[inline]
    pub(super) fn push(&mut self, request: Request) {
        match self.0.back() {
            Some(last) if last.priority < request.priority => {
                let ahead = |other: &Request| other.priority >= request.priority;
                self.0.insert(self.0.partition_point(ahead), request);
            }
            _ => self.0.push_back(request),
        }
    }

    /// Adds a request ahead of all others with the same priority.
    pub(super) fn push_back_in(&mut self, request: Request) {
        let ahead = |other: &Request| other.priority > request.priority;
        self.0.insert(self.0.partition_point(ahead), request);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Request> {
        self.0.pop_front()
    }

    pub(super) fn contains(&self, waiter: Waiter) -> bool {
        let is_it = |request: &Request| (request.unit, request.generation) == waiter;
        self.0.iter().any(is_it)
    }

    /// Removes a wait; returns `false` if it wasn't in the queue.
    pub(super) fn remove(&mut self, waiter: Waiter) -> bool {
        let is_it = |request: &Request| (request.unit, request.generation) == waiter;
        let place = self.0.iter().position(is_it);
        place.and_then(|place| self.0.remove(place)).is_some()
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Job {
    pub(super) unit: u32,
    pub(super) generation: u32,
    pub(super) priority: i32,
    pub(super) since_s: f64,
    /// Time at which the whole service ends if nothing interrupts it.
    pub(super) end_s: f64,
    /// Time at which the turn ends: `end_s`, or earlier if other processes are waiting.
    pub(super) turn_end_s: f64,
}

//! Tracks the free cores and memory of hosts, and finds hosts that have room for a task.

use crate::{HostId, Task, WorkflowMachine};

#[derive(Debug, Clone)]
pub(crate) struct Hosts {
    /// All hosts, from the fastest to the slowest.
    order: Vec<u32>,
    /// Position of each host in `order`.
    places: Vec<u32>,
    memory_bytes: Vec<u64>,
    /// A binary tree with the hosts as leaves. Each node contains the largest number of free cores
    /// of any host below it.
    tree: Vec<u32>,
    leaves: usize,
}

impl Hosts {
    pub(crate) fn new(machine: &WorkflowMachine) -> Self {
        let mut order: Vec<u32> = machine.hosts().map(|it| it.0).collect();
        let speed = |it: &u32| machine.group(HostId(*it)).speed;
        order.sort_by(|left, right| speed(right).total_cmp(&speed(left)).then(left.cmp(right)));
        let mut places = vec![0; order.len()];
        for (place, host) in (0..).zip(&order) {
            places[*host as usize] = place;
        }
        let leaves = order.len().next_power_of_two();
        let mut hosts = Self {
            memory_bytes: machine
                .hosts()
                .map(|it| machine.group(it).memory_bytes)
                .collect(),
            tree: vec![0; 2 * leaves],
            order,
            places,
            leaves,
        };
        for host in machine.hosts() {
            hosts.set(host, machine.group(host).cores);
        }
        hosts
    }

    pub(crate) fn cores(&self, host: HostId) -> u32 {
        self.tree[self.leaves + self.places[host.index()] as usize]
    }

    pub(crate) fn fits(&self, task: &Task, host: HostId) -> bool {
        task.cores <= self.cores(host) && task.memory_bytes <= self.memory_bytes[host.index()]
    }

    pub(crate) fn first(&self, task: &Task) -> Option<HostId> {
        self.all(task).next()
    }

    /// Returns all hosts with room for a task, from the fastest to the slowest.
    pub(crate) fn all(&self, task: &Task) -> impl Iterator<Item = HostId> {
        let mut place = 0;
        let task = *task;
        std::iter::from_fn(move || {
            loop {
                let at = self.from(place, task.cores)?;
                place = at + 1;
                let host = HostId(self.order[at]);
                if task.memory_bytes <= self.memory_bytes[host.index()] {
                    return Some(host);
                }
            }
        })
    }

    /// Returns the first position at or after `place` whose host has this many free cores.
    fn from(&self, place: usize, cores: u32) -> Option<usize> {
        if place >= self.order.len() {
            return None;
        }
        let mut node = self.leaves + place;
        // Go up until a subtree to the right has enough, then down to its first leaf.
        while self.tree[node] < cores {
            while node & 1 == 1 {
                node >>= 1;
            }
            if node == 0 {
                return None;
            }
            node += 1;
        }
        while node < self.leaves {
            node *= 2;
            if self.tree[node] < cores {
                node += 1;
            }
        }
        let place = node - self.leaves;
        (place < self.order.len()).then_some(place)
    }

    pub(crate) fn take(&mut self, task: &Task, host: HostId) {
        self.set(host, self.cores(host) - task.cores);
        self.memory_bytes[host.index()] -= task.memory_bytes;
    }

    pub(crate) fn give(&mut self, task: &Task, host: HostId) {
        self.set(host, self.cores(host) + task.cores);
        self.memory_bytes[host.index()] += task.memory_bytes;
    }

    pub(crate) fn take_cores(&mut self, host: HostId, cores: u32) {
        self.set(host, self.cores(host) - cores);
    }

    pub(crate) fn give_cores(&mut self, host: HostId, cores: u32) {
        self.set(host, self.cores(host) + cores);
    }

    fn set(&mut self, host: HostId, cores: u32) {
        let mut node = self.leaves + self.places[host.index()] as usize;
        self.tree[node] = cores;
        while node > 1 {
            node >>= 1;
            self.tree[node] = self.tree[2 * node].max(self.tree[2 * node + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Group, TaskCost};

    #[test]
    fn the_fastest_host_with_room_is_found() {
        let mut groups = vec![Group::new("a", 3, 2), Group::new("b", 2, 4)];
        groups[1].speed = 2.0;
        groups[1].memory_bytes = 10;
        let machine = WorkflowMachine::new(groups).expect("it is right");
        let mut hosts = Hosts::new(&machine);
        let mut task = Task::new(TaskCost::Seconds(1.0));
        let all = |hosts: &Hosts, task: &Task| hosts.all(task).map(|it| it.0).collect::<Vec<_>>();
        assert_eq!(all(&hosts, &task), [3, 4, 0, 1, 2]);
        task.memory_bytes = 11;
        assert_eq!(all(&hosts, &task), [0, 1, 2]);
        task.memory_bytes = 6;
        task.cores = 2;
        hosts.take(&task, HostId(3));
        hosts.take(&task, HostId(0));
        assert_eq!(all(&hosts, &task), [4, 1, 2]);
        hosts.give(&task, HostId(3));
        assert_eq!(hosts.first(&task), Some(HostId(3)));
        task.cores = 5;
        assert_eq!(hosts.first(&task), None);
    }
}

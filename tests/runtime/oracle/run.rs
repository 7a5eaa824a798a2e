//! Runs the simulation from one instant to the next until nothing is left to do.
//!
//! At each instant, all units first do everything that takes no time. When none of them can
//! continue, messages are matched. Then locks, iterations, and singles are assigned, then network
//! interfaces, and finally CPUs. Units that keep a CPU from their start get it before locks are
//! assigned, because they could then request a lock.

use std::collections::VecDeque;

use super::cpus::Cpus;
use super::machine::{Discipline, Machine};
use super::messages::{Charge, Mail, Request};
use super::open::Open;
use super::program::{Mode, Op, Program, Receive, Send};
use super::teams::Team;
use super::units::{Lock, State, Step, Unit, Wish};
use crate::oracle::{Answer, Stop, Times};

#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) now_s: f64,
    pub(crate) units: Vec<Unit>,
    ready: VecDeque<usize>,
    pub(crate) cpus: Cpus,
    pub(crate) mail: Mail<'a>,
    /// By pid: what was started, under which name, and whether it has been waited for.
    requests: Vec<Vec<(Request, Option<usize>, bool)>>,
    pub(crate) teams: Vec<Team>,
    /// The locks that units hold, by pid.
    pub(crate) lent: Vec<(usize, Lock)>,
    times: Times,
    /// The open question that decided something, if there is one.
    pub(crate) open: Option<Open>,
    stop: Option<Stop>,
}

/// Returns when each unit ends each of its operations, or why the run can't continue.
///
/// # Errors
///
/// Returns an error if nothing can wake units that are waiting, or if a unit waits for an operation
/// that hasn't been started.
///
/// # Panics
///
/// Panics if the program names processes or threads that don't exist.
pub(crate) fn predict(machine: &Machine, program: &Program) -> Answer {
    let processes = program.0.len();
    let mut run = Run {
        machine,
        now_s: 0.0,
        units: Vec::new(),
        ready: VecDeque::new(),
        cpus: Cpus::new(machine),
        mail: Mail::new(machine),
        requests: vec![Vec::new(); processes],
        teams: Vec::new(),
        lent: Vec::new(),
        times: Times {
            ends_s: vec![0.0; processes],
            ..Times::default()
        },
        open: None,
        stop: None,
    };
    let first = program.0.iter().enumerate().map(|(pid, ops)| {
        let mut unit = Unit::new(vec![pid], None);
        unit.first_ops(ops);
        unit
    });
    run.begin(first.collect());
    run.cpus.all_have_come();
    run.settle();
    while run.stop.is_none() && run.advance() {
        run.settle();
    }
    if let Some(open) = run.open.or(run.cpus.open).or(run.mail.open) {
        return Err(Stop::Open(open));
    }
    if let Some(stop) = run.stop {
        return Err(stop);
    }
    let ended = |unit: &Unit| unit.state == State::Ended;
    if run.units.iter().all(ended) {
        Ok(run.times)
    } else {
        Err(Stop::Deadlock)
    }
}

impl Run<'_> {
    /// Returns `true` if a unit needs a CPU to start, because it keeps that CPU.
    fn needs_cpu_to_start(&self) -> bool {
        self.machine.holds && self.machine.discipline != Discipline::Sharing
    }

    pub(crate) fn begin(&mut self, units: Vec<Unit>) {
        let nodes = units.iter().map(|unit| self.machine.mapping[unit.pid]);
        nodes.for_each(|node| self.cpus.come(node, self.now_s));
        for unit in units {
            let index = self.units.len();
            let node = self.machine.mapping[unit.pid];
            let who = unit.who(index);
            self.units.push(unit);
            if self.needs_cpu_to_start() {
                self.units[index].state = State::Starts;
                self.cpus.ask(node, who, f64::INFINITY, self.now_s);
            } else {
                self.ready.push_back(index);
            }
        }
    }

    pub(crate) fn wake(&mut self, unit: usize) {
        self.units[unit].state = State::Ready;
        self.ready.push_back(unit);
    }

    /// Advances to the next time at which something can happen. Returns `false` if there is none.
    fn advance(&mut self) -> bool {
        self.cpus.pass(self.now_s);
        let busy = self.units.iter().filter_map(|unit| match unit.state {
            State::Until(end_s) => Some(end_s),
            _ => None,
        });
        let next_s = busy
            .fold(f64::INFINITY, f64::min)
            .min(self.cpus.next_s())
            .min(self.mail.next_s(self.now_s));
        self.now_s = next_s;
        next_s < f64::INFINITY
    }

    /// Does everything that happens at this instant.
    fn settle(&mut self) {
        loop {
            for unit in self.cpus.due(self.now_s) {
                self.wake(unit);
            }
            for unit in 0..self.units.len() {
                if matches!(self.units[unit].state, State::Until(end_s) if end_s <= self.now_s) {
                    self.wake(unit);
                }
            }
            while let Some(unit) = self.ready.pop_front() {
                self.go_on(unit);
            }
            if self.stop.is_some() {
                return;
            }
            let matched = self.mail.match_all(self.now_s);
            if self.mail.is_truncated {
                self.stop = Some(Stop::Truncated);
                return;
            }
            if self.look_after_messages() || matched || self.start() || self.grant() {
                continue;
            }
            let (any, receivers) = self.mail.serve_interfaces(self.now_s);
            for (unit, end_s) in receivers {
                self.units[unit].state = State::Until(end_s);
            }
            if any {
                continue;
            }
            self.cpus.give(self.now_s);
            if self.ready.is_empty() && !self.cpus.has_due(self.now_s) {
                return;
            }
        }
    }

    /// Starts units that keep their CPUs, because they could request something at this time.
    fn start(&mut self) -> bool {
        if !self.needs_cpu_to_start() {
            return false;
        }
        let given = self.cpus.give(self.now_s);
        for unit in &given {
            self.wake(*unit);
        }
        !given.is_empty()
    }

    fn go_on(&mut self, unit: usize) {
        while self.units[unit].state == State::Ready {
            match self.units[unit].todo.pop_front() {
                Some(step) => self.step(unit, step),
                None => self.end(unit),
            }
        }
    }

    fn end(&mut self, unit: usize) {
        let pid = self.units[unit].pid;
        self.units[unit].state = State::Ended;
        self.cpus.go(self.machine.mapping[pid], unit);
        match self.units[unit].team {
            Some(team) => self.leave_team(team),
            None => self.times.ends_s[pid] = self.now_s,
        }
    }

    fn note(&mut self, unit: usize, value: f64) {
        let path = self.units[unit].path.clone();
        self.times.units.entry(path).or_default().push(value);
    }

    fn step(&mut self, unit: usize, step: Step) {
        match step {
            Step::Do(op) => {
                self.units[unit].todo.push_front(Step::Note);
                self.perform(unit, &op);
            }
            Step::Note => self.note(unit, self.now_s),
            Step::Iteration(number) => {
                self.note(unit, f64::from(u32::try_from(number).expect("few")));
            }
            Step::Phase(team, phase) => self.come_to(unit, team, phase),
            Step::Take(team, phase) => self.take(unit, team, phase),
            Step::Barrier(team, phase) => self.come_to_barrier(unit, team, phase),
            Step::Join(team) => self.join(unit, team),
            Step::Enter(lock) => self.wish(unit, Wish::Lock(lock)),
            Step::Leave(lock) => self.give_back(unit, lock),
            Step::Await(requests) => self.units[unit].state = State::Awaits(requests),
        }
    }

    fn perform(&mut self, unit: usize, op: &Op) {
        if self.meet_region(unit, op) {
            return;
        }
        let within = |lock, content: &[Op]| {
            let content = content.iter().cloned().map(Step::Do);
            let ends = [Step::Leave(lock)];
            let steps: Vec<Step> = [Step::Enter(lock)]
                .into_iter()
                .chain(content)
                .chain(ends)
                .collect();
            steps
        };
        match op {
            Op::Compute(cost_s) => self.compute(unit, *cost_s),
            Op::Send(send) => self.send(unit, send),
            Op::Receive(receive) => self.receive(unit, receive),
            Op::Exchange(send, source) => {
                let receive = Receive {
                    source: Some(*source),
                    tag: send.tag,
                    cost_s: send.cost_s,
                    bytes_max: Some(send.bytes),
                    mode: Mode::Blocking,
                };
                let who = self.units[unit].who(unit);
                let posted = self.mail.post(who, &receive, self.now_s);
                self.units[unit].first([Step::Await(vec![Request::Receive(posted)])]);
                self.send(unit, send);
            }
            Op::Wait(name) => self.wait(unit, *name),
            Op::Critical(lock, content) => {
                self.units[unit].first(within(Lock::Critical(*lock), content));
            }
            Op::Atomic(element, cost_s) => {
                let content = [Op::Compute(*cost_s)];
                self.units[unit].first(within(Lock::Atomic(*element), &content));
            }
            Op::Team(..) | Op::Loop(..) | Op::Sections(..) | Op::Fork(_) => {}
        }
    }

    fn compute(&mut self, unit: usize, cost_s: f64) {
        let node = self.machine.mapping[self.units[unit].pid];
        if self.needs_cpu_to_start() {
            if cost_s > 0.0 {
                self.units[unit].state = State::Until(self.now_s + cost_s);
            }
        } else if cost_s > 0.0 || self.cpus.queues_for_nothing(node, self.now_s) {
            self.units[unit].state = State::Computes;
            let who = self.units[unit].who(unit);
            self.cpus.ask(node, who, cost_s, self.now_s);
        }
    }

    fn send(&mut self, unit: usize, send: &Send) {
        let who = self.units[unit].who(unit);
        let (message, free_s) = self.mail.send(who, send, self.now_s);
        if let Mode::Begun(name) = send.mode {
            self.requests[who.pid].push((Request::Send(message), name, false));
        }
        match free_s {
            Some(free_s) if free_s <= self.now_s => {}
            Some(free_s) => self.units[unit].state = State::Until(free_s),
            None => self.units[unit].state = State::Sends(message),
        }
    }

    fn receive(&mut self, unit: usize, receive: &Receive) {
        let who = self.units[unit].who(unit);
        let pid = who.pid;
        let request = Request::Receive(self.mail.post(who, receive, self.now_s));
        match receive.mode {
            Mode::Blocking => self.units[unit].state = State::Awaits(vec![request]),
            Mode::Begun(name) => self.requests[pid].push((request, name, false)),
        }
    }

    fn wait(&mut self, unit: usize, name: Option<usize>) {
        let requests = &mut self.requests[self.units[unit].pid];
        let mut own = Vec::new();
        let mut known = name.is_none();
        for (request, its_name, done) in requests {
            if name.is_none() || name == *its_name {
                known = true;
                if !*done {
                    *done = true;
                    own.push(*request);
                }
            }
        }
        if known {
            self.units[unit].state = State::Awaits(own);
        } else {
            self.stop = Some(Stop::NoRequest);
        }
    }

    /// Continues units whose messages allow it. Returns `true` if there were any.
    fn look_after_messages(&mut self) -> bool {
        let mut any = false;
        for unit in 0..self.units.len() {
            any |= match self.units[unit].state.clone() {
                State::Sends(message) => self.look_after_send(unit, message),
                State::Awaits(requests) => self.look_after_requests(unit, requests),
                _ => false,
            };
        }
        any
    }

    fn look_after_send(&mut self, unit: usize, message: usize) -> bool {
        let complete_s = self.mail.messages[message].complete_s;
        if let Some(complete_s) = complete_s {
            self.units[unit].state = State::Until(complete_s);
        }
        complete_s.is_some()
    }

    fn look_after_requests(&mut self, unit: usize, requests: Vec<Request>) -> bool {
        let there = |request: &Request| match request {
            Request::Receive(receive) => {
                let arrival_s = self.mail.arrival_s(*receive)?;
                (arrival_s <= self.now_s).then_some((arrival_s, *receive))
            }
            Request::Send(_) => None,
        };
        let next = requests.iter().filter_map(there);
        let next = next.min_by(|a, b| a.partial_cmp(b).expect("times are numbers"));
        if let Some((_, receive)) = next {
            let rest = requests.into_iter();
            let rest: Vec<Request> = rest.filter(|it| *it != Request::Receive(receive)).collect();
            let who = self.units[unit].who(unit);
            self.units[unit].todo.push_front(Step::Await(rest));
            self.units[unit].state = match self.mail.charge(who, receive, self.now_s) {
                Charge::Until(end_s) => State::Until(end_s),
                Charge::Interface => State::Receives,
            };
            return true;
        }
        // Sends complete by themselves.
        let mut end_s = self.now_s;
        for request in &requests {
            let complete_s = match request {
                Request::Send(message) => self.mail.messages[*message].complete_s,
                Request::Receive(_) => None,
            };
            match complete_s {
                Some(complete_s) => end_s = end_s.max(complete_s),
                None => return false,
            }
        }
        self.units[unit].state = State::Until(end_s);
        true
    }
}

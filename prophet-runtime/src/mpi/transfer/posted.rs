//! Implements operations that a process begins and later waits for.

use prophet_machine::network::{NicClocks, later};

use super::Ending;
use crate::kernel::Wanted;
use crate::language::Stopped;
use crate::messages::letter::{ANY_SOURCE, ANY_TAG, Arrived, Envelope};
use crate::messages::matching::Matching;
use crate::messages::message::{Begun, Incoming, Part};
use crate::messages::requests::{
    Batch, Completion, Operation, Progress, Request, Requests, Until, Waiting,
};
use crate::mpi::{Lane, Mpi};

impl Ending {
    /// Returns the receive that a wait charges at `now_s`, and its message.
    pub(crate) fn of_request(
        waiting: &Waiting,
        request: &Request,
        now_s: f64,
    ) -> Option<(Self, Arrived)> {
        let Operation::Receive { cost_s, .. } = request.operation else {
            return None;
        };
        let Progress::Received(arrived) = request.progress else {
            return None;
        };
        let ending = Self {
            rank: waiting.rank,
            unit: waiting.unit,
            cost_s,
            since_s: now_s,
            from_s: now_s,
            part: Part::Some,
            begun: Some(Begun {
                element: request.origin.element,
                number: request.number,
            }),
        };
        Some((ending, arrived))
    }
}

impl Incoming {
    pub(crate) fn operation(&self) -> Operation {
        Operation::Receive {
            envelope: self.envelope,
            bytes_max: self.bytes_max,
            cost_s: self.cost_s,
        }
    }
}

/// Describes that a sender is waiting for a process to receive its message.
pub(crate) fn wanted_receiver(dest: u32) -> Wanted {
    Wanted {
        text: format!("process {dest} to receive its message"),
        process: Some(dest),
    }
}

impl Envelope {
    /// Describes that a receiver is waiting for a message like this.
    pub(crate) fn wanted(&self) -> Wanted {
        let tag = match self.tag {
            ANY_TAG => "any tag".to_owned(),
            tag => format!("tag {tag}"),
        };
        let (source, process) = match self.source {
            ANY_SOURCE => ("any process".to_owned(), None),
            source => (format!("process {source}"), Some(source)),
        };
        Wanted {
            text: format!("a message with {tag} from {source}"),
            process,
        }
    }
}

impl Mpi<'_> {
    pub(crate) fn requests(&self) -> std::cell::RefMut<'_, Requests> {
        let communication = self.communication();
        let requests = communication.requests.get_or_init(|| {
            let local = &self.local;
            let here = match local.alone {
                Some(_) => local.first()..local.first() + 1,
                None => self.ranks().here,
            };
            Requests::new(here).into()
        });
        requests.borrow_mut()
    }

    /// Takes a request that the program's waits don't find.
    pub(crate) fn take_request(&self, request: u32) -> Batch {
        self.requests().take_alone(request)
    }

    /// Leaves such a request to its rank's next wait for all requests.
    pub(crate) fn leave_request(&self, request: u32) {
        self.requests().adopt(request);
    }

    /// Records the progress of a request. If a unit is only waiting for requests, it continues when
    /// all of them have been charged.
    pub(crate) fn progress(
        &self,
        matching: &mut Matching,
        request: u32,
        progress: Progress,
    ) -> Result<(), Stopped> {
        self.check_progress(request, progress)?;
        let ended = self.requests().progress(request, progress);
        if self.nics.are_shared() && self.charge_met(request) {
            return Ok(());
        }
        let Some(wait) = ended else { return Ok(()) };
        if self.requests().waiting(wait).until == Until::Any {
            self.look_at_choice(wait);
            return Ok(());
        }
        let waiting = self.requests().take_wait(wait);
        let end_s = self.charge(&waiting, matching.clocks(waiting.rank));
        self.resume_at(waiting.unit, end_s)
    }

    /// Fails if a message is larger than its receive allows.
    pub(crate) fn check_progress(&self, request: u32, progress: Progress) -> Result<(), Stopped> {
        let Progress::Received(arrived) = progress else {
            return Ok(());
        };
        let (origin, operation) = {
            let requests = self.requests();
            let request = requests.get(request);
            (request.origin, request.operation)
        };
        match operation {
            Operation::Receive { bytes_max, .. } => {
                self.check_size(bytes_max, arrived, origin.unit, origin.element)
            }
            Operation::Send { .. } => Ok(()),
        }
    }

    /// Charges the requests that a unit has waited for, in the order of their arrival and then of
    /// posting. Returns when this ends, in seconds.
    pub(crate) fn charge(&self, waiting: &Waiting, nic: &mut NicClocks) -> f64 {
        let mut now_s = waiting.since_s;
        let requests = self.requests().empty(&waiting.batch);
        for request in requests {
            now_s = self.charge_one(waiting, &request, now_s, nic);
        }
        // A send takes no time by itself, so it doesn't matter when it is checked.
        self.wait_for_send(waiting.unit, now_s, waiting.batch.sent)
    }

    /// Charges a request from `now_s` on. Returns when this ends, in seconds.
    pub(crate) fn charge_one(
        &self,
        waiting: &Waiting,
        request: &Request,
        now_s: f64,
        nic: &mut NicClocks,
    ) -> f64 {
        if let Some((ending, arrived)) = Ending::of_request(waiting, request, now_s) {
            return later(now_s, self.end_receive(ending, arrived, nic));
        }
        match request.progress {
            Progress::Sent(sent) => self.wait_for_send(waiting.unit, now_s, sent),
            _ => now_s,
        }
    }

    /// Makes a unit wait from `now_s` on until a send is complete. Returns when this ends, in
    /// seconds.
    pub(crate) fn wait_for_send(&self, unit: u32, now_s: f64, sent: Completion) -> f64 {
        if sent.end_s <= now_s {
            return now_s;
        }
        self.charge_send(unit, now_s, sent);
        sent.end_s
    }

    /// Describes what a wait for requests is waiting for, by its first open request.
    pub(crate) fn describe_wait(&self, state: Completing) -> Wanted {
        let requests = self.requests();
        let open = match state {
            Completing::Open(wait) => requests.first_open(wait),
            Completing::Over | Completing::Timed => None,
        };
        let Some(Request {
            origin, operation, ..
        }) = open
        else {
            return Wanted {
                text: "its messages".to_owned(),
                process: None,
            };
        };
        let site = self.site(origin.element);
        let site = site.map_or_else(String::new, |site| format!(", begun at {site}"));
        let Wanted { text, process } = match *operation {
            Operation::Receive { envelope, .. } => envelope.wanted(),
            Operation::Send { dest } => wanted_receiver(dest),
        };
        let others = match state {
            Completing::Open(wait) => requests.others_that_end(wait),
            Completing::Over | Completing::Timed => 0,
        };
        match others {
            0 => Wanted {
                text: text + &site,
                process,
            },
            // Any of several requests could end the wait, so none of them alone is the cause.
            _ => Wanted {
                text: format!(
                    "{text}{site}, or for another of its {} requests",
                    others + 1
                ),
                process: None,
            },
        }
    }
}

impl Lane<'_> {
    /// Ends a wait for requests that have all been matched.
    pub(crate) fn complete(self, state: Completing) -> Result<(), Stopped> {
        let Completing::Open(wait) = state else {
            return Ok(());
        };
        let waiting = self.mpi.requests().take_wait(wait);
        let end_s = self.with_nic(|nic| self.mpi.charge(&waiting, nic));
        self.advance(end_s)
    }
}

/// What a wait for requests is still waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completing {
    Over,
    /// All requests have been matched, so only time must pass.
    Timed,
    /// Some requests are open. The number is the wait's number in [`Requests`].
    Open(u32),
}

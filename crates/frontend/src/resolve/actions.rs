//! Builds the actions of elements from stereotypes and tags.

use crate::lang::ir::{Expression, ExpressionKind, Type};
use crate::program::action::{
    Action, Argument, Assigned, Collective, Completion, Compute, Delay, Gate, Mode, Offload,
    OffloadCall, Operation, Order, Own, Partner, Receive, Rooted, Send, SendReceive, Signal,
    SignalPart, Synchronization, Task, TaskFile, Unrooted, Wait,
};
use crate::program::{RequestIndex, SignalIndex};
use prophet_model::model::StereotypeKind;
use prophet_model::vocabulary::{OwnStereotype, Tag};

#[derive(Debug, Default)]
pub(super) struct Given {
    /// Values of the stereotype's tags, in the order of the vocabulary.
    pub(super) values: Vec<(Tag, Option<Expression>)>,
    pub(super) price: Option<Expression>,
    pub(super) results: Vec<Assigned>,
    pub(super) requests: Vec<RequestIndex>,
    pub(super) signal: Option<SignalIndex>,
    /// Whether the element copies data from an accelerator to the host.
    pub(super) to_host: bool,
    pub(super) mode: Mode,
    pub(super) files: [Vec<TaskFile>; 2],
    pub(super) model: Option<String>,
    pub(super) program: Option<String>,
}

impl Given {
    fn take(&mut self, tag: &str) -> Option<Expression> {
        let at = self.values.iter().position(|(it, _)| it.name == tag)?;
        self.values.remove(at).1
    }

    fn partner(&mut self, tag: &str) -> Partner {
        let value = self.take(tag).unwrap_or_else(missing);
        match value.kind {
            // If the language converts a real to an int, the real number itself is checked.
            ExpressionKind::Cast(real) if real.ty == Type::Real => Partner::Whole(*real),
            _ => Partner::Number(value),
        }
    }

    fn task(&mut self) -> Action {
        let [inputs, outputs] = std::mem::take(&mut self.files);
        let task = Task {
            cores: self.take("cores"),
            memory: self.take("memory"),
            inputs,
            outputs,
            model: self.model.take(),
            processes: self.take("processes"),
            failure_probability: self.take("failure_probability"),
            retries: self.take("retries"),
            program: self.program.take(),
        };
        Action::Compute(Compute {
            price: self.price.take().unwrap_or_else(missing),
            bytes: None,
            working_set: None,
            task: Some(Box::new(task)),
        })
    }

    fn awaited(&self) -> Completion {
        Completion::Awaited(self.requests.first().copied())
    }

    fn send(&mut self, completion: Completion) -> Action {
        Action::Send(Send {
            completion,
            dest: self.partner("dest"),
            size: self.take("size"),
            tag: self.take("tag"),
            value: self.take("value"),
            price: self.price.take(),
        })
    }

    fn receive(&mut self, completion: Completion) -> Action {
        Action::Receive(Receive {
            completion,
            source: self.partner("source"),
            limit: self.take("size"),
            tag: self.take("tag"),
            price: self.price.take(),
            results: std::mem::take(&mut self.results),
        })
    }

    fn collective(&mut self, operation: Operation) -> Action {
        Action::Collective(Collective {
            operation,
            comm: self.take("comm"),
            price: self.price.take(),
        })
    }

    fn rooted(&mut self, name: Rooted) -> Action {
        let (root, size) = (self.take("root"), self.take("size"));
        self.collective(Operation::Rooted { name, root, size })
    }

    fn unrooted(&mut self, name: Unrooted) -> Action {
        let size = self.take("size");
        self.collective(Operation::Unrooted { name, size })
    }

    fn order(&mut self, by: Synchronization) -> Action {
        let price = self.price.take();
        Action::Order(Order { by, price })
    }

    fn gate(&mut self, gate: Gate) -> Action {
        self.order(Synchronization::Gate(gate))
    }

    fn signal(&mut self, part: SignalPart) -> Option<Action> {
        let signal = self.signal?;
        Some(Action::Signal(Signal { part, signal }))
    }

    fn arguments(&mut self) -> Vec<Argument> {
        let argument = |(tag, value)| Argument { tag, value };
        self.values.drain(..).map(argument).collect()
    }

    fn offload(&mut self, call: OffloadCall) -> Action {
        Action::Offload(Offload {
            call,
            arguments: self.arguments(),
            price: self.price.take(),
        })
    }

    fn own(&mut self, stereotype: &'static OwnStereotype) -> Action {
        Action::Own(Own {
            stereotype,
            arguments: self.arguments(),
            price: self.price.take(),
        })
    }

    /// Builds the action of an element with this stereotype; `None` if the element consists only of
    /// its content.
    pub(super) fn action(&mut self, stereotype: StereotypeKind) -> Option<Action> {
        use StereotypeKind as S;
        Some(match stereotype {
            S::ActionPlus => Action::Compute(Compute {
                price: self.price.take().unwrap_or_else(missing),
                bytes: self.take("bytes"),
                working_set: self.take("working_set"),
                task: None,
            }),
            S::Task => self.task(),
            S::BSend => self.send(Completion::Blocking),
            S::NbSend => self.send(self.awaited()),
            S::BRecv => self.receive(Completion::Blocking),
            S::NbRecv => self.receive(self.awaited()),
            S::SendRecv => Action::SendReceive(SendReceive {
                dest: self.partner("dest"),
                source: self.partner("source"),
                size: self.take("size"),
                tag: self.take("tag"),
                value: self.take("value"),
                price: self.price.take(),
                results: std::mem::take(&mut self.results),
            }),
            S::Wait => Action::Wait(Wait {
                requests: std::mem::take(&mut self.requests),
                mode: std::mem::take(&mut self.mode),
            }),
            S::Broadcast => self.rooted(Rooted::Broadcast),
            S::Reduce => self.rooted(Rooted::Reduce),
            S::Gather => self.rooted(Rooted::Gather),
            S::Scatter => self.rooted(Rooted::Scatter),
            S::AllReduce => self.unrooted(Unrooted::AllReduce),
            S::AllGather => self.unrooted(Unrooted::AllGather),
            S::AllToAll => self.unrooted(Unrooted::AllToAll),
            S::ReduceScatter => self.unrooted(Unrooted::ReduceScatter),
            S::Scan => self.unrooted(Unrooted::Scan),
            S::Barrier => self.collective(Operation::Barrier),
            S::Critical => self.gate(Gate::Critical),
            S::Atomic => self.gate(Gate::Atomic),
            S::Single => self.gate(Gate::Single),
            S::Master => self.gate(Gate::Master),
            S::OmpBarrier => self.order(Synchronization::Barrier),
            S::Delay => Action::Delay(Delay {
                price: self.price.take().unwrap_or_else(missing),
            }),
            S::SendSignal => self.signal(SignalPart::Sends)?,
            S::AcceptSignal => self.signal(SignalPart::Accepts)?,
            S::Kernel => self.offload(OffloadCall::Kernel),
            S::Copy => {
                let to_host = self.to_host;
                self.offload(OffloadCall::Copy { to_host })
            }
            S::Event => self.offload(OffloadCall::Event),
            S::Synchronize => self.offload(OffloadCall::Synchronize),
            S::Own(own) => self.own(own),
            S::ActivityPlus
            | S::LoopPlus
            | S::Parallel
            | S::ParallelDo
            | S::ParallelSections
            | S::File
            | S::Workflow => return None,
        })
    }
}

/// Returns a placeholder for an expression that has been reported as missing.
fn missing() -> Expression {
    Expression {
        kind: ExpressionKind::Int(0),
        ty: Type::Int,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::ListPlace as _;
    use prophet_model::vocabulary::word;

    #[test]
    fn no_tag_of_the_vocabulary_is_lost() {
        for stereotype in StereotypeKind::ALL {
            let word = word(stereotype).expect("it is supported");
            let values = word.tags.iter().map(|tag| (*tag, Some(missing())));
            let mut given = Given {
                values: values.collect(),
                signal: Some(SignalIndex::new(0)),
                ..Given::default()
            };
            let name = stereotype.name();
            match given.action(stereotype) {
                None => {
                    let is_drawn = matches!(name, "file" | "workflow");
                    assert!(stereotype.has_content() || is_drawn, "{name}");
                }
                Some(action) => {
                    assert!(given.values.is_empty(), "{name}: {:?}", given.values);
                    let values = action.arguments().into_iter().chain(action.comm());
                    assert_eq!(values.count(), word.tags.len(), "{name}");
                }
            }
        }
    }
}

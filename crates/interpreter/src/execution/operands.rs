//! Reads the operands of an execution from the registers of its diagram.

use prophet_runtime as runtime;
use prophet_runtime::{Cost, Fault, Int, Message, Price};

use crate::element::{Expected, Priced, Sent, Task};
use crate::frame::word_int;
use crate::op::Reg;
use crate::process::Registers;
use crate::unroll;

pub(super) enum PriceValue {
    ByMachine,
    Seconds(f64),
    Fault(Fault),
}

impl Price for PriceValue {
    fn cost(self) -> Cost {
        match self {
            Self::ByMachine => Cost::ByMachine,
            Self::Seconds(seconds) => Cost::Seconds(seconds),
            Self::Fault(fault) => Cost::Fault(fault),
        }
    }
}

pub(super) struct Operands<'o> {
    registers: Registers<'o>,
    fault: Option<Fault>,
}

impl<'o> Operands<'o> {
    pub(super) fn new(registers: Registers<'o>, fault: Option<Fault>) -> Self {
        Self { registers, fault }
    }

    pub(super) fn int(&self, reg: Reg) -> Int {
        word_int(self.registers.word(reg))
    }

    pub(super) fn partner(&self, reg: Reg) -> Int {
        word_int(self.registers.partner(reg))
    }

    pub(super) fn real(&self, reg: Reg) -> f64 {
        f64::from_bits(self.registers.word(reg))
    }

    pub(super) fn price(&mut self, price: Priced) -> PriceValue {
        match (price, self.fault.take()) {
            (Priced::ByMachine, _) => PriceValue::ByMachine,
            (Priced::Seconds(reg), None) => PriceValue::Seconds(self.real(reg)),
            (Priced::Seconds(_), Some(fault)) => PriceValue::Fault(fault),
        }
    }

    pub(super) fn seconds(&self, price: Priced) -> Option<f64> {
        match (price, &self.fault) {
            (Priced::Seconds(reg), None) => Some(self.real(reg)),
            _ => None,
        }
    }

    pub(super) fn task<'c>(
        &self,
        element: &runtime::Element,
        cost_s: f64,
        task: &'c Task,
    ) -> unroll::TaskValues<'c> {
        let int = |reg: Option<Reg>| reg.map(|reg| self.int(reg).0);
        let files = |all: &'c [(String, Option<Reg>)]| {
            let file = |(name, size): &'c (String, Option<Reg>)| {
                (name.as_str(), size.map(|reg| self.real(reg)))
            };
            all.iter().map(file).collect()
        };
        unroll::TaskValues {
            element: element.index,
            id: element.id,
            name: element.name,
            cost_s,
            cores: int(task.cores),
            memory: int(task.memory),
            inputs: files(&task.inputs),
            outputs: files(&task.outputs),
            model: task.model.as_ref().map(|it| (it.0.as_str(), int(it.1))),
            failure_probability: task.failure_probability.map(|reg| self.real(reg)),
            retries: int(task.retries),
            program: task.program.as_deref(),
        }
    }

    fn message(&self, size: Option<Reg>, tag: Option<Reg>) -> Message {
        let message = match size {
            Some(size) => Message::bytes(self.int(size)),
            None => Message::any_size(),
        };
        match tag {
            Some(tag) => message.tag(self.int(tag)),
            None => message,
        }
    }

    /// Returns a message's receiver, the message, its price, and the value that it carries.
    pub(super) fn sent(
        mut self,
        sent: &Sent,
    ) -> (Int, Message, PriceValue, Option<runtime::Value>) {
        let message = self.message(sent.size, sent.tag);
        let value = sent.value.map(|value| self.value(value));
        (
            self.partner(sent.dest),
            message,
            self.price(sent.price),
            value,
        )
    }

    /// Returns a message's sender, the message to expect, and its price.
    pub(super) fn expected(mut self, expected: &Expected) -> (Int, Message, PriceValue) {
        let message = self.message(expected.limit, expected.tag);
        (
            self.partner(expected.source),
            message,
            self.price(expected.price),
        )
    }

    fn value(&self, (reg, is_real): (Reg, bool)) -> runtime::Value {
        if is_real {
            self.real(reg).into()
        } else {
            self.int(reg).into()
        }
    }
}

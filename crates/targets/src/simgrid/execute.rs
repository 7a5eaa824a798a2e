//! Writes elements as calls of functions in the headers.

use super::handler::{Actors, UNIT, stream_of};
use crate::family::{ElementCall, Elements, Spelling, scalar};
use prophet_codegen::emit::Listing;
use prophet_frontend::lang::ir::Expression;
use prophet_frontend::program::action::{
    Assigned, Collective, Gate, Mode, Offload, Order, Synchronization, Told, Wait,
};
use prophet_frontend::program::{ElementIndex, ListPlace as _, RequestIndex};

impl Elements for Actors<'_> {
    const SPELLING: Spelling = Spelling {
        prefix: "prophet::",
        any_size: "prophet::ANY_SIZE",
        no_value: "prophet::NO_VALUE",
        request_first: false,
        limits_both: true,
    };

    fn whose(&self, element: ElementIndex) -> String {
        format!("unit, {}", self.names.elements[element])
    }

    fn value(&self, element: ElementIndex, value: &Expression) -> String {
        self.value_of(&stream_of(&self.names.elements[element]), value)
    }

    fn price(&self, element: ElementIndex, price: Option<&Expression>) -> String {
        self.tag(element, price, "prophet::BY_MACHINE")
    }

    fn request(&self, request: Option<RequestIndex>) -> String {
        let number = request.map(|request| request.to_string());
        number.unwrap_or_else(|| "prophet::UNNAMED".to_owned())
    }

    fn carried(&self, element: ElementIndex, value: Option<&Expression>) -> Option<String> {
        let value = value?;
        let kind = scalar(&value.ty);
        let value = self.value(element, value);
        Some(format!("prophet::Value({kind}({value}))"))
    }

    fn offloaded(&self, _: ElementIndex, _: &Offload) -> String {
        unreachable!("the target refuses accelerators")
    }

    fn results(&self, results: &[Assigned]) -> Option<String> {
        if results.is_empty() {
            return None;
        }
        let pointer = |part: Told| {
            let result = results.iter().find(|it| it.part == part);
            let pointer = result.map(|it| self.names.pointer(&it.variable));
            pointer.unwrap_or_else(|| "nullptr".to_owned())
        };
        // In the order of the struct's members.
        let parts = [Told::Int, Told::Real, Told::Source, Told::Tag, Told::Size];
        let pointers = parts.map(pointer).join(", ");
        Some(format!("prophet::Results{{{pointers}}}"))
    }

    fn wait(&self, element: ElementIndex, wait: &Wait) -> String {
        let numbers: Vec<String> = wait.requests.iter().map(ToString::to_string).collect();
        // An empty list means all requests.
        let names = format!("{{{}}}", numbers.join(", "));
        match &wait.mode {
            Mode::All => format!("wait({}, {names})", self.whose(element)),
            Mode::Any { index } => {
                let index = index.as_ref().map(|it| self.names.pointer(it));
                let index = index.unwrap_or_else(|| "nullptr".to_owned());
                format!("wait_any(unit, {names}, {index})")
            }
        }
    }

    fn collective(&self, element: ElementIndex, collective: &Collective) -> ElementCall {
        let [root, size] = collective.operation.root_and_size();
        let color = match &collective.comm {
            None => "nullptr".to_owned(),
            Some(comm) => {
                let value = self.value(element, comm);
                format!("[&]({UNIT}) -> int64_t {{ return {value}; }}")
            }
        };
        let arguments = vec![
            format!("\"{}\"", collective.operation.name()),
            self.tag(element, root, "0"),
            self.tag(element, size, "0"),
            color,
            self.price(element, collective.price.as_ref()),
        ];
        ("collective", arguments)
    }

    fn order(&self, element: ElementIndex, order: &Order, lines: &mut Listing) {
        let name = &self.names.elements[element];
        let price = order.price.as_ref().map(|it| self.value(element, it));
        let gate = match order.by {
            Synchronization::Gate(gate) => self.gate(gate, element),
            Synchronization::Barrier => {
                lines.line("prophet::ompbarrier(unit);");
                if let Some(price) = price {
                    let text = format!("prophet::compute(unit, {name}, {price});");
                    lines.line(&text);
                }
                return;
            }
        };
        match price {
            None => lines.line(&format!(
                "prophet::{gate}, [](const prophet::Unit &) {{}});"
            )),
            Some(price) => {
                lines.line(&format!(
                    "prophet::{gate}, [&, cost_s = double({price})](const prophet::Unit &unit)"
                ));
                lines.open();
                lines.line(&format!("prophet::compute(unit, {name}, cost_s);"));
                lines.close("});");
            }
        }
    }
}

impl Actors<'_> {
    /// Writes the start of a call for a gate, before its content.
    pub(super) fn gate(&self, gate: Gate, element: ElementIndex) -> String {
        match gate {
            Gate::Critical => {
                // Lock 0 belongs to elements without a name.
                let lock = self.program.elements[element]
                    .lock
                    .map_or(0, |it| it.number() + 1);
                format!("critical(unit, {lock}")
            }
            Gate::Atomic => format!("atomic(unit, {}", self.names.elements[element]),
            Gate::Single => "single(unit".to_owned(),
            Gate::Master => "master(unit".to_owned(),
        }
    }
}

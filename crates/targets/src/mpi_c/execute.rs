//! Writes elements as calls of the support library.

use super::contexts::Context;
use super::handler::{SkeletonHandler, timed};
use crate::family::{ElementCall, Elements, Spelling};
use prophet_codegen::emit::Listing;
use prophet_frontend::lang::ir::{Expression, Type};
use prophet_frontend::program::action::{
    Assigned, Collective, Mode, Offload, Operation, Order, Synchronization, Told, Wait,
};
use prophet_frontend::program::{ElementIndex, RequestIndex};

impl Elements for SkeletonHandler<'_> {
    const SPELLING: Spelling = Spelling {
        prefix: "prophet_",
        any_size: "PROPHET_ANY_SIZE",
        no_value: "prophet_no_value()",
        request_first: true,
        limits_both: false,
    };

    fn whose(&self, element: ElementIndex) -> String {
        format!("&{}", self.names.elements[element])
    }

    fn value(&self, element: ElementIndex, value: &Expression) -> String {
        self.value_of(self.stream_of(element), value)
    }

    fn price(&self, element: ElementIndex, price: Option<&Expression>) -> String {
        match price {
            Some(price) => format!("prophet_cost({})", self.value(element, price)),
            None => "prophet_by_machine()".to_owned(),
        }
    }

    fn request(&self, request: Option<RequestIndex>) -> String {
        let name = request.map(|request| self.names.requests[request].clone());
        name.unwrap_or_else(|| "PROPHET_UNNAMED".to_owned())
    }

    fn carried(&self, element: ElementIndex, value: Option<&Expression>) -> Option<String> {
        let Some(value) = value else {
            return Some("prophet_no_value()".to_owned());
        };
        let kind = if value.ty == Type::Real {
            "real"
        } else {
            "int"
        };
        let text = self.value(element, value);
        Some(format!("prophet_{kind}_value({text})"))
    }

    fn offloaded(&self, element: ElementIndex, offload: &Offload) -> String {
        let tags = offload.arguments.iter();
        let tags = tags.filter_map(|it| Some((it.tag.name, it.value.as_ref()?)));
        let price = offload.price.iter().map(|it| ("cost", it));
        let field = |(name, value)| format!(".{name} = {}", self.value(element, value));
        let fields: Vec<String> = tags.chain(price).map(field).collect();
        match fields.as_slice() {
            [] => "(prophet_offloaded){0}".to_owned(),
            fields => format!("(prophet_offloaded){{{}}}", fields.join(", ")),
        }
    }

    fn results(&self, results: &[Assigned]) -> Option<String> {
        let pointer = |result: &Assigned| {
            let field = match result.part {
                Told::Int => "into_int",
                Told::Real => "into_real",
                Told::Source => "source",
                Told::Tag => "tag",
                Told::Size => "size",
            };
            format!(".{field} = {}", self.names.pointer(&result.variable))
        };
        let pointers: Vec<String> = results.iter().map(pointer).collect();
        Some(if pointers.is_empty() {
            "prophet_no_results()".to_owned()
        } else {
            format!("(prophet_results){{{}}}", pointers.join(", "))
        })
    }

    fn wait(&self, element: ElementIndex, wait: &Wait) -> String {
        let whose = self.whose(element);
        let names = wait.requests.iter().map(|&it| &*self.names.requests[it]);
        let names: Vec<&str> = names.collect();
        let names = if names.is_empty() {
            "PROPHET_ALL_REQUESTS".to_owned()
        } else {
            format!("PROPHET_REQUESTS({})", names.join(", "))
        };
        match &wait.mode {
            Mode::All => format!("wait({whose}, {names})"),
            Mode::Any { index } => {
                let index = index.as_ref();
                let index = index.map_or_else(|| "NULL".to_owned(), |it| self.names.pointer(it));
                format!("wait_any({whose}, {names}, {index})")
            }
        }
    }

    fn collective(&self, element: ElementIndex, collective: &Collective) -> ElementCall {
        let comm = collective.comm.as_ref();
        let comm = comm.and_then(|value| self.comms.iter().find(|known| known.value == value));
        let mut arguments = vec![comm.map_or_else(|| "NULL".to_owned(), |it| it.name.clone())];
        let [root, size] = collective.operation.root_and_size();
        if let Operation::Rooted { .. } = collective.operation {
            arguments.push(self.tag(element, root, "0"));
        }
        if !matches!(collective.operation, Operation::Barrier) {
            arguments.push(self.tag(element, size, "0"));
        }
        arguments.push(self.price(element, collective.price.as_ref()));
        (collective.operation.name(), arguments)
    }

    fn order(&self, element: ElementIndex, order: &Order, lines: &mut Listing) {
        let name = &self.names.elements[element];
        let content = order.price.as_ref().map(|price| {
            let cost = self.value(element, price);
            format!("prophet_work(&{name}, {cost});")
        });
        match order.by {
            Synchronization::Gate(gate) => {
                self.gated(gate, element, content.as_deref().unwrap_or(";"), lines);
            }
            Synchronization::Barrier => timed(name, lines, |lines| {
                match self.context {
                    Context::Alone => {}
                    Context::Team => lines.line("#pragma omp barrier"),
                    Context::Part => lines.line(&format!("prophet_alone(&{name});")),
                }
                if let Some(content) = &content {
                    lines.line(content);
                }
            }),
        }
    }
}

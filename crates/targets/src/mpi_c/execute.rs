//! Elements as calls of the support.

use super::comm;
use super::contexts::Context;
use super::handler::MpiHandler;
use prophet_codegen::lang::ir::{Expression, ExpressionKind as Kind, Type};
use prophet_codegen::model::StereotypeKind;
use prophet_codegen::program::{Execute, Mode};
use prophet_codegen::target::c::Lines;

impl MpiHandler<'_> {
    pub(super) fn execute(&mut self, execute: &Execute) {
        use StereotypeKind as S;
        self.mark(execute.element, &execute.needs);
        let name = self.names.elements[execute.element].clone();
        let line = match execute.stereotype {
            S::ActionPlus => {
                let cost = self.cost(execute);
                format!("prophet_compute(&{name}, {cost});")
            }
            S::Critical | S::Atomic | S::Single | S::Master | S::OmpBarrier => {
                return self.ordering(execute);
            }
            S::Wait => self.wait(execute, &name),
            S::BSend | S::NbSend | S::BRecv | S::NbRecv | S::SendRecv => {
                self.message(execute, &name)
            }
            _ => self.collective(execute, &name),
        };
        self.lines.line(&line);
    }

    /// The element with its time taken around what `content` writes.
    pub(super) fn timed(&mut self, name: &str, content: impl FnOnce(&mut Lines)) {
        self.lines.open();
        self.lines
            .line(&format!("double start = prophet_begin(&{name});"));
        content(&mut self.lines);
        self.lines.line(&format!("prophet_end(&{name}, start);"));
        self.lines.close("}");
    }

    fn cost(&self, execute: &Execute) -> String {
        match &execute.price {
            Some(price) => self.value(execute.element, price),
            None => "0.0".to_owned(),
        }
    }

    fn price(&self, execute: &Execute) -> String {
        match &execute.price {
            Some(price) => format!("prophet_cost({})", self.value(execute.element, price)),
            None => "prophet_by_machine()".to_owned(),
        }
    }

    /// The value of a tag, an int.
    fn tag(&self, execute: &Execute, tag: &str) -> Option<String> {
        let argument = execute.arguments.iter().find(|it| it.tag == tag)?;
        let value = argument.value.as_ref()?;
        Some(self.value(execute.element, value))
    }

    /// The number of a process: a real number is checked to be whole when it is used.
    fn process(&self, execute: &Execute, role: &str) -> Option<String> {
        let argument = execute.arguments.iter().find(|it| it.tag == role)?;
        let value = argument.value.as_ref()?;
        match &value.kind {
            Kind::Cast(inside) if inside.ty == Type::Real => {
                let inside: &Expression = inside;
                Some(format!(
                    "prophet_whole({})",
                    self.value(execute.element, inside)
                ))
            }
            _ => Some(self.value(execute.element, value)),
        }
    }

    /// The name of the request that an element begins.
    fn request(&self, execute: &Execute) -> String {
        match self.program.elements[execute.element].requests.first() {
            Some(&request) => self.names.requests[request].clone(),
            None => "PROPHET_UNNAMED".to_owned(),
        }
    }

    fn wait(&self, execute: &Execute, name: &str) -> String {
        let requests = &self.program.elements[execute.element].requests;
        let names = requests.iter().map(|&it| &*self.names.requests[it]);
        let names: Vec<&str> = names.collect();
        let names = if names.is_empty() {
            "PROPHET_ALL_REQUESTS".to_owned()
        } else {
            format!("PROPHET_REQUESTS({})", names.join(", "))
        };
        if execute.mode == Mode::All {
            return format!("prophet_wait(&{name}, {names});");
        }
        let index = execute.results.first();
        let index = index.map_or_else(|| "NULL".to_owned(), |it| self.pointer(&it.variable));
        format!("prophet_wait_any(&{name}, {names}, {index});")
    }

    fn message(&self, execute: &Execute, name: &str) -> String {
        use StereotypeKind as S;
        let stereotype = execute.stereotype;
        let mut arguments = vec![format!("&{name}")];
        if matches!(stereotype, S::NbSend | S::NbRecv) {
            arguments.push(self.request(execute));
        }
        arguments.extend(self.process(execute, "dest"));
        arguments.extend(self.process(execute, "source"));
        let size = self.tag(execute, "size");
        arguments.push(size.unwrap_or_else(|| match stereotype {
            S::BRecv => "PROPHET_ANY_SIZE".to_owned(),
            _ => "0".to_owned(),
        }));
        arguments.push(self.tag(execute, "tag").unwrap_or_else(|| "0".to_owned()));
        arguments.push(self.price(execute));
        if matches!(stereotype, S::BSend | S::NbSend | S::SendRecv) {
            arguments.push(self.carried(execute));
        }
        if matches!(stereotype, S::BRecv | S::NbRecv | S::SendRecv) {
            arguments.push(self.results(execute));
        }
        format!("prophet_{}({});", stereotype.name(), arguments.join(", "))
    }

    fn collective(&self, execute: &Execute, name: &str) -> String {
        use StereotypeKind as S;
        let mut arguments = vec![format!("&{name}")];
        let comm = comm::of(execute)
            .and_then(|value| self.comms.iter().find(|known| known.value == value));
        arguments.push(comm.map_or_else(|| "NULL".to_owned(), |it| it.name.clone()));
        let zero = || "0".to_owned();
        if let S::Broadcast | S::Reduce | S::Gather | S::Scatter = execute.stereotype {
            arguments.push(self.tag(execute, "root").unwrap_or_else(zero));
        }
        if execute.stereotype != S::Barrier {
            arguments.push(self.tag(execute, "size").unwrap_or_else(zero));
        }
        arguments.push(self.price(execute));
        let function = execute.stereotype.name();
        format!("prophet_{function}({});", arguments.join(", "))
    }

    /// An element that orders threads and is drawn as an action: its cost is its content.
    fn ordering(&mut self, execute: &Execute) {
        let element = execute.element;
        let name = self.names.elements[element].clone();
        let cost = execute.price.as_ref();
        let content = cost.map(|price| {
            let cost = self.value(element, price);
            format!("prophet_work(&{name}, {cost});")
        });
        if execute.stereotype == StereotypeKind::OmpBarrier {
            let context = self.context;
            return self.timed(&name.clone(), |lines| {
                match context {
                    Context::Alone => {}
                    Context::Team => lines.line("#pragma omp barrier"),
                    Context::Part => lines.line(&format!("prophet_alone(&{name});")),
                }
                if let Some(content) = &content {
                    lines.line(content);
                }
            });
        }
        self.gated(
            execute.stereotype,
            element,
            content.as_deref().unwrap_or(";"),
        );
    }
}

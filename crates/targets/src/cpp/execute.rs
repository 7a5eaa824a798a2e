//! How elements are executed: `A1.execute(uid, pid, tid, FA1());`.

use super::handler::CppHandler;
use prophet_codegen::lang::ir::{Expression, Type};
use prophet_codegen::model::StereotypeKind;
use prophet_codegen::program::{Construct, Execute, Mode, Region, Schedule, Told};
use prophet_codegen::target::c::{Dialect as _, Printer};
use prophet_codegen::target::text::c_string;

impl CppHandler<'_> {
    /// An expression in a place of its type.
    pub(super) fn expression(&self, expression: &Expression) -> String {
        Printer::new(&self.names).converted(expression)
    }

    /// The execution of an element.
    pub(super) fn execution(&self, execute: &Execute) -> String {
        use StereotypeKind as S;
        let mut arguments = vec!["uid".to_owned(), "pid".to_owned(), "tid".to_owned()];
        let price = execute.price.as_ref().map(|it| self.expression(it));
        let mailbox = |tag| {
            let process = tag_of(execute, tag).map(|it| self.expression(it));
            format!("p[{}]", process.as_deref().unwrap_or("0"))
        };
        match execute.stereotype {
            S::BSend | S::NbSend => arguments.extend([mailbox("dest"), self.buffer(execute)]),
            S::BRecv | S::NbRecv => arguments.extend([mailbox("source"), self.buffer(execute)]),
            S::SendRecv => {
                arguments.extend([mailbox("dest"), mailbox("source"), self.buffer(execute)]);
            }
            S::Broadcast | S::Reduce | S::Gather | S::Scatter => {
                arguments.push(mailbox("root"));
                arguments.extend(self.contribution(execute));
            }
            S::AllReduce | S::AllGather | S::AllToAll | S::ReduceScatter | S::Scan | S::Barrier => {
                arguments.extend(self.contribution(execute));
            }
            S::Wait => arguments.extend(self.requests(execute)),
            _ => {}
        }
        arguments.extend(price);
        if let Some(bytes) = tag_of(execute, "bytes") {
            arguments.push(self.expression(bytes));
        }
        let name = &self.names.elements[execute.element];
        let arguments = arguments.join(", ");
        if execute.mode == Mode::All {
            return format!("{name}.execute({arguments});");
        }
        let index = execute.results.iter().map(|it| &it.variable).next();
        match index.map(|index| self.names.variable(index)) {
            None => format!("{name}.any({arguments});"),
            Some(index) => format!("{index} = {name}.any({arguments});"),
        }
    }

    /// What a collective takes and gives, where its time depends on that.
    fn contribution(&self, execute: &Execute) -> Option<String> {
        let named = execute.price.is_none() || tag_of(execute, "comm").is_some();
        named.then(|| self.buffer(execute))
    }

    /// What a message is, besides its partner. Its size only matters to the machine that prices
    /// it, and that of a receive to none.
    fn buffer(&self, execute: &Execute) -> String {
        use StereotypeKind as S;
        let mut text = "bufferComm".to_owned();
        let sized = execute.price.is_none() && !matches!(execute.stereotype, S::BRecv | S::NbRecv);
        for (tag, function) in [("size", "bytes"), ("tag", "tag"), ("comm", "comm")] {
            match tag_of(execute, tag) {
                Some(value) if tag != "size" || sized => {
                    text = format!("{text}.{function}({})", self.expression(value));
                }
                _ => {}
            }
        }
        if let Some(value) = tag_of(execute, "value") {
            text = format!("{text}.value({})", self.number(value));
        }
        text.push_str(&self.results(execute));
        match self.requests(execute) {
            Some(request) => format!("{text}.request({request})"),
            None => text,
        }
    }

    /// An int or a real number, for a function that takes either.
    fn number(&self, value: &Expression) -> String {
        let text = self.expression(value);
        match value.ty {
            // Which function C++ takes is to be plain: its literals are narrower than a long.
            Type::Int => format!("long({text})"),
            Type::Real => format!("double({text})"),
            Type::Bool | Type::Array(..) => text,
        }
    }

    /// The variables that get what an element receives.
    fn results(&self, execute: &Execute) -> String {
        let pointer = |part: Told| {
            let result = execute.results.iter().find(|it| it.part == part)?;
            Some(format!("&{}", self.names.variable(&result.variable)))
        };
        let into = pointer(Told::Value);
        let mut text = into.map_or_else(String::new, |into| format!(".into({into})"));
        let status = [Told::Source, Told::Tag, Told::Size].map(pointer);
        if status.iter().any(Option::is_some) {
            let status = status.map(|it| it.unwrap_or_else(|| "0".to_owned()));
            text = format!("{text}.status({})", status.join(", "));
        }
        text
    }

    /// The name of the request that an element begins, or the names of those that it waits for.
    fn requests(&self, execute: &Execute) -> Option<String> {
        let requests = &self.program.elements[execute.element].requests;
        let names = requests.iter().map(|it| &*self.program.requests[*it]);
        let names: Vec<&str> = names.collect();
        (!names.is_empty()).then(|| c_string(&names.join(", ")))
    }

    /// The begin of the execution of a region, up to its content.
    pub(super) fn region(&self, region: &Region) -> String {
        let mut arguments = vec!["uid".to_owned(), "pid".to_owned(), "tid".to_owned()];
        let optional = |value: Option<&Expression>| {
            value.map_or_else(|| "0".to_owned(), |value| self.expression(value))
        };
        let parts = region.parts.len().to_string();
        match &region.construct {
            Construct::Parallel(team) => arguments.push(optional(team.as_ref())),
            Construct::ParallelDo(team, shared) => arguments.extend([
                optional(team.as_ref()),
                self.expression(&shared.count),
                schedule(shared.schedule).to_owned(),
                optional(shared.chunk.as_ref()),
            ]),
            Construct::ParallelSections(team) => {
                arguments.extend([optional(team.as_ref()), parts]);
            }
            Construct::Fork => arguments.push(parts),
            Construct::Critical | Construct::Atomic | Construct::Single | Construct::Master => {}
        }
        let name = &self.names.elements[region.element];
        format!("{name}.execute({}, ", arguments.join(", "))
    }
}

fn schedule(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::Static => "\"static\"",
        Schedule::Dynamic => "\"dynamic\"",
        Schedule::Guided => "\"guided\"",
    }
}

/// The value of a tag.
fn tag_of<'e>(execute: &'e Execute, tag: &str) -> Option<&'e Expression> {
    let mut arguments = execute.arguments.iter();
    arguments
        .find(|argument| argument.tag == tag)?
        .value
        .as_ref()
}

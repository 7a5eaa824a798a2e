//! Steps as statements.

use super::handler::{Handler, UNIT, stream_of};
use super::region::orders_threads;
use prophet_codegen::lang::ir::{Expression, ExpressionKind, Statement, Type};
use prophet_codegen::model::StereotypeKind;
use prophet_codegen::program::{
    Arm, Branch, DiagramIndex, Execute, Fragment, Label, Repeat, Step, Told, While,
};
use prophet_codegen::target::c::{Dialect as _, Printer};
use prophet_codegen::target::text::c_comment;

impl<'p> Handler<'p> {
    pub(super) fn open_step(&mut self, step: &'p Step) {
        match step {
            Step::Code(code) => self.fragment(code),
            Step::Execute(execute) => self.execute(execute),
            Step::Call(call) => {
                let text = self.call_of(call.diagram);
                self.lines.line(&format!("{text};"));
            }
            Step::Region(region) => self.region(region),
            Step::Scope(scope) => {
                self.lines.open();
                self.locals(&scope.locals);
            }
            Step::Branch(branch) => {
                if !self.branches.begin(branch) {
                    let element = self.names.elements[branch.element].clone();
                    self.mark(&element, &branch.needs);
                }
            }
            Step::Repeat(repeat) => self.open_repeat(repeat),
            Step::While(one) => self.open_while(one),
            Step::Loop(one) => self.open_loop("while (true)", one.label),
            Step::Labeled(..) => self.lines.open(),
            Step::Break(label) => self.jump("break", "end", *label),
            Step::Continue(label) => self.jump("continue", "next", *label),
            Step::Return => self.lines.line("return;"),
            Step::Dispatch(dispatch) => {
                let (label, entry) = (dispatch.label, dispatch.entry);
                self.lines.open();
                self.lines.line(&format!("int state_{label} = {entry};"));
                self.open_loop("while (true)", Some(label));
                self.dispatches.push((label, false));
            }
            Step::Goto(label, state) => {
                self.lines.line(&format!("state_{label} = {state};"));
                self.lines.line(&format!("goto next_{label};"));
            }
        }
    }

    pub(super) fn close_step(&mut self, step: &'p Step) {
        match step {
            Step::Scope(_) => self.lines.close("}"),
            Step::Branch(branch) => self.close_branch(branch),
            Step::Repeat(_) => self.close_loop(None),
            Step::While(one) => self.close_loop(one.label),
            Step::Loop(one) => self.close_loop(one.label),
            Step::Labeled(label, _) => {
                self.lines.close("}");
                self.place("end", Some(*label));
            }
            Step::Dispatch(dispatch) => {
                self.dispatches.pop();
                // There is no other state; a flow that ends returns.
                self.lines.line("else");
                self.lines.open();
                self.lines.line("return;");
                self.lines.close("}");
                self.close_loop(Some(dispatch.label));
                self.lines.close("}");
            }
            _ => {}
        }
    }

    /// Begins a loop. Where jumps lead to the end of its body, that is a block of its own, which
    /// they leave: none may pass a declaration.
    fn open_loop(&mut self, head: &str, label: Option<Label>) {
        self.lines.line(head);
        self.lines.open();
        if self.is_named("next", label) {
            self.lines.open();
        }
        self.lines.line("prophet::turn(unit);");
    }

    fn close_loop(&mut self, label: Option<Label>) {
        if self.is_named("next", label) {
            self.lines.close("}");
        }
        self.place("next", label);
        self.lines.close("}");
        self.place("end", label);
    }

    /// Whether jumps name a place.
    fn is_named(&self, kind: &str, label: Option<Label>) -> bool {
        label.is_some_and(|label| self.jumps.contains(&format!("{kind}_{label}")))
    }

    /// The place that jumps name, if there are any.
    fn place(&mut self, kind: &str, label: Option<Label>) {
        if let Some(label) = label
            && self.is_named(kind, Some(label))
        {
            self.lines.line(&format!("{kind}_{label}:;"));
        }
    }

    fn jump(&mut self, word: &str, kind: &str, label: Option<Label>) {
        let text = match label {
            None => format!("{word};"),
            Some(label) => format!("goto {kind}_{label};"),
        };
        self.lines.line(&text);
    }

    fn fragment(&mut self, code: &Fragment) {
        let element = self.names.elements[code.element].clone();
        let name = c_comment(&self.program.elements[code.element].name);
        self.lines.line(&format!("// Code associated with {name}."));
        self.mark(&element, &code.needs);
        // Taken, as the dialect borrows the rest.
        let mut lines = std::mem::take(&mut self.lines);
        let dialect = self.dialect(&stream_of(&element));
        let declares = |it: &Statement| matches!(it, Statement::Declare { .. });
        let is_block = code.statements.iter().any(declares);
        if is_block {
            lines.open();
        }
        Printer::fragment(&dialect, &code.statements, &mut lines);
        if is_block {
            lines.close("}");
        }
        self.lines = lines;
    }

    fn open_repeat(&mut self, repeat: &Repeat) {
        let element = self.names.elements[repeat.element].clone();
        self.mark(&element, &repeat.needs);
        let count = self.value(&element, &repeat.iterations);
        let variable = match &repeat.variable {
            Some(name) => self.names.local(name),
            None => "turn".to_owned(),
        };
        let head = format!(
            "for (int64_t {variable} = 0, {variable}_end = {count}; \
             {variable} < {variable}_end; {variable}++)"
        );
        self.open_loop(&head, None);
    }

    fn open_while(&mut self, one: &While) {
        let element = self.names.elements[one.element].clone();
        let dialect = self.dialect(&stream_of(&element));
        let condition = Printer::new(&dialect).condition(&one.condition);
        if one.needs.fallible || one.needs.stream {
            self.open_loop("while (true)", one.label);
            self.mark(&element, &one.needs);
            self.lines.line(&format!("if (!({condition}))"));
            self.lines.open();
            self.lines.line("break;");
            self.lines.close("}");
        } else {
            self.open_loop(&format!("while ({condition})"), one.label);
        }
    }

    pub(super) fn open_arm(&mut self, arm: &'p Arm) {
        let Some((element, is_else)) = self.branches.arm() else {
            return;
        };
        let word = if is_else { "else if" } else { "if" };
        let element = &self.names.elements[element];
        let dialect = self.dialect(&stream_of(element));
        let guard = Printer::new(&dialect).condition(&arm.guard);
        self.lines.line(&format!("{word} ({guard})"));
        self.lines.open();
    }

    fn close_branch(&mut self, branch: &Branch) {
        self.branches.end();
        if branch.otherwise.is_none() {
            let element = &self.names.elements[branch.element];
            let stuck = format!("prophet::stuck(unit, {element});");
            self.lines.line("else");
            self.lines.open();
            self.lines.line(&stuck);
            self.lines.close("}");
        }
    }

    pub(super) fn open_state(&mut self, number: usize) {
        let Some((label, begun)) = self.dispatches.last_mut() else {
            return;
        };
        let word = if std::mem::replace(begun, true) {
            "else if"
        } else {
            "if"
        };
        let head = format!("{word} (state_{label} == {number})");
        self.lines.line(&head);
        self.lines.open();
    }

    /// The call of a diagram's function.
    pub(super) fn call_of(&self, diagram: DiagramIndex) -> String {
        let mut arguments = vec!["unit".to_owned(), "globals".to_owned()];
        let outer = &self.program.diagrams[diagram].outer;
        arguments.extend(outer.iter().map(|it| self.names.local(&it.name)));
        let name = &self.names.diagrams[diagram];
        format!("{name}({})", arguments.join(", "))
    }

    fn execute(&mut self, execute: &Execute) {
        use StereotypeKind as S;
        let element = self.names.elements[execute.element].clone();
        self.mark(&element, &execute.needs);
        let text = match execute.stereotype {
            S::ActionPlus => {
                let price = self.price(execute, &element);
                format!("compute(unit, {element}, {price})")
            }
            S::Wait => format!("wait(unit, {element}, {})", self.awaited(execute)),
            S::BSend | S::NbSend | S::BRecv | S::NbRecv | S::SendRecv => {
                self.message(execute, &element)
            }
            other if orders_threads(other) => return self.ordering(execute, &element),
            _ => self.collective(execute, &element),
        };
        self.lines.line(&format!("prophet::{text};"));
    }

    /// What an element costs of its own.
    fn price(&self, execute: &Execute, element: &str) -> String {
        let price = execute.price.as_ref();
        price.map_or("prophet::BY_MACHINE".to_owned(), |price| {
            self.value(element, price)
        })
    }

    /// The number of the request that an element begins.
    fn request(&self, execute: &Execute) -> String {
        let requests = &self.program.elements[execute.element].requests;
        let first = requests.first();
        first.map_or("prophet::UNNAMED".to_owned(), ToString::to_string)
    }

    /// The numbers of the requests that an element waits for; none is all.
    fn awaited(&self, execute: &Execute) -> String {
        let requests = &self.program.elements[execute.element].requests;
        let numbers: Vec<String> = requests.iter().map(ToString::to_string).collect();
        format!("{{{}}}", numbers.join(", "))
    }

    /// The value of a tag, or what stands for one that is left out.
    fn tag(&self, execute: &Execute, element: &str, name: &str, otherwise: &str) -> String {
        tag(execute, name).map_or_else(|| otherwise.to_owned(), |it| self.value(element, it))
    }

    /// The process that a tag names, as an argument: a real number, which the language converts,
    /// is checked to be whole when it is used.
    fn process(&self, execute: &Execute, element: &str, name: &str) -> String {
        match tag(execute, name).map(|value| &value.kind) {
            Some(ExpressionKind::Cast(inside)) if inside.ty == Type::Real => {
                format!("prophet::whole({})", self.value(element, inside))
            }
            _ => self.tag(execute, element, name, "0"),
        }
    }

    /// A send, a receive or both.
    fn message(&self, execute: &Execute, element: &str) -> String {
        use StereotypeKind as S;
        let (name, roles, begins): (_, &[&str], _) = match execute.stereotype {
            S::BSend => ("bsend", &["dest"], false),
            S::NbSend => ("nbsend", &["dest"], true),
            S::BRecv => ("brecv", &["source"], false),
            S::NbRecv => ("nbrecv", &["source"], true),
            _ => ("sendrecv", &["dest", "source"], false),
        };
        let mut arguments = vec!["unit".to_owned(), element.to_owned()];
        let processes = roles.iter().map(|it| self.process(execute, element, it));
        arguments.extend(processes);
        // A send has a size, a receive a limit.
        if roles.contains(&"dest") {
            arguments.push(self.tag(execute, element, "size", "0"));
        }
        if roles.contains(&"source") {
            arguments.push(self.tag(execute, element, "size", "prophet::ANY_SIZE"));
        }
        arguments.push(self.tag(execute, element, "tag", "0"));
        arguments.push(self.price(execute, element));
        if begins {
            arguments.push(self.request(execute));
        }
        let results = self.results(execute);
        if let Some(value) = tag(execute, "value") {
            let kind = self.ty(&value.ty);
            let value = self.value(element, value);
            arguments.push(format!("prophet::Value({kind}({value}))"));
        } else if results.is_some() && roles.contains(&"dest") {
            arguments.push("prophet::NO_VALUE".to_owned());
        }
        arguments.extend(results);
        format!("{name}({})", arguments.join(", "))
    }

    /// The variables that get what an element receives.
    fn results(&self, execute: &Execute) -> Option<String> {
        if execute.results.is_empty() {
            return None;
        }
        let dialect = self.dialect("");
        let pointer = |part: Told, ty: Type| {
            let mut results = execute.results.iter();
            let result = results.find(|it| it.part == part && it.ty == ty);
            result.map_or_else(
                || "nullptr".to_owned(),
                |result| format!("&{}", dialect.variable(&result.variable)),
            )
        };
        let pointers = [
            pointer(Told::Value, Type::Int),
            pointer(Told::Value, Type::Real),
            pointer(Told::Source, Type::Int),
            pointer(Told::Tag, Type::Int),
            pointer(Told::Size, Type::Int),
        ];
        Some(format!("prophet::Results{{{}}}", pointers.join(", ")))
    }

    fn collective(&self, execute: &Execute, element: &str) -> String {
        let name = collective(execute.stereotype);
        let root = self.tag(execute, element, "root", "0");
        let size = self.tag(execute, element, "size", "0");
        let price = self.price(execute, element);
        let color = match tag(execute, "comm") {
            None => "nullptr".to_owned(),
            Some(comm) => {
                let value = self.value(element, comm);
                format!("[&]({UNIT}) -> int64_t {{ return {value}; }}")
            }
        };
        format!("collective(unit, {element}, \"{name}\", {root}, {size}, {color}, {price})")
    }
}

/// The value of a tag.
pub(super) fn tag<'e>(execute: &'e Execute, name: &str) -> Option<&'e Expression> {
    let found = execute.arguments.iter().find(|it| it.tag == name)?;
    found.value.as_ref()
}

/// The name of a collective in the headers.
fn collective(stereotype: StereotypeKind) -> &'static str {
    use StereotypeKind as S;
    match stereotype {
        S::Broadcast => "broadcast",
        S::Reduce => "reduce",
        S::Gather => "gather",
        S::Scatter => "scatter",
        S::AllReduce => "allreduce",
        S::AllGather => "allgather",
        S::AllToAll => "alltoall",
        S::ReduceScatter => "reducescatter",
        S::Scan => "scan",
        _ => "barrier",
    }
}

//! Writes the declarations before the diagrams: parameters, globals, tables, and elements.

use std::fmt::Write as _;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens as _, quote};

use super::comment::docs;
use super::expression::{Stream, ident, int_literal, real_literal, text_literal};
use super::function::{ty, zero};
use super::handler::RustHandler;
use super::library::{Constructor, documented};
use crate::emit::{Listing, Subject};
use crate::output::MARKER;
use crate::text::plain;
use prophet_frontend::lang::constant::Constant;
use prophet_frontend::lang::ir::{DeviceName, Expression, Type};
use prophet_frontend::program::{
    Element, ElementIndex, Global, GlobalIndex, ListPlace as _, Parameter, ParameterIndex, Table,
    TableIndex, TableRows,
};
use prophet_frontend::resolve::needs_of_all;
use prophet_model::model::StereotypeKind;
use prophet_model::vocabulary;

impl RustHandler<'_> {
    pub(super) fn declare_parameter(&mut self, index: ParameterIndex, parameter: &Parameter) {
        let (of, value) = (self.uses.name("Parameter"), self.uses.name("Value"));
        let name = &parameter.name;
        let (default, field_type) = match parameter.default {
            Constant::Int(number) => {
                let number = int_literal(number);
                (quote!(#value::Int(#number)), Type::Int)
            }
            Constant::Real(number) => {
                let number = real(number);
                (quote!(#value::Real(#number)), Type::Real)
            }
            Constant::Bool(truth) => (quote!(#value::Bool(#truth)), Type::Bool),
        };
        let mut text = if parameter.is_required {
            quote!(#of::required(#name, #default))
        } else {
            quote!(#of::new(#name, #default))
        };
        let about = parameter.about();
        if !about.is_empty() {
            let about = text_literal(&about);
            text = quote!(#text.about(#about));
        }
        self.library.parameters.push(text.to_string());
        let field = ident(&self.names.parameters[index]);
        let of = ty(&field_type, &self.uses);
        let title = format!("Model parameter `{}`", plain(name));
        let docs = docs(&title, parameter.comment.as_deref());
        let declaration = quote!(pub #field: #of,).to_string();
        self.field(&docs, Subject::Parameter(index), &declaration);
    }

    pub(super) fn declare_global(&mut self, index: GlobalIndex, global: &Global) {
        let field = ident(&self.names.globals[index]);
        let of = ty(&global.ty, &self.uses);
        let of = if let Type::Array(..) = global.ty {
            of
        } else {
            self.library.uses_cell = true;
            quote!(Cell<#of>)
        };
        let title = format!("`{} {}`", plain(&global.declared_type), plain(&global.name));
        let docs = docs(&title, global.comment.as_deref());
        let declaration = quote!(pub #field: #of,).to_string();
        self.field(&docs, Subject::Global(index), &declaration);
    }

    fn field(&mut self, docs: &[String], subject: Subject, declaration: &str) {
        let mut code = Listing::default();
        code.line(declaration);
        let field = documented(docs, Some(subject), &code);
        self.library.fields.append(&field);
    }

    pub(super) fn declare_table(&mut self, index: TableIndex, table: &Table) {
        let constant = &self.names.tables[index];
        let name = ident(constant);
        let points = match &table.rows {
            TableRows::Points(points) => points,
            TableRows::Lines(lines) => return self.declare_surface(&name, &table.file, lines),
        };
        let of = self.uses.name("Table");
        let text = if points.len() > LISTED_MAX {
            let (file, text) = written(constant, table, points);
            let from = &table.file;
            let declaration = quote!(const #name: #of = #of::written(#from, include_str!(#file)););
            let path = std::path::Path::new("src").join(&file);
            self.library.table_files.insert(path, text.into());
            declaration
        } else {
            let points = listed(points);
            let file = &table.file;
            quote!(const #name: #of = #of::new(#file, &[#points]);)
        };
        self.library.tables.line(&text.to_string());
    }

    /// Declares a two-dimensional table.
    fn declare_surface(&mut self, name: &Ident, file: &str, lines: &[(f64, Vec<(f64, f64)>)]) {
        let of = self.uses.name("Surface");
        let lines = lines.iter().map(|(x, points)| {
            let (x, points) = (real(*x), listed(points));
            quote!((#x, &[#points]))
        });
        let text = quote!(const #name: #of = #of::new(#file, &[#(#lines),*]););
        self.library.tables.line(&text.to_string());
    }

    pub(super) fn declare_opcodes(&mut self) {
        for (index, opcode) in self.program.opcodes.entries() {
            let of = self.uses.name("Opcode");
            let constant = ident(&self.names.opcodes[&opcode.name]);
            let (name, index) = (&opcode.name, Literal::usize_unsuffixed(index.number()));
            let user = opcode.user.map(|user| self.used_by(user));
            let text = quote!(const #constant: #of = #of::new(#index, #name) #user;);
            self.library.opcodes.line(&text.to_string());
        }
    }

    pub(super) fn declare_devices(&mut self) {
        for (index, device) in self.program.devices.entries() {
            let of = self.uses.name("DeviceUse");
            let constant = ident(&self.names.devices[&device.usage]);
            let (
                DeviceName {
                    device: name,
                    model,
                },
                resources,
            ) = &device.usage;
            let index = Literal::usize_unsuffixed(index.number());
            let by = model.as_ref().map(|model| quote!(.by(#model)));
            let user = device.user.map(|user| self.used_by(user));
            let text = quote!(
                const #constant: #of = #of::new(#index, #name, &[#(#resources),*]) #by #user;
            );
            self.library.devices.line(&text.to_string());
        }
    }

    fn used_by(&self, user: ElementIndex) -> TokenStream {
        let element = &self.program.elements[user];
        let kind = element.stereotype.map_or("node", StereotypeKind::name);
        let (name, id) = (&element.name, int_literal(element.id));
        quote!(.used_by(#kind, #name, #id))
    }

    pub(super) fn declare_element(&mut self, index: ElementIndex, element: &Element) {
        let word = element.stereotype.and_then(vocabulary::word);
        let plain = match (element.forks, element.flows) {
            (_, true) => "Flows",
            (true, false) => "Fork",
            (false, false) => "Node",
        };
        let runtime_type = word.map_or(plain, |word| word.runtime_type);
        // Lock 0 is for elements without a lock name.
        let lock = element.lock.map(|lock| {
            let lock = Literal::usize_unsuffixed(lock.number() + 1);
            quote!(.named(#lock))
        });
        let requests = self.requests[index].iter().map(|&request| {
            let index = Literal::usize_unsuffixed(request.number());
            let name = &self.program.requests[request];
            quote!(#index, #name)
        });
        let requests: Vec<TokenStream> = requests.collect();
        let requests = match &*requests {
            [] => quote!(),
            [request] => quote!(.request(#request)),
            several => quote!(.requests(&[#((#several)),*])),
        };
        let signal = element.signal.map(|signal| {
            let index = Literal::usize_unsuffixed(signal.number());
            let name = &self.program.signals[signal];
            quote!(.signal(#index, #name))
        });
        let name = self.names.elements[index].clone();
        self.library
            .elements
            .speak_of(Some(Subject::Element(index)));
        let (label, id) = (&element.name, element.id);
        self.constant(
            &name,
            runtime_type,
            label,
            id,
            &quote!(#lock #requests #signal),
        );
        self.library.elements.speak_of(None);
    }

    /// Declares a node that isn't an element of the program.
    pub(super) fn node(&mut self, name: &str, label: &str, id: i64) {
        self.constant(name, "Node", label, id, &quote!());
    }

    fn constant(
        &mut self,
        name: &str,
        runtime_type: &'static str,
        label: &str,
        id: i64,
        more: &TokenStream,
    ) {
        let of = if runtime_type.contains("::") {
            // The type is in the user's crate.
            runtime_type.parse().unwrap_or_default()
        } else {
            self.uses.name(runtime_type).into_token_stream()
        };
        let index = i64::try_from(self.library.element_count).unwrap_or(i64::MAX);
        let (name, index, id) = (ident(name), int_literal(index), int_literal(id));
        let text = quote!(const #name: #of = #of::new(#index, #label, #id) #more;);
        self.library.elements.line(&text.to_string());
        self.library.element_count += 1;
    }

    /// Writes the function that sets the initial values of the globals. Returns `None` if these are
    /// all the defaults of their types.
    pub(super) fn constructor(&mut self) -> Option<Constructor> {
        let program = self.program;
        let globals = &program.globals;
        let values: Vec<&Expression> = globals.iter().filter_map(|it| it.value.as_ref()).collect();
        let has_arrays = globals.iter().any(is_array);
        if values.is_empty() && program.parameters.is_empty() && !has_arrays {
            return None;
        }
        let needs = needs_of_all(values, &program.functions);
        let fallible = needs.fallible || needs.stream;
        self.uses.take_context();
        let assignments = self.assignments_of_globals();
        if fallible {
            self.node("GLOBALS", "global variables", 0);
            self.uses.name("Fault");
        }
        let fields = self.first_fields(has_arrays);
        let idle = !self.uses.take_context() && !fallible && program.parameters.is_empty();
        let (ctx, result, globals) = (
            if idle { "_ctx" } else { "ctx" },
            if fallible {
                "Result<Self, Fault>"
            } else {
                "Self"
            },
            if fallible { "Ok(globals)" } else { "globals" },
        );
        let mut text = Listing::default();
        text.line(&format!("fn new({ctx}: &ProcessCtx<'_>) -> {result} {{"));
        if assignments.is_empty() {
            text.line(&fields);
        } else {
            text.line(&format!("let globals = {fields};"));
            if fallible {
                text.line("ctx.at(&GLOBALS);");
            }
            text.append(&assignments);
            text.line(globals);
        }
        text.line("}");
        Some(Constructor { fallible, text })
    }

    fn assignments_of_globals(&mut self) -> Listing {
        let mut text = Listing::default();
        for (index, global) in self.program.globals.entries() {
            if let Some(value) = &global.value {
                let stream = Stream::Of(ident("GLOBALS"));
                let value = self.write(stream, |writer| writer.value(value));
                let field = ident(&self.names.globals[index]);
                text.line(&quote!(globals.#field.set(#value);).to_string());
            }
        }
        text
    }

    /// Writes the globals as a value, before anything is assigned.
    fn first_fields(&self, has_arrays: bool) -> String {
        let mut fields = Vec::new();
        for (index, parameter) in self.program.parameters.entries() {
            let kind = match parameter.default {
                Constant::Int(_) => "int_parameter",
                Constant::Real(_) => "real_parameter",
                Constant::Bool(_) => "bool_parameter",
            };
            let name = &self.names.parameters[index];
            fields.push(format!("{name}: ctx.{kind}({index})"));
        }
        let globals = &self.program.globals;
        if has_arrays {
            // If the globals also had a default value, each array would be created twice.
            for (global, name) in globals.iter().zip(&self.names.globals) {
                let value = zero(&global.ty, &global.name, &self.uses);
                let name = ident(name);
                let value = if is_array(global) {
                    value
                } else {
                    quote!(Cell::new(#value))
                };
                fields.push(quote!(#name: #value).to_string());
            }
        } else if !globals.is_empty() {
            fields.push("..Self::default()".to_owned());
        }
        format!("Self {{ {} }}", fields.join(", "))
    }
}

fn is_array(global: &Global) -> bool {
    matches!(global.ty, Type::Array(..))
}

fn listed(points: &[(f64, f64)]) -> TokenStream {
    let points = points.iter().map(|&(x, y)| {
        let (x, y) = (real(x), real(y));
        quote!((#x, #y))
    });
    quote!(#(#points),*)
}

fn real(number: f64) -> TokenStream {
    real_literal(&format!("{number:?}"))
}

/// Maximum number of points in the code itself. Longer tables get their own file.
const LISTED_MAX: usize = 1_000;

/// Returns the name and text of a file for `prophet_runtime::Table::written`.
fn written(constant: &str, table: &Table, points: &[(f64, f64)]) -> (String, String) {
    let mut text = format!(
        "# {MARKER} from {}. Do not edit.\n\
         # The bits of x and y of each point, in hexadecimal.\n",
        plain(&table.file)
    );
    for (x, y) in points {
        let (x, y) = (x.to_bits(), y.to_bits());
        writeln!(text, "{x:016x} {y:016x}").expect("text can always grow");
    }
    (format!("{}.table", constant.to_lowercase()), text)
}

//! Calls of MPI as elements.

use std::fmt::Write as _;

use prophet_text::markup::escaped;

use super::{Comm, Writer};
use crate::facts::object;
use crate::mpi::{self, Call};
use crate::program::Expr;
use crate::tree::Place;

impl Writer<'_, '_> {
    /// Writes a call of MPI.
    pub(super) fn mpi(&mut self, name: &str, arguments: &[Expr], place: Place) {
        let Some(call) = mpi::call(name) else {
            self.note(place, &format!("{name} was left open"));
            return;
        };
        self.flush();
        self.at = place;
        let at = |it: usize| arguments.get(it).cloned().unwrap_or(Expr::Int(0));
        let mut after = String::new();
        for argument in arguments {
            self.after(argument, place, &mut after);
        }
        match call {
            Call::Message { sends, waits } => self.one_way(name, arguments, sends, waits),
            Call::Probe => self.probe(arguments, place),
            Call::Exchange if (at(1), at(2)) != (at(6), at(7)) || at(4) != at(9) => {
                self.apart(arguments, place);
            }
            Call::Exchange | Call::Replace => {
                self.exchange(arguments, call == Call::Exchange, place);
            }
            Call::Lasting { sends } => self.lasting(arguments, sends, place),
            Call::Start | Call::StartAll => self.start(arguments, call == Call::StartAll, place),
            Call::Wait => self.wait(&at(0), "", place),
            Call::WaitAll => self.wait_all(&at(0), &at(1), place),
            Call::WaitSome => {
                self.wait(&at(1), "", place);
                let count = self.shown_or(&at(0), place, "count", "1");
                if let Some(ended) = object(&at(2)) {
                    self.set_text(&Expr::Var(ended), &count, &mut after);
                }
            }
            Call::WaitAny => {
                let index = object(&at(2)).map(|it| self.facts.plain(it));
                let index = index.filter(|it| self.facts.relevant.contains(it));
                let index = index.map(|it| self.name_of(it)).unwrap_or_default();
                self.wait(&at(1), &format!("any {index}"), place);
            }
            Call::Neighbors => self.neighbors(arguments, place),
            Call::Collective => self.collective(name, arguments, place),
        }
        self.pending += &after;
        if name.starts_with("MPI_Test") {
            let flag = at(if name == "MPI_Test" { 1 } else { 2 });
            if let Some(flag) = object(&flag) {
                let mut code = String::new();
                self.set_text(&Expr::Var(flag), "1", &mut code);
                self.pending += &code;
            }
        }
    }

    /// Writes a send or a receive.
    fn one_way(&mut self, name: &str, arguments: &[Expr], sends: bool, waits: bool) {
        let place = self.at;
        let at = |it: usize| arguments.get(it).cloned().unwrap_or(Expr::Int(0));
        if !sends && waits && std::mem::take(&mut self.is_probed) {
            return;
        }
        let stereotype = match (sends, waits) {
            (true, true) => "bsend",
            (true, false) => "nbsend",
            (false, true) => "brecv",
            (false, false) => "nbrecv",
        };
        let partner = if sends { "dest" } else { "source" };
        let mut tags = self.message(arguments, &at(5), place, partner);
        if !waits {
            tags.push(("request", self.request(&at(6), place)));
        }
        if stereotype == "brecv" {
            self.status(&at(6), &at(0), &mut tags);
        }
        if sends && let Some(value) = self.number_in(&at(0)) {
            tags.push(("value", value));
        }
        let node = self.node(&name[4..]);
        self.action(&node, stereotype, &tags);
    }

    fn probe(&mut self, arguments: &[Expr], place: Place) {
        let at = |it: usize| arguments.get(it).cloned().unwrap_or(Expr::Int(0));
        let partner = self.partner((&at(0), &at(2)), place, "source", "0");
        let tag = self.shown_or(&at(1), place, "tag", "0");
        let mut tags = vec![("source", partner), ("tag", tag)];
        self.status(&at(3), &Expr::Int(0), &mut tags);
        self.is_probed = true;
        let node = self.node("Recv");
        self.action(&node, "brecv", &tags);
    }

    /// Writes a send and a receive of the same size, in one buffer or in two.
    fn exchange(&mut self, arguments: &[Expr], is_exchange: bool, place: Place) {
        let at = |it: usize| arguments.get(it).cloned().unwrap_or(Expr::Int(0));
        let comm = at(if is_exchange { 10 } else { 7 });
        let mut tags = self.message(arguments, &comm, place, "dest");
        let source = at(if is_exchange { 8 } else { 5 });
        let source = self.partner((&source, &comm), place, "source", "0");
        tags.push(("source", source));
        let tag = at(if is_exchange { 9 } else { 6 });
        let sent = at(4);
        if tag != sent && !matches!(tag, Expr::Named(_)) {
            self.note(
                place,
                "the tag of the receive differs; the tag of the send is used",
            );
        }
        let node = self.node("Sendrecv");
        self.action(&node, "sendrecv", &tags);
    }

    /// Writes a send and a receive of different sizes or tags at the same time.
    fn apart(&mut self, arguments: &[Expr], place: Place) {
        let part =
            |from: usize| -> Vec<Expr> { arguments.iter().skip(from).take(5).cloned().collect() };
        let comm = arguments.get(10).cloned().unwrap_or(Expr::Int(0));
        let request = vec![("request", "sendrecv".to_owned())];
        let mut tags = self.message(&part(5), &comm, place, "source");
        tags.extend(request.clone());
        let node = self.node("Sendrecv");
        self.action(&node, "nbrecv", &tags);
        let tags = self.message(arguments, &comm, place, "dest");
        let node = self.node("Sendrecv");
        self.action(&node, "bsend", &tags);
        let node = self.node("Wait");
        self.action(&node, "wait", &request);
    }

    /// Writes an exchange with all neighbors in a grid.
    fn neighbors(&mut self, arguments: &[Expr], place: Place) {
        let at = |it: usize| arguments.get(it).cloned().unwrap_or(Expr::Int(0));
        let Comm::Grid(grid, axes) = self.comm(&at(6)) else {
            return self.note(
                place,
                "the neighbors can't be followed; the call was left open",
            );
        };
        let grid = self.grid_name(grid);
        let request = ("request", format!("{grid}_neighbors"));
        for (kind, partner, count) in [("nbrecv", "source", 4), ("nbsend", "dest", 1)] {
            let size = self.size(&at(count), &at(count + 1), place);
            for (axis, by) in (0..axes.clamp(0, 3)).flat_map(|it| [(it, -1), (it, 1)]) {
                let to = format!("{grid}_shift({axis}, {by})");
                let tags = [
                    (partner, to),
                    ("size", size.clone()),
                    ("tag", "0".to_owned()),
                    request.clone(),
                ];
                let node = self.node("Neighbor");
                self.action(&node, kind, &tags);
            }
        }
        let node = self.node("Wait");
        self.action(&node, "wait", &[request]);
    }

    fn message(
        &mut self,
        arguments: &[Expr],
        comm: &Expr,
        place: Place,
        partner: &'static str,
    ) -> Vec<(&'static str, String)> {
        let at = |it: usize| arguments.get(it).cloned().unwrap_or(Expr::Int(0));
        let size = self.size(&at(1), &at(2), place);
        vec![
            (
                partner,
                self.partner((&at(3), comm), place, partner, "PROC_NULL"),
            ),
            ("size", size),
            ("tag", self.shown_or(&at(4), place, "tag", "0")),
        ]
    }

    fn size(&mut self, count: &Expr, datatype: &Expr, place: Place) -> String {
        let bytes = mpi::size(datatype);
        if bytes.is_none() && *count != Expr::Int(0) {
            self.note(
                place,
                "the size of the datatype is unknown; it counts as one byte",
            );
        }
        let bytes = Expr::Int(bytes.unwrap_or(1));
        self.shown_or(&Expr::binary("*", bytes, count.clone()), place, "size", "8")
    }

    /// Returns the relevant number that a buffer holds.
    fn number_in(&mut self, buffer: &Expr) -> Option<String> {
        let Expr::Address(of) = buffer else {
            return None;
        };
        let Expr::Var(var) = **of else {
            return None;
        };
        let var = self.facts.plain(var);
        let is_used = self.facts.relevant.contains(&var);
        is_used.then(|| self.shown(of)).flatten()
    }

    /// Adds the variables that a receive sets.
    fn status(&mut self, status: &Expr, buffer: &Expr, tags: &mut Vec<(&'static str, String)>) {
        if let Some(into) = self.number_in(buffer)
            && self.globals.contains_key(&into)
        {
            tags.push(("into", into));
        }
        let Some(owner) = object(status) else {
            return;
        };
        for (member, tag) in [("MPI_SOURCE", "status_source"), ("MPI_TAG", "status_tag")] {
            let variables = &self.facts.program.variables;
            let same = |it: &crate::program::Variable| {
                it.member
                    .as_ref()
                    .is_some_and(|(of, name)| *of == owner && name == member)
            };
            if let Some(var) = variables.iter().position(same)
                && self.facts.relevant.contains(&var)
            {
                let name = self.name_of(var);
                tags.push((tag, name));
            }
        }
    }

    /// Returns the name of a request, which all elements of a list share.
    fn request(&mut self, of: &Expr, place: Place) -> String {
        let Some(var) = object(of) else {
            self.note(place, "the request can't be followed");
            return "request".to_owned();
        };
        let var = &self.facts.program.variables[self.facts.plain(var)];
        if var.function.is_empty() {
            var.name.clone()
        } else {
            format!("{}_{}", var.function, var.name)
        }
    }

    /// Returns the names of the requests that calls start.
    fn started(&mut self) -> Vec<String> {
        let facts = self.facts;
        let functions = facts.program.functions.values();
        let all = functions.flat_map(|it| it.body.expressions());
        let requests: Vec<&Expr> = all
            .filter_map(|it| match it {
                Expr::Call(name, arguments) => match mpi::call(name)? {
                    Call::Message { waits: false, .. } | Call::Lasting { .. } => arguments.get(6),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        requests
            .into_iter()
            .map(|it| self.request(it, Place::default()))
            .collect()
    }

    fn wait(&mut self, requests: &Expr, mode: &str, place: Place) {
        let name = self.request(requests, place);
        if !self.started().contains(&name) {
            return self.note(
                place,
                &format!("nothing in the model starts what {name} waits for"),
            );
        }
        let mut tags = vec![("request", name)];
        if let Some(index) = mode.strip_prefix("any ") {
            tags.push(("mode", "any".to_owned()));
            if !index.is_empty() {
                tags.push(("index", index.to_owned()));
            }
        }
        let node = self.node("Wait");
        self.action(&node, "wait", &tags);
    }

    /// Writes a wait for as many requests as a variable says, which may be none.
    fn wait_all(&mut self, count: &Expr, requests: &Expr, place: Place) {
        let count = match count {
            Expr::Int(_) => None,
            _ => self.shown(count),
        };
        if let Some(count) = &count {
            let name = self.node("If begun");
            let guard = escaped(&format!("{count} > 0"));
            self.line(&format!(
                "<decision name=\"{name}\"><when guard=\"{guard}\">"
            ));
        }
        self.wait(requests, "", place);
        if count.is_some() {
            self.line("</when><otherwise/></decision>");
        }
    }

    /// Keeps what a lasting request sends or receives.
    fn lasting(&mut self, arguments: &[Expr], sends: bool, place: Place) {
        let at = |it: usize| arguments.get(it).cloned().unwrap_or(Expr::Int(0));
        let name = self.request(&at(6), place);
        let index = match at(6) {
            Expr::Address(of) => match *of {
                Expr::At(_, at) => self.shown_or(&at, place, "index", "0"),
                _ => "0".to_owned(),
            },
            _ => "0".to_owned(),
        };
        let partner = self.partner((&at(3), &at(5)), place, "partner", "PROC_NULL");
        let size = self.size(&at(1), &at(2), place);
        let tag = self.shown_or(&at(4), place, "tag", "0");
        let sends = u8::from(sends);
        for (kind, value) in [
            ("sends", sends.to_string()),
            ("partner", partner),
            ("size", size),
            ("tag", tag),
        ] {
            self.globals.insert(format!("{name}_{kind}"), ("long", 64));
            let _ = write!(self.pending, "{name}_{kind}[{index}] = {value}; ");
        }
    }

    /// Starts one or all lasting requests.
    fn start(&mut self, arguments: &[Expr], all: bool, place: Place) {
        let requests = arguments.last().cloned().unwrap_or(Expr::Int(0));
        let name = self.request(&requests, place);
        let counter = format!("{name}_at");
        self.globals.insert(counter.clone(), ("long", 0));
        let first = match &requests {
            Expr::Address(of) => match &**of {
                Expr::At(_, at) => self.shown_or(at, place, "index", "0"),
                _ => "0".to_owned(),
            },
            _ => "0".to_owned(),
        };
        let count = match arguments.first() {
            Some(count) if all => self.shown_or(count, place, "count", "1"),
            _ => "1".to_owned(),
        };
        let _ = write!(self.pending, "{counter} = {first}; ");
        self.flush();
        let (node, comment) = (self.node("Start"), self.comment());
        let count = escaped(&count);
        self.line(&format!(
            "<block name=\"{node}\" stereotype=\"loop+\" iterations=\"{count}\">{comment}"
        ));
        self.depth += 1;
        let kind = self.node("Is sent");
        self.line(&format!(
            "<decision name=\"{kind}\"><when guard=\"{name}_sends[{counter}] == 1\">"
        ));
        for (stereotype, partner) in [("nbsend", "dest"), ("nbrecv", "source")] {
            if stereotype == "nbrecv" {
                self.line("</when><otherwise>");
            }
            let tags = [
                (partner, format!("{name}_partner[{counter}]")),
                ("size", format!("{name}_size[{counter}]")),
                ("tag", format!("{name}_tag[{counter}]")),
                ("request", name.clone()),
            ];
            let node = self.node(if stereotype == "nbsend" {
                "Isend"
            } else {
                "Irecv"
            });
            self.action(&node, stereotype, &tags);
        }
        self.line("</otherwise></decision>");
        let _ = write!(self.pending, "{counter} += 1; ");
        self.flush_code();
        self.depth -= 1;
        self.line("</block>");
    }

    fn collective(&mut self, name: &str, arguments: &[Expr], place: Place) {
        let Some(of) = mpi::collective(name) else {
            return;
        };
        let at = |it: usize| arguments.get(it).cloned().unwrap_or(Expr::Int(0));
        let mut tags = Vec::new();
        if let Some(root) = of.root {
            tags.push(("root", self.shown_or(&at(root), place, "root", "0")));
        }
        if of.is_uneven {
            let told = format!("the blocks of {name} differ; each has the mean size");
            tags.push(("size", self.open(place, "size", "8", &told)));
        } else if let Some(count) = of.count {
            let mut number = at(count);
            let mut datatype = at(of.datatype);
            if of.stereotype == "gather" && mpi::size(&datatype).is_none() {
                (number, datatype) = (at(4), at(5));
            }
            let size = self.size(&number, &datatype, place);
            let size = if name.ends_with("_block") {
                format!("NUM_PROCESSES * ({size})")
            } else {
                size
            };
            tags.push(("size", size));
        }
        let told = format!("{name}: its ranks can't be followed; all are assumed");
        match (self.comm(&at(of.comm)), self.split(&at(of.comm))) {
            (_, Some(part)) => {
                if let Some((_, root)) = tags.iter_mut().find(|it| it.0 == "root") {
                    *root = format!("{part}_place({root})");
                }
                tags.push(("comm", format!("{part}_color(pid)")));
            }
            (Comm::World | Comm::Grid(..), _) => {}
            (Comm::Split(..) | Comm::Unknown, None) => self.note(place, &told),
        }
        let node = self.node(&name[4..]);
        self.action(&node, of.stereotype, &tags);
    }
}

//! Calls of MPI as elements.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_text::Problem;

use super::{Comm, Writer};
use crate::facts::object;
use crate::mpi::{self, Call};
use crate::program::{Expr, Var};
use crate::tree::Place;

/// The functions of a grid: the neighbor at a distance along an axis, and a place on an axis.
const GRID: &str = r#"  <function name="{}_place" result="long">
    <argument name="rank" type="long"/>
    <argument name="axis" type="long"/>
    <body>long stride = 1;
for (long at = {n} - 1; at &gt; axis; at--) { stride = stride * {}_sides[at]; }
return rank / stride % {}_sides[axis];</body>
  </function>
  <function name="{}_shift" result="long">
    <argument name="axis" type="long"/>
    <argument name="by" type="long"/>
    <body>long stride = 1;
for (long at = {n} - 1; at &gt; axis; at--) { stride = stride * {}_sides[at]; }
long side = {}_sides[axis];
long at = pid / stride % side;
long to = at + by;
if ({}_periods[axis] == 0 &amp;&amp; (to &lt; 0 || to &gt;= side)) { return PROC_NULL; }
to = (to % side + side) % side;
return pid + (to - at) * stride;</body>
  </function>
"#;

/// The sides of a grid that is as square or cubic as can be, as of `MPI_Dims_create`.
const SIDE: &str = r#"  <function name="GridSide" result="long">
    <argument name="count" type="long"/>
    <argument name="axes" type="long"/>
    <argument name="axis" type="long"/>
    <body>if (axes == 1) { return count; }
long first = 1;
if (axes == 3) {
  for (long divisor = 2; divisor * divisor * divisor &lt;= count; divisor++) {
    if (count % divisor == 0) { first = divisor; }
  }
}
long most = count / first;
if (axes == 3) {
  long shorter = 1;
  for (long divisor = 2; divisor * divisor &lt;= most; divisor++) {
    if (most % divisor == 0) { shorter = divisor; }
  }
  most = most / shorter;
  if (axis == 0) { return most; }
}
long plane = count;
if (axes == 3) { plane = count / most; }
long least = 1;
for (long divisor = 2; divisor * divisor &lt;= plane; divisor++) {
  if (plane % divisor == 0) { least = divisor; }
}
if (axis == axes - 1) { return least; }
return plane / least;</body>
  </function>
"#;

impl Writer<'_, '_> {
    /// Finds the communicators that variables stand for.
    pub(super) fn find_comms(&mut self) {
        let program = self.facts.program;
        let mut found: BTreeMap<Var, Comm> = BTreeMap::new();
        for function in program.functions.values() {
            for expression in function.body.expressions() {
                let Expr::Call(name, arguments) = expression else {
                    continue;
                };
                let pointed = |at: usize| {
                    let var = arguments.get(at).and_then(object);
                    var.map(|it| self.facts.plain(it))
                };
                let (var, comm) = match name.as_str() {
                    "MPI_Cart_create" => (pointed(5), pointed(5).map(Comm::Grid)),
                    "MPI_Comm_dup" if arguments.first().is_some_and(mpi::is_world) => {
                        (pointed(1), Some(Comm::World))
                    }
                    "MPI_Comm_split" => (pointed(3), arguments.get(1).cloned().map(Comm::Split)),
                    _ if name.starts_with("MPI_") => continue,
                    _ => continue,
                };
                if let (Some(var), Some(comm)) = (var, comm)
                    && found.insert(var, comm.clone()).is_some_and(|it| it != comm)
                {
                    found.insert(var, Comm::Unknown);
                }
            }
        }
        self.comms = found;
    }

    pub(super) fn comm(&self, of: &Expr) -> Comm {
        if mpi::is_world(of) {
            return Comm::World;
        }
        let var = object(of).map(|it| self.facts.plain(it));
        let known = var.and_then(|it| self.comms.get(&it).cloned());
        known.unwrap_or(Comm::Unknown)
    }

    pub(super) fn grid_name(&self, grid: Var) -> String {
        let var = &self.facts.program.variables[grid];
        if var.function.is_empty() {
            var.name.clone()
        } else {
            format!("{}_{}", var.function, var.name)
        }
    }

    pub(super) fn add_side(&mut self) {
        self.functions
            .insert("GridSide".to_owned(), SIDE.to_owned());
    }

    /// Keeps a grid's sides and directions, and adds its functions.
    pub(super) fn grid_code(&mut self, arguments: &[Expr], place: Place, code: &mut String) {
        let (Some(Expr::Int(axes @ 1..=3)), Some(grid)) =
            (arguments.get(1), arguments.get(5).and_then(object))
        else {
            return self.note(
                place,
                "only grids of one to three dimensions can be followed",
            );
        };
        let name = self.grid_name(self.facts.plain(grid));
        if !self.functions.contains_key(&name) {
            let text = GRID.replace("{}", &name).replace("{n}", &axes.to_string());
            self.functions.insert(name.clone(), text);
        }
        for (kind, at) in [("sides", 2), ("periods", 3)] {
            self.globals.insert(format!("{name}_{kind}"), ("long", 4));
            for axis in 0..*axes {
                let from = arguments.get(at).and_then(object);
                let from = from.map(|it| Expr::At(it, Box::new(Expr::Int(axis))));
                match from.and_then(|it| self.shown(&it)) {
                    Some(from) => {
                        let _ = write!(code, "{name}_{kind}[{axis}] = {from}; ");
                    }
                    None => self.note(place, &format!("the grid's {kind} can't be followed")),
                }
            }
        }
    }

    /// Writes a call of MPI.
    pub(super) fn mpi(
        &mut self,
        name: &str,
        arguments: &[Expr],
        place: Place,
    ) -> Result<(), Problem> {
        let Some(call) = mpi::call(name) else {
            self.note(place, &format!("{name} was left open"));
            return Ok(());
        };
        self.flush();
        self.at = place;
        let at = |it: usize| arguments.get(it).cloned().unwrap_or(Expr::Int(0));
        let mut after = String::new();
        for argument in arguments {
            self.after(argument, place, &mut after);
        }
        match call {
            Call::Message { sends, waits } => {
                if !sends && waits && std::mem::take(&mut self.is_probed) {
                    return Ok(());
                }
                let stereotype = match (sends, waits) {
                    (true, true) => "bsend",
                    (true, false) => "nbsend",
                    (false, true) => "brecv",
                    (false, false) => "nbrecv",
                };
                let partner = if sends { "dest" } else { "source" };
                let mut tags = self.message(arguments, place, partner);
                if !waits {
                    tags.push(("request", self.request(&at(6), place)));
                }
                if stereotype == "brecv" {
                    self.status(&at(6), &at(0), &mut tags);
                }
                if sends && let Some(value) = self.number_in(&at(0)) {
                    tags.push(("value", value));
                }
                self.in_all(&at(5), place, name);
                let node = self.node(&name[4..]);
                self.action(&node, stereotype, &tags);
            }
            Call::Probe => {
                let partner = self.shown_or(&at(0), place, "source", "0");
                let tag = self.shown_or(&at(1), place, "tag", "0");
                let mut tags = vec![("source", partner), ("tag", tag)];
                self.status(&at(3), &Expr::Int(0), &mut tags);
                self.is_probed = true;
                let node = self.node("Recv");
                self.action(&node, "brecv", &tags);
            }
            Call::Exchange if (at(1), at(2)) != (at(6), at(7)) || at(4) != at(9) => {
                self.apart(arguments, place);
            }
            Call::Exchange | Call::Replace => {
                let is_exchange = call == Call::Exchange;
                let mut tags = self.message(arguments, place, "dest");
                let source = at(if is_exchange { 8 } else { 5 });
                let source = self.shown_or(&source, place, "source", "0");
                tags.push(("source", source));
                let tag = at(if is_exchange { 9 } else { 6 });
                let sent = at(4);
                if tag != sent && !matches!(tag, Expr::Named(_)) {
                    self.note(
                        place,
                        "the tag that is received differs; that of the send is used",
                    );
                }
                self.in_all(&at(if is_exchange { 10 } else { 7 }), place, name);
                let node = self.node("Sendrecv");
                self.action(&node, "sendrecv", &tags);
            }
            Call::Lasting { sends } => self.lasting(arguments, sends, place),
            Call::Start | Call::StartAll => self.start(arguments, call == Call::StartAll, place)?,
            Call::Wait => self.wait(&at(0), "", place),
            Call::WaitAll => self.wait(&at(1), "", place),
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
        Ok(())
    }

    /// Writes a send and a receive of different sizes or tags at the same time.
    fn apart(&mut self, arguments: &[Expr], place: Place) {
        let part =
            |from: usize| -> Vec<Expr> { arguments.iter().skip(from).take(5).cloned().collect() };
        let request = vec![("request", "sendrecv".to_owned())];
        let mut tags = self.message(&part(5), place, "source");
        tags.extend(request.clone());
        let node = self.node("Sendrecv");
        self.action(&node, "nbrecv", &tags);
        let tags = self.message(arguments, place, "dest");
        let node = self.node("Sendrecv");
        self.action(&node, "bsend", &tags);
        let node = self.node("Wait");
        self.action(&node, "wait", &request);
        self.in_all(
            arguments.get(10).unwrap_or(&Expr::Int(0)),
            place,
            "MPI_Sendrecv",
        );
    }

    fn in_all(&mut self, comm: &Expr, place: Place, name: &str) {
        if matches!(self.comm(comm), Comm::Unknown | Comm::Split(_)) {
            self.note(
                place,
                &format!("{name} in a part of all ranks: its partners count in all ranks here"),
            );
        }
    }

    fn message(
        &mut self,
        arguments: &[Expr],
        place: Place,
        partner: &'static str,
    ) -> Vec<(&'static str, String)> {
        let at = |it: usize| arguments.get(it).cloned().unwrap_or(Expr::Int(0));
        let size = self.size(&at(1), &at(2), place);
        vec![
            (partner, self.shown_or(&at(3), place, partner, "PROC_NULL")),
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
        let partner = self.shown_or(&at(3), place, "partner", "PROC_NULL");
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
    fn start(&mut self, arguments: &[Expr], all: bool, place: Place) -> Result<(), Problem> {
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
        let count = prophet_text::markup::escaped(&count);
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
        Ok(())
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
        match self.comm(&at(of.comm)) {
            Comm::World | Comm::Grid(_) => {}
            Comm::Split(color) => match self.by_rank(&color, 0) {
                Some(color) => tags.push(("comm", color)),
                None => self.note(
                    place,
                    &format!("{name}: its ranks can't be followed; all are assumed"),
                ),
            },
            Comm::Unknown => {
                self.note(
                    place,
                    &format!("{name}: its ranks can't be followed; all are assumed"),
                );
            }
        }
        let node = self.node(&name[4..]);
        self.action(&node, of.stereotype, &tags);
    }

    /// Returns an expression in terms of the rank, the number of ranks, and parameters alone.
    fn by_rank(&mut self, of: &Expr, depth: u32) -> Option<String> {
        let of = self.in_full(of, depth)?;
        self.shown(&of)
    }

    fn in_full(&self, of: &Expr, depth: u32) -> Option<Expr> {
        use crate::facts::Origin;
        let inner = |it: &Expr| self.in_full(it, depth + 1).map(Box::new);
        Some(match of {
            _ if depth > 24 => return None,
            Expr::Int(_) | Expr::Given(_) => of.clone(),
            Expr::Var(var) if self.constant(*var).is_some() => of.clone(),
            Expr::Var(var) => match &self.facts.origins.get(&self.facts.plain(*var))?[..] {
                [Origin::Value(of)] => self.in_full(of, depth + 1)?,
                _ => return None,
            },
            Expr::Unary(operator, of) => Expr::Unary(operator.clone(), inner(of)?),
            Expr::Binary(operator, one, other) => {
                Expr::Binary(operator.clone(), inner(one)?, inner(other)?)
            }
            _ => return None,
        })
    }
}

//! Communicators: grids, and parts of all ranks, as functions of the model.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_text::markup::escaped;

use super::{Comm, Writer};
use crate::facts::{Origin, object};
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

/// The functions of a communicator of `MPI_Comm_split`: its members in the order of their keys.
const SPLIT: &str = r#"  <function name="{}_rank" result="long">
    <argument name="of" type="long"/>
    <body>long before = 0;
for (long at = 0; at &lt; NUM_PROCESSES; at++) {
  if ({}_color(at) == {}_color(of)) {
    long far = {}_key(of) - {}_key(at);
    if (far &gt; 0 || (far == 0 &amp;&amp; at &lt; of)) { before++; }
  }
}
return before;</body>
  </function>
  <function name="{}_size" result="long">
    <body>long count = 0;
for (long at = 0; at &lt; NUM_PROCESSES; at++) { if ({}_color(at) == {}_color(pid)) { count++; } }
return count;</body>
  </function>
  <function name="{}_member" result="long">
    <argument name="rank" type="long"/>
    <body>if (rank &lt; 0) { return rank; }
for (long at = 0; at &lt; NUM_PROCESSES; at++) {
  if ({}_color(at) == {}_color(pid) &amp;&amp; {}_rank(at) == rank) { return at; }
}
return PROC_NULL;</body>
  </function>
  <function name="{}_place" result="long">
    <argument name="rank" type="long"/>
    <body>long place = 0;
long to = {}_member(rank);
for (long at = 0; at &lt; to; at++) { if ({}_color(at) == {}_color(pid)) { place++; } }
return place;</body>
  </function>
"#;

impl Writer<'_, '_> {
    /// Finds the communicators that variables stand for.
    pub(super) fn find_comms(&mut self) {
        let facts = self.facts;
        let functions = facts.program.functions.values();
        let expressions = functions.flat_map(|it| it.body.expressions());
        let calls: Vec<(&str, &[Expr])> = expressions
            .filter_map(|it| match it {
                Expr::Call(name, arguments) => Some((name.as_str(), &arguments[..])),
                _ => None,
            })
            .collect();
        // Duplicates of duplicates are known after the second turn.
        for _ in 0..2 {
            let mut found: BTreeMap<Var, Comm> = BTreeMap::new();
            for (name, arguments) in &calls {
                let pointed = |at: usize| {
                    let var = arguments.get(at).and_then(object);
                    var.map(|it| facts.plain(it))
                };
                let (var, comm) = match (*name, arguments) {
                    ("MPI_Cart_create", [_, Expr::Int(axes), ..]) => {
                        (pointed(5), pointed(5).map(|it| Comm::Grid(it, *axes)))
                    }
                    ("MPI_Comm_dup", [of, ..]) => (pointed(1), Some(self.comm(of))),
                    ("MPI_Comm_split", [of, color, key, ..]) if self.comm(of) == Comm::World => {
                        let split = |var| Comm::Split(var, Box::new([color.clone(), key.clone()]));
                        (pointed(3), pointed(3).map(split))
                    }
                    ("MPI_Comm_split", _) => (pointed(3), Some(Comm::Unknown)),
                    _ => continue,
                };
                if let (Some(var), Some(comm)) = (var, comm)
                    && found.insert(var, comm.clone()).is_some_and(|it| it != comm)
                {
                    found.insert(var, Comm::Unknown);
                }
            }
            self.comms = found;
        }
    }

    pub(super) fn comm(&self, of: &Expr) -> Comm {
        if self.facts.is_world(of) {
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

    /// Returns the name that a split communicator's functions begin with; `None` if colors or keys
    /// don't follow from the rank, the number of ranks and parameters.
    pub(super) fn split(&mut self, of: &Expr) -> Option<String> {
        let Comm::Split(var, by) = self.comm(of) else {
            return None;
        };
        let name = self.grid_name(var);
        if self.functions.contains_key(&name) {
            return Some(name);
        }
        let mut text = String::new();
        for (kind, of) in ["color", "key"].iter().zip(by.iter()) {
            let of = self.in_full(of, 0)?;
            let shown = self.shown(&self.with_rank(&of))?;
            let _ = write!(
                text,
                "  <function name=\"{name}_{kind}\" result=\"long\">\n    <argument name=\"of\" \
                 type=\"long\"/>\n    <body>return {};</body>\n  </function>\n",
                escaped(&shown)
            );
        }
        self.functions
            .insert(name.clone(), text + &SPLIT.replace("{}", &name));
        Some(name)
    }

    /// Returns a color or key as a function of the rank `of`.
    fn with_rank(&self, of: &Expr) -> Expr {
        let vars = of.all().into_iter().filter_map(|it| match it {
            Expr::Var(var) if self.constant(*var).as_deref() == Some("pid") => Some(*var),
            _ => None,
        });
        let of_rank = Expr::Named("of".to_owned());
        let values = vars.map(|it| (it, of_rank.clone())).collect();
        crate::counts::replaced(of, &values)
    }

    /// Returns the rank, among all ranks, of a partner in a communicator.
    pub(super) fn partner(
        &mut self,
        (of, comm): (&Expr, &Expr),
        place: Place,
        kind: &str,
        value: &str,
    ) -> String {
        let text = self.shown_or(of, place, kind, value);
        match self.comm(comm) {
            Comm::World | Comm::Grid(..) => text,
            Comm::Split(..) | Comm::Unknown => {
                if let Some(name) = self.split(comm) {
                    return format!("{name}_member({text})");
                }
                let told = "the members of the communicator can't be followed; the partner counts \
                            in all ranks here";
                self.note(place, told);
                text
            }
        }
    }

    /// Returns an expression in terms of the rank, the number of ranks, and parameters alone.
    fn in_full(&self, of: &Expr, depth: u32) -> Option<Expr> {
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
            Expr::Choose(of) => {
                let [one, then, other] = [0, 1, 2].map(|it| inner(&of[it]));
                Expr::Choose(Box::new([*one?, *then?, *other?]))
            }
            Expr::Binary(operator, one, other) => {
                Expr::Binary(operator.clone(), inner(one)?, inner(other)?)
            }
            _ => return None,
        })
    }

    /// Adds the code that sets the rank in a communicator, or the number of its ranks.
    pub(super) fn rank_or_size(
        &mut self,
        name: &str,
        arguments: &[Expr],
        place: Place,
        code: &mut String,
    ) {
        let at = |it: usize| arguments.get(it).cloned().unwrap_or(Expr::Int(0));
        let rank = name.ends_with("rank");
        let part = self.split(&at(0));
        if part.is_none() && matches!(self.comm(&at(0)), Comm::Unknown | Comm::Split(..)) {
            let told = "the members of the communicator can't be followed; all are assumed";
            self.note(place, told);
        }
        let text = match (&part, rank) {
            (Some(part), true) => &format!("{part}_rank(pid)"),
            (Some(part), false) => &format!("{part}_size()"),
            (None, true) => "pid",
            (None, false) => "NUM_PROCESSES",
        };
        let target = match at(1) {
            Expr::Address(of) => *of,
            other => other,
        };
        self.set_text(&target, text, code);
    }

    /// Adds the code of a call that makes a grid, or asks for places in it.
    pub(super) fn grid_call(
        &mut self,
        name: &str,
        arguments: &[Expr],
        place: Place,
        code: &mut String,
    ) {
        let at = |it: usize| arguments.get(it).cloned().unwrap_or(Expr::Int(0));
        let number = |it: usize| match at(it) {
            Expr::Int(number) => number,
            _ => 0,
        };
        let var = |it: usize| object(&at(it)).map(Expr::Var);
        let of = |it: Expr| Box::new(it);
        match name {
            "MPI_Dims_create" => {
                let Some(Expr::Var(sides)) = var(2) else {
                    return;
                };
                let count = self.shown_or(&at(0), place, "ranks", "1");
                self.add_side();
                for axis in 0..number(1).clamp(0, 3) {
                    let text = format!("GridSide({count}, {}, {axis})", number(1));
                    self.set_text(&Expr::At(sides, of(Expr::Int(axis))), &text, code);
                }
                if !(1..=3).contains(&number(1)) {
                    self.note(
                        place,
                        "only grids of one to three dimensions can be followed",
                    );
                }
            }
            "MPI_Cart_create" => self.grid_code(arguments, place, code),
            "MPI_Cart_shift" => {
                let Comm::Grid(grid, _) = self.comm(&at(0)) else {
                    return self.note(place, "the grid of this shift can't be followed");
                };
                let axis = self.shown_or(&at(1), place, "axis", "0");
                let Some(by) = self.shown(&at(2)) else {
                    return self.note(place, "the distance of this shift can't be followed");
                };
                let grid = self.grid_name(grid);
                for (to, sign) in [(3, "-"), (4, "")] {
                    if let Some(to) = var(to) {
                        let text = format!("{grid}_shift({axis}, {sign}({by}))");
                        self.set_text(&to, &text, code);
                    }
                }
            }
            "MPI_Cart_coords" => {
                let (Comm::Grid(grid, _), Some(Expr::Var(coords))) = (self.comm(&at(0)), var(3))
                else {
                    return self.note(place, "the grid of these coordinates can't be followed");
                };
                let grid = self.grid_name(grid);
                let rank = self.shown_or(&at(1), place, "rank", "0");
                for axis in 0..number(2).clamp(0, 3) {
                    let text = format!("{grid}_place({rank}, {axis})");
                    self.set_text(&Expr::At(coords, of(Expr::Int(axis))), &text, code);
                }
            }
            _ => {}
        }
    }
}

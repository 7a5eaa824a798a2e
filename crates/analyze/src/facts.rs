//! Finds the functions and variables that decide what a program sends, and when.
//!
//! | module | is |
//! |---|---|
//! | `origins` | where the values of variables come from |
//! | [`loops`] | how often loops repeat |

pub(crate) mod loops;
mod origins;

use std::collections::{BTreeMap, BTreeSet};

use crate::mpi;
use crate::program::{Expr, Program, Stmt, Var, What};

/// Where a variable's value comes from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Origin {
    Value(Expr),
    /// Other operators than `=`: the value is added, and so on.
    Changed(Expr),
    Rank,
    Size,
    /// A call of MPI that the model can follow.
    Followed,
    /// From a message, a file, or code that can't be followed.
    Unknown,
}

#[derive(Debug)]
pub(crate) struct Facts<'p> {
    pub(crate) program: &'p Program,
    aliases: BTreeMap<Var, Var>,
    pub(crate) origins: BTreeMap<Var, Vec<Origin>>,
    pub(crate) relevant: BTreeSet<Var>,
    /// Functions that become activities.
    pub(crate) acting: BTreeSet<String>,
    /// Functions that call themselves.
    pub(crate) recursive: BTreeSet<String>,
    unknown: BTreeSet<Var>,
    /// Handles of the communicator of all ranks.
    worlds: BTreeSet<Var>,
}

impl<'p> Facts<'p> {
    pub(crate) fn of(program: &'p Program) -> Self {
        let mut facts = Self {
            program,
            aliases: BTreeMap::new(),
            origins: BTreeMap::new(),
            relevant: BTreeSet::new(),
            acting: BTreeSet::new(),
            recursive: BTreeSet::new(),
            unknown: BTreeSet::new(),
            worlds: BTreeSet::new(),
        };
        facts.find_recursion();
        facts.find_aliases();
        facts.find_origins();
        facts.find_worlds();
        facts.find_origins();
        facts.find_unknown();
        facts.find_acting(&BTreeSet::new());
        // What is relevant can make further functions act, which makes more relevant.
        loop {
            let before = facts.acting.len() + facts.relevant.len();
            facts.find_relevant();
            let relevant = facts.relevant.clone();
            facts.find_acting(&relevant);
            if facts.acting.len() + facts.relevant.len() == before {
                return facts;
            }
        }
    }

    fn callees(&self, of: &Stmt) -> BTreeSet<&'p str> {
        let expressions = of.expressions();
        let names = expressions.into_iter().filter_map(|it| match it {
            Expr::Call(name, _) => self.program.functions.get_key_value(name),
            _ => None,
        });
        names.map(|it| it.0.as_str()).collect()
    }

    fn find_recursion(&mut self) {
        let functions = &self.program.functions;
        for (name, function) in functions {
            let mut seen: BTreeSet<&str> = BTreeSet::new();
            let mut open: Vec<&str> = self.callees(&function.body).into_iter().collect();
            while let Some(next) = open.pop() {
                if seen.insert(next) {
                    open.extend(self.callees(&functions[next].body));
                }
            }
            if seen.contains(name.as_str()) {
                self.recursive.insert(name.clone());
            }
        }
    }

    /// Parameters that are pointers, or handles of MPI, stand for what all calls pass.
    fn find_aliases(&mut self) {
        let mut passed: BTreeMap<Var, Vec<Option<Var>>> = BTreeMap::new();
        for function in self.program.functions.values() {
            for expression in function.body.expressions() {
                let Expr::Call(name, arguments) = expression else {
                    continue;
                };
                let Some(called) = self.program.functions.get(name) else {
                    continue;
                };
                for (parameter, argument) in called.parameters.iter().zip(arguments) {
                    let var = &self.program.variables[*parameter];
                    if var.is_pointer() || var.of.contains("MPI_") || var.of.contains('[') {
                        passed.entry(*parameter).or_default().push(object(argument));
                    }
                }
            }
        }
        for (parameter, all) in passed {
            if let Some(Some(first)) = all.first()
                && all.iter().all(|it| *it == Some(*first))
                && *first != parameter
            {
                self.aliases.insert(parameter, *first);
            }
        }
    }

    /// Returns the variable that a variable stands for.
    pub(crate) fn plain(&self, var: Var) -> Var {
        let mut var = var;
        for _ in 0..16 {
            if let Some(of) = self.aliases.get(&var) {
                var = *of;
            } else if let Some((owner, name)) = &self.program.variables[var].member {
                let owner = self.plain_owner(*owner);
                let same = |it: &crate::program::Variable| {
                    it.member
                        .as_ref()
                        .is_some_and(|(of, is)| *of == owner && is == name)
                };
                return self.program.variables.iter().position(same).unwrap_or(var);
            } else {
                return var;
            }
        }
        var
    }

    fn plain_owner(&self, var: Var) -> Var {
        let mut var = var;
        for _ in 0..16 {
            match self.aliases.get(&var) {
                Some(of) => var = *of,
                None => break,
            }
        }
        var
    }

    /// Returns whether the cost language can express an expression.
    pub(crate) fn can(&self, of: &Expr) -> bool {
        match of {
            Expr::Int(_) | Expr::Real(_) | Expr::Given(_) => true,
            Expr::Var(var) => {
                let var = &self.program.variables[self.plain(*var)];
                var.length == 0 && var.is_number() && !var.is_pointer()
            }
            Expr::At(var, at) => {
                let var = &self.program.variables[self.plain(*var)];
                var.length > 1 && var.length <= 4096 && var.is_number() && self.can(at)
            }
            Expr::Unary(operator, of) => operator != "~" && self.can(of),
            Expr::Binary(_, one, other) => self.can(one) && self.can(other),
            Expr::Choose(of) => of.iter().all(|it| self.can(it)),
            Expr::Named(name) => matches!(name.as_str(), "PROC_NULL" | "of"),
            Expr::Call(name, of) => {
                (is_math(name) || self.is_pure(name)) && of.iter().all(|it| self.can(it))
            }
            _ => false,
        }
    }

    /// Returns whether an expression can be expressed and all its values can be followed.
    pub(crate) fn is_known(&self, of: &Expr) -> bool {
        let mut vars = of.all().into_iter().filter_map(|it| match it {
            Expr::Var(var) | Expr::At(var, _) => Some(self.plain(*var)),
            _ => None,
        });
        let parts = of.all();
        let is_free = !parts
            .iter()
            .any(|it| matches!(it, Expr::Assign(..) | Expr::Comma(_)));
        is_free && self.can(&without_steps(of)) && !vars.any(|it| self.unknown.contains(&it))
    }

    /// Returns whether a function only computes a result that the cost language can express.
    pub(crate) fn is_pure(&self, name: &str) -> bool {
        let Some(function) = self.program.functions.get(name) else {
            return false;
        };
        if self.recursive.contains(name) || function.body.all().len() > 64 {
            return false;
        }
        let is_own = |var: Var| {
            let var = &self.program.variables[var];
            var.function == name && !var.is_pointer() && var.length == 0 && var.is_number()
        };
        let is_plain = |stmt: &&Stmt| match &stmt.what {
            What::Block(_) | What::Break | What::Continue => true,
            What::If(of, ..) | What::Return(Some(of)) => self.can(of),
            What::Loop(of) => of.condition.as_ref().is_some_and(|it| self.can(it)),
            What::Do(Expr::Assign(_, to, of)) => {
                matches!(&**to, Expr::Var(var) if is_own(*var)) && self.can(of)
            }
            What::Do(Expr::Step(_, _, to)) => matches!(&**to, Expr::Var(var) if is_own(*var)),
            _ => false,
        };
        let result = &self.program.variables[function.result];
        result.is_number() && !result.is_pointer() && function.body.all().iter().all(is_plain)
    }

    /// Finds functions that send, or that set a relevant variable that isn't their own.
    fn find_acting(&mut self, relevant: &BTreeSet<Var>) {
        let mut acting = BTreeSet::new();
        loop {
            let before = acting.len();
            for (name, function) in &self.program.functions {
                let acts = function.body.expressions().into_iter().any(|it| {
                    let is_call = matches!(it, Expr::Call(called, _) if acting.contains(called)
                        || mpi::call(called).is_some() || mpi::is_unknown(called));
                    is_call
                        || self.set_by(it).into_iter().any(|(var, _)| {
                            let var = self.plain(var);
                            let of = &self.program.variables[var].function;
                            let is_argument = matches!(it, Expr::Call(called, _)
                                if self.program.functions.contains_key(called));
                            relevant.contains(&var) && of != name && !is_argument
                        })
                });
                if acts {
                    acting.insert(name.clone());
                }
            }
            if acting.len() == before {
                self.acting = acting;
                return;
            }
        }
    }

    /// Returns whether a statement, or a part of it, becomes an element.
    pub(crate) fn acts(&self, stmt: &Stmt) -> bool {
        stmt.all()
            .iter()
            .any(|it| matches!(it.what, What::Parallel(..)))
            || stmt.expressions().into_iter().any(|it| self.is_acting(it))
    }

    /// Returns the root that gives a variable its value, if all ranks get it by a broadcast.
    pub(crate) fn root_of(&self, var: Var) -> Option<i64> {
        let mut functions = self.program.functions.values();
        functions.find_map(|it| {
            it.body.expressions().into_iter().find_map(|it| match it {
                Expr::Call(name, arguments) if name == "MPI_Bcast" => match arguments.get(3) {
                    Some(Expr::Int(root)) => {
                        let given = object(arguments.first()?).map(|it| self.plain(it));
                        (given == Some(self.plain(var))).then_some(*root)
                    }
                    _ => None,
                },
                _ => None,
            })
        })
    }

    /// Returns whether an expression is itself a call that becomes an element.
    pub(crate) fn is_acting(&self, of: &Expr) -> bool {
        matches!(of, Expr::Call(name, _) if self.acting.contains(name)
            || mpi::call(name).is_some() || mpi::is_unknown(name))
    }

    fn find_relevant(&mut self) {
        let mut open: Vec<Var> = Vec::new();
        for (name, function) in &self.program.functions {
            if !self.acting.contains(name) {
                self.work(&function.body, &mut open);
                continue;
            }
            for stmt in function.body.all() {
                self.seeds(stmt, &mut open);
            }
        }
        let deciding = self.deciding();
        let mut relevant = BTreeSet::new();
        while let Some(var) = open.pop() {
            let var = self.plain(var);
            if !relevant.insert(var) {
                continue;
            }
            for origin in self.origins.get(&var).into_iter().flatten() {
                if let Origin::Value(of) | Origin::Changed(of) = origin {
                    self.mentioned(of, &mut open);
                }
            }
            for of in deciding.get(&var).into_iter().flatten() {
                self.mentioned(of, &mut open);
            }
            let mut functions = self.program.functions.values();
            if let Some(function) = functions.find(|it| it.result == var) {
                for of in function.body.expressions() {
                    self.mentioned(of, &mut open);
                }
            }
        }
        self.relevant = relevant;
    }

    /// Returns the conditions under which each variable is set.
    fn deciding(&self) -> BTreeMap<Var, Vec<&'p Expr>> {
        let mut deciding: BTreeMap<Var, Vec<&'p Expr>> = BTreeMap::new();
        for function in self.program.functions.values() {
            for stmt in function.body.all() {
                let condition = match &stmt.what {
                    What::If(of, ..) => of,
                    What::Loop(of) => match (loops::iterations(self, of), &of.condition) {
                        (Some(of), _) => of.end,
                        (None, Some(of)) => of,
                        (None, None) => continue,
                    },
                    _ => continue,
                };
                let parts = stmt.expressions().into_iter();
                let set = parts.flat_map(|it| self.set_by(it));
                let set: BTreeSet<Var> = set.map(|it| self.plain(it.0)).collect();
                for var in set {
                    deciding.entry(var).or_default().push(condition);
                }
            }
        }
        deciding
    }

    /// Collects the global variables that decide how often the loops of a function repeat.
    fn work(&self, body: &Stmt, open: &mut Vec<Var>) {
        for stmt in body.all() {
            if let What::Loop(of) = &stmt.what
                && let Some(condition) = &of.condition
            {
                let vars = condition.all().into_iter().filter_map(|it| match it {
                    Expr::Var(var) => Some(self.plain(*var)),
                    _ => None,
                });
                let is_global = |it: &Var| self.program.variables[*it].function.is_empty();
                open.extend(vars.filter(|it| is_global(it) && self.is_known(&Expr::Var(*it))));
            }
        }
    }

    fn seeds(&self, stmt: &Stmt, open: &mut Vec<Var>) {
        let is_loop = matches!(stmt.what, What::Loop(_));
        let is_deciding = matches!(stmt.what, What::If(..) | What::Loop(_));
        let is_left = |it: &&Stmt| matches!(it.what, What::Break | What::Return(_));
        let needs_condition = match &stmt.what {
            What::Loop(of) => {
                let counted = loops::iterations(self, of).filter(|it| self.can(&it.number));
                let is_own = |it: &loops::Iterations| it.number.all().contains(&&Expr::Var(it.var));
                let is_counted = counted.is_some_and(|it| !is_own(&it));
                self.acts(stmt) && (!is_counted || of.body.all().iter().any(is_left))
            }
            _ => true,
        };
        let jumps = |it: &Stmt| {
            let jump =
                |it: &&Stmt| matches!(it.what, What::Break | What::Continue | What::Return(_));
            it.all().iter().any(jump)
        };
        if is_deciding && needs_condition && (self.acts(stmt) || (!is_loop && jumps(stmt))) {
            for of in stmt.own() {
                self.mentioned(of, open);
            }
        }
        if let What::Loop(of) = &stmt.what
            && !needs_condition
        {
            self.bounds(of, open);
        }
        for expression in stmt.own().into_iter().flat_map(Expr::all) {
            if let Expr::Call(name, arguments) = expression {
                self.seeds_of_call(name, arguments, open);
            }
        }
    }

    fn seeds_of_call(&self, name: &str, arguments: &[Expr], open: &mut Vec<Var>) {
        let is_used = |at: usize| match mpi::call(name) {
            Some(mpi::Call::Collective) => {
                let Some(of) = mpi::collective(name) else {
                    return false;
                };
                (!of.is_uneven && of.count == Some(at)) || of.root == Some(at)
            }
            Some(mpi::Call::Exchange) => [1, 3, 4, 8].contains(&at),
            Some(mpi::Call::Replace) => [1, 3, 4, 5].contains(&at),
            Some(mpi::Call::Probe) => at < 2,
            Some(mpi::Call::Neighbors) => [1, 4].contains(&at),
            Some(mpi::Call::Message { .. }) => [1, 3, 4].contains(&at),
            Some(mpi::Call::Lasting { .. }) => [1, 3, 4, 6].contains(&at),
            Some(mpi::Call::Start | mpi::Call::StartAll | mpi::Call::WaitAll) => at == 0,
            _ => {
                matches!(name, "MPI_Dims_create" if at < 3)
                    || (name == "MPI_Cart_create" && (1..4).contains(&at))
                    || (name == "MPI_Cart_shift" && (1..3).contains(&at))
                    || (name == "MPI_Comm_split" && (1..3).contains(&at))
            }
        };
        let is_work = self.program.functions.contains_key(name) && !self.acting.contains(name);
        for (at, argument) in arguments.iter().enumerate() {
            if is_used(at) || (is_work && self.is_known(argument)) {
                self.mentioned(argument, open);
            }
        }
    }

    pub(crate) fn mentioned(&self, of: &Expr, open: &mut Vec<Var>) {
        if let Some(var) = object(of).map(|it| self.plain(it))
            && self.program.variables[var].length > 1
        {
            open.push(var);
        }
        if let Expr::Address(inner) = of
            && let Expr::At(_, at) = &**inner
        {
            self.mentioned(at, open);
        }
        if self.can(&without_steps(of)) || !self.is_argument(of) {
            open.extend(of.all().into_iter().filter_map(|it| match it {
                Expr::Var(var) | Expr::At(var, _) => {
                    let var = self.plain(*var);
                    let of = &self.program.variables[var];
                    let is_pointer = of.is_pointer() && of.length == 0;
                    (of.is_number() && !is_pointer).then_some(var)
                }
                Expr::Call(name, _) if self.program.functions.contains_key(name) => {
                    Some(self.program.functions[name].result)
                }
                _ => None,
            }));
        }
    }

    /// Returns whether an expression can't be expressed, so that nothing in it matters.
    fn is_argument(&self, of: &Expr) -> bool {
        !of.all().into_iter().any(|it| self.is_acting(it))
    }
}

/// Returns an expression with the values that its variables have before `++` and `--`.
pub(crate) fn without_steps(of: &Expr) -> Expr {
    let map = |it: &[Expr]| it.iter().map(without_steps).collect::<Vec<_>>();
    match of {
        Expr::Step(true, _, of) => without_steps(of),
        Expr::Step(false, by, of) => Expr::binary("+", without_steps(of), Expr::Int(*by)),
        Expr::At(var, at) => Expr::At(*var, Box::new(without_steps(at))),
        Expr::Unary(operator, of) => Expr::Unary(operator.clone(), Box::new(without_steps(of))),
        Expr::Binary(operator, one, other) => {
            Expr::binary(operator, without_steps(one), without_steps(other))
        }
        Expr::Choose(of) => Expr::Choose(Box::new([0, 1, 2].map(|it| without_steps(&of[it])))),
        Expr::Call(name, of) => Expr::Call(name.clone(), map(of)),
        _ => of.clone(),
    }
}

/// Returns the variable that an argument passes: by its address, as an array, or as a handle.
pub(crate) fn object(of: &Expr) -> Option<Var> {
    match of {
        Expr::Address(of) => match &**of {
            Expr::Var(var) | Expr::At(var, _) => Some(*var),
            _ => None,
        },
        Expr::Var(var) => Some(*var),
        _ => None,
    }
}

fn is_math(name: &str) -> bool {
    let known = [
        "sqrt", "cbrt", "floor", "ceil", "log", "log2", "log10", "exp", "pow", "fabs", "abs",
        "labs", "fmin", "fmax", "round", "lround", "trunc", "sin", "cos",
    ];
    known.contains(&name)
}

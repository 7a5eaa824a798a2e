//! Where the values of variables come from.

use std::collections::{BTreeMap, BTreeSet};

use super::{Facts, Origin, object};
use crate::mpi;
use crate::program::{Expr, Var, What};

impl Facts<'_> {
    pub(super) fn find_origins(&mut self) {
        let mut origins: BTreeMap<Var, Vec<Origin>> = BTreeMap::new();
        let mut add = |var: Var, origin| origins.entry(var).or_default().push(origin);
        for (var, variable) in self.program.variables.iter().enumerate() {
            if let Some(initial) = &variable.initial {
                add(self.plain(var), Origin::Value(initial.clone()));
            }
        }
        for function in self.program.functions.values() {
            for expression in function.body.expressions() {
                for (var, origin) in self.set_by(expression) {
                    add(self.plain(var), origin);
                }
            }
            for stmt in function.body.all() {
                if let What::Return(Some(value)) = &stmt.what {
                    add(function.result, Origin::Value(value.clone()));
                }
            }
        }
        self.origins = origins;
    }

    /// Returns the variables that an expression itself sets.
    pub(crate) fn set_by(&self, of: &Expr) -> Vec<(Var, Origin)> {
        let target = |it: &Expr| match it {
            Expr::Var(var) | Expr::At(var, _) => Some(*var),
            _ => None,
        };
        match of {
            Expr::Assign(operator, to, value) => {
                let origin = if operator.is_empty() && matches!(**to, Expr::Var(_)) {
                    Origin::Value((**value).clone())
                } else {
                    Origin::Changed((**value).clone())
                };
                target(to).map(|it| (it, origin)).into_iter().collect()
            }
            Expr::Step(_, _, to) => {
                let changed = Origin::Changed(Expr::Int(1));
                target(to).map(|it| (it, changed)).into_iter().collect()
            }
            Expr::Call(name, arguments) => self.set_by_call(name, arguments),
            _ => Vec::new(),
        }
    }

    fn set_by_call(&self, name: &str, arguments: &[Expr]) -> Vec<(Var, Origin)> {
        if let Some(called) = self.program.functions.get(name) {
            let pairs = called.parameters.iter().zip(arguments);
            let values = pairs.filter(|it| !self.aliases.contains_key(it.0));
            return values
                .map(|(to, value)| (*to, Origin::Value(value.clone())))
                .collect();
        }
        let pointed = |at: usize| arguments.get(at).and_then(object);
        let is_world = arguments.first().is_some_and(|it| self.is_world(it));
        let origin = match name {
            "MPI_Comm_rank" if is_world => vec![(pointed(1), Origin::Rank)],
            "MPI_Comm_size" if is_world => vec![(pointed(1), Origin::Size)],
            "MPI_Comm_rank" | "MPI_Comm_size" | "MPI_Test" => {
                vec![(pointed(1), Origin::Followed)]
            }
            "MPI_Comm_dup" => {
                let of = arguments.first().cloned().map(Origin::Value);
                vec![(pointed(1), of.unwrap_or(Origin::Unknown))]
            }
            "MPI_Cart_shift" => vec![
                (pointed(3), Origin::Followed),
                (pointed(4), Origin::Followed),
            ],
            "MPI_Cart_coords" => vec![(pointed(3), Origin::Followed)],
            "MPI_Cart_rank" | "MPI_Get_count" | "MPI_Dims_create" | "MPI_Waitany"
            | "MPI_Waitsome" | "MPI_Testall" => vec![(pointed(2), Origin::Followed)],
            "MPI_Bcast" if matches!(arguments.get(3), Some(Expr::Int(_))) => {
                vec![(pointed(0), Origin::Followed)]
            }
            "MPI_Recv" | "MPI_Probe" | "MPI_Request_free" | "MPI_Comm_free" => Vec::new(),
            _ => {
                let is_sent = |at: usize| {
                    let sends = matches!(
                        mpi::call(name),
                        Some(mpi::Call::Message { sends: true, .. })
                    );
                    at == 0
                        && (sends || mpi::collective(name).is_some_and(|it| it.count != Some(1)))
                };
                let all = arguments.iter().enumerate();
                let all = all.filter(|(at, it)| matches!(it, Expr::Address(_)) && !is_sent(*at));
                all.map(|it| (object(it.1), Origin::Unknown)).collect()
            }
        };
        let mut set: Vec<(Var, Origin)> = origin
            .into_iter()
            .filter_map(|(var, it)| Some((var?, it)))
            .collect();
        if name == "MPI_Recv" || name == "MPI_Sendrecv" {
            let at = if name == "MPI_Recv" { 0 } else { 5 };
            set.retain(|it| Some(it.0) != pointed(at) || it.1 != Origin::Unknown);
            set.extend(pointed(at).map(|it| (it, Origin::Followed)));
        }
        set
    }

    /// Returns whether a communicator contains all ranks.
    pub(crate) fn is_world(&self, comm: &Expr) -> bool {
        let var = object(comm).map(|it| self.plain(it));
        mpi::is_world(comm) || var.is_some_and(|it| self.worlds.contains(&it))
    }

    /// Finds the handles that are always the communicator of all ranks, or its duplicates.
    pub(super) fn find_worlds(&mut self) {
        loop {
            let is_world = |it: &Origin| matches!(it, Origin::Value(of) if self.is_world(of));
            let all = self.origins.iter();
            let found = all.filter(|(_, from)| from.iter().all(is_world));
            let found: BTreeSet<Var> = found.map(|it| *it.0).collect();
            if found.len() == self.worlds.len() {
                return;
            }
            self.worlds = found;
        }
    }

    /// Variables whose values can't be followed.
    pub(super) fn find_unknown(&mut self) {
        loop {
            let before = self.unknown.len();
            let bad: Vec<Var> = self
                .origins
                .iter()
                .filter(|(_, all)| {
                    all.iter().any(|it| match it {
                        Origin::Value(of) | Origin::Changed(of) => !self.is_known(of),
                        Origin::Unknown => true,
                        _ => false,
                    })
                })
                .map(|it| *it.0)
                .collect();
            self.unknown.extend(bad);
            if self.unknown.len() == before {
                return;
            }
        }
    }
}

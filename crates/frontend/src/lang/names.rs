//! Finds the functions that all code can call, and suggests names for misspelled ones.

use super::ir::{Builtin, Neighbor, Signature, System, Type, Variate};
use super::scope::Scope;
use crate::index::FunctionIndex;
use prophet_text::similar;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Callee<'a> {
    Cost(FunctionIndex, &'a Signature),
    /// A function of reals.
    Real(Builtin),
    /// `abs` of an int or a real.
    Abs,
    /// The larger of two ints or two reals.
    Max,
    /// The smaller of two ints or two reals.
    Min,
    /// A rounding function with an int result.
    ToInt(Builtin),
    Draw(Variate),
    Interpolate,
    Clc,
    Rud,
    Neighbor(Neighbor),
}

/// Returns the names of all functions that code can call, except cost functions.
pub fn functions() -> impl Iterator<Item = &'static str> {
    let special = special().map(|(name, _)| name);
    special.chain(builtins().map(Builtin::name))
}

/// Iterates over the functions of reals, which have the same names as in C.
fn builtins() -> impl Iterator<Item = Builtin> {
    let of_ints = [Builtin::AbsInt, Builtin::MaxInt, Builtin::MinInt];
    let all = Builtin::ALL.into_iter();
    all.filter(move |builtin| !of_ints.contains(builtin))
}

/// Name of the function that computes the time of operations.
pub(super) const CLC: &str = "clc";
/// Name of the function that uses a custom device.
pub(super) const RUD: &str = "rud";

/// Functions that are neither neighbors, nor variates, nor functions of reals.
const SPECIAL: [(&str, Callee<'static>); 13] = [
    ("abs", Callee::Abs),
    ("labs", Callee::Abs),
    ("llabs", Callee::Abs),
    ("llrint", Callee::ToInt(Builtin::Rint)),
    ("llround", Callee::ToInt(Builtin::Round)),
    ("lrint", Callee::ToInt(Builtin::Rint)),
    ("lround", Callee::ToInt(Builtin::Round)),
    ("max", Callee::Max),
    ("min", Callee::Min),
    ("nearbyint", Callee::Real(Builtin::Rint)),
    ("interpolate", Callee::Interpolate),
    (CLC, Callee::Clc),
    (RUD, Callee::Rud),
];

/// Iterates over all functions except functions of reals, with their names.
fn special() -> impl Iterator<Item = (&'static str, Callee<'static>)> {
    let neighbors = Neighbor::ALL.map(|it| (it.name(), Callee::Neighbor(it)));
    let draws = Variate::ALL.map(|it| (it.name(), Callee::Draw(it)));
    SPECIAL.into_iter().chain(neighbors).chain(draws)
}

/// Methods of Rust's `f64` with a different name in C.
const METHODS: [(&str, Builtin); 9] = [
    ("abs", Builtin::Fabs),
    ("exp_m1", Builtin::Expm1),
    ("ln", Builtin::Log),
    ("ln_1p", Builtin::Log1p),
    ("max", Builtin::Fmax),
    ("min", Builtin::Fmin),
    ("mul_add", Builtin::Fma),
    ("powf", Builtin::Pow),
    ("round_ties_even", Builtin::Rint),
];

/// Methods of Rust's `f64` with the same name in C.
const SAME_METHODS: [&str; 25] = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos",
    "cosh", "exp", "exp2", "floor", "hypot", "log10", "log2", "round", "sin", "sinh", "sqrt",
    "tan", "tanh", "trunc",
];

pub(super) fn function<'a>(name: &str, scope: &'a Scope) -> Option<Callee<'a>> {
    if let Some((index, signature)) = scope.functions.get(name) {
        return Some(Callee::Cost(*index, signature));
    }
    let special = special().find(|(n, _)| *n == name);
    special
        .map(|(_, callee)| callee)
        .or_else(|| builtin(name).map(Callee::Real))
}

/// Finds the function of reals that C calls `name`.
fn builtin(name: &str) -> Option<Builtin> {
    builtins().find(|builtin| builtin.name() == name)
}

pub(super) fn method(name: &str) -> Option<Builtin> {
    if SAME_METHODS.contains(&name) {
        return builtin(name);
    }
    METHODS.iter().find(|(n, _)| *n == name).map(|(_, b)| *b)
}

impl Builtin {
    /// Returns the number of arguments.
    pub const fn arity(self) -> usize {
        match self {
            Self::Fma => 3,
            Self::Atan2
            | Self::Copysign
            | Self::Fdim
            | Self::Fmax
            | Self::Fmin
            | Self::Fmod
            | Self::Hypot
            | Self::Pow
            | Self::MaxInt
            | Self::MinInt => 2,
            _ => 1,
        }
    }
}

impl Variate {
    /// Returns the types of the parameters.
    pub const fn parameters(self) -> &'static [Type] {
        const REALS: [Type; 3] = [Type::Real, Type::Real, Type::Real];
        match self {
            Self::Exponential | Self::Poisson | Self::Bernoulli => REALS.split_at(1).0,
            Self::Uniform | Self::Normal | Self::Lognormal | Self::Gamma | Self::Weibull => {
                REALS.split_at(2).0
            }
            Self::Erlang => &[Type::Int, Type::Real],
            Self::Triangular => &REALS,
        }
    }

    /// Returns the type of the random number.
    pub const fn result(self) -> Type {
        match self {
            Self::Poisson => Type::Int,
            Self::Bernoulli => Type::Bool,
            _ => Type::Real,
        }
    }
}

pub(super) fn similar_function(name: &str, scope: &Scope) -> Option<String> {
    if name == "ln" {
        return Some("log".to_owned());
    }
    let model = scope.functions.keys().map(String::as_str);
    let special = special().map(|(n, _)| n);
    let builtins = builtins().map(|it| -> &str { it.name() });
    similar(name, model.take(CANDIDATES).chain(special).chain(builtins))
}

pub(super) fn similar_variable<'a>(
    name: &str,
    own: impl Iterator<Item = &'a str>,
    scope: &'a Scope,
) -> Option<String> {
    let mpi = match name.to_ascii_lowercase().as_str() {
        "rank" | "myrank" | "my_rank" | "myid" | "proc_id" => Some(System::Pid),
        "nprocs" | "num_procs" | "nranks" | "num_ranks" | "np" | "nproc" => {
            Some(System::NumProcesses)
        }
        _ => None,
    };
    if let Some(system) = mpi {
        return Some(system.name().to_owned());
    }
    let model = scope.variables.keys().map(String::as_str);
    let system = scope.system().map(|it| -> &'a str { it.name() });
    similar(name, own.chain(model.take(CANDIDATES)).chain(system))
}

/// Maximum number of names in scope to consider for a suggestion.
const CANDIDATES: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_a_function() {
        assert!(SAME_METHODS.iter().all(|name| method(name).is_some()));
    }
}

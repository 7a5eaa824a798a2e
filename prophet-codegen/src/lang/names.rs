//! Functions that every piece of code can call, and suggestions for misspelled names.

use super::ir::{Builtin, Neighbor, Signature, Type, Variate};
use super::scope::Scope;
use crate::index::FunctionIndex;
use prophet_text::similar;

/// Function that a name stands for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Callee<'a> {
    /// A cost function: its index in the program, and its signature.
    Cost(FunctionIndex, &'a Signature),
    /// A function of reals.
    Real(Builtin),
    /// `abs`, of an int or a real.
    Abs,
    /// The larger of two ints or two reals.
    Max,
    /// The smaller of two ints or two reals.
    Min,
    /// A rounding function whose result is an int.
    ToInt(Builtin),
    /// A draw.
    Draw(Variate),
    /// `interpolate`.
    Interpolate,
    /// `clc`.
    Clc,
    /// `rud`.
    Rud,
    /// A neighbor on a grid.
    Neighbor(Neighbor),
}

/// The names of all functions that every piece of code can call.
pub fn functions() -> impl Iterator<Item = &'static str> {
    let special = SPECIAL.iter().map(|(name, _)| *name);
    special.chain(BUILTINS.iter().map(|builtin| builtin.name()))
}

/// The functions of reals; their names are C's.
pub const BUILTINS: [Builtin; 40] = [
    Builtin::Acos,
    Builtin::Acosh,
    Builtin::Asin,
    Builtin::Asinh,
    Builtin::Atan,
    Builtin::Atan2,
    Builtin::Atanh,
    Builtin::Cbrt,
    Builtin::Ceil,
    Builtin::Copysign,
    Builtin::Cos,
    Builtin::Cosh,
    Builtin::Erf,
    Builtin::Erfc,
    Builtin::Exp,
    Builtin::Exp2,
    Builtin::Expm1,
    Builtin::Fabs,
    Builtin::Fdim,
    Builtin::Floor,
    Builtin::Fma,
    Builtin::Fmax,
    Builtin::Fmin,
    Builtin::Fmod,
    Builtin::Hypot,
    Builtin::Lgamma,
    Builtin::Log,
    Builtin::Log10,
    Builtin::Log1p,
    Builtin::Log2,
    Builtin::Pow,
    Builtin::Rint,
    Builtin::Round,
    Builtin::Sin,
    Builtin::Sinh,
    Builtin::Sqrt,
    Builtin::Tan,
    Builtin::Tanh,
    Builtin::Tgamma,
    Builtin::Trunc,
];

/// Name of the function that prices operations.
pub(super) const CLC: &str = "clc";
/// Name of the function that asks a device of the user's own.
pub(super) const RUD: &str = "rud";

/// Functions other than plain functions of reals.
const SPECIAL: [(&str, Callee<'static>); 29] = [
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
    (Neighbor::Left.name(), Callee::Neighbor(Neighbor::Left)),
    (Neighbor::Right.name(), Callee::Neighbor(Neighbor::Right)),
    (Neighbor::Up.name(), Callee::Neighbor(Neighbor::Up)),
    (Neighbor::Down.name(), Callee::Neighbor(Neighbor::Down)),
    (Neighbor::Front.name(), Callee::Neighbor(Neighbor::Front)),
    (Neighbor::Back.name(), Callee::Neighbor(Neighbor::Back)),
    (Variate::Uniform.name(), Callee::Draw(Variate::Uniform)),
    (
        Variate::Exponential.name(),
        Callee::Draw(Variate::Exponential),
    ),
    (Variate::Normal.name(), Callee::Draw(Variate::Normal)),
    (Variate::Lognormal.name(), Callee::Draw(Variate::Lognormal)),
    (Variate::Gamma.name(), Callee::Draw(Variate::Gamma)),
    (Variate::Erlang.name(), Callee::Draw(Variate::Erlang)),
    (Variate::Weibull.name(), Callee::Draw(Variate::Weibull)),
    (
        Variate::Triangular.name(),
        Callee::Draw(Variate::Triangular),
    ),
    (Variate::Poisson.name(), Callee::Draw(Variate::Poisson)),
    (Variate::Bernoulli.name(), Callee::Draw(Variate::Bernoulli)),
];

/// Methods of Rust's `f64` that have another name in C.
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

/// Methods of Rust's `f64` that have C's name.
const SAME_METHODS: [&str; 25] = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos",
    "cosh", "exp", "exp2", "floor", "hypot", "log10", "log2", "round", "sin", "sinh", "sqrt",
    "tan", "tanh", "trunc",
];

/// Finds the function called `name`; the model's functions hide all others.
pub(super) fn function<'a>(name: &str, scope: &'a Scope) -> Option<Callee<'a>> {
    if let Some((index, signature)) = scope.functions.get(name) {
        return Some(Callee::Cost(*index, signature));
    }
    let special = SPECIAL.iter().find(|(n, _)| *n == name);
    special
        .map(|(_, callee)| callee.clone())
        .or_else(|| builtin(name).map(Callee::Real))
}

/// Finds the function of reals that C calls `name`.
fn builtin(name: &str) -> Option<Builtin> {
    BUILTINS.into_iter().find(|builtin| builtin.name() == name)
}

/// Finds the method of Rust's `f64` called `name`.
pub(super) fn method(name: &str) -> Option<Builtin> {
    if SAME_METHODS.contains(&name) {
        return builtin(name);
    }
    METHODS.iter().find(|(n, _)| *n == name).map(|(_, b)| *b)
}

impl Builtin {
    /// Name, in C and in the runtime.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Acos => "acos",
            Self::Acosh => "acosh",
            Self::Asin => "asin",
            Self::Asinh => "asinh",
            Self::Atan => "atan",
            Self::Atan2 => "atan2",
            Self::Atanh => "atanh",
            Self::Cbrt => "cbrt",
            Self::Ceil => "ceil",
            Self::Copysign => "copysign",
            Self::Cos => "cos",
            Self::Cosh => "cosh",
            Self::Erf => "erf",
            Self::Erfc => "erfc",
            Self::Exp => "exp",
            Self::Exp2 => "exp2",
            Self::Expm1 => "expm1",
            Self::Fabs => "fabs",
            Self::Fdim => "fdim",
            Self::Floor => "floor",
            Self::Fma => "fma",
            Self::Fmax => "fmax",
            Self::Fmin => "fmin",
            Self::Fmod => "fmod",
            Self::Hypot => "hypot",
            Self::Lgamma => "lgamma",
            Self::Log => "log",
            Self::Log10 => "log10",
            Self::Log1p => "log1p",
            Self::Log2 => "log2",
            Self::Pow => "pow",
            Self::Rint => "rint",
            Self::Round => "round",
            Self::Sin => "sin",
            Self::Sinh => "sinh",
            Self::Sqrt => "sqrt",
            Self::Tan => "tan",
            Self::Tanh => "tanh",
            Self::Tgamma => "tgamma",
            Self::Trunc => "trunc",
            Self::AbsInt => "abs",
            Self::MaxInt => "max",
            Self::MinInt => "min",
        }
    }

    /// Number of arguments.
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
    /// Name, in the cost language and in the runtime.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Exponential => "exponential",
            Self::Normal => "normal",
            Self::Lognormal => "lognormal",
            Self::Gamma => "gamma",
            Self::Erlang => "erlang",
            Self::Weibull => "weibull",
            Self::Triangular => "triangular",
            Self::Poisson => "poisson",
            Self::Bernoulli => "bernoulli",
        }
    }

    /// Types of the parameters.
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

    /// Type of the drawn value.
    pub const fn result(self) -> Type {
        match self {
            Self::Poisson => Type::Int,
            Self::Bernoulli => Type::Bool,
            _ => Type::Real,
        }
    }
}

/// Finds the function that a misspelled name may have meant.
pub(super) fn similar_function(name: &str, scope: &Scope) -> Option<String> {
    if name == "ln" {
        return Some("log".to_owned());
    }
    let model = scope.functions.keys().map(String::as_str);
    let special = SPECIAL.iter().map(|(n, _)| *n);
    let builtins = BUILTINS.iter().map(|builtin| builtin.name());
    similar(name, model.take(CANDIDATES).chain(special).chain(builtins))
}

/// Finds the variable that a misspelled name may have meant.
pub(super) fn similar_variable<'a>(
    name: &str,
    own: impl Iterator<Item = &'a str>,
    scope: &'a Scope,
) -> Option<String> {
    let model = scope.variables.keys().map(String::as_str);
    let system = scope.system().map(|(_, n)| n);
    similar(name, own.chain(model.take(CANDIDATES)).chain(system))
}

/// Maximum number of names of a scope that are examined for a suggestion.
const CANDIDATES: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_a_function() {
        assert!(SAME_METHODS.iter().all(|name| method(name).is_some()));
    }
}

//! The functions that every piece of code can call, and what a misspelled name may have meant.

use super::ir::{Builtin, Signature, System, Type, Variate};
use super::scope::Scope;

/// What the name of a function stands for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Callee<'a> {
    /// A cost function: its index in the program, and what it takes.
    Cost(usize, &'a Signature),
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
}

/// The functions of reals, by C's names.
const BUILTINS: [(&str, Builtin); 41] = [
    ("acos", Builtin::Acos),
    ("acosh", Builtin::Acosh),
    ("asin", Builtin::Asin),
    ("asinh", Builtin::Asinh),
    ("atan", Builtin::Atan),
    ("atan2", Builtin::Atan2),
    ("atanh", Builtin::Atanh),
    ("cbrt", Builtin::Cbrt),
    ("ceil", Builtin::Ceil),
    ("copysign", Builtin::Copysign),
    ("cos", Builtin::Cos),
    ("cosh", Builtin::Cosh),
    ("erf", Builtin::Erf),
    ("erfc", Builtin::Erfc),
    ("exp", Builtin::Exp),
    ("exp2", Builtin::Exp2),
    ("expm1", Builtin::Expm1),
    ("fabs", Builtin::Fabs),
    ("fdim", Builtin::Fdim),
    ("floor", Builtin::Floor),
    ("fma", Builtin::Fma),
    ("fmax", Builtin::Fmax),
    ("fmin", Builtin::Fmin),
    ("fmod", Builtin::Fmod),
    ("hypot", Builtin::Hypot),
    ("lgamma", Builtin::Lgamma),
    ("log", Builtin::Log),
    ("log10", Builtin::Log10),
    ("log1p", Builtin::Log1p),
    ("log2", Builtin::Log2),
    ("nearbyint", Builtin::Rint),
    ("pow", Builtin::Pow),
    ("rint", Builtin::Rint),
    ("round", Builtin::Round),
    ("sin", Builtin::Sin),
    ("sinh", Builtin::Sinh),
    ("sqrt", Builtin::Sqrt),
    ("tan", Builtin::Tan),
    ("tanh", Builtin::Tanh),
    ("tgamma", Builtin::Tgamma),
    ("trunc", Builtin::Trunc),
];

/// The functions that are no plain functions of reals.
const SPECIAL: [(&str, Callee<'static>); 20] = [
    ("abs", Callee::Abs),
    ("labs", Callee::Abs),
    ("llabs", Callee::Abs),
    ("llrint", Callee::ToInt(Builtin::Rint)),
    ("llround", Callee::ToInt(Builtin::Round)),
    ("lrint", Callee::ToInt(Builtin::Rint)),
    ("lround", Callee::ToInt(Builtin::Round)),
    ("max", Callee::Max),
    ("min", Callee::Min),
    ("interpolate", Callee::Interpolate),
    ("uniform", Callee::Draw(Variate::Uniform)),
    ("exponential", Callee::Draw(Variate::Exponential)),
    ("normal", Callee::Draw(Variate::Normal)),
    ("lognormal", Callee::Draw(Variate::Lognormal)),
    ("gamma", Callee::Draw(Variate::Gamma)),
    ("erlang", Callee::Draw(Variate::Erlang)),
    ("weibull", Callee::Draw(Variate::Weibull)),
    ("triangular", Callee::Draw(Variate::Triangular)),
    ("poisson", Callee::Draw(Variate::Poisson)),
    ("bernoulli", Callee::Draw(Variate::Bernoulli)),
];

/// Rust's methods on `f64` that C calls otherwise.
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

/// The function called `name`; those of the model hide the others.
pub(super) fn function<'a>(name: &str, scope: &'a Scope) -> Option<Callee<'a>> {
    if let Some((index, signature)) = scope.functions.get(name) {
        return Some(Callee::Cost(*index, signature));
    }
    let special = SPECIAL.iter().find(|(n, _)| *n == name);
    special.map(|(_, callee)| callee.clone()).or_else(|| {
        let builtin = BUILTINS.iter().find(|(n, _)| *n == name);
        builtin.map(|(_, builtin)| Callee::Real(*builtin))
    })
}

/// The method of Rust's `f64` called `name`.
pub(super) fn method(name: &str) -> Option<Builtin> {
    if SAME_METHODS.contains(&name) {
        return BUILTINS.iter().find(|(n, _)| *n == name).map(|(_, b)| *b);
    }
    METHODS.iter().find(|(n, _)| *n == name).map(|(_, b)| *b)
}

impl Builtin {
    /// How many arguments it takes.
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
    /// The types of its parameters.
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

    /// The type of what it draws.
    pub const fn result(self) -> Type {
        match self {
            Self::Poisson => Type::Int,
            Self::Bernoulli => Type::Bool,
            _ => Type::Real,
        }
    }
}

/// The names of functions that a misspelled one may have meant.
pub(super) fn similar_function(name: &str, scope: &Scope) -> Option<String> {
    if name == "ln" {
        return Some("log".to_owned());
    }
    let model = scope.functions.keys().map(String::as_str);
    let special = SPECIAL.iter().map(|(n, _)| *n);
    let builtins = BUILTINS.iter().map(|(n, _)| *n);
    similar(name, model.take(CANDIDATES).chain(special).chain(builtins))
}

/// The names of variables that a misspelled one may have meant.
pub(super) fn similar_variable<'a>(
    name: &str,
    own: impl Iterator<Item = &'a str>,
    scope: &'a Scope,
) -> Option<String> {
    let model = scope.variables.keys().map(String::as_str);
    let system = System::ALL.iter().map(|(_, n)| *n);
    similar(name, own.chain(model.take(CANDIDATES)).chain(system))
}

/// How many names of a scope are looked at for a suggestion.
const CANDIDATES: usize = 500;

/// The candidate that is most like `name`, if any is like it.
fn similar<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let name: Vec<char> = name.chars().flat_map(char::to_lowercase).take(64).collect();
    let allowed = match name.len() {
        0 => return None,
        1 | 2 => 0,
        3..=6 => 1,
        _ => 2,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let letters: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
        if letters.len().abs_diff(name.len()) > allowed {
            continue;
        }
        let distance = edits(&name, &letters);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate.to_owned())
}

/// How many letters must be inserted, deleted, replaced or swapped with their neighbor.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut count = (last[j] + usize::from(x != y)).min(last[j + 1].min(row[j]) + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && *x == b[j - 1] {
                count = count.min(before[j - 1] + 1);
            }
            row.push(count);
        }
        before = last;
        last = row;
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_found() {
        let names = ["NUM_NODES", "pid", "alpha", "alpah2"];
        for (name, found) in [
            ("num_nodes", Some("NUM_NODES")),
            ("NUM_NODE", Some("NUM_NODES")),
            ("pdi", Some("pid")),
            ("PID", Some("pid")),
            ("alhpa", Some("alpha")),
            ("beta", None),
            ("", None),
            ("p", None),
        ] {
            let suggestion = similar(name, names.into_iter());
            assert_eq!(suggestion.as_deref(), found, "{name}");
        }
    }

    #[test]
    fn every_method_is_a_function() {
        assert!(SAME_METHODS.iter().all(|name| method(name).is_some()));
    }
}

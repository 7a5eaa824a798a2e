//! Represents terms of the performance model normal form: products of p^i · log2(p)^j.

use std::fmt::Write as _;

/// A single parameter's part of a term: p^exponent · log2(p)^logs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Factor {
    pub(crate) exponent: f64,
    pub(crate) logs: i32,
    /// The part that doesn't fit in a cache; `None` if all of it counts.
    pub(crate) beyond: Option<Beyond>,
}

/// The part of a working set that doesn't fit in a cache.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Beyond {
    pub(crate) size: f64,
    pub(crate) missing: Missing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// All of it, as in sequential loops: the cache has already dropped what is needed next.
    All,
    /// The share that doesn't fit, as with random accesses.
    Share,
}

impl Beyond {
    fn at(self, p: f64) -> f64 {
        match self.missing {
            Missing::All => f64::from(u8::from(p > self.size)),
            Missing::Share => 1.0 - self.size / p.max(self.size),
        }
    }

    fn write(self, name: &str, text: &mut String) {
        let size = self.size;
        let _ = match self.missing {
            Missing::All => write!(text, " * ({name} > {size:?} ? 1.0 : 0.0)"),
            Missing::Share => write!(text, " * (1.0 - {size:?} / fmax({name}, {size:?}))"),
        };
    }
}

impl Factor {
    /// A factor of 1, for a parameter that the term doesn't contain.
    pub(crate) const NONE: Self = Self {
        exponent: 0.0,
        logs: 0,
        beyond: None,
    };

    pub(crate) fn at(self, p: f64) -> f64 {
        let power = match (self.exponent == 0.0, self.logs) {
            (true, 0) => 1.0,
            (true, logs) => p.log2().powi(logs),
            (false, 0) => p.powf(self.exponent),
            (false, logs) => p.powf(self.exponent) * p.log2().powi(logs),
        };
        self.beyond.map_or(power, |it| power * it.at(p))
    }

    fn write(self, name: &str, text: &mut String) {
        if self.exponent == 1.0 {
            let _ = write!(text, " * {name}");
        } else if self.exponent != 0.0 {
            let _ = write!(text, " * pow({name}, {:?})", self.exponent);
        }
        for _ in 0..self.logs {
            let _ = write!(text, " * log2({name})");
        }
        if let Some(beyond) = self.beyond {
            beyond.write(name, text);
        }
    }
}

/// A product with one factor per parameter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Term(pub(crate) Vec<Factor>);

impl Term {
    pub(crate) fn constant(parameters: usize) -> Self {
        Self(vec![Factor::NONE; parameters])
    }

    pub(crate) fn at(&self, at: &[f64]) -> f64 {
        self.0
            .iter()
            .zip(at)
            .map(|(factor, &p)| factor.at(p))
            .product()
    }

    pub(crate) fn write(&self, names: &[String], text: &mut String) {
        for (factor, name) in self.0.iter().zip(names) {
            factor.write(name, text);
        }
    }
}

/// Exponents of p and log2(p) that Extra-P uses by default. The exponents of p are fractions.
const GROWING: [(f64, f64, i32); 42] = [
    (0.0, 1.0, 1),
    (0.0, 1.0, 2),
    (1.0, 4.0, 0),
    (1.0, 4.0, 1),
    (1.0, 4.0, 2),
    (1.0, 3.0, 0),
    (1.0, 3.0, 1),
    (1.0, 3.0, 2),
    (1.0, 2.0, 0),
    (1.0, 2.0, 1),
    (1.0, 2.0, 2),
    (2.0, 3.0, 0),
    (2.0, 3.0, 1),
    (2.0, 3.0, 2),
    (3.0, 4.0, 0),
    (3.0, 4.0, 1),
    (3.0, 4.0, 2),
    (4.0, 5.0, 0),
    (1.0, 1.0, 0),
    (1.0, 1.0, 1),
    (1.0, 1.0, 2),
    (5.0, 4.0, 0),
    (5.0, 4.0, 1),
    (4.0, 3.0, 0),
    (4.0, 3.0, 1),
    (3.0, 2.0, 0),
    (3.0, 2.0, 1),
    (3.0, 2.0, 2),
    (5.0, 3.0, 0),
    (7.0, 4.0, 0),
    (2.0, 1.0, 0),
    (2.0, 1.0, 1),
    (2.0, 1.0, 2),
    (9.0, 4.0, 0),
    (7.0, 3.0, 0),
    (5.0, 2.0, 0),
    (5.0, 2.0, 1),
    (5.0, 2.0, 2),
    (8.0, 3.0, 0),
    (11.0, 4.0, 0),
    (3.0, 1.0, 0),
    (3.0, 1.0, 1),
];

/// Exponents of work that strong scaling divides: volumes, and their surfaces and edges.
const FALLING: [(f64, f64, i32); 5] = [
    (-2.0, 1.0, 0),
    (-1.0, 1.0, 0),
    (-2.0, 3.0, 0),
    (-1.0, 2.0, 0),
    (-1.0, 3.0, 0),
];

/// Returns a parameter's factors that are finite and vary over the values `levels`. Logarithms are
/// used only for values of at least 1, because a term can't be negative.
pub(crate) fn factors(levels: &[f64]) -> Vec<Factor> {
    if levels.len() < 2 {
        return Vec::new();
    }
    let known = |factor: &Factor| {
        (factor.logs == 0 || levels[0] >= 1.0) && levels.iter().all(|&p| factor.at(p).is_finite())
    };
    FALLING
        .iter()
        .chain(&GROWING)
        .map(|&(numerator, denominator, logs)| Factor {
            exponent: numerator / denominator,
            logs,
            beyond: None,
        })
        .filter(known)
        .collect()
}

//! Finds formulas for integers that differ between ranks, at several sizes, in terms of `pid`, the
//! number of ranks and the parameters. A formula is used only if it is right for all recorded
//! ranks.

use super::points::{FoldPoint, Points, level_count};

type PointValue = dyn Fn(&Points, FoldPoint) -> Option<i64>;

/// A number of parts, such as ranks, sides of a grid, or strides.
pub(super) struct Parts {
    pub(super) text: String,
    pub(super) count: Box<dyn Fn(FoldPoint) -> i64>,
}

impl Parts {
    fn new(text: impl Into<String>, count: impl Fn(FoldPoint) -> i64 + 'static) -> Self {
        Self {
            text: text.into(),
            count: Box::new(count),
        }
    }
}

/// Returns the ways to divide the runs into parts, simplest first.
pub(super) fn parts(points: &Points) -> Vec<Parts> {
    let mut parts = vec![
        Parts::new("NUM_PROCESSES", |it| it.ranks),
        Parts::new("Columns()", |it| it.columns),
        Parts::new("Rows()", FoldPoint::rows),
        Parts::new("(NUM_PROCESSES * NUM_PROCESSES)", |it| it.ranks * it.ranks),
    ];
    if let Some(stride) = &points.stride {
        parts.push(Parts::new(stride, |it| it.stride));
        parts.push(Parts::new(format!("(2 * {stride})"), |it| 2 * it.stride));
        let product = format!("(NUM_PROCESSES * {stride})");
        parts.push(Parts::new(product, |it| it.ranks * it.stride));
    }
    if points.are_squares() {
        return parts;
    }
    for (side, name) in CUBE.into_iter().enumerate() {
        parts.push(Parts::new(name, move |it| it.cube[side]));
    }
    for (one, other) in PAIRS {
        let text = format!("({} * {})", CUBE[one], CUBE[other]);
        parts.push(Parts::new(text, move |it| it.cube[one] * it.cube[other]));
    }
    parts
}

/// Names of the cube's sides, longest first, and of pairs of sides.
const CUBE: [&str; 3] = ["Depth()", "Height()", "Width()"];
const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

/// A number that depends on a rank: its text, and its value on the ranks where it has one.
pub(super) struct Term {
    pub(super) text: String,
    pub(super) value: Box<PointValue>,
}

impl Term {
    fn new(
        text: impl Into<String>,
        value: impl Fn(&Points, FoldPoint) -> Option<i64> + 'static,
    ) -> Self {
        Self {
            text: text.into(),
            value: Box::new(value),
        }
    }
}

pub(super) const FACTOR_MAX: i64 = 1 << 40;

/// Returns a formula for the values at these points; `None` if no known formula fits.
pub(crate) fn formula(values: &[(u32, i64)], points: &Points) -> Option<String> {
    let (_, first) = *values.first()?;
    if values.iter().all(|it| it.1 == first) {
        return Some(first.to_string());
    }
    let terms = terms(points);
    let fits = terms.iter().filter_map(|it| Fit::of(it, values, points));
    let shares = parts(points)
        .into_iter()
        .filter_map(|it| Fit::share(&it, values, points));
    let fits: Vec<Fit> = fits.chain(shares).collect();
    fits.into_iter()
        .min_by_key(|it| (it.rank, !it.is_of_numbers))
        .map(|it| it.text)
}

struct Fit {
    text: String,
    rank: u32,
    /// Whether the term's factor suggests numbers of 1, 2, 4, 8 or 16 bytes.
    is_of_numbers: bool,
}

impl Fit {
    /// Returns the share of a number that each part has, if the share is the same in all runs.
    fn share(parts: &Parts, values: &[(u32, i64)], points: &Points) -> Option<Self> {
        let (point, value) = values.first()?;
        let number = value.checked_mul((parts.count)(points.at(*point)))?;
        let mut shares = values.iter();
        let holds = shares.all(|(point, value)| {
            let count = (parts.count)(points.at(*point));
            value.checked_mul(count) == Some(number)
        });
        holds.then(|| Self {
            text: format!("{number} / {}", parts.text),
            rank: 5,
            is_of_numbers: true,
        })
    }

    fn of(term: &Term, values: &[(u32, i64)], points: &Points) -> Option<Self> {
        let known: Option<Vec<(i64, i64)>> = values
            .iter()
            .map(|(point, value)| Some(((term.value)(points, points.at(*point))?, *value)))
            .collect();
        let mut pairs = known?;
        pairs.sort_unstable();
        pairs.dedup();
        let [(low, at_low), .., (high, at_high)] = *pairs else {
            return None;
        };
        let factor = (at_high - at_low).checked_div(high - low)?;
        let summand = at_low.checked_sub(factor.checked_mul(low)?)?;
        let holds = |(of, value): &(i64, i64)| {
            factor
                .checked_mul(*of)
                .and_then(|it| it.checked_add(summand))
                == Some(*value)
        };
        if factor == 0 || factor.abs() > FACTOR_MAX || !pairs.iter().all(holds) {
            return None;
        }
        let is_of_numbers = [1, 2, 4, 8, 16].contains(&factor.abs());
        // Numbers of each cell, with a halo.
        let has_halo = is_of_numbers && summand % factor == 0 && (summand / factor).abs() <= 2;
        // A line fits any two values, so only a simple one is trusted.
        let rank = match (factor, summand) {
            (1, 0) => 0,
            (_, 0) => 1,
            (1, -2..=2) => 2,
            (_, -2..=2) if pairs.len() > 2 => 3,
            _ if pairs.len() > 2 || has_halo => 4,
            _ => return None,
        };
        let product = match factor {
            1 => term.text.clone(),
            -1 => format!("-{}", in_parentheses(&term.text)),
            _ => format!("{factor} * {}", in_parentheses(&term.text)),
        };
        let text = match summand {
            0 => product,
            ..0 => format!("{product} - {}", -summand),
            _ => format!("{product} + {summand}"),
        };
        Some(Self {
            text,
            rank,
            is_of_numbers,
        })
    }
}

pub(super) fn in_parentheses(text: &str) -> String {
    if text.contains(' ') {
        format!("({text})")
    } else {
        text.to_owned()
    }
}

pub(super) fn terms(points: &Points) -> Vec<Term> {
    let mut terms = vec![
        Term::new("pid", |_, it| Some(it.pid)),
        Term::new("NUM_PROCESSES", |_, it| Some(it.ranks)),
        Term::new("NUM_PROCESSES - 1 - pid", |_, it| {
            Some(it.ranks - 1 - it.pid)
        }),
        Term::new("Columns()", |_, it| Some(it.columns)),
        Term::new("Rows()", |_, it| Some(it.rows())),
        Term::new("Log2()", |_, it| Some(log2(it.ranks))),
        Term::new("pid % Columns()", |_, it| Some(it.pid % it.columns)),
        Term::new("pid / Columns()", |_, it| Some(it.pid / it.columns)),
        Term::new("pid % Rows()", |_, it| Some(it.pid % it.rows())),
        Term::new("pid / Rows()", |_, it| Some(it.pid / it.rows())),
        Term::new("NUM_PROCESSES / 2", |_, it| Some(it.ranks / 2)),
        Term::new("NUM_PROCESSES * NUM_PROCESSES", |_, it| {
            Some(it.ranks * it.ranks)
        }),
    ];
    if let Some(stride) = &points.stride {
        terms.push(Term::new(stride, |_, it| Some(it.stride)));
        terms.push(Term::new(format!("NUM_PROCESSES / {stride}"), |_, it| {
            it.ranks.checked_div(it.stride)
        }));
        // Tags that count levels, up or down.
        terms.push(Term::new(format!("Level({stride})"), |_, it| {
            Some(log2(it.stride))
        }));
        let span = points.span;
        let down = format!("Levels({}) - 1 - Level({stride})", span.text());
        terms.push(Term::new(down, move |_, it| {
            Some(i64::from(level_count(span.size(it))) - 1 - log2(it.stride))
        }));
    }
    for number in 0..points.names.len() {
        let are_whole = points
            .runs()
            .iter()
            .all(|it| is_whole(it.parameters[number]));
        if are_whole {
            parameter_terms(&mut terms, number, &points.parameter_text(number), points);
        }
    }
    terms
}

/// Adds the terms of a parameter, which are blocks of it divided among ranks, rows or columns.
fn parameter_terms(terms: &mut Vec<Term>, number: usize, name: &str, points: &Points) {
    let of = move |points: &Points, it: FoldPoint| whole(points.parameter(it, number));
    terms.push(Term::new(name, move |points, it| Some(of(points, it))));
    for Parts { text, count } in parts(points) {
        let count = std::rc::Rc::new(count);
        let below = count.clone();
        terms.push(Term::new(format!("{name} / {text}"), move |points, it| {
            of(points, it).checked_div(below(it))
        }));
        terms.push(Term::new(
            format!("({name} + {text} - 1) / {text}"),
            move |points, it| (of(points, it) + count(it) - 1).checked_div(count(it)),
        ));
    }
    // Faces of blocks with a halo.
    for halo in [1, 2] {
        let side = format!("({name} / Columns() + {halo})");
        terms.push(Term::new(format!("{side} * {side}"), move |points, it| {
            let side = of(points, it) / it.columns + halo;
            side.checked_mul(side)
        }));
    }
    let pairs = PAIRS.into_iter().filter(|_| !points.are_squares());
    for (one, other) in pairs {
        let text = format!("{name} / {} * ({name} / {})", CUBE[one], CUBE[other]);
        terms.push(Term::new(text, move |points, it| {
            let share = |side: usize| of(points, it).checked_div(it.cube[side]);
            share(one)?.checked_mul(share(other)?)
        }));
    }
    if let Some(stride) = &points.stride {
        let text = format!("{name} / NUM_PROCESSES * {stride}");
        terms.push(Term::new(text, move |points, it| {
            let share = of(points, it).checked_div(it.ranks)?;
            share.checked_mul(it.stride)
        }));
        terms.push(Term::new(
            format!("{name} * {stride}"),
            move |points, it| of(points, it).checked_mul(it.stride),
        ));
    }
    terms.push(Term::new(
        format!("({name} + NUM_PROCESSES - 1 - pid) / NUM_PROCESSES"),
        move |points, it| (of(points, it) + it.ranks - 1 - it.pid).checked_div(it.ranks),
    ));
    terms.push(Term::new(
        format!("{name} * {name} / NUM_PROCESSES"),
        move |points, it| {
            let value = of(points, it);
            value.checked_mul(value)?.checked_div(it.ranks)
        },
    ));
    terms.push(Term::new(format!("{name} * {name}"), move |points, it| {
        let value = of(points, it);
        value.checked_mul(value)
    }));
    terms.push(Term::new(
        format!("{name} / NUM_PROCESSES / NUM_PROCESSES"),
        move |points, it| of(points, it).checked_div(it.ranks)?.checked_div(it.ranks),
    ));
    terms.push(Term::new(
        format!("{name} / NUM_PROCESSES * ({name} / NUM_PROCESSES)"),
        move |points, it| {
            let share = of(points, it).checked_div(it.ranks)?;
            share.checked_mul(share)
        },
    ));
}

/// Returns `true` if an integer formula can contain `number`.
pub(crate) fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() < 9e15
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the number is whole and below 2^53"
)]
fn whole(number: f64) -> i64 {
    number as i64
}

/// Returns the base-2 logarithm, rounded down.
fn log2(number: i64) -> i64 {
    number.max(1).ilog2().into()
}

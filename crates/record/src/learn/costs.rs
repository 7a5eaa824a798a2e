//! Fits costs to the recorded times of all runs.

use prophet_fit::law::{Fit, Options, Samples, fit};
use prophet_fit::measurements::Point;
use prophet_import::{CostFits, FittedCost};
use prophet_text::time;

/// Probability that a time is in its interval.
const LEVEL: f64 = 0.9;
/// Resolution of a rank's clocks, in seconds.
const CLOCK_S: f64 = 1e-7;
/// Note about costs that several laws fit equally well.
const UNDECIDED: &str = "several laws fit the recordings, and the comment on the cost shows \
                         another one: record more numbers of ranks";
const RANKS: &str = "NUM_PROCESSES";
/// Up to which multiple of the largest number of ranks intervals are reported.
const FURTHER: f64 = 4.0;

/// Exponent of the number of ranks above which a law isn't plausible: a rank's computing doesn't
/// grow that fast, so the few times are uneven for another reason.
const GROWTH: f64 = 1.5;

/// Largest power of a parameter that ranks can share.
const POWER_MAX: i32 = 3;
/// Largest factor, up or down, between 1 and the exponent in a law of shares. Except for cache
/// effects, divided work is proportional to the shares. Other exponents indicate shares of a
/// different power.
const EXPONENT: f64 = 1.25;

#[derive(Debug)]
pub(super) struct Fits;

impl CostFits for Fits {
    fn fitted(&self, names: &[String], times: &[(Vec<f64>, f64)]) -> Option<FittedCost> {
        let Some(samples) = samples(names, times) else {
            return constant(times);
        };
        let names = &samples.parameters;
        let Law { fit, of } = best(&samples)?;
        let places = samples.points.iter().map(|it| &it.at);
        let largest = places.max_by(|one, other| one[0].total_cmp(&other[0]))?;
        let grows = |place: usize| {
            let mut further = largest.clone();
            further[place] *= FURTHER;
            let [before, after] = [largest, &further].map(|it| fit.model.at(&of.at(it)));
            after > before * FURTHER.powf(GROWTH)
        };
        let mut of_ranks =
            (0..names.len()).filter(|it| names[*it] == RANKS || is_stride(&names[*it]));
        if of_ranks.any(grows) {
            let most = times.iter().map(|it| it.0[0]).fold(0.0, f64::max);
            let of_most = times.iter().filter(|it| it.0[0] >= most);
            return constant(&of_most.cloned().collect::<Vec<_>>());
        }
        let mut further = largest.clone();
        if names[0] == RANKS {
            further[0] *= FURTHER;
        }
        let place = { names.iter().zip(&further) }.map(|(name, value)| format!("{name}={value}"));
        let place: Vec<String> = place.collect();
        let further = of.at(&further);
        let (low, high) = fit.interval(LEVEL, &further);
        let expression = fit.model.expression(&of.names(names));
        let (modeled, mut notes) = (fit.model.at(&further), fit.notes);
        let undecided = fit.undecided.map_or(String::new(), |rival| {
            notes.push(UNDECIDED.to_owned());
            format!(" Undecided: {rival}.")
        });
        Some(FittedCost {
            expression,
            comment: format!(
                "Fitted to the mean times of {}; at {}: {}, 90 % from {} to {}.{undecided}",
                ranks(times),
                place.join(", "),
                time(modeled),
                time(low),
                time(high)
            ),
            notes,
        })
    }

    fn misses(&self, names: &[String], times: &[(Vec<f64>, f64)]) -> f64 {
        let Some(samples) = samples(names, times) else {
            return 0.0;
        };
        let Some(Law { fit, of }) = best(&samples) else {
            return 0.0;
        };
        let miss = |point: &Point| {
            let modeled = fit.model.at(&of.at(&point.at));
            let misses = point.values.iter().map(|it| (it - modeled).abs());
            misses.sum::<f64>()
        };
        samples.points.iter().map(miss).sum()
    }
}

#[derive(Debug, Clone, Copy)]
enum Of {
    /// A rank's share of a power of the parameter. Its law bends where the share no longer fits in
    /// a cache, which a law of both parameters can't express.
    Share(i32),
    All,
}

impl Of {
    fn at(self, place: &[f64]) -> Vec<f64> {
        match self {
            Self::Share(power) => vec![place[1].powi(power) / place[0]],
            Self::All => place.to_vec(),
        }
    }

    fn names(self, names: &[String]) -> Vec<String> {
        match self {
            Self::Share(power) => {
                let factors = format!(" * {}", names[1]).repeat(power.unsigned_abs() as usize);
                vec![format!("(1.0{factors} / {})", names[0])]
            }
            Self::All => names.to_vec(),
        }
    }
}

#[derive(Debug)]
struct Law {
    fit: Fit,
    of: Of,
}

impl Law {
    fn is_natural(&self) -> bool {
        let places = &self.fit.residuals;
        let (Of::Share(_), [least, .., most]) = (self.of, &places[..]) else {
            return true;
        };
        let exponent = (most.modeled / least.modeled).ln() / (most.at[0] / least.at[0]).ln();
        (1.0 / EXPONENT..EXPONENT).contains(&exponent)
    }
}

fn best(samples: &Samples) -> Option<Law> {
    let has_shares = matches!(&samples.parameters[..], [ranks, other]
        if ranks == RANKS && !is_stride(other));
    let shares = (1..=POWER_MAX).filter(|_| has_shares).map(Of::Share);
    let law = |of: Of| {
        let mut points = Vec::new();
        for point in &samples.points {
            for value in &point.values {
                add(&mut points, of.at(&point.at), *value);
            }
        }
        let parameters = of.names(&samples.parameters);
        let fit = fit(&Samples { parameters, points }, &Options::default()).ok()?;
        let law = Law { fit, of };
        law.is_natural().then_some(law)
    };
    let all = shares.chain([Of::All]).filter_map(law);
    all.min_by(|one, other| other.fit.evidence.total_cmp(&one.fit.evidence))
}

/// Returns `true` if it is the name of a variable for the distance at a level.
fn is_stride(name: &str) -> bool {
    let number = name.strip_prefix("stride");
    number.is_some_and(|it| it.parse::<u32>().is_ok())
}

fn add(points: &mut Vec<Point>, at: Vec<f64>, value: f64) {
    match points.iter_mut().find(|it| it.at == at) {
        Some(point) => point.values.push(value),
        None => points.push(Point {
            at,
            values: vec![value],
        }),
    }
}

fn ranks(times: &[(Vec<f64>, f64)]) -> String {
    prophet_text::counted(times.len() as u64, "rank", "ranks")
}

/// Returns the mean of the times at a single size, as a cost.
fn constant(times: &[(Vec<f64>, f64)]) -> Option<FittedCost> {
    if times.is_empty() {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "ranks are few")]
    let mean = times.iter().map(|it| it.1).sum::<f64>() / times.len() as f64;
    Some(FittedCost {
        expression: format!("{mean:?}"),
        comment: format!("The mean time of {} of one size.", ranks(times)),
        notes: Vec::new(),
    })
}

/// Returns the times by the parameters that vary, because constant parameters don't tell anything
/// about other values; `None` if no parameter varies.
fn samples(names: &[String], times: &[(Vec<f64>, f64)]) -> Option<Samples> {
    let varies = |place: &usize| {
        let bits = |it: &(Vec<f64>, f64)| it.0[*place].to_bits();
        times.iter().any(|it| bits(it) != bits(&times[0]))
    };
    let places: Vec<usize> = (0..names.len()).filter(varies).collect();
    if places.is_empty() {
        return None;
    }
    let mut points: Vec<Point> = Vec::new();
    for (at, time) in times {
        let at: Vec<f64> = places.iter().map(|it| at[*it]).collect();
        add(&mut points, at, time.max(CLOCK_S));
    }
    Some(Samples {
        parameters: places.iter().map(|it| names[*it].clone()).collect(),
        points,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that laws of a rank's share hold at unmeasured numbers of ranks and sizes. Most sizes
    /// are measured with few ranks, because the full size takes long.
    #[test]
    fn shares_of_ranks_are_found() {
        let names = [RANKS.to_owned(), "n".to_owned()];
        let bent = |share: f64| 1e-9 * share * (share.max(2e5) / 2e5).powf(0.25);
        for (power, law) in [
            (1, (&|share| 1e-8 * share) as &dyn Fn(f64) -> f64),
            (1, &bent),
            (2, &|share| 1e-6 + 2e-9 * share),
            (3, &|share| 1e-9 * share.powf(1.1)),
        ] {
            let sizes = [4e4, 4e5, 4e6].map(|it: f64| it.powf(1.0 / f64::from(power)).round());
            let time = |ranks: f64, n: f64| law(n.powi(power) / ranks);
            let small = [1.0, 2.0, 4.0, 8.0].map(|it| [it, sizes[0]]);
            let large = [1.0, 2.0].map(|it| sizes[1..].iter().map(move |n| [it, *n]));
            let at = small.into_iter().chain(large.into_iter().flatten());
            let times: Vec<_> = at.map(|it| (it.to_vec(), time(it[0], it[1]))).collect();
            let Law { fit, of } =
                best(&samples(&names, &times).expect("they differ")).expect("fit");
            for (ranks, n) in [(4.0, sizes[2]), (8.0, sizes[2]), (16.0, 2.0 * sizes[2])] {
                let (ours, theirs) = (fit.model.at(&of.at(&[ranks, n])), time(ranks, n));
                let shown = fit.model.expression(&of.names(&names));
                assert!(
                    (ours / theirs - 1.0).abs() < 0.02,
                    "{shown} {ours} {theirs}"
                );
            }
            let share = format!(
                "(1.0{} / NUM_PROCESSES)",
                " * n".repeat(power.unsigned_abs() as usize)
            );
            assert_eq!(of.names(&names), [share]);
        }
    }
}

//! Costs fitted to the times of all runs.

use prophet_fit::law::{Options, Samples, fit};
use prophet_fit::measurements::Point;
use prophet_import::{Cost, Costs};
use prophet_text::time;

/// Probability with which a time is expected in an interval.
const LEVEL: f64 = 0.9;
/// Resolution of the clocks of a rank, in seconds.
const CLOCK_S: f64 = 1e-7;
/// Name of the number of ranks.
const RANKS: &str = "NUM_PROCESSES";
/// Factor of the largest number of ranks for which an interval is reported.
const FURTHER: f64 = 4.0;

/// Fits of costs.
#[derive(Debug)]
pub(super) struct Fits;

impl Costs for Fits {
    fn fitted(&self, names: &[String], times: &[(Vec<f64>, f64)]) -> Option<Cost> {
        let Some(samples) = samples(names, times) else {
            return constant(times);
        };
        let names = &samples.parameters;
        let fitted = fit(&samples, &Options::default()).ok()?;
        let places = samples.points.iter().map(|it| &it.at);
        let mut further = places
            .max_by(|one, other| one[0].total_cmp(&other[0]))?
            .clone();
        if names[0] == RANKS {
            further[0] *= FURTHER;
        }
        let (low, high) = fitted.interval(LEVEL, &further);
        let place = { names.iter().zip(&further) }.map(|(name, value)| format!("{name}={value}"));
        Some(Cost {
            expression: fitted.model.expression(names),
            comment: format!(
                "Fitted to the mean times of {}; at {}: {}, 90 % from {} to {}.",
                ranks(times),
                place.collect::<Vec<_>>().join(", "),
                time(fitted.model.at(&further)),
                time(low),
                time(high)
            ),
            notes: fitted.notes,
        })
    }

    fn misses(&self, names: &[String], times: &[(Vec<f64>, f64)]) -> f64 {
        let Some(samples) = samples(names, times) else {
            return 0.0;
        };
        let Ok(fitted) = fit(&samples, &Options::default()) else {
            return 0.0;
        };
        let miss = |point: &Point| {
            let modeled = fitted.model.at(&point.at);
            let misses = point.values.iter().map(|it| (it - modeled).abs());
            misses.sum::<f64>()
        };
        samples.points.iter().map(miss).sum()
    }
}

fn ranks(times: &[(Vec<f64>, f64)]) -> String {
    prophet_text::counted(times.len() as u64, "rank", "ranks")
}

/// The mean of times of one size.
fn constant(times: &[(Vec<f64>, f64)]) -> Option<Cost> {
    if times.is_empty() {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "ranks are few")]
    let mean = times.iter().map(|it| it.1).sum::<f64>() / times.len() as f64;
    Some(Cost {
        expression: format!("{mean:?}"),
        comment: format!("The mean time of {} of one size.", ranks(times)),
        notes: Vec::new(),
    })
}

/// Times by the values of the parameters that differ: what is the same in all runs tells nothing of
/// other values. `None` if nothing differs.
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
        let time = time.max(CLOCK_S);
        match points.iter_mut().find(|it| it.at == at) {
            Some(point) => point.values.push(time),
            None => points.push(Point {
                at,
                values: vec![time],
            }),
        }
    }
    Some(Samples {
        parameters: places.iter().map(|it| names[*it].clone()).collect(),
        points,
    })
}

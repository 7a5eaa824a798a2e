//! Fits random laws in the performance model normal form. It measures the errors of predictions far
//! beyond the data, and how many measurements `measure_next` saves.

use std::fmt::Write as _;

use prophet_fit::law::{Fit, Options, Samples};
use prophet_fit::measurements::Point;
use prophet_testing::laws::{Law, Random};

use crate::{Errors, Found, Places};

const LAWS: usize = 60;

/// Noise, and the median errors in percent of Extra-P 4.2.5 with one and with two parameters, for
/// other laws generated in the same way.
const NOISES: [(f64, [f64; 2]); 6] = [
    (0.0, [0.0, 0.0]),
    (0.01, [0.2, 0.3]),
    (0.025, [0.5, 0.6]),
    (0.05, [1.7, 1.1]),
    (0.1, [14.0, 6.7]),
    (0.25, [30.0, 22.0]),
];

/// Grid points that are measured before `measure_next` chooses.
const FIRST: [usize; 6] = [0, 2, 4, 10, 20, 24];

/// Total number of measured points, out of 25 in the grid.
const CHOSEN: usize = 15;

#[expect(clippy::unnecessary_wraps, reason = "cases have one form")]
pub(crate) fn found(_: &Places) -> Result<Found, String> {
    Ok(Found {
        details: format!("{}\n{}", beyond(LAWS), saved(LAWS)),
        ..Found::default()
    })
}

/// Tabulates median errors of predictions, and how many measurements the intervals contain.
fn beyond(count: usize) -> String {
    let mut text = "\
| noise | one parameter | Extra-P | held | two parameters | Extra-P | held |
|---|---|---|---|---|---|---|
"
    .to_owned();
    for (noise, published) in NOISES {
        text = text + "| " + &shown(noise);
        for (parameters, published) in [1, 2].into_iter().zip(published) {
            let (error, held) = accuracy(parameters, noise, count);
            write!(text, " | {error:.2} | {published} | {held:.0} %").expect("it is text");
        }
        text += " |\n";
    }
    text
}

fn shown(noise: f64) -> String {
    if noise > 0.0 {
        format!("±{} %", 100.0 * noise)
    } else {
        "0".to_owned()
    }
}

/// Returns the median error, and the share of measurements in the 90% interval, both in percent.
fn accuracy(parameters: u32, noise: f64, count: usize) -> (f64, f64) {
    let mut random = Random(42 + u64::from(parameters));
    let (mut errors, mut held) = (Errors::default(), 0);
    for _ in 0..count {
        let law = Law::new(&mut random, parameters as usize, noise);
        let fit = fitted(&measured(&law, &mut random), &[]);
        let (_, values) = law.measure(&law.beyond, &mut random);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let (low, high) = fit.interval(0.9, &law.beyond);
        held += usize::from((low..=high).contains(&mean));
        errors.extend([error(&fit, &law)]);
    }
    let held = 100.0 * held as f64 / count as f64;
    (errors.median_percent(), held)
}

/// Tabulates median errors with all points of a grid, and with 60% as many: random points, grid
/// points chosen by `measure_next`, and points that it chooses from the grid and one step beyond.
fn saved(count: usize) -> String {
    let mut text = "\
| noise | all 25 | 15 at random | 15 chosen | 15 chosen, one step beyond allowed |
|---|---|---|---|---|
"
    .to_owned();
    for (noise, _) in NOISES {
        let mut random = Random(142);
        let mut errors: [Errors; 4] = Default::default();
        for _ in 0..count {
            let law = Law::new(&mut random, 2, noise);
            for (errors, fit) in errors.iter_mut().zip(chosen_four_ways(&law, &mut random)) {
                errors.extend([error(&fit, &law)]);
            }
        }
        text = text + "| " + &shown(noise) + " |";
        for errors in errors {
            write!(text, " {:.2} |", errors.median_percent()).expect("it is text");
        }
        text += "\n";
    }
    text
}

/// Fits all points, random points, and chosen points.
fn chosen_four_ways(law: &Law, random: &mut Random) -> [Fit; 4] {
    let all = measured(law, random);
    let mut some = all.clone();
    while some.points.len() > CHOSEN {
        some.points.remove(random.below(some.points.len() - 1));
    }
    let grid: Vec<Vec<f64>> = all.points.iter().map(|point| point.at.clone()).collect();
    let further = [grid.clone(), one_step_beyond(law)].concat();
    [
        fitted(&all, &[]),
        fitted(&some, &[]),
        chosen(law, &all, grid, random),
        chosen(law, &all, further, random),
    ]
}

/// Fits points that `measure_next` chose, starting with the given ones.
fn chosen(law: &Law, all: &Samples, mut places: Vec<Vec<f64>>, random: &mut Random) -> Fit {
    let mut series = Samples {
        points: FIRST.map(|index| all.points[index].clone()).to_vec(),
        ..all.clone()
    };
    loop {
        places.retain(|place| series.points.iter().all(|point| point.at != *place));
        let fit = fitted(&series, &places);
        if series.points.len() == CHOSEN {
            return fit;
        }
        let next = fit
            .measure_next
            .as_ref()
            .unwrap_or(&places[places.len() - 1]);
        series.points.push(point(law.measure(next, random)));
    }
}

/// Returns the points one step beyond the axes of two parameters.
fn one_step_beyond(law: &Law) -> Vec<Vec<f64>> {
    let next = law.axes.iter().map(|axis| axis[4] * (axis[4] / axis[3]));
    let next: Vec<f64> = next.collect();
    let mut places = vec![next.clone()];
    places.extend(law.axes[0].map(|p| vec![p, next[1]]));
    places.extend(law.axes[1].map(|n| vec![next[0], n]));
    places
}

fn measured(law: &Law, random: &mut Random) -> Samples {
    Samples {
        parameters: law.parameters(),
        points: law.measured(random).into_iter().map(point).collect(),
    }
}

fn point((at, values): (Vec<f64>, Vec<f64>)) -> Point {
    Point { at, values }
}

fn fitted(series: &Samples, candidates: &[Vec<f64>]) -> Fit {
    let options = Options {
        candidates: candidates.to_vec(),
        ..Options::default()
    };
    prophet_fit::law::fit(series, &options).expect("a law can be fitted")
}

/// Returns the prediction for the farthest point, and the true value.
fn error(fit: &Fit, law: &Law) -> (f64, f64) {
    (fit.model.at(&law.beyond), law.at(&law.beyond))
}

//! Tables of the accuracy of fits, of measured sets and of random laws, and of what `measure_next`
//! saves: `cargo run --release -p prophet-fit --example accuracy -- FOLDER LAWS`, the folder having
//! Extra-P's JSON Lines; `LAWS` is the number of random laws in each row.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts and indices are small"
)]
#![allow(clippy::float_cmp, reason = "scales are whole numbers")]
#![allow(clippy::print_stdout, reason = "tables are what the program is for")]

#[path = "../../tests/laws/mod.rs"]
mod laws;
#[path = "../../tests/sets/mod.rs"]
mod sets;

use std::env;
use std::path::Path;

use laws::{Law, Random, median_percent};
use prophet_fit::{Fit, Options, Series, fit};
use sets::SPLITS;

const NOISES: [f64; 6] = [0.0, 0.01, 0.025, 0.05, 0.1, 0.25];

/// Places of the grid that are measured first, before `measure_next` chooses.
const FIRST: [usize; 6] = [0, 2, 4, 10, 20, 24];

fn main() {
    let mut arguments = env::args().skip(1);
    let folder = arguments
        .next()
        .unwrap_or_else(|| "../shared/measurements".into());
    let laws = arguments
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or(100);
    measured(Path::new(&folder));
    random(laws);
    saved(laws);
}

fn measured(folder: &Path) {
    println!("set                            points  mean %  Extra-P  naive  held by 90 %");
    let mut product = 1.0;
    for split in &SPLITS {
        let Some(outcome) = split.outcome(folder) else {
            continue;
        };
        let (count, error) = (outcome.errors.len(), outcome.mean_percent());
        println!(
            "{:30} {count:6} {error:7.1} {:8.1} {:6.1} {:13.0}",
            split.name,
            split.extra_p,
            split.naive,
            100.0 * outcome.held as f64 / count as f64
        );
        product *= error;
    }
    println!("geometric mean {:.1}", f64::powf(product, 0.2));
}

fn random(count: usize) {
    println!("parameters  noise %  median error %  held by 90 %");
    for parameters in 1..=2 {
        for noise in NOISES {
            let mut random = Random(42 + parameters as u64);
            let (mut errors, mut held) = (Vec::new(), 0);
            for _ in 0..count {
                let law = Law::new(&mut random, parameters, noise);
                let fit = fitted(&law.series(&mut random), &[]);
                let measured = law.measure(&law.beyond, &mut random).values;
                let mean = measured.iter().sum::<f64>() / measured.len() as f64;
                let (low, high) = fit.interval(0.9, &law.beyond);
                held += usize::from((low..=high).contains(&mean));
                errors.push(error(&fit, &law));
            }
            println!(
                "{parameters:10} {:8.1} {:15.2} {:13.0}",
                100.0 * noise,
                median_percent(errors),
                100.0 * held as f64 / count as f64
            );
        }
    }
}

/// Errors with all points of a grid, and with 60 % of as many: chosen of the grid at random, chosen
/// of it by `measure_next`, and by it of the grid and one step beyond.
fn saved(count: usize) {
    println!("noise %  25 points  15 at random  15 chosen  15 chosen, one step beyond");
    for noise in NOISES {
        let mut random = Random(142);
        let mut errors: [Vec<f64>; 4] = Default::default();
        for _ in 0..count {
            let law = Law::new(&mut random, 2, noise);
            let all = law.series(&mut random);
            errors[0].push(error(&fitted(&all, &[]), &law));
            let mut some = all.clone();
            while some.points.len() > 15 {
                let index = (random.unit() * (some.points.len() - 1) as f64) as usize;
                some.points.remove(index);
            }
            errors[1].push(error(&fitted(&some, &[]), &law));
            let grid: Vec<Vec<f64>> = all.points.iter().map(|point| point.at.clone()).collect();
            errors[2].push(error(&chosen(&law, &all, grid.clone(), &mut random), &law));
            let further = [grid, beyond(&law)].concat();
            errors[3].push(error(&chosen(&law, &all, further, &mut random), &law));
        }
        let [all, some, chosen, further] = errors.map(median_percent);
        println!(
            "{:7.1} {all:10.2} {some:13.2} {chosen:10.2} {further:27.2}",
            100.0 * noise
        );
    }
}

/// Fit of 15 points, all but the first of which `measure_next` chose.
fn chosen(law: &Law, all: &Series, mut places: Vec<Vec<f64>>, random: &mut Random) -> Fit {
    let mut series = Series {
        points: Vec::new(),
        ..all.clone()
    };
    series
        .points
        .extend(FIRST.map(|index| all.points[index].clone()));
    loop {
        places.retain(|place| series.points.iter().all(|point| point.at != *place));
        let fit = fitted(&series, &places);
        if series.points.len() == 15 {
            return fit;
        }
        let next = fit
            .measure_next
            .clone()
            .unwrap_or_else(|| places[places.len() - 1].clone());
        series.points.push(law.measure(&next, random));
    }
}

/// Places one step beyond the axes of two parameters.
fn beyond(law: &Law) -> Vec<Vec<f64>> {
    let next: Vec<f64> = law
        .axes
        .iter()
        .map(|axis| axis[4] * (axis[4] / axis[3]))
        .collect();
    let mut places = vec![next.clone()];
    places.extend(law.axes[0].map(|p| vec![p, next[1]]));
    places.extend(law.axes[1].map(|n| vec![next[0], n]));
    places
}

fn fitted(series: &Series, candidates: &[Vec<f64>]) -> Fit {
    let options = Options {
        candidates: candidates.to_vec(),
        ..Options::default()
    };
    fit(series, &options).expect("a fit")
}

fn error(fit: &Fit, law: &Law) -> f64 {
    (fit.model.at(&law.beyond) / law.at(&law.beyond) - 1.0).abs()
}

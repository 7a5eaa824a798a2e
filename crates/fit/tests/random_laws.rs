//! Fits random laws: exactly without noise, and no worse than Extra-P with it.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts and indices are small"
)]

use prophet_fit::law::{Fit, Options, Samples};
use prophet_fit::measurements::Point;
use prophet_testing::laws::{Law, Random};

fn series(law: &Law, random: &mut Random) -> Samples {
    let points = law.measured(random).into_iter();
    Samples {
        parameters: law.parameters(),
        points: points.map(|(at, values)| Point { at, values }).collect(),
    }
}

fn fitted(series: &Samples) -> Fit {
    prophet_fit::law::fit(series, &Options::default()).expect("a fit")
}

fn median_percent(mut shares: Vec<f64>) -> f64 {
    shares.sort_by(f64::total_cmp);
    100.0 * shares[shares.len() / 2]
}

/// Returns the median prediction error in percent, and the share of 90 % intervals that contain the
/// value.
fn accuracy(parameters: usize, noise: f64, count: usize) -> (f64, f64) {
    let mut random = Random(parameters as u64);
    let (mut errors, mut held) = (Vec::new(), 0);
    for _ in 0..count {
        let law = Law::new(&mut random, parameters, noise);
        let fit = fitted(&series(&law, &mut random));
        let truth = law.at(&law.beyond);
        errors.push((fit.model.at(&law.beyond) / truth - 1.0).abs());
        let (low, high) = fit.interval(0.9, &law.beyond);
        held += usize::from((low..=high).contains(&truth));
    }
    (median_percent(errors), held as f64 / count as f64)
}

#[test]
fn laws_without_noise_are_found() {
    assert!(accuracy(1, 0.0, 30).0 < 1e-3);
    assert!(accuracy(2, 0.0, 20).0 < 1e-3);
}

/// Work that is divided among processes, plus messages between them: two factors of one parameter.
#[test]
fn divided_work_and_messages_are_found() {
    let laws: [fn(f64, f64) -> f64; 4] = [
        |p, n| 2.0 + n / p + 3.0 * p.log2(),
        |p, n| n / p + 3.0 * p.log2(),
        |p, n| n * n.log2() / p + 5.0 * p,
        |p, n| n * n * n / p + 400.0 * n * n,
    ];
    for (index, law) in laws.into_iter().enumerate() {
        let grid = [4.0, 8.0, 16.0, 32.0, 64.0]
            .map(|p| [100.0, 200.0, 300.0, 400.0, 500.0].map(|n: f64| vec![p, n]));
        let series = Samples {
            parameters: vec!["p".into(), "n".into()],
            points: grid
                .concat()
                .into_iter()
                .map(|at| Point {
                    values: vec![law(at[0], at[1])],
                    at,
                })
                .collect(),
        };
        let predicted = fitted(&series).model.at(&[256.0, 2000.0]);
        let error = (predicted / law(256.0, 2000.0) - 1.0).abs();
        assert!(error < 0.01, "law {index}: {error}");
    }
}

#[test]
fn noise_is_no_worse_than_for_extra_p() {
    for (parameters, noise, limit) in [(1, 0.05, 1.7), (1, 0.25, 30.0), (2, 0.05, 1.1)] {
        let (error, held) = accuracy(parameters, noise, 40);
        assert!(
            error < limit,
            "{parameters} parameters, noise {noise}: {error} %"
        );
        assert!(
            held >= 0.8,
            "{parameters} parameters, noise {noise}: {held} held"
        );
    }
}

/// Returns the shares of 90 % intervals that contain the mean of five later values, at four times
/// the largest of five measured scales: for laws in the normal form, for saturating laws, and for
/// sums of two powers.
fn held_by_law(noise: f64, count: usize) -> [f64; 3] {
    const AXES: [[f64; 5]; 2] = [[4.0, 8.0, 16.0, 32.0, 64.0], [10.0, 20.0, 30.0, 40.0, 50.0]];
    const POWERS: [f64; 7] = [-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0];
    [0, 1, 2].map(|kind| {
        let mut random = Random(11 + kind);
        let mut held = 0;
        for number in 0..count {
            let axis = AXES[random.below(2)];
            let knee = axis[0] * (axis[4] / axis[0]).powf(random.unit());
            let normal = Law::new(&mut random, 1, noise);
            let [a, b] = [0, 1].map(|it| POWERS[(random.below(6) * 2 + it) % POWERS.len()]);
            let law = |p: f64| match (kind, number % 3) {
                (0, _) => normal.at(&[p]),
                (1, 0) => p / (p + knee),
                (1, 1) => 1.0 - (-p / knee).exp(),
                (1, _) => p / p.hypot(knee),
                _ => (p / knee).powf(a) + (p / knee).powf(b),
            };
            let mut measure = |p: f64| Point {
                at: vec![p],
                values: (0..5)
                    .map(|_| law(p) * (1.0 + noise * (2.0 * random.unit() - 1.0)))
                    .collect(),
            };
            let samples = Samples {
                parameters: vec!["p".into()],
                points: axis.map(&mut measure).into(),
            };
            let later = measure(4.0 * axis[4]);
            let (low, high) = fitted(&samples).interval(0.9, &later.at);
            let mean = later.values.iter().sum::<f64>() / 5.0;
            held += usize::from((low..=high).contains(&mean));
        }
        held as f64 / count as f64
    })
}

#[test]
fn intervals_of_laws_hold() {
    let held = held_by_law(0.05, 40);
    assert!(held.iter().all(|it| *it > 0.8), "{held:?}");
}

/// Draws 300 laws of each kind.
#[test]
#[ignore = "it takes a minute"]
fn intervals_hold_nine_tenths_of_each_law() {
    let all = [0.01, 0.05, 0.2].map(|noise| held_by_law(noise, 100));
    for kind in 0..3 {
        let held = all.iter().map(|it| it[kind]).sum::<f64>() / 3.0;
        eprintln!("law {kind}: {held:.3} held");
        assert!((0.87..=0.98).contains(&held), "{held} of {all:?}");
    }
}

/// Fits the times of messages in microseconds: some latency, a part that grows, and 10 GB/s.
fn messages(largest: u32) -> Fit {
    let points = (0..=largest).map(|power| {
        let bytes = f64::from(1 << power);
        let error = if power % 2 == 0 { 1.02 } else { 0.98 };
        Point {
            at: vec![bytes],
            values: vec![error * time_us(bytes)],
        }
    });
    fitted(&Samples {
        parameters: vec!["bytes".into()],
        points: points.collect(),
    })
}

fn time_us(bytes: f64) -> f64 {
    2.0 + 0.01 * bytes.sqrt() + 1e-4 * bytes
}

#[test]
fn bytes_of_files_are_no_messages() {
    let points = (6..13).map(|power| {
        let bytes = f64::from(1 << power);
        Point {
            at: vec![bytes],
            values: vec![1e-6 * bytes * bytes],
        }
    });
    let fit = fitted(&Samples {
        parameters: vec!["file_bytes".into()],
        points: points.collect(),
    });
    let [one, two] = [8192.0, 16384.0].map(|it| fit.model.at(&[it]));
    assert!((two / one - 4.0).abs() < 0.1, "{one} and {two}");
}

#[test]
fn messages_have_a_latency_and_a_bandwidth() {
    let large = [f64::from(1 << 22)];
    let fit = messages(16);
    let [one, two] = [1.0, 16.0].map(|it| fit.model.at(&[it * large[0]]));
    assert!((14.0..=16.0).contains(&(two / one)), "{one} and {two}");
    assert!((one / time_us(large[0])).ln().abs() < 0.5, "{one}");
    // The bandwidth isn't visible in latencies alone.
    for largest in [9, 16] {
        let (low, high) = messages(largest).interval(0.9, &large);
        assert!((low..=high).contains(&time_us(large[0])), "{low} to {high}");
        assert!(largest > 9 || high > 10.0 * low, "{low} to {high}");
    }
}

#[test]
fn an_expression_has_the_value_of_its_model() {
    let mut random = Random(7);
    let law = Law::new(&mut random, 1, 0.0);
    let fit = fitted(&series(&law, &mut random));
    let text = fit.model.expression(&["p".into()]);
    let p: f64 = 100.0;
    let terms = text.split(" + ").map(|term| {
        let factors = term.split(" * ").map(|factor| match factor {
            "p" => p,
            "log2(p)" => p.log2(),
            _ => match factor
                .strip_prefix("pow(p, ")
                .and_then(|rest| rest.strip_suffix(')'))
            {
                Some(exponent) => p.powf(exponent.parse().expect("an exponent")),
                None => factor.parse().expect("a number"),
            },
        });
        factors.product::<f64>()
    });
    let value: f64 = terms.sum();
    assert!((value / fit.model.at(&[p]) - 1.0).abs() < 1e-12, "{text}");
}

#[test]
fn the_next_measurement_is_one_of_the_possible_ones() {
    let mut random = Random(3);
    let law = Law::new(&mut random, 1, 0.1);
    let candidates = vec![vec![100.0], vec![200.0]];
    let options = Options {
        candidates: candidates.clone(),
        ..Options::default()
    };
    let fit = prophet_fit::law::fit(&series(&law, &mut random), &options).expect("a fit");
    assert!(candidates.contains(&fit.measure_next.expect("a place")));
}

#[test]
fn candidates_that_fit_alike_are_told() {
    let mut random = Random(11);
    let law = Law::new(&mut random, 1, 0.5);
    let mut series = series(&law, &mut random);
    series.points.truncate(3);
    let fit = fitted(&series);
    let told = fit.undecided.expect("a doubt");
    assert!(
        told.contains(" fits about equally well, but gives "),
        "{told}"
    );
}

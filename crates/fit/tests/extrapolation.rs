//! Intervals of growth that only the largest scale shows.

#![allow(clippy::cast_precision_loss, reason = "counts are small")]

use prophet_fit::law::{Options, Samples};
use prophet_fit::measurements::Point;
use prophet_testing::laws::Random;

/// Number of a distribution close to the standard normal one.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| random.unit()).sum::<f64>() - 6.0
}

/// Number of 80 intervals at 128 and 256 that hold 5 + 0.0004 p^2, measured at 4 to 64.
fn held(noise: f64, repetitions: u32) -> usize {
    let mut random = Random(29);
    let law = |p: f64| 5.0 + 0.0004 * p * p;
    let mut held = 0;
    for _ in 0..40 {
        let points = [4.0, 8.0, 16.0, 32.0, 64.0].map(|p| Point {
            at: vec![p],
            values: (0..repetitions)
                .map(|_| law(p) * (noise * normal(&mut random)).exp())
                .collect(),
        });
        let series = Samples {
            parameters: vec!["p".to_owned()],
            points: points.to_vec(),
        };
        let fit = prophet_fit::law::fit(&series, &Options::default()).expect("a fit");
        for p in [128.0, 256.0] {
            let (low, high) = fit.interval(0.9, &[p]);
            held += usize::from((low..=high).contains(&law(p)));
        }
    }
    held
}

#[test]
fn growth_that_the_largest_scale_alone_shows_is_held() {
    for repetitions in [1, 5] {
        let found = [0.01, 0.05, 0.2].map(|noise| held(noise, repetitions));
        assert!(found.iter().all(|it| *it >= 68), "of 80: {found:?}");
    }
}

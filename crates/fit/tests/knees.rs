//! Tests costs of working sets that exceed a machine's caches.

use prophet_fit::law::{Fit, Knees, Options, Samples, fit};
use prophet_fit::measurements::Point;

const CACHES: [f64; 2] = [32e3, 1e6];

/// Returns a working set for a number below [`COUNT`]. There are some on both sides of each cache
/// size.
fn size(number: i32) -> f64 {
    4e3 * 2_f64.powi(number)
}

const COUNT: i32 = 14;

/// Fits a cost with errors of 2 %, with or without the machine's caches.
fn fitted(cost: impl Fn(f64) -> f64, leaves_out: Option<i32>, has_caches: bool) -> Fit {
    let points = (0..COUNT).filter(|it| Some(*it) != leaves_out);
    let points = points.map(|number| Point {
        at: vec![size(number)],
        values: vec![cost(size(number)) * (1.0 + 0.02 * (f64::from(number) * 2.4).sin())],
    });
    let samples = Samples {
        parameters: vec!["working_set".into()],
        points: points.collect(),
    };
    let options = Options {
        knees: has_caches.then(|| Knees {
            parameter: 0,
            sizes: CACHES.to_vec(),
        }),
        ..Options::default()
    };
    fit(&samples, &options).expect("a fit")
}

/// Returns the mean error of predicting each size from all others.
fn left_out(cost: impl Fn(f64) -> f64, has_caches: bool) -> f64 {
    let error = |number: i32| {
        let at = size(number);
        let found = fitted(&cost, Some(number), has_caches).model.at(&[at]);
        (found / cost(at)).ln().abs()
    };
    (0..COUNT).map(error).sum::<f64>() / f64::from(COUNT)
}

#[test]
fn levels_are_found_where_they_are_and_only_there() {
    let in_order = |size: f64| {
        let beyond = CACHES.map(|cache| if size > cache { size } else { 0.0 });
        1e-10 * size + 2e-10 * beyond[0] + 7e-10 * beyond[1]
    };
    let scattered = |size: f64| 1e-10 * size + 4e-10 * (size - CACHES[1]).max(0.0);
    let even = |size: f64| 3e-10 * size;
    for (cost, levels) in [
        (&in_order as &dyn Fn(f64) -> f64, 2),
        (&scattered, 1),
        (&even, 0),
    ] {
        let [with, without] = [true, false].map(|has_caches| left_out(cost, has_caches));
        assert!(
            with < 0.03,
            "{levels}: {with} with caches, {without} without"
        );
        assert!(
            levels == 0 || with < without / 2.0,
            "{levels}: {with}, {without}"
        );
        let found = fitted(cost, None, true).model.expression(&["w".into()]);
        let told = ["32000.0", "1000000.0"].map(|it| found.contains(it));
        let told = told.into_iter().filter(|it| *it).count();
        assert_eq!(told, levels, "{found}");
    }
}

//! Costs beyond the caches of a machine.

use prophet_fit::law::{Fit, Knees, Options, Samples, fit};
use prophet_fit::measurements::Point;

const CACHES: [f64; 2] = [32e3, 1e6];

/// Working sets on both sides of each cache.
fn sizes() -> impl Iterator<Item = f64> {
    (0..14).map(|it| 4e3 * 2_f64.powi(it))
}

/// A fit of a cost with errors of 2 %, with the caches or without them.
fn fitted(cost: impl Fn(f64) -> f64, leaves_out: f64, has_caches: bool) -> Fit {
    let points = sizes().filter(|it| *it != leaves_out).enumerate();
    let points = points.map(|(index, size)| Point {
        at: vec![size],
        values: vec![cost(size) * (1.0 + 0.02 * (index as f64 * 2.4).sin())],
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

/// Mean error of sizes that are left out, each predicted from the others.
fn left_out(cost: impl Fn(f64) -> f64, has_caches: bool) -> f64 {
    let error = |size: f64| {
        let found = fitted(&cost, size, has_caches).model.at(&[size]);
        (found / cost(size)).ln().abs()
    };
    sizes().map(error).sum::<f64>() / 14.0
}

#[test]
fn levels_are_found_where_they_are_and_only_there() {
    let in_order = |size: f64| {
        let beyond = CACHES.map(|cache| if size > cache { size } else { 0.0 });
        1e-10 * size + 2e-10 * beyond[0] + 7e-10 * beyond[1]
    };
    let scattered = |size: f64| 1e-10 * size + CACHES.map(|it| 4e-10 * (size - it).max(0.0))[1];
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
        let found = fitted(cost, 0.0, true).model.expression(&["w".into()]);
        let told =
            found.matches("32000.0").count().min(1) + found.matches("1000000.0").count().min(1);
        assert_eq!(told, levels, "{found}");
    }
}

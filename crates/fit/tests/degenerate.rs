//! Tests measurements that say little or nothing: each is either fitted or rejected.

use prophet_fit::law::{self, Fit, Options, Refusal, Samples};
use prophet_fit::measurements::Point;

fn samples(names: &[&str], points: impl IntoIterator<Item = (Vec<f64>, Vec<f64>)>) -> Samples {
    let points = points.into_iter().map(|(at, values)| Point { at, values });
    Samples {
        parameters: names.iter().map(|it| (*it).to_owned()).collect(),
        points: points.collect(),
    }
}

fn series(points: &[(f64, f64)]) -> Samples {
    samples(&["p"], points.iter().map(|&(p, y)| (vec![p], vec![y])))
}

fn growing(count: u32, at: f64, value: f64) -> Vec<(f64, f64)> {
    let numbers = (1..=count).map(f64::from);
    numbers.map(|it| (it * at, it * value)).collect()
}

fn fit(samples: &Samples) -> Result<Fit, Refusal> {
    law::fit(samples, &Options::default())
}

fn fitted(points: &[(f64, f64)]) -> Fit {
    fit(&series(points)).expect("a fit")
}

fn refused(samples: &Samples) -> String {
    fit(samples).expect_err("a refusal").to_string()
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let nothing = samples(&["p"], [(vec![1.0], Vec::new())]);
    assert_eq!(fit(&nothing).err(), Some(Refusal::Empty));
    let infinite = "point 2 has an infinite or invalid number";
    let other = [(vec![1.0], vec![1.0]), (vec![1.0, 2.0], vec![1.0])];
    let cases = [
        (series(&[]), "no measured values found"),
        (series(&[(1.0, 1.0), (2.0, f64::NAN)]), infinite),
        (series(&[(1.0, 1.0), (f64::INFINITY, 1.0)]), infinite),
        (series(&[(-1.0, 1.0)]), "point 1 has a negative `p`"),
        (
            series(&[(1.0, 1.0), (2.0, -1.0)]),
            "point 2 has a negative value, which only a fit with signed coefficients supports",
        ),
        (
            samples(&["p"], other),
            "point 2 has 2 parameters instead of 1",
        ),
    ];
    for (samples, message) in cases {
        assert_eq!(refused(&samples), message);
    }
}

#[test]
fn what_does_not_vary_is_a_constant() {
    let one = [
        "`p` never varies, so the model cannot predict its effect",
        "a single point gives only a constant: measure 4 or more values of a parameter",
    ];
    let equal = [1.0, 2.0, 4.0, 8.0].map(|p| (p, 3.0)).to_vec();
    for (points, expression, notes) in [
        (vec![(4.0, 7.0)], "7.0", &one[..]),
        (growing(4, 1.0, 0.0), "0.0", &["all values are zero"]),
        (equal, "3.0", &[]),
    ] {
        let fit = fitted(&points);
        assert_eq!(fit.model.expression(&["p".into()]), expression);
        assert_eq!(fit.notes, notes);
        assert_eq!(fit.undecided, None);
    }
    let one = fitted(&[(4.0, 7.0)]);
    assert_eq!((one.error_left_out, one.measure_next), (None, None));
    let zeros = fitted(&growing(4, 1.0, 0.0));
    assert_eq!(zeros.interval(0.9, &[100.0]), (0.0, 0.0));
}

#[test]
fn points_at_one_place_are_repetitions() {
    let fit = fitted(&[
        (1.0, 3.0),
        (1.0, 3.2),
        (1.0, 2.8),
        (2.0, 6.0),
        (2.0, 6.1),
        (2.0, 5.9),
    ]);
    assert_eq!(fit.residuals.len(), 2);
    assert!((fit.residuals[0].measured - 3.0).abs() < 1e-12);
}

#[test]
fn signed_coefficients_follow_negative_values() {
    let points = [1.0, 2.0, 4.0, 8.0, 16.0].map(|it| (it, -2.0 * it));
    let options = Options {
        signed: true,
        ..Options::default()
    };
    let fit = law::fit(&series(&points), &options).expect("a fit");
    assert!((fit.model.at(&[64.0]) + 128.0).abs() < 1e-3);
    let (low, high) = fit.interval(0.9, &[64.0]);
    assert!(low <= -127.9 && high >= -128.1 && low <= high);
}

#[test]
fn zero_among_positive_values_is_no_obstacle() {
    let fit = fitted(&[(0.0, 0.0), (1.0, 2.0), (2.0, 4.0), (3.0, 6.0), (4.0, 8.0)]);
    assert!((fit.model.at(&[10.0]) - 20.0).abs() < 1e-3);
}

#[test]
fn a_million_rows_are_grouped() {
    let points = (0..1_000_000).map(|i| {
        let p = f64::from(i % 1000 + 1);
        (vec![p], vec![p * (1.0 + f64::from(i / 1000) * 1e-5)])
    });
    let fit = fit(&samples(&["p"], points)).expect("a fit");
    assert_eq!(fit.residuals.len(), 1000);
    assert!((fit.model.at(&[4000.0]) / 4020.0 - 1.0).abs() < 0.01);
    assert_eq!(
        fit.notes,
        ["300 of 1000 points were used to choose the model; they are spread over all points"]
    );
}

#[test]
fn a_parameter_that_never_varies_is_left_out() {
    let points = [8.0, 16.0, 32.0, 64.0].map(|p| (vec![p, 3.0], vec![p]));
    let series = samples(&["p", "n"], points);
    let fit = fit(&series).expect("a fit");
    assert!(!fit.model.expression(&series.parameters).contains('n'));
    assert_eq!(
        fit.notes,
        ["`n` never varies, so the model cannot predict its effect"]
    );
}

#[test]
fn extreme_numbers_have_a_finite_fit() {
    for size in [1e-320, 1e-200, 1e150, 1e300] {
        let fit = fitted(&growing(4, 1.0, size));
        assert!(fit.model.at(&[4.0]).is_finite(), "{size}");
        let large = fitted(&growing(4, size, 1.0));
        assert!(large.model.at(&[4.0 * size]).is_finite(), "{size}");
    }
}

#[test]
fn many_parameters_have_a_fit() {
    let at = |i: u32| (0..16).map(move |p| f64::from(1 + (i >> (p % 5) & 3)));
    let points = (0..40_u32).map(|i| (at(i).collect(), vec![f64::from(i + 1)]));
    let names: Vec<String> = (0..16).map(|p| format!("p{p}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let fit = fit(&samples(&names, points)).expect("a fit");
    assert!(fit.residuals.iter().all(|residual| residual.modeled > 0.0));
}

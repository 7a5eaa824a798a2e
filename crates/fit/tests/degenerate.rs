//! Measurements that tell little, or nothing: each has an answer or a refusal.

use prophet_fit::law::{Fit, Options, Refusal, Samples, fit};
use prophet_fit::measurements::Point;

fn series(points: &[(f64, f64)]) -> Samples {
    let points = points.iter().map(|&(p, y)| Point {
        at: vec![p],
        values: vec![y],
    });
    Samples {
        parameters: vec!["p".into()],
        points: points.collect(),
    }
}

fn fitted(points: &[(f64, f64)]) -> Fit {
    fit(&series(points), &Options::default()).expect("a fit")
}

fn refused(points: &[(f64, f64)]) -> String {
    fit(&series(points), &Options::default())
        .expect_err("a refusal")
        .to_string()
}

#[test]
fn nothing_is_refused() {
    assert_eq!(refused(&[]), "there is no measured value");
    let empty = Point {
        at: vec![1.0],
        values: Vec::new(),
    };
    let series = Samples {
        parameters: vec!["p".into()],
        points: vec![empty],
    };
    assert_eq!(
        fit(&series, &Options::default()).err(),
        Some(Refusal::Empty)
    );
}

#[test]
fn numbers_that_are_none_are_refused() {
    let message = "point 2 has a number that is infinite or not a number";
    assert_eq!(refused(&[(1.0, 1.0), (2.0, f64::NAN)]), message);
    assert_eq!(refused(&[(1.0, 1.0), (f64::INFINITY, 1.0)]), message);
}

#[test]
fn negative_numbers_are_refused() {
    assert_eq!(refused(&[(-1.0, 1.0)]), "point 1 has a negative `p`");
    assert_eq!(
        refused(&[(1.0, 1.0), (2.0, -1.0)]),
        "point 2 has a negative value; only a fit with signed coefficients takes it"
    );
}

#[test]
fn a_point_of_other_parameters_is_refused() {
    let mut series = series(&[(1.0, 1.0)]);
    series.points.push(Point {
        at: vec![1.0, 2.0],
        values: vec![1.0],
    });
    let refusal = fit(&series, &Options::default()).expect_err("a refusal");
    assert_eq!(refusal.to_string(), "point 2 has 2 parameters instead of 1");
}

#[test]
fn one_point_is_a_constant() {
    let fit = fitted(&[(4.0, 7.0)]);
    assert_eq!(fit.model.expression(&["p".into()]), "7.0");
    assert_eq!(fit.error_left_out, None);
    assert_eq!(fit.measure_next, None);
    assert_eq!(
        fit.notes,
        [
            "`p` never varies: the model says nothing about other values of it",
            "one point gives a constant: measure 4 or more values of a parameter",
        ]
    );
}

#[test]
fn zeros_are_zero() {
    let fit = fitted(&[(1.0, 0.0), (2.0, 0.0), (4.0, 0.0), (8.0, 0.0)]);
    assert_eq!(fit.model.expression(&["p".into()]), "0.0");
    assert_eq!(fit.interval(0.9, &[100.0]), (0.0, 0.0));
    assert_eq!(fit.notes, ["all values are zero"]);
}

#[test]
fn equal_values_are_a_constant() {
    let fit = fitted(&[(1.0, 3.0), (2.0, 3.0), (4.0, 3.0), (8.0, 3.0)]);
    assert_eq!(fit.model.expression(&["p".into()]), "3.0");
    assert_eq!(fit.undecided, None);
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
    let points = [
        (1.0, -2.0),
        (2.0, -4.0),
        (4.0, -8.0),
        (8.0, -16.0),
        (16.0, -32.0),
    ];
    let options = Options {
        signed: true,
        ..Options::default()
    };
    let fit = fit(&series(&points), &options).expect("a fit");
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
        Point {
            at: vec![p],
            values: vec![p * (1.0 + f64::from(i / 1000) * 1e-5)],
        }
    });
    let series = Samples {
        parameters: vec!["p".into()],
        points: points.collect(),
    };
    let fit = fit(&series, &Options::default()).expect("a fit");
    assert_eq!(fit.residuals.len(), 1000);
    assert!((fit.model.at(&[4000.0]) / 4020.0 - 1.0).abs() < 0.01);
    assert_eq!(
        fit.notes,
        ["300 of 1000 places choose the model: they are spread over all of them"]
    );
}

#[test]
fn a_parameter_that_never_varies_is_left_out() {
    let points = [8.0, 16.0, 32.0, 64.0].map(|p| Point {
        at: vec![p, 3.0],
        values: vec![p],
    });
    let names = ["p".to_string(), "n".to_string()];
    let series = Samples {
        parameters: names.to_vec(),
        points: points.into(),
    };
    let fit = fit(&series, &Options::default()).expect("a fit");
    assert!(!fit.model.expression(&names).contains('n'));
    assert_eq!(
        fit.notes,
        ["`n` never varies: the model says nothing about other values of it"]
    );
}

#[test]
fn extreme_numbers_have_a_finite_fit() {
    for size in [1e-320, 1e-200, 1e150, 1e300] {
        let fit = fitted(&[
            (1.0, size),
            (2.0, 2.0 * size),
            (3.0, 3.0 * size),
            (4.0, 4.0 * size),
        ]);
        assert!(fit.model.at(&[4.0]).is_finite(), "{size}");
        let large = fitted(&[
            (size, 1.0),
            (2.0 * size, 2.0),
            (3.0 * size, 3.0),
            (4.0 * size, 4.0),
        ]);
        assert!(large.model.at(&[4.0 * size]).is_finite(), "{size}");
    }
}

#[test]
fn many_parameters_have_a_fit() {
    let at = |i: u32| {
        (0..16)
            .map(|p| f64::from(1 + (i >> (p % 5) & 3)))
            .collect::<Vec<f64>>()
    };
    let points = (0..40).map(|i| Point {
        at: at(i),
        values: vec![f64::from(i + 1)],
    });
    let parameters = (0..16).map(|p| format!("p{p}")).collect();
    let series = Samples {
        parameters,
        points: points.collect(),
    };
    let fit = fit(&series, &Options::default()).expect("a fit");
    assert!(fit.residuals.iter().all(|residual| residual.modeled > 0.0));
}

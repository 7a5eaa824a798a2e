#![expect(clippy::float_cmp, reason = "results are exact")]

use proptest::prelude::*;

use super::*;

const TABLE: Table = Table::new(
    "table.csv",
    &[(0.0, 1.0), (2.0, 5.0), (2.0, 7.0), (10.0, -1.0)],
);

#[test]
fn points_are_met_and_jumps_take_the_last() {
    for at in [Table::linear, Table::monotone] {
        assert_eq!(at(&TABLE, 0.0).value, 1.0);
        assert_eq!(at(&TABLE, 1.0).value, 3.0);
        assert_eq!(at(&TABLE, 2.0).value, 7.0);
        assert_eq!(at(&TABLE, 6.0).value, 3.0);
        assert_eq!(at(&TABLE, 10.0).value, -1.0);
    }
}

#[test]
fn outside_the_nearest_point_counts() {
    for at in [Table::linear, Table::monotone] {
        assert_eq!(at(&TABLE, -1e300).value, 1.0);
        assert_eq!(at(&TABLE, f64::INFINITY).value, -1.0);
        assert_eq!(at(&Table::new("", &[(4.0, 2.5)]), -7.0).value, 2.5);
    }
}

#[test]
fn what_is_outside_is_told() {
    const RAGGED: Surface = Surface::new(
        "table.csv",
        &[(1.0, &[(0.0, 1.0), (2.0, 1.0)]), (2.0, &[(1.0, 1.0)])],
    );
    let of = |axis, asked, range| {
        let table = "table.csv";
        Some(Outside {
            table,
            axis,
            asked,
            range,
        })
    };
    for x in [0.0, 3.0, 10.0, f64::NAN] {
        assert_eq!(TABLE.linear(x).outside, [None, None]);
    }
    let range = (0.0, 10.0);
    assert_eq!(TABLE.linear(-1.0).outside, [of(Axis::X, -1.0, range), None]);
    assert_eq!(
        TABLE.monotone(11.0).outside,
        [of(Axis::X, 11.0, range), None]
    );
    assert_eq!(RAGGED.linear(1.0, 2.0).outside, [None, None]);
    let narrow = of(Axis::Y, 2.0, (1.0, 1.0));
    assert_eq!(RAGGED.linear(1.5, 2.0).outside, [None, narrow]);
    assert_eq!(RAGGED.linear(2.0, 1.0).outside, [None, None]);
    let both = [of(Axis::X, 3.0, (1.0, 2.0)), narrow];
    assert_eq!(RAGGED.monotone(3.0, 2.0).outside, both);
}

#[test]
fn written_points_are_the_same() {
    // The points (0, 1), (2, 5), (2, 7), and (10, -1).
    const WRITTEN: Table = Table::written(
        "table.csv",
        "# Points.\n# More.\n\
         0000000000000000 3ff0000000000000\n\
         4000000000000000 4014000000000000\n\
         4000000000000000 401c000000000000\n\
         4024000000000000 bff0000000000000\n",
    );
    for x in [-1.0, 0.0, 1.0, 2.0, 6.0, 9.5, 10.0, 11.0] {
        assert_eq!(WRITTEN.linear(x), TABLE.linear(x), "{x}");
        assert_eq!(WRITTEN.monotone(x), TABLE.monotone(x), "{x}");
    }
    assert!(Table::written("", "# None.").linear(1.0).value.is_nan());
}

#[test]
fn surfaces_are_linear_in_both_numbers() {
    const PLANE: Surface = Surface::new(
        "",
        &[
            (0.0, &[(0.0, 1.0), (4.0, 9.0)]),
            (2.0, &[(0.0, 7.0), (4.0, 15.0)]),
        ],
    );
    // The function is 1 + 3x + 2y.
    for (x, y) in [(0.0, 0.0), (2.0, 4.0), (1.0, 1.0), (0.5, 3.0)] {
        assert_eq!(PLANE.linear(x, y).value, 1.0 + 3.0 * x + 2.0 * y);
        assert_eq!(PLANE.monotone(x, y).value, 1.0 + 3.0 * x + 2.0 * y);
    }
    for at in [Surface::linear, Surface::monotone] {
        assert_eq!(at(&PLANE, 9.0, -1.0).value, 7.0);
        assert_eq!(at(&PLANE, -9.0, 9.0).value, 9.0);
    }
}

#[test]
fn nothing_gives_nan() {
    const POINT: Surface = Surface::new("", &[(0.0, &[(1.0, 2.0)])]);
    assert!(Surface::new("", &[]).linear(1.0, 1.0).value.is_nan());
    assert!(POINT.linear(f64::NAN, 1.0).value.is_nan());
    assert!(POINT.monotone(1.0, f64::NAN).value.is_nan());
    assert!(Table::new("", &[]).linear(1.0).value.is_nan());
    assert!(TABLE.monotone(f64::NAN).value.is_nan());
}

/// A parabola that always rises is reproduced, because the slopes are exact.
#[test]
fn a_parabola_is_met() {
    const SQUARES: Table = Table::new(
        "",
        &[(1.0, 1.0), (2.0, 4.0), (3.0, 9.0), (5.0, 25.0), (6.0, 36.0)],
    );
    for quarter in 4..=24 {
        let x = f64::from(quarter) / 4.0;
        assert!((SQUARES.monotone(x).value - x * x).abs() < 1e-13, "{x}");
    }
}

/// These are H. Akima's data (1970), with which Fritsch and Carlson show that their curve has no
/// waves.
#[test]
fn akimas_data_rise_without_waves() {
    const DATA: Table = Table::new(
        "",
        &[
            (0.0, 10.0),
            (2.0, 10.0),
            (3.0, 10.0),
            (5.0, 10.0),
            (6.0, 10.0),
            (8.0, 10.0),
            (9.0, 10.5),
            (11.0, 15.0),
            (12.0, 50.0),
            (14.0, 60.0),
            (15.0, 85.0),
        ],
    );
    let values: Vec<f64> = (0..=1_500)
        .map(|it| DATA.monotone(f64::from(it) / 100.0).value)
        .collect();
    assert!(values.is_sorted());
    assert_eq!(DATA.monotone(7.9).value, 10.0);
}

/// Checks the numbers in docs/cost-language.md.
#[test]
fn few_points_of_a_smooth_function_suffice() {
    let power = |x: f64| x * x.sqrt();
    let points: Vec<_> = (0..7)
        .map(|it| f64::from(1 << it))
        .map(|x| (x, power(x)))
        .collect();
    let table = Table::new("", points.leak());
    let worst = |at: fn(&Table, f64) -> Lookup| {
        let xs = (100..6_400).map(|it| f64::from(it) / 100.0);
        let errors = xs.map(|x| (at(&table, x).value / power(x) - 1.0).abs());
        (errors.fold(0.0, f64::max) * 1e3).round()
    };
    assert_eq!((worst(Table::monotone), worst(Table::linear)), (9.0, 46.0));
}

/// Generates points with increasing x and arbitrary values.
fn points() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let point = (1e-3..10.0_f64, -1e3..1e3_f64);
    prop::collection::vec(point, 1..8).prop_map(|steps| {
        let mut x = 0.0;
        let point = |(step, y)| {
            x += step;
            (x, y)
        };
        steps.into_iter().map(point).collect()
    })
}

proptest! {
    #[test]
    fn values_lie_between_the_points(x in -20.0..20.0_f64) {
        prop_assert!((-1.0..=7.0).contains(&TABLE.linear(x).value));
        prop_assert!((-1.0..=7.0).contains(&TABLE.monotone(x).value));
    }

    #[test]
    fn cubics_rise_and_fall_as_their_points_do(points in points()) {
        let table = Table::new("", points.clone().leak());
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let at = |step: i32| table.monotone(x0 + (x1 - x0) * f64::from(step) / 64.0).value;
            let values: Vec<f64> = (0..64).map(at).collect();
            // Allows for the digits that are lost in differences of values.
            let slack = 1e-12 * (y0.abs() + y1.abs());
            let sign = (y1 - y0).signum();
            prop_assert_eq!(values[0], y0);
            for two in values.windows(2) {
                prop_assert!(sign * (two[1] - two[0]) >= -slack, "{:?}", pair);
            }
        }
    }

    #[test]
    fn surfaces_stay_between_their_points(
        lines in prop::collection::vec(points(), 1..6),
        x in -1.0..7.0_f64,
        y in -10.0..90.0_f64,
    ) {
        let values = lines.iter().flatten().map(|point| point.1);
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), it| {
            (low.min(it), high.max(it))
        });
        let lines = (0_u32..).zip(lines).map(|(x, points)| (f64::from(x), &*points.leak()));
        let surface = Surface::new("", lines.collect::<Vec<_>>().leak());
        prop_assert!((low..=high).contains(&surface.monotone(x, y).value));
    }
}

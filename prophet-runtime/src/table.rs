//! Tables that a model interpolates in.

/// A table of measured points that `interpolate("table.csv", x)` reads; it is compiled in.
///
/// The points are in ascending order of x, which the generator sees to. The value is linear between
/// two points, and outside it is that of the nearest point. Where several points share an x, the
/// value jumps there, and the last of them counts. A table without points has no value: NaN.
///
/// ```
/// use prophet_runtime::Table;
///
/// const TIMES: Table = Table::new(&[(1.0, 10.0), (3.0, 30.0)]);
/// assert_eq!(TIMES.interpolate(2.0), 20.0);
/// assert_eq!(TIMES.interpolate(99.0), 30.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Table {
    points: &'static [(f64, f64)],
}

impl Table {
    /// A table of points (x, y) in ascending order of x.
    pub const fn new(points: &'static [(f64, f64)]) -> Self {
        Self { points }
    }

    /// The value at `x`; NaN at NaN.
    pub fn interpolate(&self, x: f64) -> f64 {
        if x.is_nan() {
            return f64::NAN;
        }
        let (below, above) = self
            .points
            .split_at(self.points.partition_point(|&(at, _)| at <= x));
        match (below.last(), above.first()) {
            (Some(&(x0, y0)), Some(&(x1, y1))) => y0 + (y1 - y0) * ((x - x0) / (x1 - x0)),
            (Some(&(_, y)), None) | (None, Some(&(_, y))) => y,
            (None, None) => f64::NAN,
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "results are exact")]

    use proptest::prelude::*;

    use super::*;

    const TABLE: Table = Table::new(&[(0.0, 1.0), (2.0, 5.0), (2.0, 7.0), (10.0, -1.0)]);

    #[test]
    fn points_are_met_and_jumps_take_the_last() {
        assert_eq!(TABLE.interpolate(0.0), 1.0);
        assert_eq!(TABLE.interpolate(1.0), 3.0);
        assert_eq!(TABLE.interpolate(2.0), 7.0);
        assert_eq!(TABLE.interpolate(6.0), 3.0);
        assert_eq!(TABLE.interpolate(10.0), -1.0);
    }

    #[test]
    fn outside_the_nearest_point_counts() {
        assert_eq!(TABLE.interpolate(-1e300), 1.0);
        assert_eq!(TABLE.interpolate(f64::INFINITY), -1.0);
        assert_eq!(Table::new(&[(4.0, 2.5)]).interpolate(-7.0), 2.5);
    }

    #[test]
    fn nothing_gives_nan() {
        assert!(Table::new(&[]).interpolate(1.0).is_nan());
        assert!(TABLE.interpolate(f64::NAN).is_nan());
    }

    proptest! {
        #[test]
        fn values_lie_between_the_points(x in -20.0..20.0_f64) {
            prop_assert!((-1.0..=7.0).contains(&TABLE.interpolate(x)));
        }
    }
}

//! Tables that a model interpolates in.

/// A table of measured points that `interpolate("table.csv", x)` reads; it is compiled in.
///
/// The points are in ascending order of x, which the generator ensures. The value is linear between
/// two points, and outside it is that of the nearest point. If several points share an x, the value
/// jumps there, and the last of them counts. A table without points has no value: NaN.
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
    points: Points,
}

/// Storage of the points of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Points {
    Listed(&'static [(f64, f64)]),
    /// Lines of [`LINE_BYTES`].
    Written(&'static [u8]),
}

/// The hexadecimal digits of a number of 64 bits.
const DIGITS: usize = 16;

/// The bytes of a written point: two numbers, a space between them and the end of the line.
const LINE_BYTES: usize = 2 * DIGITS + 2;

impl Table {
    /// Creates a table of points (x, y) in ascending order of x.
    pub const fn new(points: &'static [(f64, f64)]) -> Self {
        Self {
            points: Points::Listed(points),
        }
    }

    /// Creates a table of so many points that a compiler should not read them one by one.
    ///
    /// Behind lines that begin with `#` comes a line for each point, in ascending order of x: the
    /// bits of x and of y as 16 hexadecimal digits each, with a space between. The points are read
    /// where they are, as they are needed.
    pub const fn written(text: &'static str) -> Self {
        let mut rest = text.as_bytes();
        while let [b'#', ..] = rest {
            while let [byte, behind @ ..] = rest {
                rest = behind;
                if *byte == b'\n' {
                    break;
                }
            }
        }
        Self {
            points: Points::Written(rest),
        }
    }

    /// Interpolates the value at `x`; NaN at NaN.
    pub fn interpolate(&self, x: f64) -> f64 {
        if x.is_nan() {
            return f64::NAN;
        }
        let (mut behind, mut end) = (0, self.len());
        while behind < end {
            let middle = usize::midpoint(behind, end);
            match self.point(middle) {
                Some((at, _)) if at <= x => behind = middle + 1,
                _ => end = middle,
            }
        }
        let below = behind.checked_sub(1).and_then(|last| self.point(last));
        match (below, self.point(behind)) {
            (Some((x0, y0)), Some((x1, y1))) => y0 + (y1 - y0) * ((x - x0) / (x1 - x0)),
            (Some((_, y)), None) | (None, Some((_, y))) => y,
            (None, None) => f64::NAN,
        }
    }

    fn len(&self) -> usize {
        match self.points {
            Points::Listed(points) => points.len(),
            Points::Written(lines) => lines.len() / LINE_BYTES,
        }
    }

    fn point(&self, index: usize) -> Option<(f64, f64)> {
        match self.points {
            Points::Listed(points) => points.get(index).copied(),
            Points::Written(lines) => {
                let start = index.checked_mul(LINE_BYTES)?;
                let line = lines.get(start..start.checked_add(LINE_BYTES)?)?;
                Some((number(line, 0)?, number(line, DIGITS + 1)?))
            }
        }
    }
}

/// Reads the number whose digits begin at a byte of a line.
fn number(line: &[u8], start: usize) -> Option<f64> {
    let digits = std::str::from_utf8(line.get(start..start + DIGITS)?).ok()?;
    u64::from_str_radix(digits, 16).ok().map(f64::from_bits)
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
    fn written_points_are_the_same() {
        // (0, 1), (2, 5), (2, 7), (10, -1)
        const WRITTEN: Table = Table::written(
            "# Points.\n# More.\n\
             0000000000000000 3ff0000000000000\n\
             4000000000000000 4014000000000000\n\
             4000000000000000 401c000000000000\n\
             4024000000000000 bff0000000000000\n",
        );
        for x in [-1.0, 0.0, 1.0, 2.0, 6.0, 9.5, 10.0, 11.0] {
            assert_eq!(WRITTEN.interpolate(x), TABLE.interpolate(x), "{x}");
        }
        assert!(Table::written("# None.").interpolate(1.0).is_nan());
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

//! Fits a latency and a time per byte to times of messages of different sizes.

/// The time of a message: a fixed part, and a part for each byte.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Line {
    /// Time of an empty message, in seconds.
    pub(crate) first_s: f64,
    pub(crate) byte_s: f64,
}

/// A size in bytes, and a time in seconds.
pub(crate) type Point = (f64, f64);

impl Line {
    pub(crate) fn at(&self, bytes: f64) -> f64 {
        self.first_s + bytes * self.byte_s
    }

    /// Finds the line with the smallest mean relative error and without negative numbers.
    ///
    /// The error is smallest at a corner, where the line passes through two points, or through one
    /// point at a bound. This way, outliers have little influence.
    pub(crate) fn through(points: &[Point]) -> Option<Self> {
        let flat = points.iter().map(|&(_, time_s)| Self {
            first_s: time_s,
            byte_s: 0.0,
        });
        let steep = points.iter().filter(|it| it.0 > 0.0);
        let steep = steep.map(|&(bytes, time_s)| Self {
            first_s: 0.0,
            byte_s: time_s / bytes,
        });
        let pairs = points.iter().enumerate();
        let pairs = pairs.flat_map(|(index, a)| points[..index].iter().map(move |b| (*a, *b)));
        let met = pairs.filter_map(|(a, b)| Self::meeting(a, b));
        let of = |line: Self| (line.error(points), line);
        let all = met.chain(flat).chain(steep).map(of);
        let best = all.min_by(|a, b| a.0.total_cmp(&b.0));
        best.map(|(_, line)| line)
    }

    /// Returns the line through two points; `None` if one of its numbers is negative.
    fn meeting(a: Point, b: Point) -> Option<Self> {
        let byte_s = (b.1 - a.1) / (b.0 - a.0);
        let first_s = a.1 - a.0 * byte_s;
        let is_possible = byte_s >= 0.0 && first_s >= 0.0 && byte_s.is_finite();
        is_possible.then_some(Self { first_s, byte_s })
    }

    #[expect(clippy::cast_precision_loss, reason = "there are few points")]
    pub(crate) fn error(&self, points: &[Point]) -> f64 {
        let of = |&(bytes, time_s): &Point| (self.at(bytes) / time_s - 1.0).abs();
        points.iter().map(of).sum::<f64>() / points.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_past_points_that_are_far_off() {
        let mut points: Vec<Point> = (0..20)
            .map(|power| f64::from(1 << power))
            .map(|bytes| (bytes, 1e-6 + bytes * 1e-9))
            .collect();
        points[3].1 *= 7.0;
        points[11].1 *= 3.0;
        let line = Line::through(&points).unwrap();
        assert!((line.first_s / 1e-6 - 1.0).abs() < 1e-9, "{line:?}");
        assert!((line.byte_s / 1e-9 - 1.0).abs() < 1e-9, "{line:?}");
    }

    #[test]
    fn no_number_is_negative() {
        let falling = Line::through(&[(1.0, 5.0), (2.0, 4.0), (4.0, 3.0)]).unwrap();
        assert!(
            falling.byte_s == 0.0 && falling.first_s > 0.0,
            "{falling:?}"
        );
        let late = Line::through(&[(1.0, 1.0), (2.0, 4.0), (4.0, 10.0)]).unwrap();
        assert!(late.byte_s > 0.0 && late.first_s == 0.0, "{late:?}");
        assert_eq!(Line::through(&[]), None);
    }
}

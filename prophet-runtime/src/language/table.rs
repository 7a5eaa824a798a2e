//! Defines the tables in which models interpolate.

mod curve;
mod outside;
mod points;

use curve::{Method, Point};
pub(crate) use outside::{Axis, Outside};
use points::{Across, Points, Sequence as _};

/// A table of measured points for `interpolate("table.csv", x)`, compiled into the program.
///
/// The generator ensures that the points are in ascending order of x. Outside of the points, the
/// result is the value of the nearest point. If several points share an x, the value jumps there,
/// and the last point counts at x itself. If the table has no points, the result is NaN.
///
/// ```
/// use prophet_runtime::Table;
///
/// const TIMES: Table = Table::new("times.csv", &[(1.0, 10.0), (3.0, 30.0)]);
/// assert_eq!(TIMES.linear(2.0).value, 20.0);
/// assert_eq!(TIMES.linear(99.0).value, 30.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Table {
    file: &'static str,
    points: Points,
}

impl Table {
    /// Creates a table of points (x, y) in ascending order of x. `file` is the name of the file
    /// that they come from.
    pub const fn new(file: &'static str, points: &'static [(f64, f64)]) -> Self {
        Self {
            file,
            points: Points::Listed(points),
        }
    }

    /// Creates a table from text, for tables with too many points for the compiler to process
    /// individually.
    ///
    /// The text begins with lines that start with `#`. Then it has a line for each point, in
    /// ascending order of x, with the bits of x and y as 16 hexadecimal digits each, separated by a
    /// space. The points are parsed in place, as needed.
    pub const fn written(file: &'static str, text: &'static str) -> Self {
        Self {
            file,
            points: Points::written(text),
        }
    }

    /// Interpolates linearly between the two points next to `x`; returns NaN if `x` is NaN.
    pub fn linear(&self, x: f64) -> Lookup {
        self.at(x, Method::Linear)
    }

    /// Interpolates at `x` with cubics that rise and fall only where the points do; returns NaN if
    /// `x` is NaN.
    ///
    /// Reference: F. N. Fritsch and R. E. Carlson, *Monotone piecewise cubic interpolation*, SIAM
    /// J. Numer. Anal. 17 (2), 1980. The curve's slope has no jumps, except where points share an
    /// x.
    ///
    /// ```
    /// use prophet_runtime::Table;
    ///
    /// const STEP: Table = Table::new("t.csv", &[(0.0, 0.0), (1.0, 0.0), (2.0, 8.0), (3.0, 8.0)]);
    /// assert_eq!(STEP.monotone(0.5).value, 0.0);
    /// assert_eq!(STEP.monotone(1.25).value, 1.25);
    /// assert_eq!(STEP.monotone(1.5).value, 4.0);
    /// ```
    pub fn monotone(&self, x: f64) -> Lookup {
        self.at(x, Method::Monotone)
    }

    fn at(&self, x: f64, method: Method) -> Lookup {
        let outside = Outside::of(self.file, Axis::X, x, self.points.missed(x));
        Lookup {
            value: self.points.at(x, method),
            outside: [outside, None],
        }
    }
}

/// A table of two variables, for `interpolate("table.csv", x, y)`: for each of several x, a line of
/// points over y.
///
/// The lines are in ascending order of x, and the points of each line in ascending order of y. The
/// result is between the values at y of the two lines next to x. Outside of the lines, the nearest
/// line counts. If the table has no lines, the result is NaN.
///
/// ```
/// use prophet_runtime::Surface;
///
/// const TIMES: Surface = Surface::new(
///     "times.csv",
///     &[(1.0, &[(10.0, 1.0), (20.0, 2.0)]), (2.0, &[(10.0, 3.0)])],
/// );
/// assert_eq!(TIMES.linear(1.5, 20.0).value, 2.5);
/// assert_eq!(TIMES.linear(0.0, 15.0).value, 1.5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    file: &'static str,
    lines: &'static [(f64, &'static [Point])],
}

impl Surface {
    /// Creates a table of lines, each with its x and its points (y, z). `file` is the name of the
    /// file that they come from.
    pub const fn new(file: &'static str, lines: &'static [(f64, &'static [(f64, f64)])]) -> Self {
        Self { file, lines }
    }

    /// Interpolates at `x` and `y`, linearly along each line and then between the lines; returns
    /// NaN if `x` or `y` is NaN.
    pub fn linear(&self, x: f64, y: f64) -> Lookup {
        self.at(x, y, Method::Linear)
    }

    /// Interpolates at `x` and `y` like [`Table::monotone`], first along y on up to four lines, and
    /// then along x between these lines; returns NaN if `x` or `y` is NaN.
    ///
    /// A result is between the values of the points around it. Along y at an x of the table, and
    /// along x at a y that its lines share, results rise and fall only where the points do. To
    /// guarantee this elsewhere would require a more complex method (R. E. Carlson and F. N.
    /// Fritsch, *Monotone piecewise bicubic interpolation*, SIAM J. Numer. Anal. 22 (2), 1985) and
    /// a full grid.
    pub fn monotone(&self, x: f64, y: f64) -> Lookup {
        self.at(x, y, Method::Monotone)
    }

    fn at(&self, x: f64, y: f64, method: Method) -> Lookup {
        let lines = self.lines;
        let across = Across { lines, y, method };
        Lookup {
            value: across.at(x, method),
            outside: [
                Outside::of(self.file, Axis::X, x, across.missed(x)),
                self.outside_of_lines(across.count_until(x), x, y),
            ],
        }
    }

    /// Returns `y` as a lookup outside of the points, if it is outside of the lines that determine
    /// the value at `x`; `behind` is the number of lines that begin at or before `x`.
    fn outside_of_lines(&self, behind: usize, x: f64, y: f64) -> Option<Outside> {
        let first = behind.saturating_sub(1);
        let around = match self.lines.get(first) {
            // The line itself, not the interval between it and the next.
            Some(line) if behind > 0 && line.0 >= x => first..behind,
            _ => first..(behind + 1).min(self.lines.len()),
        };
        let missed = around.filter_map(|line| {
            let missed = Points::Listed(self.lines[line].1).missed(y);
            Outside::of(self.file, Axis::Y, y, missed)
        });
        missed.reduce(Outside::farther)
    }
}

/// The result of a lookup in a table, for
/// [`ProcessCtx::interpolate`](crate::ProcessCtx::interpolate).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lookup {
    /// The interpolated value.
    pub value: f64,
    /// Coordinates of the lookup that are outside of the table's points.
    pub(crate) outside: [Option<Outside>; 2],
}

#[cfg(test)]
mod tests;

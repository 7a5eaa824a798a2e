//! Defines the tables that models interpolate in.

mod curve;
mod outside;
mod points;

use curve::{Method, Point};
pub(crate) use outside::{Axis, Outside};
use points::{Across, Points, Sequence as _};

/// A table of measured points for `interpolate("table.csv", x)`, compiled into the program.
///
/// The points must be in ascending order of x, which the generator ensures. Outside of the points,
/// the result is the value of the nearest point. If several points have the same x, the value jumps
/// there. At x itself, the last of them counts. If the table has no points, the result is NaN.
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
    /// with these points.
    pub const fn new(file: &'static str, points: &'static [(f64, f64)]) -> Self {
        Self {
            file,
            points: Points::Listed(points),
        }
    }

    /// Creates a table from text. Use this if there are too many points for the compiler to handle
    /// as code.
    ///
    /// The text begins with lines that start with `#`. Then comes a line for each point, in
    /// ascending order of x: the bits of x and y, as 16 hexadecimal digits each, separated by a
    /// space. Points are parsed in place when they are needed.
    pub const fn written(file: &'static str, text: &'static str) -> Self {
        Self {
            file,
            points: Points::written(text),
        }
    }

    /// Interpolates linearly between the two points around `x`. Returns NaN if `x` is NaN.
    pub fn linear(&self, x: f64) -> Lookup {
        self.at(x, Method::Linear)
    }

    /// Interpolates at `x` with cubics that rise and fall only where the points do. Returns NaN if
    /// `x` is NaN.
    ///
    /// Reference: F. N. Fritsch and R. E. Carlson, *Monotone piecewise cubic interpolation*, SIAM
    /// J. Numer. Anal. 17 (2), 1980. The curve's slope has no jumps, except where points have the
    /// same x.
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

/// A table of two variables, for `interpolate("table.csv", x, y)`. For each of several values of x,
/// it contains a line of points over y.
///
/// The lines are in ascending order of x, and the points of each line are in ascending order of y.
/// The result is between the values that the two lines around x have at y. Outside of the lines,
/// the nearest line counts. If the table has no lines, the result is NaN.
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
    /// file with these points.
    pub const fn new(file: &'static str, lines: &'static [(f64, &'static [(f64, f64)])]) -> Self {
        Self { file, lines }
    }

    /// Interpolates at `x` and `y`, linearly along each line and then between the lines. Returns
    /// NaN if `x` or `y` is NaN.
    pub fn linear(&self, x: f64, y: f64) -> Lookup {
        self.at(x, y, Method::Linear)
    }

    /// Interpolates at `x` and `y` like [`Table::monotone`], first along y on up to four lines, and
    /// then along x between these lines. Returns NaN if `x` or `y` is NaN.
    ///
    /// The result is always between the values of the points around it. Along y at an x of the
    /// table, and along x at a y that all lines have, results rise and fall only where the points
    /// do. Elsewhere, this would take a more complex method (R. E. Carlson and F. N. Fritsch,
    /// *Monotone piecewise bicubic interpolation*, SIAM J. Numer. Anal. 22 (2), 1985) and a full
    /// grid.
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
    /// the value at `x`. `behind` is the number of lines up to and including `x`.
    fn outside_of_lines(&self, behind: usize, x: f64, y: f64) -> Option<Outside> {
        let first = behind.saturating_sub(1);
        let around = match self.lines.get(first) {
            // Only the line itself, because `x` isn't between it and the next one.
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
    /// The coordinates of the lookup that are outside of the table's points.
    pub(crate) outside: [Option<Outside>; 2],
}

#[cfg(test)]
mod tests;

//! Stores points in ascending order of x.

use super::curve::{Method, Point, cubic, line};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Points {
    Listed(&'static [Point]),
    /// Lines of [`LINE_BYTES`] bytes.
    Written(&'static [u8]),
}

/// Number of hexadecimal digits in a 64-bit number.
const DIGITS: usize = 16;

/// Number of bytes that a point has as text: two numbers, a space between them, and a line feed.
const LINE_BYTES: usize = 2 * DIGITS + 2;

/// Points that are computed when needed.
pub(super) trait Sequence {
    fn len(&self) -> usize;

    fn x(&self, index: usize) -> Option<f64>;

    fn y(&self, index: usize) -> Option<f64>;

    fn count_until(&self, x: f64) -> usize {
        let (mut behind, mut end) = (0, self.len());
        while behind < end {
            let middle = usize::midpoint(behind, end);
            match self.x(middle) {
                Some(at) if at <= x => behind = middle + 1,
                _ => end = middle,
            }
        }
        behind
    }

    /// Interpolates at `x`. Outside of the points, the nearest point counts. Returns NaN if `x` is
    /// NaN or if there are no points.
    fn at(&self, x: f64, method: Method) -> f64 {
        if x.is_nan() {
            return f64::NAN;
        }
        let behind = self.count_until(x);
        let point = |index: usize| Some((self.x(index)?, self.y(index)?));
        let below = |back: usize| point(behind.checked_sub(back)?);
        match (below(1), point(behind), method) {
            (Some(start), Some(end), Method::Linear) => line(start, end, x),
            (Some(start), Some(end), Method::Monotone) => {
                cubic(below(2), (start, end), point(behind + 1), x)
            }
            (Some((_, y)), None, _) | (None, Some((_, y)), _) => y,
            (None, None, _) => f64::NAN,
        }
    }

    /// Returns the smallest and the largest x of the points if `x` is outside of this range.
    fn missed(&self, x: f64) -> Option<(f64, f64)> {
        let (from, to) = (self.x(0)?, self.x(self.len() - 1)?);
        (x < from || x > to).then_some((from, to))
    }
}

impl Points {
    /// Creates points from text, without the lines at its start that begin with `#`.
    pub(super) const fn written(text: &'static str) -> Self {
        let mut rest = text.as_bytes();
        while let [b'#', ..] = rest {
            while let [byte, behind @ ..] = rest {
                rest = behind;
                if *byte == b'\n' {
                    break;
                }
            }
        }
        Self::Written(rest)
    }
}

impl Sequence for Points {
    fn len(&self) -> usize {
        match self {
            Self::Listed(points) => points.len(),
            Self::Written(lines) => lines.len() / LINE_BYTES,
        }
    }

    fn x(&self, index: usize) -> Option<f64> {
        match self {
            Self::Listed(points) => points.get(index).map(|point| point.0),
            Self::Written(lines) => number(lines, index, 0),
        }
    }

    fn y(&self, index: usize) -> Option<f64> {
        match self {
            Self::Listed(points) => points.get(index).map(|point| point.1),
            Self::Written(lines) => number(lines, index, DIGITS + 1),
        }
    }
}

/// Parses the number that begins at byte `byte` of a line.
fn number(lines: &[u8], line: usize, byte: usize) -> Option<f64> {
    let start = line.checked_mul(LINE_BYTES)?.checked_add(byte)?;
    let digits = std::str::from_utf8(lines.get(start..start.checked_add(DIGITS)?)?).ok()?;
    u64::from_str_radix(digits, 16).ok().map(f64::from_bits)
}

/// For each line, its x and its value at y.
pub(super) struct Across {
    pub(super) lines: &'static [(f64, &'static [Point])],
    pub(super) y: f64,
    pub(super) method: Method,
}

impl Sequence for Across {
    fn len(&self) -> usize {
        self.lines.len()
    }

    fn x(&self, index: usize) -> Option<f64> {
        self.lines.get(index).map(|line| line.0)
    }

    fn y(&self, index: usize) -> Option<f64> {
        let line = Points::Listed(self.lines.get(index)?.1);
        Some(line.at(self.y, self.method))
    }
}

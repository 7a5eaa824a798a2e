//! Computes curves between points.

/// An x, and the value there.
pub(super) type Point = (f64, f64);

#[derive(Debug, Clone, Copy)]
pub(super) enum Method {
    Linear,
    Monotone,
}

pub(super) fn line((x0, y0): Point, (x1, y1): Point, x: f64) -> f64 {
    y0 + (y1 - y0) * ((x - x0) / (x1 - x0))
}

/// Computes the monotone cubic between two points, shaped by their neighbors.
///
/// Reference: F. N. Fritsch and R. E. Carlson, *Monotone piecewise cubic interpolation*, SIAM J.
/// Numer. Anal. 17 (2), 1980: a cubic between two points is monotone if its slope at each of them
/// is 0 to 3 times the slope of the line between them. The slopes here come from parabolas through
/// three points, and are limited to that range (in the paper, the region of C. de Boor and B.
/// Swartz). So each curve depends on four points.
pub(super) fn cubic(
    before: Option<Point>,
    (start, end): (Point, Point),
    after: Option<Point>,
    x: f64,
) -> f64 {
    let own = Chord::between(start, end);
    let neighbor = |a: Option<Point>, b: Option<Point>| {
        let chord = Chord::between(a?, b?);
        (chord.width > 0.0).then_some(chord)
    };
    let before = neighbor(before, Some(start));
    let after = neighbor(Some(end), after);
    let first = slope(&own, before.as_ref(), after.as_ref());
    let second = slope(&own, after.as_ref(), before.as_ref());
    let t = (x - start.0) / own.width;
    let bend = first + second - 2.0 * own.slope;
    let turn = 3.0 * own.slope - 2.0 * first - second;
    let y = start.1 + own.width * t * (first + t * (turn + t * bend));
    // Rounding must not take the result beyond the values of the points.
    let (low, high) = if start.1 < end.1 {
        (start.1, end.1)
    } else {
        (end.1, start.1)
    };
    if y < low {
        low
    } else if y > high {
        high
    } else {
        y
    }
}

/// The line between two neighboring points.
struct Chord {
    width: f64,
    slope: f64,
}

impl Chord {
    fn between((x0, y0): Point, (x1, y1): Point) -> Self {
        let width = x1 - x0;
        Self {
            width,
            slope: (y1 - y0) / width,
        }
    }
}

/// Returns the slope at the point between the chord `own` and its neighbor `beside`. If `beside` is
/// `None`, the curve ends there, and `across` is the chord at the other end of `own`.
fn slope(own: &Chord, beside: Option<&Chord>, across: Option<&Chord>) -> f64 {
    let (parabola, least) = match (beside, across) {
        (Some(beside), _) if turns(own.slope, beside.slope) => return 0.0,
        (Some(beside), _) => {
            let widths = own.width + beside.width;
            let parabola = (beside.width * own.slope + own.width * beside.slope) / widths;
            (parabola, own.slope.abs().min(beside.slope.abs()))
        }
        (None, Some(across)) => {
            let widths = own.width + across.width;
            let bend = own.width / widths * (own.slope - across.slope);
            (own.slope + bend, own.slope.abs())
        }
        (None, None) => return own.slope,
    };
    if turns(parabola, own.slope) {
        0.0
    } else if parabola.abs() > 3.0 * least {
        (3.0 * least).copysign(own.slope)
    } else {
        parabola
    }
}

/// Returns `false` if both slopes rise or both slopes fall.
fn turns(first: f64, second: f64) -> bool {
    !(first > 0.0 && second > 0.0 || first < 0.0 && second < 0.0)
}

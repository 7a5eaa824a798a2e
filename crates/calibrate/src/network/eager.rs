//! Finds the smallest message whose send waits for its receive.

use super::line::{Line, Point};
use super::measured::{Measured, medians};

/// Minimum number of points on each side of a jump.
const SIDE: usize = 3;
/// Minimum factor by which messages slow down at the smallest size at which a protocol waits.
const JUMP: f64 = 1.1;

/// The limit up to which messages don't wait for their receivers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Eager {
    pub(crate) bytes: u64,
    /// Size, in bytes, of the next larger measured message.
    pub(crate) above: u64,
    /// Whether senders were seen to wait. If not, only the times reveal the limit.
    pub(crate) is_seen: bool,
}

/// Finds the limit, if it is within the measured sizes.
pub(crate) fn limit(measured: &Measured, points: &[(u64, f64)]) -> Option<Eager> {
    if measured.held_s.is_empty() {
        return jump(points);
    }
    let held = medians(&measured.held_s);
    let first = first_held(&held)?;
    let bytes = first.checked_sub(1).map_or(0, |last| held[last].0);
    Some(Eager {
        bytes,
        above: held[first].0,
        is_seen: true,
    })
}

/// Finds the smallest size at which senders wait. Most senders of larger messages must wait too,
/// and most senders of smaller messages must not. A few can deviate, because other programs use the
/// CPUs.
fn first_held(held: &[(u64, f64)]) -> Option<usize> {
    let is_held = |it: &&(u64, f64)| it.1 > 0.0;
    let wrong = |first: usize| {
        let (below, above) = held.split_at(first);
        below.iter().filter(is_held).count() + above.len() - above.iter().filter(is_held).count()
    };
    let first = (0..=held.len()).min_by_key(|first| wrong(*first))?;
    (first < held.len()).then_some(first)
}

/// Finds the jump that splits the times into two lines. They must fit so much better than a single
/// line that their three additional numbers are justified (Schwarz's criterion for
/// Laplace-distributed errors).
#[expect(clippy::cast_precision_loss, reason = "there are few points")]
fn jump(points: &[(u64, f64)]) -> Option<Eager> {
    let real: Vec<Point> = points.iter().map(|it| (it.0 as f64, it.1)).collect();
    let one = Line::through(&real)?.error(&real);
    let splits = SIDE..=points.len().checked_sub(SIDE)?;
    let divided = splits.filter_map(|at| Some((divided(&real, at)?, at)));
    let (two, at) = divided.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let count = points.len() as f64;
    // Clocks are coarse, so errors below 0.1% are meaningless.
    let gain = count * (one.max(1e-3) / two.max(1e-3)).ln();
    (gain > 3.0 * count.ln()).then_some(Eager {
        bytes: points[at - 1].0,
        above: points[at].0,
        is_seen: false,
    })
}

/// Returns the mean relative error of two lines, if the second one starts above the first.
#[expect(clippy::cast_precision_loss, reason = "there are few points")]
fn divided(points: &[Point], at: usize) -> Option<f64> {
    let (below, above) = points.split_at_checked(at)?;
    let (low, high) = (Line::through(below)?, Line::through(above)?);
    let first = above.first()?.0;
    let sum = low.error(below) * below.len() as f64 + high.error(above) * above.len() as f64;
    (high.at(first) >= JUMP * low.at(first)).then_some(sum / points.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(eager: u64, handshake_s: f64) -> Vec<(u64, f64)> {
        let sizes = (0..21).map(|power| 1_u64 << power);
        let time = |bytes: u64| {
            let extra_s = if bytes > eager { handshake_s } else { 0.0 };
            #[expect(clippy::cast_precision_loss, reason = "sizes are small")]
            let time_s = 1e-6 + extra_s + bytes as f64 * 0.2e-9;
            // The error is ±2%, and different for each size.
            (
                bytes,
                time_s * (1.0 + 0.02 * f64::from(bytes.ilog2() * 7 % 5) / 2.0 - 0.02),
            )
        };
        sizes.map(time).collect()
    }

    #[test]
    fn a_handshake_shows_in_the_times() {
        let found = jump(&times(8192, 3e-6)).unwrap();
        assert_eq!((found.bytes, found.above), (8192, 16384));
        assert!(!found.is_seen);
    }

    #[test]
    fn without_a_handshake_there_is_no_limit() {
        assert_eq!(jump(&times(8192, 0.0)), None);
        assert_eq!(jump(&times(8192, 3e-6)[..4]), None);
        assert_eq!(jump(&[]), None);
    }

    #[test]
    fn senders_that_wait_show_the_limit() {
        let mut measured = Measured::default();
        for (bytes, held_s) in [(1024, 0.0), (4096, 0.0), (8192, 3e-3), (16384, 3e-3)] {
            measured.held_s.insert(bytes, vec![0.0, held_s, held_s]);
        }
        let found = limit(&measured, &[]).unwrap();
        assert_eq!((found.bytes, found.above), (4096, 8192));
        assert!(found.is_seen);
        // Another program had the CPU.
        measured.held_s.insert(512, vec![1e-2]);
        measured.held_s.insert(256, vec![0.0]);
        assert_eq!(limit(&measured, &[]), Some(found));
        measured.held_s.remove(&512);
        measured.held_s.retain(|bytes, _| *bytes <= 4096);
        assert_eq!(limit(&measured, &[]), None);
    }
}

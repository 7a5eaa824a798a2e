//! Formats messages about why a run ended, for all simulations on the kernel.

use std::fmt;

/// Maximum number of units named in a cycle, in addition to the first.
const CYCLE_MAX: usize = 9;

/// Writes how many processes wait forever.
///
/// # Errors
///
/// Returns an error if the formatter fails.
pub fn deadlock(waiting: u64, processes: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let verb = if waiting == 1 { "resumes" } else { "resume" };
    match processes {
        1 => write!(f, "deadlock: 1 process never {verb}"),
        _ => write!(
            f,
            "deadlock: {waiting} of {processes} processes never {verb}"
        ),
    }
}

/// Writes the last line of a deadlock's message, which says who waits for whom. `full` formats a
/// unit on its own. For several units, `units` is the plural noun, and `short` formats each of them
/// after it.
///
/// # Errors
///
/// Returns an error if the formatter fails.
pub fn cycle<U, D: fmt::Display>(
    cycle: &[U],
    (full, short): (impl Fn(&U) -> String, impl Fn(&U) -> D),
    units: &str,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match cycle {
        [] => f.write_str("\n  no process is left that could answer"),
        [alone] => write!(f, "\n  {} waits for itself", full(alone)),
        [first, rest @ ..] => {
            let first = short(first);
            write!(f, "\n  they wait for each other: {first}")?;
            for next in rest.iter().take(CYCLE_MAX) {
                write!(f, " -> {}", short(next))?;
            }
            if rest.len() <= CYCLE_MAX {
                return write!(f, " -> {first}");
            }
            write!(f, " -> ... -> {first} ({} {units})", cycle.len())
        }
    }
}

/// Writes how many events have happened without time advancing.
///
/// # Errors
///
/// Returns an error if the formatter fails.
pub fn livelock(events: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(
        f,
        "livelock: {events} events without advancing simulated time"
    )
}

/// Writes how many lines of a list are omitted, if any.
///
/// # Errors
///
/// Returns an error if the formatter fails.
pub fn more(more: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match more {
        0 => Ok(()),
        _ => write!(f, "\n  and {more} more"),
    }
}

//! Represents an MPI call: its function, times and arguments.

use std::sync::Arc;

use crate::event::Group;

/// Maximum size in bytes. The sum of a million such sizes doesn't overflow.
const BYTES_MAX: i64 = 1 << 43;

#[derive(Debug, Default)]
pub(super) struct MpiCall {
    /// Without `MPI_`.
    pub(super) function: String,
    pub(super) start_ns: Option<u64>,
    pub(super) end_ns: Option<u64>,
    /// CPU time since the previous call, in nanoseconds; `None` if the trace doesn't contain it.
    pub(super) computing_ns: Option<u64>,
    /// 0 if the trace doesn't contain call sites.
    pub(super) site: u32,
    pub(super) arguments: Vec<(&'static str, CallArgument)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CallArgument {
    Number(i64),
    List(Vec<i64>),
    /// A data type with the size of its elements in bytes, if known.
    Type {
        handle: i64,
        bytes: Option<u64>,
    },
    Communicator {
        handle: i64,
        members: CommunicatorRanks,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CommunicatorRanks {
    /// All ranks of the trace, in order.
    All,
    Own,
    /// Some of the ranks, or all of them in a different order.
    Some,
    Of(Arc<Group>),
    TwoSides(Arc<Group>),
}

impl MpiCall {
    pub(super) fn value(&self, name: &str) -> Option<&CallArgument> {
        let found = self.arguments.iter().find(|it| it.0 == name);
        found.map(|it| &it.1)
    }

    pub(super) fn given(&self, name: &str) -> Option<i64> {
        match self.value(name) {
            Some(CallArgument::Number(number)) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn number(&self, name: &str) -> Result<i64, String> {
        self.given(name).ok_or_else(|| self.misses(name))
    }

    pub(super) fn misses(&self, name: &str) -> String {
        format!("`MPI_{}` needs `{name}`", self.function)
    }

    /// Returns the size in bytes of one element of a data type.
    pub(super) fn type_bytes(&self, name: &str) -> Result<u64, String> {
        match self.value(name) {
            Some(CallArgument::Type {
                bytes: Some(it), ..
            }) => Ok(*it),
            Some(CallArgument::Type { handle, .. }) => Err(format!(
                "the trace does not contain the size of data type {handle} in `MPI_{}`",
                self.function
            )),
            _ => Err(self.misses(name)),
        }
    }

    pub(super) fn bytes(&self, count: &str, of: &str) -> Result<u64, String> {
        let number = self.number(count)?;
        let size = self.type_bytes(of);
        if number == 0 {
            return Ok(0);
        }
        self.sized(number, size?)
    }

    pub(super) fn list(&self, counts: &str, of: &str) -> Result<Vec<u64>, String> {
        let size = self.type_bytes(of)?;
        match self.value(counts) {
            Some(CallArgument::List(numbers)) => {
                numbers.iter().map(|it| self.sized(*it, size)).collect()
            }
            _ => Err(self.misses(counts)),
        }
    }

    pub(super) fn numbers(&self, name: &str) -> Result<&[i64], String> {
        match self.value(name) {
            Some(CallArgument::List(numbers)) => Ok(numbers),
            _ => Err(self.misses(name)),
        }
    }

    /// Multiplies `number` by `size`, and returns bytes.
    pub(super) fn sized(&self, number: i64, size: u64) -> Result<u64, String> {
        let size = i64::try_from(size).ok();
        let bytes = size.and_then(|it| it.checked_mul(number));
        let bytes = bytes.filter(|it| (0..=BYTES_MAX).contains(it));
        bytes.map(i64::unsigned_abs).ok_or_else(|| {
            format!(
                "`MPI_{}` has an invalid size of {number} elements",
                self.function
            )
        })
    }

    pub(super) fn members(&self) -> Result<&CommunicatorRanks, String> {
        match self.value("comm") {
            Some(CallArgument::Communicator { members, .. }) => Ok(members),
            _ => Err(self.misses("comm")),
        }
    }
}

/// Parses a decimal number, and returns it multiplied by 10 to the power of `digits`.
pub(super) fn fixed(text: &str, digits: usize) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(part) {
        return None;
    }
    let part = part.bytes().chain(std::iter::repeat(b'0')).take(digits);
    part.map(|it| u64::from(it - b'0'))
        .try_fold(whole.parse().ok()?, |sum: u64, digit| {
            sum.checked_mul(10)?.checked_add(digit)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_all_digits() {
        assert_eq!(
            fixed("1296777956.737669000", 9),
            Some(1_296_777_956_737_669_000)
        );
        assert_eq!(
            fixed("1225632903083161.25", 3),
            Some(1_225_632_903_083_161_250)
        );
        assert_eq!(fixed("7", 3), Some(7_000));
        for wrong in ["", "-", "-1", "1e9", ".5", "1.x", "99999999999999999999"] {
            assert_eq!(fixed(wrong, 3), None, "{wrong}");
        }
    }
}

//! Defines the exit codes of a generated program.

pub(super) const DONE: u8 = 0;
pub(super) const WRONG_INPUT: u8 = 1;
pub(super) const WRONG_USAGE: u8 = 2;
pub(super) const STOPPED: u8 = 3;
pub(super) const UNEXPECTED: u8 = prophet_result::Expectation::EXIT_CODE;

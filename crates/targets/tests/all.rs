//! Tests of the targets.

mod read_back;

//! Tests what the studio must preserve under any circumstances: the bytes of files, unsaved edits,
//! and its memory limit.

mod bytes;
mod killed;
mod large;
pub(crate) mod program;

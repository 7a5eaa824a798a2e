//! Tests what the studio preserves under any circumstances: bytes of files, unsaved edits, its
//! memory.

mod bytes;
mod killed;
mod large;
pub(crate) mod program;

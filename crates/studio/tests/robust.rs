//! Things that the studio keeps, whatever comes: bytes of files, unsaved edits, its memory.

mod bytes;
mod killed;
mod large;
pub(crate) mod program;

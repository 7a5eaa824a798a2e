//! Things that the studio keeps, whatever comes: bytes of files, unsaved edits, its memory.

#[path = "../client/mod.rs"]
mod client;

mod bytes;
mod killed;
mod large;
mod program;

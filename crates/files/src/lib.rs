//! Writes all files, and [reads](read) users' files.
//!
//! An [`Output`] writes a file that the user names for output, and makes these promises:
//!
//! 1. **Complete or not at all.** A regular or new file gets its content in one step, in
//!    [`Output::commit`]. Until then, and if writing fails or the program is killed, the old
//!    content remains.
//! 2. **Only regular files are replaced.** Bytes go straight to a device, FIFO or socket. The same
//!    applies to a descriptor of this process (`/dev/stdout`, `/dev/fd/3`), whatever it refers to:
//!    bytes are written at its current position.
//! 3. **Symbolic links are followed.** The file that they lead to is replaced, and the links stay.
//! 4. **Access rights stay.** An existing file keeps its mode, and its owner and group if the
//!    system permits; a read-only file isn't replaced, even if its folder would permit it. New
//!    files have mode 0666 without the bits of the process's umask.
//! 5. **Nothing is left behind.** On Linux, an incomplete file has no name, so it disappears with
//!    the process, however the process ends. On other systems, it has a temporary name next to the
//!    target. It is removed if writing fails or, if the process was killed, when the same target is
//!    written again.
//! 6. **No output replaces an input.** [`Inputs`] contains all files that a command reads, and
//!    rejects outputs that would replace any of them, even through a hard link.
//!
//! Writing to a file that has several hard links replaces only one of them: under its other names,
//! the file keeps its old content.
//!
//! [`beside`] finds a file that another file names, but only in that other file's folder or below.
//!
//! | module | does |
//! |---|---|
//! | `bounded` | reads users' files up to a maximum size, and recognizes formats |
//! | `aside` | creates files that other programs must not see yet |
//! | `folder` | creates temporary folders |
//! | `place` | finds the files or devices that paths lead to |
//! | `inputs` | tracks the files that a command reads |
//! | `output` | writes a file |
//! | `stage` | writes many files together |

#![cfg_attr(target_family = "wasm", allow(dead_code, reason = "there is no disk"))]

mod aside;
mod bounded;
mod folder;
mod inputs;
#[cfg_attr(target_family = "wasm", path = "memory.rs")]
mod output;
mod place;
mod stage;

pub use bounded::{Unread, begin, format_of, load, open, read};
pub use folder::Folder;
pub use inputs::{Inputs, beside, read_beside};
#[cfg(target_family = "wasm")]
pub use output::File;
pub use output::{Output, save, write};
pub use place::{holds_something, is_same_file};
pub use stage::Stage;
/// A file that was written and can be read again.
#[cfg(not(target_family = "wasm"))]
pub use std::fs::File;

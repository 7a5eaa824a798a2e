//! Writes all files, and [reads](read) users' files.
//!
//! An [`Output`] writes a file that the user has named for output. It keeps these promises:
//!
//! 1. **Complete or not at all.** [`Output::commit`] replaces or creates a regular file in a single
//!    step. Until then, and if writing fails or the program is killed, the old content remains.
//! 2. **Only regular files are replaced.** Devices, FIFOs and sockets are written directly. So are
//!    descriptors of this process (`/dev/stdout`, `/dev/fd/3`), at their current position, no
//!    matter what they refer to.
//! 3. **Symbolic links are followed.** The file that they lead to is replaced. The links stay.
//! 4. **Access rights stay.** An existing file keeps its mode, and if the system permits, its owner
//!    and group. A read-only file isn't replaced, even if its folder would permit it. New files
//!    have mode 0666 without the bits of the process's umask.
//! 5. **Nothing is left behind.** On Linux, an incomplete file has no name, so it disappears with
//!    the process, however the process ends. On other systems, it has a temporary name next to the
//!    target. It is removed if writing fails. If the process is killed, it is removed when the same
//!    target is written again.
//! 6. **No output replaces an input.** [`Inputs`] contains all files that a command reads, and
//!    rejects outputs that would replace any of them, even through a hard link.
//!
//! If a file has several hard links, only one of them is replaced. Under its other names, the file
//! keeps its old content.
//!
//! [`beside`] finds a file that another file refers to, but only in the other file's folder or
//! below.
//!
//! | module | does |
//! |---|---|
//! | `bounded` | reads users' files up to a maximum size, and recognizes formats |
//! | `aside` | creates files that other programs must not see until they are complete |
//! | `folder` | creates temporary folders |
//! | `place` | finds the files or devices that paths lead to |
//! | `inputs` | stores the files that a command reads |
//! | `named` | checks the names of outputs |
//! | `output` | writes a file |
//! | `stage` | writes many files together |

#![cfg_attr(target_family = "wasm", allow(dead_code, reason = "there is no disk"))]

mod aside;
mod bounded;
mod folder;
mod inputs;
mod named;
#[cfg_attr(target_family = "wasm", path = "memory.rs")]
mod output;
mod place;
mod stage;

pub use bounded::{Unread, begin, expect, format_of, load, open, read};
pub use folder::Folder;
pub use inputs::{Inputs, beside, read_beside};
pub use named::{better_name, check_ending, missing_folder};
#[cfg(target_family = "wasm")]
pub use output::File;
pub use output::{Output, save, write};
pub use place::{holds_something, is_same_file};
pub use stage::Stage;
/// A written file that can be read again.
#[cfg(not(target_family = "wasm"))]
pub use std::fs::File;

//! Writes all files, and [reads](read) user files.
//!
//! Every file that the user names for output is written by an [`Output`], under this contract:
//!
//! 1. **Whole or not at all.** A regular file, or a new one, gets its content in one step, by
//!    [`Output::commit`]. Before that, and if writing fails or the program is ended, the old
//!    content remains.
//! 2. **Anything but a regular file stays as it is.** A device, FIFO or socket is written through,
//!    as is a descriptor of this process (`/dev/stdout`, `/dev/fd/3`), whatever lies behind it:
//!    bytes are added at its position.
//! 3. **Symbolic links are followed.** The file they lead to is replaced, the links stay.
//! 4. **Access rights stay.** An existing file keeps its mode, and its owner and group if the
//!    system permits; one that may not be written is refused even if its folder permits replacing
//!    it. New files have the rights that the process's umask leaves of 0666.
//! 5. **Nothing is left over.** Until it is whole, a file has no name if the system supports that
//!    (Linux), and vanishes with the process however that ends. Elsewhere it has its own name
//!    beside the target, which is removed when writing fails, or by the next writer of that target
//!    if the process was killed.
//! 6. **No input is an output.** [`Inputs`] is the list of all files that a command reads, and
//!    refuses outputs that would replace one; hard links of one file are the same.
//!
//! A hard link that is written to becomes its own file: other names keep the old content.
//!
//! Files that other files name are found by [`beside`], which keeps to the folder of that file.
//!
//! | module | is |
//! |---|---|
//! | `bounded` | files of users, of which no more is read than can be understood; their formats |
//! | `aside` | files that no other program should see yet |
//! | `folder` | temporary folders |
//! | `place` | destinations of paths |
//! | `inputs` | the files that a command reads, whoever named them |
//! | `output` | files, being written |
//! | `stage` | many files, written together |

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
/// A written file, which can be read again.
#[cfg(not(target_family = "wasm"))]
pub use std::fs::File;

//! Writes all files, and [reads](read) user files.
//!
//! An [`Output`] writes every file that the user names for output, under this contract:
//!
//! 1. **Whole or not at all.** A regular file, or a new one, gets its content in one step, in
//!    [`Output::commit`]. Until then, and if writing fails or the program is killed, the old
//!    content remains.
//! 2. **Anything but a regular file stays as it is.** Bytes go straight to a device, FIFO or
//!    socket. The same applies to a descriptor of this process (`/dev/stdout`, `/dev/fd/3`),
//!    whatever it leads to: bytes are written at its position.
//! 3. **Symbolic links are followed.** The file they lead to is replaced; the links stay.
//! 4. **Access rights stay.** An existing file keeps its mode, and its owner and group if the
//!    system permits; a read-only file is refused even if its folder permits replacing it. New
//!    files have mode 0666, less the process's umask.
//! 5. **Nothing is left over.** On Linux, a file has no name until it is complete, and vanishes
//!    with the process however it ends. Elsewhere, it has a temporary name next to the target. This
//!    file is removed if writing fails, or by the target's next writer if the process was killed.
//! 6. **No input is an output.** [`Inputs`] lists all files that a command reads, and refuses
//!    outputs that would replace one, even through a hard link.
//!
//! Writing to a hard link makes it a separate file: other names keep the old content.
//!
//! [`beside`] finds files that other files name, only in the folder of the naming file or below.
//!
//! | module | does |
//! |---|---|
//! | `bounded` | reads user files up to a size limit, and recognizes formats |
//! | `aside` | creates files that no other program should see yet |
//! | `folder` | creates temporary folders |
//! | `place` | resolves paths to destinations |
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
/// A written file, which can be read again.
#[cfg(not(target_family = "wasm"))]
pub use std::fs::File;

//! Wraps what exists only on Unix: links, and signals to processes.

#[cfg(unix)]
pub(crate) use unix::{Signals, exit_code, linked};

#[cfg(unix)]
mod unix {
    use std::io;
    pub(crate) use std::os::unix::fs::symlink as linked;
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Child, ExitStatus};
    use std::thread;

    use rustix::process::{Pid, Signal, kill_process};
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Handle;

    /// Signals that would end commands. They don't end this program as long as this value exists.
    #[derive(Debug)]
    pub(crate) struct Signals(signal_hook::iterator::Signals);

    impl Signals {
        pub(crate) fn catch() -> io::Result<Self> {
            signal_hook::iterator::Signals::new([SIGINT, SIGTERM]).map(Self)
        }

        /// Passes on `SIGTERM` until the handle is closed. Ctrl-C reaches all programs in a
        /// terminal anyway.
        pub(crate) fn pass_on_to(mut self, child: &Child) -> Handle {
            let (pid, handle) = (Pid::from_child(child), self.0.handle());
            thread::spawn(move || {
                for _ in self.0.forever().filter(|it| *it == SIGTERM) {
                    // The command may have just ended.
                    let _ = kill_process(pid, Signal::TERM);
                }
            });
            handle
        }
    }

    /// Returns a command's exit code. If a signal ended the command, follows the convention of
    /// shells.
    pub(crate) fn exit_code(status: ExitStatus) -> u8 {
        let code = status.code().or_else(|| Some(128 + status.signal()?));
        code.and_then(|it| u8::try_from(it).ok()).unwrap_or(1)
    }
}

#[cfg(not(unix))]
pub(crate) use other::{Signals, exit_code, linked};

/// Other systems, on which programs can't be recorded.
#[cfg(not(unix))]
mod other {
    use std::io;
    use std::path::Path;
    use std::process::{Child, ExitStatus};

    #[derive(Debug)]
    pub(crate) struct Signals;

    impl Signals {
        #[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
        pub(crate) fn catch() -> io::Result<Self> {
            Ok(Self)
        }

        pub(crate) fn pass_on_to(self, _: &Child) -> Self {
            self
        }

        #[expect(clippy::unused_self, reason = "as on Unix")]
        pub(crate) fn close(&self) {}
    }

    pub(crate) fn exit_code(status: ExitStatus) -> u8 {
        let code = status.code().and_then(|it| u8::try_from(it).ok());
        code.unwrap_or(1)
    }

    pub(crate) fn linked(library: &Path, link: &Path) -> io::Result<()> {
        std::fs::copy(library, link).map(|_| ())
    }
}

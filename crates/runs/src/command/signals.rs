//! Handles signals that end a run while this program waits for another program.
//!
//! Ctrl-C reaches all programs that run in the terminal, but `SIGTERM` reaches only the program
//! that it is sent to.

#[cfg(unix)]
pub(crate) use unix::Signals;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::process::Child;
    use std::thread;

    use rustix::process::{Pid, Signal, kill_process};
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::{self, Handle};

    /// Signals. They don't end this program as long as this value exists.
    #[derive(Debug)]
    pub(crate) struct Signals(iterator::Signals);

    /// Passes on signals until it is dropped.
    #[derive(Debug)]
    pub(crate) struct PassedOn(Handle);

    impl Signals {
        pub(crate) fn catch() -> io::Result<Self> {
            iterator::Signals::new([SIGINT, SIGTERM]).map(Self)
        }

        /// Passes on signals to `child` if they wouldn't reach it otherwise.
        pub(crate) fn pass_on_to(mut self, child: &Child) -> PassedOn {
            let pid = Pid::from_child(child);
            let handle = self.0.handle();
            thread::spawn(move || {
                for signal in self.0.forever() {
                    if signal == SIGTERM {
                        // The child may have just ended.
                        let _ = kill_process(pid, Signal::TERM);
                    }
                }
            });
            PassedOn(handle)
        }
    }

    impl Drop for PassedOn {
        fn drop(&mut self) {
            self.0.close();
        }
    }
}

/// On other systems, there is only Ctrl-C.
#[cfg(not(unix))]
#[derive(Debug)]
pub(crate) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(crate) fn catch() -> std::io::Result<Self> {
        let caught = std::sync::Arc::default();
        signal_hook::flag::register(signal_hook::consts::SIGINT, caught).map(|_| Self)
    }

    #[expect(clippy::unused_self, reason = "as on Unix")]
    pub(crate) fn pass_on_to(self, _: &std::process::Child) {}
}

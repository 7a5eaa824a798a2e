//! Runs a race between interpreting and compiling the same program.
//!
//! Interpretation starts immediately. If it takes long, the crate is compiled and run in the
//! background. The user sees the first result.

use prophet_text::Problem;
use std::ffi::OsString;
use std::path::Path;
use std::process::Child;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use prophet_codegen::build::Artifacts;

use crate::CommandOutcome;
use crate::toolchain::explained;

/// How long to wait before compiling.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct Race {
    stage: Mutex<Stage>,
    is_over: Condvar,
}

#[derive(Debug, Default)]
enum Stage {
    /// The program is only being interpreted.
    #[default]
    Interpreting,
    /// Meanwhile, cargo is compiling the program.
    Compiling(Child),
    /// The program is only being interpreted, because the crate can't be compiled for this reason.
    Alone(String),
    /// The interpretation has ended. If the race was [`Self::Alone`] before, the reason is kept.
    Over(Option<String>),
}

impl Race {
    /// Compiles the program if interpreting it takes long. If the compiled program is ready first,
    /// `win` replaces this process with it.
    pub(super) fn overtake(
        &self,
        begin: impl FnOnce() -> Result<(Child, Artifacts), Problem>,
        win: impl FnOnce(&Path) -> CommandOutcome,
    ) {
        if !self.takes_long() {
            return;
        }
        let done = begin().and_then(|(child, artifacts)| {
            self.advance(Stage::Compiling(child));
            artifacts.program()
        });
        let mut stage = self.stage();
        let (Stage::Compiling(_) | Stage::Interpreting) = &*stage else {
            return;
        };
        let compiled = match std::mem::take(&mut *stage) {
            Stage::Compiling(mut child) => child.wait().is_ok_and(|status| status.success()),
            _ => false,
        };
        let trouble = match done {
            Ok(Some(program)) if compiled => {
                clear_line();
                // This thread holds the lock, so the interpretation can't write anymore.
                match win(&program) {
                    Ok(_) => return,
                    Err(stop) => stop.message,
                }
            }
            Ok(_) => "cargo could not build the crate".to_owned(),
            Err(problem) => problem.into(),
        };
        *stage = Stage::Alone(explained(trouble));
    }

    /// Ends the race. Must be called before the interpretation writes its result.
    pub(super) fn end(&self) {
        let mut stage = self.stage();
        *stage = match std::mem::take(&mut *stage) {
            Stage::Compiling(mut child) => {
                // Cargo may already have exited.
                let _ = child.kill().and_then(|()| child.wait());
                Stage::Over(None)
            }
            Stage::Interpreting => Stage::Over(None),
            Stage::Alone(trouble) => Stage::Over(Some(trouble)),
            Stage::Over(trouble) => Stage::Over(trouble),
        };
        self.is_over.notify_all();
    }

    pub(super) fn trouble(&self) -> Option<String> {
        match &*self.stage() {
            Stage::Over(trouble) => trouble.clone(),
            Stage::Interpreting | Stage::Compiling(_) | Stage::Alone(_) => None,
        }
    }

    /// Waits for a while. Returns `true` if the interpretation is still running.
    fn takes_long(&self) -> bool {
        let is_on = |stage: &mut Stage| !matches!(stage, Stage::Over(_));
        let waited = self
            .is_over
            .wait_timeout_while(self.stage(), PATIENCE, is_on);
        let (stage, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(stage);
        waited.timed_out()
    }

    /// Moves on to the next stage. If the race is over, stops the compilation instead.
    fn advance(&self, next: Stage) {
        let mut stage = self.stage();
        match (&*stage, next) {
            (Stage::Over(_), Stage::Compiling(mut child)) => {
                let _ = child.kill().and_then(|()| child.wait());
            }
            (Stage::Over(_), _) => {}
            (_, next) => *stage = next,
        }
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn clear_line() {
    use std::io::IsTerminal as _;
    if std::io::stderr().is_terminal() {
        prophet_text::say_styled("\r\x1b[K");
    }
}

/// Returns `true` if a run with these flags can start again as another program in this process. No
/// flag can name a stream, because a stream can be used only once.
pub(super) fn can_begin_anew(flags: &[OsString]) -> bool {
    cfg!(unix)
        && !flags.iter().any(|flag| {
            let text = flag.to_string_lossy();
            let value = text.split_once('=').map_or(&*text, |(_, value)| value);
            let is_special =
                value == "-" || value.starts_with("/dev/") || value.starts_with("/proc/");
            let found = Path::new(value).metadata();
            is_special || found.is_ok_and(|found| !found.is_file() && !found.is_dir())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_used_once() {
        let flags = |flags: &[&str]| flags.iter().map(OsString::from).collect::<Vec<_>>();
        assert!(can_begin_anew(&flags(&[
            "--nodes",
            "8",
            "--trace=a.ptrace",
            "--trace",
            "src"
        ])));
        assert!(!can_begin_anew(&flags(&["--trace=/dev/stdout"])));
        assert!(!can_begin_anew(&flags(&["--machine", "/dev/fd/63"])));
        assert!(!can_begin_anew(&flags(&["--changes", "-"])));
        assert!(!can_begin_anew(&flags(&["--changes=-"])));
    }

    #[test]
    fn a_run_that_ends_soon_is_not_overtaken() {
        let race = Race::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                race.overtake(
                    || unreachable!("it is over"),
                    |_| unreachable!("it is over"),
                );
            });
            race.end();
        });
        assert_eq!(race.trouble(), None);
    }

    #[test]
    fn the_reason_of_a_failed_compilation_is_kept() {
        let race = Race::default();
        race.overtake(|| Err("no compiler".into()), |_| unreachable!("it failed"));
        race.end();
        race.end();
        let trouble = race.trouble().expect("it failed");
        assert!(trouble.starts_with("no compiler"), "{trouble}");
    }
}

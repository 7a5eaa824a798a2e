//! Runs a program with a time limit, in case it hangs.

use std::io::{self, Read as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::result::{ValidateFailure, not_started, succeeded};

/// How long to wait for a program to end after asking it to. mpirun needs time to end its
/// processes.
const GRACE: Duration = Duration::from_secs(10);

/// Runs a program and returns its output. Its messages appear immediately.
///
/// The program stays in this process group, so that Ctrl-C ends both.
pub(super) fn run(command: &mut Command, timeout: Duration) -> Result<Vec<u8>, ValidateFailure> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .map_err(|error| not_started(command, &error))?;
    let ended = watch(&mut child);
    let Ok(printed) = ended.recv_timeout(timeout) else {
        end(&mut child, &ended);
        let message = format!(
            "the program did not end within {} s: it hangs, for example in a deadlock, or \
             --timeout is too short",
            timeout.as_secs_f64()
        );
        return Err(ValidateFailure::new(3, message));
    };
    let cannot =
        |error: io::Error| ValidateFailure::new(1, format!("cannot read the result: {error}"));
    succeeded(command, child.wait().map_err(cannot)?)?;
    printed.map_err(cannot)
}

/// Reads the output of a program in a thread, which sends the output when it is complete.
fn watch(child: &mut Child) -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel();
    let output = child.stdout.take();
    thread::spawn(move || {
        let mut printed = Vec::new();
        let read = output.map_or(Ok(0), |mut output| output.read_to_end(&mut printed));
        // If the program took too long, the receiver no longer exists.
        let _ = sender.send(read.map(|_| printed));
    });
    receiver
}

/// Ends a program. Asks it to end first, so that it can end its own child processes, and then kills
/// it if necessary.
fn end(child: &mut Child, ended: &mpsc::Receiver<io::Result<Vec<u8>>>) {
    ask(child);
    if ended.recv_timeout(GRACE).is_err() {
        // The program may have ended already.
        let _ = child.kill();
    }
    let _ = child.wait();
}

#[cfg(unix)]
fn ask(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process};
    // The program may have ended already.
    let _ = kill_process(Pid::from_child(child), Signal::TERM);
}

#[cfg(not(unix))]
fn ask(_child: &Child) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, timeout: Duration) -> Result<Vec<u8>, ValidateFailure> {
        run(Command::new("sh").args(["-c", script]), timeout)
    }

    #[test]
    fn what_ends_in_time_is_read() {
        let printed = shell("echo result", Duration::from_secs(99));
        assert_eq!(printed, Ok(b"result\n".to_vec()));
        let failure = shell("exit 2", Duration::from_secs(99)).unwrap_err();
        assert_eq!(failure.code, 2);
        assert_eq!(
            failure.message,
            "sh failed (exit status: 2); see its message"
        );
    }

    #[test]
    fn what_hangs_is_ended() {
        // The trap's output shows that the program was asked to end.
        let folder = tempfile::tempdir().expect("there is room");
        let asked = folder.path().join("asked");
        let script = format!(
            "trap 'touch {}; exit' TERM; while :; do :; done",
            asked.display()
        );
        let failure = shell(&script, Duration::from_millis(500)).unwrap_err();
        assert_eq!(failure.code, 3);
        assert_eq!(
            failure.message,
            "the program did not end within 0.5 s: it hangs, for example in a deadlock, or \
             --timeout is too short"
        );
        assert!(asked.exists());
    }
}

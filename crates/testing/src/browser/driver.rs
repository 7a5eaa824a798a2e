//! Starts Chromium's `WebDriver`, which sometimes fails on a busy machine.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How long to wait for a driver's next line before its port. A busy machine takes seconds instead
/// of milliseconds.
const PORT_PATIENCE: Duration = Duration::from_mins(1);
/// Maximum number of browsers at the same time, because each consists of several processes.
const BROWSERS_MAX: usize = 4;
/// How long to wait before starting a browser anyway, because a test can need two.
const TURN_PATIENCE: Duration = Duration::from_mins(3);

/// The number of browsers running in this process, and a signal for those that wait. It is global,
/// because tests run in parallel in one process and nothing else knows about all of them.
static RUNNING: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// One of the places for running browsers. Dropping it frees the place.
#[derive(Debug)]
pub(super) struct Turn(());

impl Turn {
    pub(super) fn wait() -> Self {
        let (running, free) = &RUNNING;
        let running = running.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = free.wait_timeout_while(running, TURN_PATIENCE, |it| *it >= BROWSERS_MAX);
        let (mut running, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *running += 1;
        Self(())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let (running, free) = &RUNNING;
        *running.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        free.notify_one();
    }
}

/// A listening driver. It is stopped when this value is dropped.
#[derive(Debug)]
pub(super) struct Driver {
    child: Child,
    pub(super) port: u16,
}

impl Driver {
    pub(super) fn start() -> Result<Self, String> {
        let child = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("no chromedriver: {error}"))?;
        let mut driver = Self { child, port: 0 };
        let (sender, lines) = channel();
        if let Some(output) = driver.child.stdout.take() {
            tell_lines(output, sender.clone());
        }
        if let Some(output) = driver.child.stderr.take() {
            tell_lines(output, sender);
        }
        driver.port = port(&lines, PORT_PATIENCE)?;
        Ok(driver)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may already have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends lines while someone waits for them, and reads to the end, so that the driver never blocks.
fn tell_lines(output: impl Read + Send + 'static, lines: Sender<String>) {
    let read = move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let _ = lines.send(line);
        }
    };
    thread::spawn(read);
}

/// Returns the port from a driver's output, or everything that it printed instead.
fn port(lines: &Receiver<String>, patience: Duration) -> Result<u16, String> {
    let mut said = Vec::new();
    while let Ok(line) = lines.recv_timeout(patience) {
        if let Some(port) = port_in(&line) {
            return Ok(port);
        }
        said.push(line);
    }
    Err(format!("chromedriver tells no port: {}", said.join(" | ")))
}

fn port_in(line: &str) -> Option<u16> {
    let (_, port) = line.split_once("started successfully on port ")?;
    port.trim_end_matches('.').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_found_and_what_was_said_instead_is_told() {
        let (sender, lines) = channel();
        let told = [
            "Starting",
            "ChromeDriver was started successfully on port 41234.",
        ];
        for line in told {
            sender.send(line.to_owned()).unwrap();
        }
        assert_eq!(port(&lines, PORT_PATIENCE), Ok(41234));
        sender.send("bind() failed".to_owned()).unwrap();
        let why = "chromedriver tells no port: bind() failed".to_owned();
        assert_eq!(port(&lines, Duration::from_millis(10)), Err(why.clone()));
        sender.send("bind() failed".to_owned()).unwrap();
        drop(sender);
        assert_eq!(port(&lines, PORT_PATIENCE), Err(why));
    }
}

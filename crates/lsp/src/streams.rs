//! Reads and writes messages on standard input and output. An invalid message doesn't end the
//! server, and no message takes more memory than the largest text.

use std::io::{self, BufRead, Read as _, Write};
use std::thread::{self, JoinHandle};

use lsp_server::{Connection, ErrorCode, Message};
use prophet_text::{Context as _, Problem, problem};
use serde_json::json;

const MESSAGE_MAX: u64 = 64 << 20;
const LINE_MAX: u64 = 1 << 12;

#[derive(Debug)]
pub(crate) struct Carriers([JoinHandle<()>; 2]);

impl Carriers {
    /// Waits for the threads to end, after the server and the editor have ended.
    pub(crate) fn join(self) {
        for thread in self.0 {
            // A panic has already been reported.
            let _ = thread.join();
        }
    }
}

pub(crate) fn stdio() -> (Connection, Carriers) {
    let (server, editor) = Connection::memory();
    let (sender, receiver) = (editor.sender, editor.receiver);
    let takes = thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(message)) = next(&mut input) {
            let passed = match message {
                Ok(message) => {
                    let is_last = is_exit(&message);
                    sender.send(message).is_ok() && !is_last
                }
                Err(why) => refuse(&why).is_ok(),
            };
            if !passed {
                break;
            }
        }
    });
    let gives = thread::spawn(move || {
        for message in receiver {
            if message.write(&mut io::stdout().lock()).is_err() {
                break;
            }
        }
    });
    (server, Carriers([takes, gives]))
}

fn is_exit(message: &Message) -> bool {
    matches!(message, Message::Notification(it) if it.method == "exit")
}

/// Replies to an invalid message, which has no known number.
fn refuse(why: &Problem) -> io::Result<()> {
    let error = json!({ "code": ErrorCode::ParseError as i32, "message": why.to_string() });
    let text = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

/// Returns the next message, or what is wrong with it; `None` at the end of the input.
fn next(input: &mut impl BufRead) -> io::Result<Option<Result<Message, Problem>>> {
    let mut length = None;
    let mut is_begun = false;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LINE_MAX).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() && is_begun {
            break;
        }
        is_begun |= !line.is_empty();
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let Some(length) = length else {
        return Ok(Some(Err("the message has no Content-Length".into())));
    };
    let mut body = input.by_ref().take(length);
    if length > MESSAGE_MAX {
        io::copy(&mut body, &mut io::sink())?;
        let why = problem!("the message has {length} bytes; the limit is {MESSAGE_MAX}");
        return Ok(Some(Err(why)));
    }
    let mut bytes = Vec::new();
    body.read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Ok(None);
    }
    Ok(Some(
        serde_json::from_slice(&bytes).context("the message is invalid"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a stream, and returns the methods and problems in it.
    fn read(stream: &str) -> Vec<String> {
        let mut input = stream.as_bytes();
        let mut told = Vec::new();
        while let Some(message) = next(&mut input).expect("it is in memory") {
            told.push(match message {
                Ok(Message::Request(it)) => it.method,
                Ok(Message::Notification(it)) => it.method,
                Ok(Message::Response(_)) => "response".to_owned(),
                Err(why) => why.to_string(),
            });
        }
        told
    }

    #[test]
    fn what_is_wrong_with_a_message_is_told_and_the_next_is_read() {
        let good = "Content-Length: 16\r\n\r\n{\"method\": \"ok\"}";
        for (bad, told) in [
            ("Content-Length: 2\r\n\r\n{]", "the message is invalid: "),
            ("Content-Length: 2\r\n\r\n{}", "the message is invalid: "),
            (
                "Content-Length: 1\r\n\r\n\u{7f}",
                "the message is invalid: ",
            ),
            (
                "Content-Length: -1\r\n\r\n",
                "the message has no Content-Length",
            ),
            (
                "Content-Type: x\r\n\r\n",
                "the message has no Content-Length",
            ),
            ("no head\n\n", "the message has no Content-Length"),
        ] {
            let all = read(&format!("{bad}{good}"));
            assert!(all[0].starts_with(told), "{bad:?}: {all:?}");
            assert_eq!(all[1..], ["ok"], "{bad:?}");
        }
    }

    #[test]
    fn no_length_takes_memory_that_the_message_does_not() {
        for length in [u64::MAX, 5_000_000_000] {
            let all = read(&format!("Content-Length: {length}\r\n\r\n{{}}"));
            let told = format!("the message has {length} bytes; the limit is {MESSAGE_MAX}");
            assert_eq!(all, [told]);
        }
        assert_eq!(read("Content-Length: 60000000\r\n\r\n{}"), [""; 0]);
    }
}

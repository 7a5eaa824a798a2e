//! Reads changes as JSON lines, from a file or from a pipe as they arrive.

use std::fmt;
use std::io::{BufRead, Read as _};

use crate::change::Change;
use crate::change::entry::Entry;
use crate::quantity::one_line;
use crate::source::Source;
use prophet_text::json_mistake;

const BYTES_MAX: u64 = 65_536;

pub(super) struct Lines {
    source: Source,
    /// The input. It is opened when the first line is needed.
    input: Option<Box<dyn BufRead>>,
    bytes: Vec<u8>,
    count: u64,
    /// Time of the last change, in simulated seconds.
    last_s: f64,
}

impl Lines {
    pub(super) fn new(source: &Source) -> Self {
        Self {
            source: source.clone(),
            input: None,
            bytes: Vec::new(),
            count: 0,
            last_s: 0.0,
        }
    }

    /// Reads the next change, waiting for it if necessary; `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// Returns an error with the line's number if the line isn't a change.
    pub(super) fn next(&mut self) -> Result<Option<Change>, String> {
        while self.read()? {
            if self.bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let change = self.parse()?;
            if change.at_s < self.last_s {
                return Err(self.located(&format!(
                    "the change at {} s follows a change at {} s: sort the lines by time",
                    change.at_s, self.last_s
                )));
            }
            self.last_s = change.at_s;
            return Ok(Some(change));
        }
        Ok(None)
    }

    /// Parses the line read last.
    fn parse(&self) -> Result<Change, String> {
        let at = |column: usize, message: &str| {
            format!("{}:{}:{column}: {message}", self.source, self.count)
        };
        let text = std::str::from_utf8(&self.bytes)
            .map_err(|error| at(error.valid_up_to() + 1, "the line is not UTF-8 text"))?;
        if !text.trim_start().starts_with('{') {
            let message = "expected a change as an object, such as {\"at_s\": 10, \"link\": \
                           \"node0.up\", \"background\": 0.5}";
            return Err(at(1, message));
        }
        let entry: Entry = serde_json::from_str(text).map_err(|error| {
            let (message, column) = told(&error, text);
            at(column, &message)
        })?;
        entry
            .change()
            .map_err(|error| self.located(&error.to_string()))
    }

    /// Prefixes a message with the number of the last line.
    pub(super) fn located(&self, message: &str) -> String {
        format!("{}:{}: {message}", self.source, self.count)
    }

    /// Reads a line; returns `false` at the end of the input.
    fn read(&mut self) -> Result<bool, String> {
        self.bytes.clear();
        let cannot = |error| self.source.unreadable(&error);
        let input = match &mut self.input {
            Some(input) => input,
            none => none.insert(self.source.open().map_err(cannot)?),
        };
        let mut line = input.take(BYTES_MAX + 1);
        let length = line.read_until(b'\n', &mut self.bytes).map_err(cannot)?;
        if length == 0 {
            return Ok(false);
        }
        self.count += 1;
        if length as u64 > BYTES_MAX {
            return Err(self.located(&format!("the line is longer than {BYTES_MAX} bytes")));
        }
        Ok(true)
    }
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = f.debug_struct("Lines");
        lines
            .field("source", &self.source)
            .field("count", &self.count);
        lines.finish_non_exhaustive()
    }
}

/// Returns a message about a line that isn't a change, and the column of the error.
fn told(error: &serde_json::Error, line: &str) -> (String, usize) {
    let text = error.to_string();
    // serde sees only one line, so its line number is always 1.
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    let what = if error.is_data() {
        ""
    } else {
        "invalid JSON: "
    };
    let told = one_line(&json_mistake(text));
    let told = needs_unit(line, &told).unwrap_or(told);
    (format!("{what}{told}"), error.column())
}

/// Says that the last value in a line needs a unit, if it is a number that is one.
fn needs_unit(line: &str, told: &str) -> Option<String> {
    let number = told.strip_prefix("expected text in quotes, found ")?;
    let before = line.rsplit_once(&format!(":{number}"))?.0;
    let key = before.trim_end_matches('"').rsplit('"').next()?;
    let unit = match key {
        "bandwidth" => "GB/s",
        "latency" => "us",
        "at" => "s",
        _ => return None,
    };
    Some(format!(
        "`{key}`: `{number}` needs a unit: write `\"{number}{unit}\"`"
    ))
}

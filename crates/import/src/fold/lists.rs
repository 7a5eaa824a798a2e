//! Writes values that no formula fits as cost functions. Such a function is a tree of conditions,
//! because a choice in an expression would nest with each rank, and the cost language limits
//! nesting.

use std::fmt::Write as _;

use prophet_text::markup::escaped;

use super::values::ListedRun;

/// Maximum number of values in a function; further values are put into further functions.
const VALUES_MAX: usize = 128;

/// Functions that list ranks' values.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) text: String,
    count: usize,
}

impl Lists {
    /// Returns the value for a rank in one of these runs. Runs of other sizes use the last run's
    /// values.
    pub(super) fn of_runs(&mut self, of: &str, runs: Vec<ListedRun>) -> String {
        let one = |it: ListedRun| {
            let first = it.values[0].1.clone();
            let is_same = it.values.iter().all(|it| it.1 == first);
            let value = if is_same {
                first
            } else {
                self.call(of, it.values)
            };
            (it.condition, value)
        };
        let mut all: Vec<(String, String)> = runs.into_iter().map(one).collect();
        let Some((_, last)) = all.pop() else {
            return "0".to_owned();
        };
        if all.iter().all(|it| it.1 == last) {
            return last;
        }
        let mut body = String::new();
        for (condition, value) in all {
            let _ = writeln!(body, "if ({condition}) {{\n  return {value};\n}}");
        }
        self.named(of, &format!("{body}return {last};"))
    }

    /// Adds a function that returns each rank's value, and returns a call of it. A rank without a
    /// value gets the value of the rank before it.
    fn call(&mut self, of: &str, mut values: Vec<(u32, String)>) -> String {
        values.dedup_by(|next, last| next.1 == last.1);
        while values.len() > VALUES_MAX {
            let parts = values.chunks(VALUES_MAX);
            values = parts.map(|it| (it[0].0, self.function(of, it))).collect();
        }
        self.function(of, &values)
    }

    fn function(&mut self, of: &str, values: &[(u32, String)]) -> String {
        let mut body = String::new();
        tree(values, 0, &mut body);
        self.named(of, &body)
    }

    fn named(&mut self, of: &str, body: &str) -> String {
        self.count += 1;
        let name = format!("PerRank{}", self.count);
        let _ = writeln!(
            self.text,
            "  <function name=\"{name}\" result=\"{of}\">\n    <body>{}</body>\n  </function>",
            escaped(body.trim_end())
        );
        format!("{name}()")
    }
}

/// Writes a binary decision tree over the values.
fn tree(values: &[(u32, String)], depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    if let [(_, value)] = values {
        let _ = writeln!(text, "{indent}return {value};");
        return;
    }
    let (below, above) = values.split_at(values.len() / 2);
    let Some((first, _)) = above.first() else {
        return;
    };
    let _ = writeln!(text, "{indent}if (pid < {first}) {{");
    tree(below, depth + 1, text);
    let _ = writeln!(text, "{indent}}} else {{");
    tree(above, depth + 1, text);
    let _ = writeln!(text, "{indent}}}");
}

//! Shell of the pages that explain results: one HTML file each, which needs no network, no other
//! file and no library.
//!
//! A [`Page`] adds its scripts and style sheets to the shell's. All text of a model travels as
//! JSON, and only the scripts turn it into text: no text of a model is ever read as markup. In
//! addition, a policy (CSP) in the file allows only the style sheet and the script whose digests it
//! names.
//!
//! | module | is |
//! |---|---|
//! | `column` | columns of numbers, as a page reads them |
//! | `escape` | text of strangers in HTML and in scripts |
//! | `shell` | the frame, and what all pages have: elements, formats, exports, the address |

use serde::Serialize;

mod column;
mod escape;

pub use column::{Column, base64};

const FRAME: &str = include_str!("shell/page.html");

/// Style sheets of all pages, in the order in which later ones override earlier ones.
const STYLES: &[&str] = &[
    include_str!("shell/colors.css"),
    include_str!("shell/page.css"),
    include_str!("shell/tables.css"),
    include_str!("shell/media.css"),
];

/// Scripts of all pages, in the order in which they depend on each other. A page's own scripts
/// follow; they define `data` by `loadData()`, and `modelName`, after which saved files are named.
const SCRIPTS: &[&str] = &[
    include_str!("shell/format.js"),
    include_str!("shell/dom.js"),
    include_str!("shell/theme.js"),
    include_str!("shell/columns.js"),
    include_str!("shell/address.js"),
    include_str!("shell/exports.js"),
    include_str!("shell/tooltip.js"),
    include_str!("shell/controls.js"),
    include_str!("shell/clipboard.js"),
    include_str!("shell/contents.js"),
];

/// Parts that a page adds to the shell.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Style sheets, in order.
    pub styles: &'static [&'static str],
    /// Scripts, in order.
    pub scripts: &'static [&'static str],
    /// Policy as [`policy_with`](Page::policy_with) computes it; a test compares them.
    pub policy: &'static str,
}

impl Page {
    /// Renders the page with a title and its data.
    ///
    /// # Panics
    ///
    /// If the data has keys that are no text.
    pub fn render(&self, title: &str, data: &impl Serialize) -> String {
        let json = serde_json::to_string(data).expect("names are text, and nothing else can fail");
        let (style, script) = (self.style(), self.script());
        let mut page = String::with_capacity(json.len() + script.len() + style.len() + FRAME.len());
        let mut frame = FRAME;
        while let Some((before, rest)) = frame.split_once("{{") {
            let (name, after) = rest
                .split_once("}}")
                .expect("the frame closes what it opens");
            page.push_str(before);
            match name {
                "policy" => page.push_str(self.policy()),
                "title" => escape::html(title, &mut page),
                "style" => page.push_str(&style),
                "data" => escape::json(&json, &mut page),
                "script" => page.push_str(&script),
                _ => unreachable!("the frame knows no {name}"),
            }
            frame = after;
        }
        page.push_str(frame);
        page
    }

    /// Policy of the page: it may run its own script, and load nothing.
    pub fn policy(&self) -> &'static str {
        self.policy.trim_end()
    }

    /// Policy that names the digests of the style sheet and of the script; `digest` is SHA-256 in
    /// base64.
    ///
    /// It is written down and not computed for each page: a program that only predicts has no use
    /// for the library of digests.
    pub fn policy_with(&self, digest: impl Fn(&str) -> String) -> String {
        format!(
            "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; \
             form-action 'none'\n",
            digest(&self.style()),
            digest(&self.script())
        )
    }

    /// Joins all style sheets.
    fn style(&self) -> String {
        [STYLES, self.styles].concat().concat()
    }

    /// Joins all scripts into one that leaves no names behind.
    fn script(&self) -> String {
        let scripts = [SCRIPTS, self.scripts].concat().concat();
        format!("\"use strict\";\n(() => {{\n{scripts}}})();\n")
    }
}

#[cfg(test)]
mod tests;

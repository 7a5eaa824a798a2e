//! Renders the pages that explain results. Each page is a single HTML file that doesn't need a
//! network, other files or libraries.
//!
//! A [`Page`] adds its scripts and style sheets to this crate's shell. All text from a model is
//! stored as JSON, and only scripts convert it to text nodes, so it is never parsed as markup. In
//! addition, a content security policy (CSP) in the file allows only the style sheet and the script
//! whose digests it contains.
//!
//! | module | is |
//! |---|---|
//! | `column` | columns of numbers, as a page reads them |
//! | `escape` | untrusted text in HTML and in scripts |
//! | `shell` | the frame, and what all pages share: elements, formats, exports, the address |

use serde::Serialize;

mod column;
mod escape;

pub use column::{Column, base64};

const FRAME: &str = include_str!("shell/page.html");

/// Style sheets of all pages. Later ones override earlier ones.
const STYLES: &[&str] = &[
    include_str!("shell/colors.css"),
    include_str!("shell/page.css"),
    include_str!("shell/tables.css"),
    include_str!("shell/media.css"),
];

/// Scripts of all pages, in dependency order. A page's own scripts follow. They define `data` with
/// `loadData()`, and `modelName`, after which saved files are named.
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

/// A page: what it adds to the shell.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Style sheets, in order.
    pub styles: &'static [&'static str],
    /// Scripts, in order.
    pub scripts: &'static [&'static str],
    /// The content security policy, as computed by [`policy_with`](Page::policy_with). A test
    /// compares the two.
    pub policy: &'static str,
}

impl Page {
    /// Renders the page as HTML.
    ///
    /// # Panics
    ///
    /// Panics if the data has keys that aren't strings.
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

    /// Returns the page's content security policy. It lets the page run its own script, but not
    /// load anything.
    pub fn policy(&self) -> &'static str {
        self.policy.trim_end()
    }

    /// Computes the policy from the digests of the style sheet and the script. `digest` must return
    /// SHA-256 digests in base64.
    ///
    /// The result is stored in the code, so that programs that render pages don't need a digest
    /// library.
    pub fn policy_with(&self, digest: impl Fn(&str) -> String) -> String {
        format!(
            "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; \
             form-action 'none'\n",
            digest(&self.style()),
            digest(&self.script())
        )
    }

    fn style(&self) -> String {
        [STYLES, self.styles].concat().concat()
    }

    /// Joins all scripts into one that doesn't define any global names.
    fn script(&self) -> String {
        let scripts = [SCRIPTS, self.scripts].concat().concat();
        format!("\"use strict\";\n(() => {{\n{scripts}}})();\n")
    }
}

#[cfg(test)]
mod tests;

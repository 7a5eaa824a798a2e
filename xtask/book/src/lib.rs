//! The documentation as a book: pages, links, and the folder from which mdBook makes it.
//!
//! The pages are those that people read on the web host of the repository, unchanged: the book has
//! the folders of the repository, and with them the files that a page links to, so that one link
//! works in both.
//!
//! | module | is |
//! |---|---|
//! | `page` | a page: its links, and the anchors that links lead to |
//! | `contents` | the table of contents, `docs/SUMMARY.md` |
//! | `studio` | links from pages to the studio in the book |
//! | `stage` | the folder that mdBook reads |

mod contents;
mod page;
mod stage;
mod studio;

pub use contents::Contents;
pub use page::{BookPage, PageLink, is_elsewhere};
pub use stage::stage;
pub use studio::STUDIO;

/// Table of contents, from the project's folder.
pub const CONTENTS: &str = "docs/SUMMARY.md";

/// Version of mdBook that makes the book.
pub const MDBOOK: &str = "0.5.4";

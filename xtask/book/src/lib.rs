//! Prepares the documentation as a book: reads pages and their links, and fills the folder that
//! mdBook builds the book from.
//!
//! The pages are the same as on the website that hosts the repository. The book keeps the
//! repository's folders and includes the files that pages link to, so that links work in both
//! places.
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

/// Path of the table of contents, relative to the project's folder.
pub const CONTENTS: &str = "docs/SUMMARY.md";

/// The version of mdBook that builds the book.
pub const MDBOOK: &str = "0.5.4";

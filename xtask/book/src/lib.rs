//! Prepares the documentation as a book: pages, links, and the folder from which mdBook makes it.
//!
//! The pages are the ones that people read on the repository's web host, unchanged. The book keeps
//! the repository's folders and the files that pages link to, so that links work in both.
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

/// The table of contents, from the project's folder.
pub const CONTENTS: &str = "docs/SUMMARY.md";

/// The mdBook version that makes the book.
pub const MDBOOK: &str = "0.5.4";

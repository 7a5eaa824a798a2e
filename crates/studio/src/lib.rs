//! The studio: models drawn in the browser, with their predictions beside the drawing.
//!
//! The server keeps the document; a page sends edits and gets the whole state back. Nothing here
//! knows how a page draws, and no page knows what a model means.
//!
//! | module | is |
//! |---|---|
//! | `page` | the files of the page, which are part of the program |
//! | `words` | what can be drawn, and the flags of predictions, from the profile and the runtime |
//! | `view` | a model as a page sees it |
//! | `predict` | predictions, which newer ones end |
//! | `recovery` | what was not saved yet, kept for the next start |
//! | `session` | the document that is edited, and its file |
//! | `gate` | who may ask: the page of this server alone |
//! | `server` | the addresses, and what they do |
//! | `command` | the command line |

pub mod command;
mod gate;
mod page;
mod predict;
mod recovery;
pub mod server;
mod session;
mod view;
mod words;

//! Tests the studio in a page.

mod client;
mod host;
mod page;
mod requests;

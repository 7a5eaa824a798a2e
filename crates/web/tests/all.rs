//! Tests the studio that runs in a page.

mod client;
mod host;
mod page;
mod requests;

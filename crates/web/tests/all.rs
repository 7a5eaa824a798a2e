//! Tests of the studio in a page.

mod client;
mod page;
mod requests;

//! Repositories of both kinds, through the command line.

#![cfg(unix)] // They use its shell and its signals.

mod common;
mod keep;
mod postgres;
mod sqlite;
mod tls;

/// A module imports modules of its own layer and of those below it.
#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}

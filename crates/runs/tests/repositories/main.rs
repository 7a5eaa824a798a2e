//! Tests repositories of both kinds through the command line.

#![cfg(unix)] // They use its shell and its signals.

mod common;
mod keep;
mod postgres;
mod sqlite;
mod tls;

/// Checks that modules import only from their own layer and the layers below.
#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}

//! Repositories of both kinds, through the command line.

#![cfg(unix)] // They use its shell and its signals.

mod common;
mod keep;
mod layers;
mod postgres;
mod sqlite;
mod tls;

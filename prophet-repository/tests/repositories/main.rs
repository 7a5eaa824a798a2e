//! Repositories of both kinds, through the command line.

mod common;
mod keep;
mod postgres;
mod sqlite;

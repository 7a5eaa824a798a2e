//! Targets: what a program can become. Each is a [`crate::content_handler::ContentHandler`].

pub mod rust;

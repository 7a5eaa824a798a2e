//! The integration tests as one program, so that they are linked once.

mod animation;
mod canvas;
mod client;
mod export;
mod files;
mod folder;
mod keyboard;
mod keys;
mod layout;
mod models;
mod mouse;
mod page;
mod report;
mod reports;
mod robust;
mod server;
mod studio;
mod sweep;
mod touch;
mod troubles;
mod views;
mod workflow;

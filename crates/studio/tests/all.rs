//! Collects the integration tests into one program, so that they are linked once.

mod client;
mod export;
mod folder;
mod keys;
mod layout;
mod mouse;
mod page;
#[cfg(unix)]
mod requests;
mod robust;
mod scripts;
mod server;
mod studio;
mod touch;
mod troubles;
mod views;
mod workflow;

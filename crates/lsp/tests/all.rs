//! The integration tests as one program, so that they are linked once.

mod neovim;
mod session;
mod vscode;

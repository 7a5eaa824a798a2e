//! The integration tests as one program, so that they are linked once.

mod files;
mod home;
mod installed;
mod streams;
mod version;
mod windows;

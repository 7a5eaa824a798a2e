//! The integration tests as one program, so that they are linked once.

mod files;
mod home;
mod installed;
mod platforms;
mod streams;
mod version;

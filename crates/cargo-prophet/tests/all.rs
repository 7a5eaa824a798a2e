//! Collects the integration tests into one program, so that they are linked once.

mod files;
mod home;
mod installed;
mod platforms;
mod streams;
mod version;

//! Collects the integration tests into one program, so that they are linked once.

mod browsers;

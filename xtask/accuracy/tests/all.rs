//! Collects the integration tests into one program, so that they are linked once.

mod lapw0;
mod pages;
mod sets;
mod training;

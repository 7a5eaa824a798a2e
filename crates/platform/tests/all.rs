//! The integration tests as one program, so that they are linked once.

mod bad_files;
mod layers;
mod pictures;
mod simgrid;
mod topologies;

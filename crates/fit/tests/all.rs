//! Builds the integration tests as one program, so that they are linked once.

mod degenerate;
mod draws;
mod forms;
mod knees;
mod layers;
mod messages;
mod random_laws;

#[cfg(feature = "command")]
mod command;
#[cfg(feature = "command")]
mod distribution;
#[cfg(feature = "command")]
mod fitted_files;
#[cfg(feature = "command")]
mod jobs;
#[cfg(feature = "command")]
mod own_forms;
#[cfg(feature = "command")]
mod parameters;

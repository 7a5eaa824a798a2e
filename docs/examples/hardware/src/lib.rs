//! Contains hardware models of your own: a network, and models of a device that machines don't
//! have.

mod bus;
mod disk;

use prophet_runtime::HardwareModel;

/// All models of this crate.
pub const MODELS: [HardwareModel; 3] = [bus::MODEL, disk::HARD_DISK, disk::FLASH];

//! Hardware models of your own: a network, and the models of a device that machines lack.

mod bus;
mod disk;

use prophet_runtime::HardwareModel;

/// All models of this crate.
pub const MODELS: [HardwareModel; 3] = [bus::MODEL, disk::HARD_DISK, disk::FLASH];

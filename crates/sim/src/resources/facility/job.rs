//! Services under way.

/// A service under way that may be broken off.
#[derive(Debug, Clone, Copy)]
pub(super) struct Job {
    pub(super) unit: u32,
    pub(super) generation: u32,
    pub(super) priority: i32,
    pub(super) since_s: f64,
    /// Time at which the whole service ends if nothing comes between.
    pub(super) end_s: f64,
    /// Time at which its turn ends: at `end_s`, or before when others wait.
    pub(super) turn_end_s: f64,
}

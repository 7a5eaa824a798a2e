//! Data of the views of a network whose links messages share.

use prophet_page::Column;
use serde::Serialize;

/// Maximum number of messages whose bandwidth is shown one by one.
pub const FLOWS_MAX: usize = 1 << 16;

/// Maximum number of links; the most loaded links are kept.
pub const LINKS_MAX: usize = 1 << 16;

/// Maximum number of links whose loads are shown over time.
pub const LOADS_MAX: usize = 1 << 10;

/// Maximum size of a drawing of the machine.
pub const PICTURE_BYTES_MAX: usize = 1 << 20;

/// Value in a column of links for an unlisted link.
pub const NO_LINK: u32 = u32::MAX;

/// Network whose links messages share.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Network {
    /// Size of a packet, by which a bandwidth is a knee capacity.
    pub packet_bytes: f64,
    /// Links that messages took.
    pub links: Links,
    /// Bandwidth that messages found.
    pub flows: Flows,
    /// Bandwidth that messages found, over time.
    pub availability: AvailabilityData,
    /// Drawing of the machine; lines have the numbers of their links as `data-links`.
    pub picture: Option<String>,
}

/// Links in columns.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Links {
    /// Their names.
    pub name: Vec<String>,
    /// Their numbers in the drawing.
    pub number: Column<u32>,
    /// Their bandwidths, without other traffic.
    pub bytes_per_s: Column<f64>,
    /// Fractions that others take.
    pub background: Column<f64>,
    /// Mean loads over the run: shares of the bandwidth that messages take.
    pub mean_load: Column<f64>,
    /// Highest loads at any time.
    pub most_load: Column<f64>,
    /// Length of a step of the loads over time.
    pub step_s: f64,
    /// Number of steps.
    pub steps: u32,
    /// Places of the links whose loads over time are known.
    pub shown: Column<u32>,
    /// Loads of the first of these links, then the loads of the second, and so on.
    pub load: Column<f32>,
}

/// Messages on the links, by the time at which they leave; at most [`FLOWS_MAX`] rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Flows {
    /// The processes that send them.
    pub from: Column<u32>,
    /// The processes that they are for.
    pub to: Column<u32>,
    /// Starts, ascending.
    pub start_s: Column<f64>,
    /// Ends.
    pub end_s: Column<f64>,
    /// Sizes.
    pub bytes: Column<f64>,
    /// The most loaded links of the routes, by place; [`NO_LINK`] for an unlisted link.
    pub link: Column<u32>,
    /// Mean bandwidth of that link, shared by the messages on it.
    pub available_bytes_per_s: Column<f64>,
    /// Mean bandwidth of the least one without other traffic.
    pub clear_bytes_per_s: Column<f64>,
    /// Number of messages, including messages that are not listed.
    pub count: u64,
}

/// Mean bandwidth that the messages on their way found, in steps of equal length; NaN in a step
/// without messages.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AvailabilityData {
    /// Length of a step.
    pub step_s: f64,
    /// Mean in each step.
    pub mean_bytes_per_s: Column<f64>,
    /// The least in each step.
    pub least_bytes_per_s: Column<f64>,
    /// Mean in each step, without other traffic of the links.
    pub clear_bytes_per_s: Column<f64>,
}

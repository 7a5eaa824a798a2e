//! Represents the data for the views of a network with shared links.

use prophet_page::Column;
use serde::Serialize;

/// Maximum number of messages to show individually with their bandwidth.
pub const FLOWS_MAX: usize = 1 << 16;

/// Maximum number of links; the most loaded links are kept.
pub const LINKS_MAX: usize = 1 << 16;

/// Maximum number of links to show with loads over time.
pub const LOADS_MAX: usize = 1 << 10;

/// Maximum size of a drawing of the machine.
pub const PICTURE_BYTES_MAX: usize = 1 << 20;

/// Stands for an unlisted link in a column of links.
pub const NO_LINK: u32 = u32::MAX;

/// A network with links that messages share.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Network {
    /// Packet size, to convert a bandwidth to a knee capacity.
    pub packet_bytes: f64,
    /// Links that messages took.
    pub links: Links,
    /// Bandwidth available to messages.
    pub flows: Flows,
    /// Bandwidth available to messages, over time.
    pub availability: AvailabilityData,
    /// Drawing of the machine; lines have their links' numbers as `data-links`.
    pub picture: Option<String>,
}

/// Links in columns.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Links {
    /// Names.
    pub name: Vec<String>,
    /// Numbers in the drawing.
    pub number: Column<u32>,
    /// Bandwidths without other traffic.
    pub bytes_per_s: Column<f64>,
    /// Fractions that other traffic takes.
    pub background: Column<f64>,
    /// Mean loads over the run: the shares of bandwidth that messages use.
    pub mean_load: Column<f64>,
    /// Highest loads at any time.
    pub most_load: Column<f64>,
    /// Length of a step in the loads over time.
    pub step_s: f64,
    /// Number of steps.
    pub steps: u32,
    /// Positions of the links with known loads over time.
    pub shown: Column<u32>,
    /// Loads of the first of these links, followed by the second's, and so on.
    pub load: Column<f32>,
}

/// Messages on the links, sorted by start time; at most [`FLOWS_MAX`] rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Flows {
    /// Sending processes.
    pub from: Column<u32>,
    /// Receiving processes.
    pub to: Column<u32>,
    /// Starts, ascending.
    pub start_s: Column<f64>,
    /// Ends.
    pub end_s: Column<f64>,
    /// Sizes in bytes.
    pub bytes: Column<f64>,
    /// The most loaded link of each route, by position; [`NO_LINK`] for an unlisted link.
    pub link: Column<u32>,
    /// Mean bandwidth of that link, shared by the messages on it.
    pub available_bytes_per_s: Column<f64>,
    /// Least mean bandwidth of a link on the route, without other traffic.
    pub clear_bytes_per_s: Column<f64>,
    /// Number of messages, including unlisted ones.
    pub count: u64,
}

/// Mean bandwidth available to messages in flight, in steps of equal length; NaN in steps without
/// messages.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AvailabilityData {
    /// Length of a step.
    pub step_s: f64,
    /// Mean in each step.
    pub mean_bytes_per_s: Column<f64>,
    /// Minimum in each step.
    pub least_bytes_per_s: Column<f64>,
    /// Mean in each step, without other traffic on the links.
    pub clear_bytes_per_s: Column<f64>,
}

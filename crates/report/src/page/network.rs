//! Represents the data for the views of a network with shared links.

use prophet_page::Column;
use serde::Serialize;

/// Maximum number of messages shown individually, with their bandwidth.
pub const FLOWS_MAX: usize = 1 << 16;

/// Maximum number of links. If there are more, the most heavily loaded ones are kept.
pub const LINKS_MAX: usize = 1 << 16;

/// Maximum number of links whose load over time is shown.
pub const LOADS_MAX: usize = 1 << 10;

/// Maximum size of a drawing of the machine, in bytes.
pub const PICTURE_BYTES_MAX: usize = 1 << 20;

/// The value that stands for an unlisted link in a column of links.
pub const NO_LINK: u32 = u32::MAX;

/// A network in which messages share links.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Network {
    /// Packet size in bytes. It converts a bandwidth to a knee capacity.
    pub packet_bytes: f64,
    /// The links that messages took.
    pub links: Links,
    /// How much bandwidth was available to each message.
    pub flows: Flows,
    /// How much bandwidth was available to messages over time.
    pub availability: AvailabilityData,
    /// Drawing of the machine as SVG. Each line contains the numbers of its links in `data-links`.
    pub picture: Option<String>,
}

/// The links of a network as columns.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Links {
    pub name: Vec<String>,
    /// Number of each link in the drawing.
    pub number: Column<u32>,
    /// Bandwidth of each link without other traffic, in bytes per second.
    pub bytes_per_s: Column<f64>,
    /// Fraction of each link's bandwidth that other traffic takes.
    pub background: Column<f64>,
    /// Mean load of each link over the run: the share of the bandwidth that messages use.
    pub mean_load: Column<f64>,
    /// Highest load of each link at any time.
    pub most_load: Column<f64>,
    /// Length of a step in `load`.
    pub step_s: f64,
    /// Number of steps in `load`.
    pub steps: u32,
    /// Positions of the links that `load` describes.
    pub shown: Column<u32>,
    /// Loads of the first of these links in all steps, followed by the second link's loads, and
    /// so on.
    pub load: Column<f32>,
}

/// The messages on the links, sorted by start time, in at most [`FLOWS_MAX`] rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Flows {
    /// Pid of each sender.
    pub from: Column<u32>,
    /// Pid of each receiver.
    pub to: Column<u32>,
    /// Start of each message, in ascending order.
    pub start_s: Column<f64>,
    /// End of each message.
    pub end_s: Column<f64>,
    /// Size of each message in bytes.
    pub bytes: Column<f64>,
    /// Position of the link with the least bandwidth on each message's route; [`NO_LINK`] if it
    /// isn't listed.
    pub link: Column<u32>,
    /// Mean bandwidth of each message on that link, which it shares with other messages.
    pub available_bytes_per_s: Column<f64>,
    /// Smallest mean bandwidth of any link on the route if there were no other traffic.
    pub clear_bytes_per_s: Column<f64>,
    /// Number of messages, including those left out here.
    pub count: u64,
}

/// The mean bandwidth that is available to messages in flight, in steps of equal length; NaN in
/// steps without messages.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AvailabilityData {
    /// Length of a step.
    pub step_s: f64,
    /// Mean over the messages in each step.
    pub mean_bytes_per_s: Column<f64>,
    /// Smallest bandwidth in each step.
    pub least_bytes_per_s: Column<f64>,
    /// Mean over the messages in each step if there were no other traffic.
    pub clear_bytes_per_s: Column<f64>,
}

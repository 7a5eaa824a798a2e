//! Represents the data for the views of a network whose links are shared.

use prophet_page::Column;
use serde::Serialize;

/// Maximum number of messages that are shown individually, with their bandwidth.
pub const FLOWS_MAX: usize = 1 << 16;

/// Maximum number of links. If there are more, the most heavily loaded ones are kept.
pub const LINKS_MAX: usize = 1 << 16;

/// Maximum number of links whose load over time is shown.
pub const LOADS_MAX: usize = 1 << 10;

/// Maximum size of a drawing of the machine, in bytes.
pub const PICTURE_BYTES_MAX: usize = 1 << 20;

/// The value that stands for an unlisted link in a column of links.
pub const NO_LINK: u32 = u32::MAX;

/// A network whose links are shared by messages.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Network {
    /// Packet size in bytes, which is needed to convert a bandwidth to a knee capacity.
    pub packet_bytes: f64,
    /// The links that messages took.
    pub links: Links,
    /// The bandwidth that was available to each message.
    pub flows: Flows,
    /// The bandwidth that was available to messages over time.
    pub availability: AvailabilityData,
    /// Drawing of the machine, in which lines list the numbers of their links as `data-links`.
    pub picture: Option<String>,
}

/// The links of a network as columns.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Links {
    /// Names of the links.
    pub name: Vec<String>,
    /// Numbers of the links in the drawing.
    pub number: Column<u32>,
    /// Bandwidths without other traffic, in bytes per second.
    pub bytes_per_s: Column<f64>,
    /// Fractions of the bandwidth that other traffic takes.
    pub background: Column<f64>,
    /// Mean loads over the run, as the share of the bandwidth that messages use.
    pub mean_load: Column<f64>,
    /// Highest loads at any time.
    pub most_load: Column<f64>,
    /// Length of a step in the loads over time.
    pub step_s: f64,
    /// Number of steps in the loads over time.
    pub steps: u32,
    /// Positions of the links whose loads over time are known.
    pub shown: Column<u32>,
    /// Loads of the first of these links in all steps, followed by the second link's loads, and so
    /// on.
    pub load: Column<f32>,
}

/// The messages on the links, sorted by start time, in at most [`FLOWS_MAX`] rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Flows {
    /// Pids of the senders.
    pub from: Column<u32>,
    /// Pids of the receivers.
    pub to: Column<u32>,
    /// When the messages start, in ascending order.
    pub start_s: Column<f64>,
    /// When the messages end.
    pub end_s: Column<f64>,
    /// Sizes of the messages in bytes.
    pub bytes: Column<f64>,
    /// Position of the most heavily loaded link on each message's route; [`NO_LINK`] if it isn't
    /// listed.
    pub link: Column<u32>,
    /// Mean bandwidth that each message gets on that link, which it shares with the other messages
    /// there.
    pub available_bytes_per_s: Column<f64>,
    /// Smallest mean bandwidth of any link on the route, without other traffic.
    pub clear_bytes_per_s: Column<f64>,
    /// Number of messages, including those that aren't listed.
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
    /// Mean over the messages in each step if there were no other traffic on the links.
    pub clear_bytes_per_s: Column<f64>,
}

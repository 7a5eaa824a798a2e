//! Extends PTI's format for networks with shared links: adds the links, the routes, the loads of
//! the links, and the messages with the network model's metrics. The schema is
//! `templates/xml/pti-network.xsd`.

use std::fmt;
use std::io::Write;

use crate::conversion::xml::Value;
use crate::conversion::{ExportError, Input};

pub(super) const NAMESPACE: &str = "urn:performance-prophet:network";

pub(super) fn write(input: &mut Input, out: &mut impl Write) -> Result<(), ExportError> {
    let Some(network) = &input.results().network else {
        return Ok(());
    };
    write!(out, "  <network:network")?;
    if let Some(bytes) = network.packet_bytes {
        write!(out, " packet=\"{bytes:?}\"")?;
    }
    writeln!(out, ">")?;
    for (number, link) in network.links.iter().enumerate() {
        writeln!(
            out,
            "    <network:link number=\"{number}\" name=\"{}\" bandwidth=\"{:?}\" \
             latency=\"{:?}\" background=\"{:?}\" fatpipe=\"{}\"/>",
            Value(&link.name),
            link.bytes_per_s,
            link.latency_s,
            link.background,
            link.is_fatpipe
        )?;
    }
    let mut hops = Vec::new();
    let mut rows = input.hops();
    while rows.next_batch(&mut hops)? {
        for hop in &hops {
            let (route, link) = (hop.route, hop.link);
            writeln!(out, "    <network:hop route=\"{route}\" link=\"{link}\"/>")?;
        }
    }
    write_flows(input, out)?;
    write_metrics(input, out)?;
    write_loads(input, out)?;
    writeln!(out, "  </network:network>")?;
    Ok(())
}

fn write_flows(input: &mut Input, out: &mut impl Write) -> Result<(), ExportError> {
    let mut flows = Vec::new();
    let mut rows = input.flows();
    while rows.next_batch(&mut flows)? {
        for flow in &flows {
            writeln!(
                out,
                "    <network:flow related=\"{}\" source=\"{}\" target=\"{}\" route=\"{}\" \
                 bytes=\"{}\" start=\"{:?}\" duration=\"{:?}\"/>",
                Sent((flow.sender, flow.message)),
                flow.sender,
                flow.receiver,
                flow.route,
                flow.bytes,
                flow.start_s,
                flow.end_s - flow.start_s
            )?;
        }
    }
    Ok(())
}

fn write_metrics(input: &mut Input, out: &mut impl Write) -> Result<(), ExportError> {
    let names = input.results().network.clone().unwrap_or_default().metrics;
    let mut metrics = Vec::new();
    let mut rows = input.metrics();
    while rows.next_batch(&mut metrics)? {
        for metric in &metrics {
            writeln!(
                out,
                "    <network:metric related=\"{}\" name=\"{}\" value=\"{:?}\"/>",
                Sent((metric.sender, metric.message)),
                Value(&names[metric.name as usize]),
                metric.value
            )?;
        }
    }
    Ok(())
}

fn write_loads(input: &mut Input, out: &mut impl Write) -> Result<(), ExportError> {
    let mut loads = Vec::new();
    let mut rows = input.loads();
    while rows.next_batch(&mut loads)? {
        for load in &loads {
            writeln!(
                out,
                "    <network:load link=\"{}\" start=\"{:?}\" flows=\"{}\" rate=\"{:?}\" \
                 capacity=\"{:?}\" bandwidth=\"{:?}\"/>",
                load.link,
                load.time_s,
                load.flows,
                load.bytes_per_s,
                load.capacity_bytes_per_s,
                load.bandwidth_bytes_per_s
            )?;
        }
    }
    Ok(())
}

/// The name of an event that sends a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent(pub(super) (u32, u32));

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self((pid, number)) = self;
        write!(f, "m{pid}-{number}")
    }
}

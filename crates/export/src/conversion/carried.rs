//! Bytes that the links of a network carry, and how busy that keeps them.

use prophet_trace::{LinkLoad, ReadError};

use super::Input;

/// A link with its traffic in a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Carried {
    pub(crate) name: String,
    pub(crate) bytes: f64,
    /// Part of the bytes that it could carry in the time of the run.
    pub(crate) load: f64,
}

/// Reads the traffic of the links of a trace, the busiest first.
pub(crate) fn of(input: &mut Input) -> Result<Vec<Carried>, ReadError> {
    let end_s = input.results().predicted_time_s;
    let Some(network) = input.results().network.clone() else {
        return Ok(Vec::new());
    };
    let mut last: Vec<Option<LinkLoad>> = vec![None; network.links.len()];
    let mut bytes = vec![0.0; network.links.len()];
    let mut loads = Vec::new();
    let mut rows = input.loads();
    while rows.next_batch(&mut loads)? {
        for load in &loads {
            // The reader has checked the links' numbers.
            let link = load.link as usize;
            if let Some(before) = last[link].replace(*load) {
                bytes[link] += before.bytes_per_s * (load.time_s - before.time_s);
            }
        }
    }
    let links = network.links.into_iter().zip(bytes);
    let mut links: Vec<Carried> = links
        .map(|(link, bytes)| Carried {
            name: link.name,
            bytes,
            load: bytes / (link.bytes_per_s * end_s),
        })
        .collect();
    links.sort_by(|one, other| other.load.total_cmp(&one.load));
    Ok(links)
}

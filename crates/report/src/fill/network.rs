//! Fills in the views of a network with shared links.

use prophet_trace::{Flow, LinkLoad, NetworkLink, ReadError, TraceReader, TracedNetwork};

use super::offset;
use crate::analysis::availability::{Availability, FoundBandwidth, Share, Way};
use crate::analysis::series::Series;
use crate::order::largest_first;
use crate::page::network::{
    self as page, FLOWS_MAX, LINKS_MAX, LOADS_MAX, NO_LINK, PICTURE_BYTES_MAX,
};
use crate::thinned::Thinned;

const INTERVALS: usize = 256;

/// Maximum total number of links on the routes of all displayed messages.
const HOPS_MAX: usize = 1 << 22;

/// Packet size, as in Ethernet, that is assumed if messages aren't sent in packets.
const PACKET_BYTES: f64 = 1500.0;

/// Builds the views of the network; `None` if messages didn't share links.
pub(super) fn network(
    reader: &mut TraceReader,
    predicted_s: f64,
) -> Result<Option<page::Network>, ReadError> {
    let Some(network) = reader.results().network.clone() else {
        return Ok(None);
    };
    let routes = reader.routes()?;
    let mut flows = flows(reader, &routes)?;
    let count = flows.count();
    let flows = flows.kept();
    flows.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
    let ways = flows.iter().map(|flow| way(flow, &routes, &network));
    let ways: Vec<Way> = ways.collect();

    let mut availability = Availability::new(network.links.iter().map(alone), &ways);
    let mut uses = vec![Use::default(); network.links.len()];
    each_load(reader, |load| {
        let place = load.link as usize;
        availability.change(load.time_s, load.link, share(load, &network.links[place]));
        uses[place].change(load, predicted_s);
    })?;
    let found = availability.found();

    let (mut links, places) = ranked(&network, &mut uses, predicted_s);
    loads(reader, &places, predicted_s, &mut links)?;
    // Files are untrusted.
    let packet_bytes = network.packet_bytes.filter(|bytes| *bytes > 0.0);
    let picture = network.picture.filter(|it| it.len() <= PICTURE_BYTES_MAX);
    Ok(Some(page::Network {
        packet_bytes: packet_bytes.unwrap_or(PACKET_BYTES),
        links,
        availability: over_time(&ways, &found, predicted_s),
        flows: columns(flows, &found, &places, count),
        picture,
    }))
}

/// Collects the messages that move bytes over links.
fn flows(reader: &mut TraceReader, routes: &[Vec<u32>]) -> Result<Thinned<Flow>, ReadError> {
    let longest = routes.iter().map(Vec::len).max().unwrap_or(0);
    let limit = FLOWS_MAX.min(HOPS_MAX / longest.max(1)).max(1);
    let mut found = Thinned::new(limit);
    let mut rows = reader.flows();
    let mut batch = Vec::new();
    while rows.next_batch(&mut batch)? {
        for flow in &batch {
            if flow.bytes > 0 && !routes[flow.route as usize].is_empty() {
                found.add(*flow);
            }
        }
    }
    Ok(found)
}

/// Visits the loads of links, sorted by time.
fn each_load(reader: &mut TraceReader, mut visit: impl FnMut(&LinkLoad)) -> Result<(), ReadError> {
    let mut rows = reader.loads();
    let mut batch = Vec::new();
    while rows.next_batch(&mut batch)? {
        batch.iter().for_each(&mut visit);
    }
    Ok(())
}

/// Returns when and where a message uses bandwidth. Before that, it takes the latencies of its
/// links, unless its packets take them one by one.
fn way<'a>(flow: &Flow, routes: &'a [Vec<u32>], network: &TracedNetwork) -> Way<'a> {
    let links = &routes[flow.route as usize];
    let latency = |link: &u32| network.links[*link as usize].latency_s;
    let latency_s = match network.packet_bytes {
        Some(_) => 0.0,
        None => links.iter().map(latency).sum(),
    };
    Way {
        from_s: (flow.start_s + latency_s).min(flow.end_s),
        to_s: flow.end_s,
        links,
    }
}

/// Returns the share of a message that is alone on a link.
fn alone(link: &NetworkLink) -> Share {
    Share {
        available_bytes_per_s: link.capacity_bytes_per_s(),
        clear_bytes_per_s: link.bytes_per_s,
    }
}

fn share(load: &LinkLoad, link: &NetworkLink) -> Share {
    Share {
        available_bytes_per_s: load.effective_bytes_per_s(link.is_fatpipe),
        clear_bytes_per_s: load.clear_bytes_per_s(link.is_fatpipe),
    }
}

fn fraction(load: &LinkLoad) -> f64 {
    if load.bandwidth_bytes_per_s > 0.0 {
        load.bytes_per_s / load.bandwidth_bytes_per_s
    } else {
        0.0
    }
}

/// How messages use a link, up to some time.
#[derive(Debug, Clone, Copy, Default)]
struct Use {
    since_s: f64,
    fraction: f64,
    most: f64,
    /// Integral over time of the fraction of the bandwidth that is used, in seconds.
    taken_s: f64,
}

impl Use {
    fn change(&mut self, load: &LinkLoad, predicted_s: f64) {
        self.reach(load.time_s.min(predicted_s));
        self.fraction = fraction(load);
        self.most = self.most.max(self.fraction);
    }

    fn reach(&mut self, time_s: f64) {
        self.taken_s += self.fraction * (time_s - self.since_s).max(0.0);
        self.since_s = time_s;
    }

    fn mean(&mut self, predicted_s: f64) -> f64 {
        self.reach(predicted_s);
        if predicted_s > 0.0 {
            self.taken_s / predicted_s
        } else {
            0.0
        }
    }
}

/// Lists the links, most heavily loaded first. Also returns the position of each link in the list,
/// by the link's number.
fn ranked(network: &TracedNetwork, uses: &mut [Use], predicted_s: f64) -> (page::Links, Vec<u32>) {
    let means = uses.iter_mut().map(|it| it.mean(predicted_s));
    let means: Vec<(usize, f64)> = means.enumerate().collect();
    let mut ranked = largest_first(&means, |(_, mean)| *mean);
    ranked.truncate(LINKS_MAX);
    let mut places = vec![NO_LINK; uses.len()];
    let mut links = page::Links::default();
    for (link, mean) in ranked {
        places[link] = offset(links.name.len());
        push(&mut links, &network.links[link], (mean, uses[link].most));
    }
    (links, places)
}

fn push(links: &mut page::Links, link: &NetworkLink, (mean, most): (f64, f64)) {
    links.name.push(link.name.clone());
    links.number.push(link.number);
    links.bytes_per_s.push(link.bytes_per_s);
    links.background.push(link.background);
    links.mean_load.push(mean);
    links.most_load.push(most);
}

/// Fills in how the load of the most heavily loaded links changes over time.
fn loads(
    reader: &mut TraceReader,
    places: &[u32],
    predicted_s: f64,
    links: &mut page::Links,
) -> Result<(), ReadError> {
    if predicted_s <= 0.0 {
        return Ok(());
    }
    let shown = links.name.len().min(LOADS_MAX);
    let mut series = vec![Series::new(predicted_s, INTERVALS); shown];
    let mut now = vec![(0.0, 0.0); shown];
    each_load(reader, |load| {
        let place = places[load.link as usize] as usize;
        if let (Some(series), Some(now)) = (series.get_mut(place), now.get_mut(place)) {
            series.add(now.0, load.time_s, now.1);
            *now = (load.time_s, fraction(load));
        }
    })?;
    for (series, (since_s, fraction)) in series.iter_mut().zip(now) {
        series.add(since_s, predicted_s, fraction);
        #[expect(clippy::cast_possible_truncation, reason = "a page shows three digits")]
        links
            .load
            .extend(series.rates(1.0).into_iter().map(|it| it as f32));
    }
    links.shown = (0..offset(shown)).collect();
    links.steps = offset(INTERVALS);
    links.step_s = step_s(predicted_s);
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "some hundreds")]
fn step_s(predicted_s: f64) -> f64 {
    predicted_s / INTERVALS as f64
}

/// Returns, for each interval, the means over the messages in flight.
fn over_time(
    ways: &[Way],
    found: &[Option<FoundBandwidth>],
    predicted_s: f64,
) -> page::AvailabilityData {
    let series = || Series::new(predicted_s, INTERVALS);
    let [mut count, mut mean, mut clear] = [series(), series(), series()];
    let mut least = vec![f64::NAN; INTERVALS];
    let step_s = step_s(predicted_s);
    for (way, found) in ways.iter().zip(found) {
        let Some(FoundBandwidth { share, .. }) = found else {
            continue;
        };
        count.add(way.from_s, way.to_s, 1.0);
        mean.add(way.from_s, way.to_s, share.available_bytes_per_s);
        clear.add(way.from_s, way.to_s, share.clear_bytes_per_s);
        for step in steps(way, step_s) {
            least[step] = share.available_bytes_per_s.min(least[step]);
        }
    }
    let counts = count.sums();
    // Sums contain rounding errors after messages have ended.
    let is_any = |count: f64| count > 1e-9 * step_s;
    let means = |series: &Series| {
        let sums = series.sums().into_iter().zip(&counts);
        let mean = |(sum, count): (f64, &f64)| {
            if is_any(*count) {
                sum / count
            } else {
                f64::NAN
            }
        };
        sums.map(mean).collect()
    };
    let least = least.into_iter().zip(&counts);
    let least = least.map(|(least, count)| if is_any(*count) { least } else { f64::NAN });
    page::AvailabilityData {
        step_s,
        mean_bytes_per_s: means(&mean),
        least_bytes_per_s: least.collect(),
        clear_bytes_per_s: means(&clear),
    }
}

/// Returns the intervals in which a message is in flight.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates, and is cut to the intervals"
)]
fn steps(way: &Way, step_s: f64) -> std::ops::Range<usize> {
    let from = (way.from_s / step_s) as usize;
    let to = (way.to_s / step_s).ceil() as usize;
    from.min(INTERVALS)..to.min(INTERVALS)
}

#[expect(clippy::cast_precision_loss, reason = "a page shows four digits")]
fn columns(
    flows: &[Flow],
    found: &[Option<FoundBandwidth>],
    places: &[u32],
    count: u64,
) -> page::Flows {
    // Messages that took no time have no bandwidth.
    let without = found.iter().filter(|it| it.is_none()).count() as u64;
    let mut columns = page::Flows {
        count: count - without,
        ..page::Flows::default()
    };
    for (flow, found) in flows.iter().zip(found) {
        let Some(FoundBandwidth { link, share }) = found else {
            continue;
        };
        columns.from.push(flow.sender);
        columns.to.push(flow.receiver);
        columns.start_s.push(flow.start_s);
        columns.end_s.push(flow.end_s);
        columns.bytes.push(flow.bytes as f64);
        columns.link.push(places[*link as usize]);
        columns
            .available_bytes_per_s
            .push(share.available_bytes_per_s);
        columns.clear_bytes_per_s.push(share.clear_bytes_per_s);
    }
    columns
}

#[cfg(test)]
mod tests;

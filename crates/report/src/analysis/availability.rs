//! Computes how much bandwidth is available to messages on shared links.

/// The bandwidth of each message on a link, in bytes per second.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Share {
    /// With the other traffic on the link.
    pub available_bytes_per_s: f64,
    /// If there were no other traffic on the link.
    pub clear_bytes_per_s: f64,
}

/// The links that a message takes, and when it uses them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Way<'a> {
    /// When the message starts to use bandwidth, in simulated seconds.
    pub from_s: f64,
    /// When the message arrives, in simulated seconds.
    pub to_s: f64,
    /// Numbers of the links that the message takes.
    pub links: &'a [u32],
}

/// The bandwidth that was available to a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundBandwidth {
    /// Number of the bottleneck: the link on the message's route with the smallest mean share.
    pub link: u32,
    /// Smallest mean share of any link on the route, with and without other traffic.
    pub share: Share,
}

/// Averages the share of each link over the time during which a message uses it.
///
/// ```
/// use prophet_report::analysis::availability::{Availability, Share, Way};
///
/// let share = |bytes_per_s| Share {
///     available_bytes_per_s: bytes_per_s,
///     clear_bytes_per_s: 2.0 * bytes_per_s,
/// };
/// let ways = [Way { from_s: 1.0, to_s: 3.0, links: &[0, 1] }];
/// let mut availability = Availability::new([share(8.0), share(9.0)], &ways);
/// availability.change(2.0, 1, share(3.0));
/// let found = availability.found()[0].unwrap();
/// assert_eq!((found.link, found.share), (1, share(6.0)));
/// ```
#[derive(Debug)]
pub struct Availability {
    lanes: Vec<Lane>,
    crossings: Vec<Crossing>,
    /// Where the crossings of each way start, followed by the total number of crossings.
    offsets: Vec<usize>,
    /// Starts and ends of crossings, sorted by time.
    marks: Vec<Mark>,
    next: usize,
}

/// A link's history up to some time.
#[derive(Debug, Clone, Copy)]
struct Lane {
    since_s: f64,
    share: Share,
    /// Integral of the link's share up to that time, in bytes.
    sum: Share,
}

#[derive(Debug, Clone, Copy)]
struct Crossing {
    link: u32,
    seconds: f64,
    /// Integral of the link's share over the time of the message, when both ends are known.
    sum: Share,
}

#[derive(Debug, Clone, Copy)]
struct Mark {
    time_s: f64,
    crossing: u32,
    is_end: bool,
}

impl Share {
    fn plus(self, other: Self, times: f64) -> Self {
        Self {
            available_bytes_per_s: self.available_bytes_per_s + times * other.available_bytes_per_s,
            clear_bytes_per_s: self.clear_bytes_per_s + times * other.clear_bytes_per_s,
        }
    }

    fn least(self, other: Self) -> Self {
        Self {
            available_bytes_per_s: self.available_bytes_per_s.min(other.available_bytes_per_s),
            clear_bytes_per_s: self.clear_bytes_per_s.min(other.clear_bytes_per_s),
        }
    }
}

impl Lane {
    fn sum_at(&self, time_s: f64) -> Share {
        self.sum.plus(self.share, (time_s - self.since_s).max(0.0))
    }
}

impl Availability {
    /// Creates links with these initial shares, and the messages that use them.
    pub fn new(shares: impl IntoIterator<Item = Share>, ways: &[Way]) -> Self {
        let lanes = shares.into_iter().map(|share| Lane {
            since_s: 0.0,
            share,
            sum: Share::default(),
        });
        let mut it = Self {
            lanes: lanes.collect(),
            crossings: Vec::new(),
            offsets: vec![0],
            marks: Vec::new(),
            next: 0,
        };
        for way in ways {
            for &link in way.links {
                it.cross(link, way);
            }
            it.offsets.push(it.crossings.len());
        }
        it.marks.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
        it
    }

    fn cross(&mut self, link: u32, way: &Way) {
        let crossing = u32::try_from(self.crossings.len()).expect("callers limit the hops");
        self.crossings.push(Crossing {
            link,
            seconds: way.to_s - way.from_s,
            sum: Share::default(),
        });
        for (time_s, is_end) in [(way.from_s, false), (way.to_s, true)] {
            self.marks.push(Mark {
                time_s,
                crossing,
                is_end,
            });
        }
    }

    /// Sets a link's share from `time_s` on. Changes must be made in order of time.
    pub fn change(&mut self, time_s: f64, link: u32, share: Share) {
        self.reach(time_s);
        let lane = &mut self.lanes[link as usize];
        *lane = Lane {
            sum: lane.sum_at(time_s),
            since_s: time_s,
            share,
        };
    }

    /// Processes all messages that start or end before a time.
    fn reach(&mut self, time_s: f64) {
        while let Some(mark) = self.marks.get(self.next).filter(|it| it.time_s <= time_s) {
            let crossing = &mut self.crossings[mark.crossing as usize];
            let sum = self.lanes[crossing.link as usize].sum_at(mark.time_s);
            let sign = if mark.is_end { 1.0 } else { -1.0 };
            crossing.sum = crossing.sum.plus(sum, sign);
            self.next += 1;
        }
    }

    /// Returns the bandwidth that was available to each message; `None` for a message that took no
    /// time or no links.
    pub fn found(mut self) -> Vec<Option<FoundBandwidth>> {
        self.reach(f64::INFINITY);
        let ways = self.offsets.windows(2);
        let ways = ways.map(|ends| &self.crossings[ends[0]..ends[1]]);
        ways.map(least).collect()
    }
}

fn least(crossings: &[Crossing]) -> Option<FoundBandwidth> {
    let mean = |it: &Crossing| Share::default().plus(it.sum, 1.0 / it.seconds);
    let crossings = crossings.iter().filter(|it| it.seconds > 0.0);
    let found = crossings.map(|it| FoundBandwidth {
        link: it.link,
        share: mean(it),
    });
    found.reduce(|one, other| {
        let is_less = other.share.available_bytes_per_s < one.share.available_bytes_per_s;
        FoundBandwidth {
            link: if is_less { other.link } else { one.link },
            share: one.share.least(other.share),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(available_bytes_per_s: f64) -> Share {
        Share {
            available_bytes_per_s,
            clear_bytes_per_s: available_bytes_per_s,
        }
    }

    #[test]
    fn a_share_is_the_mean_over_the_time_of_a_message() {
        let way = |from_s, to_s| Way {
            from_s,
            to_s,
            links: &[0],
        };
        let ways = [way(0.0, 1.0), way(0.5, 4.5), way(3.0, 5.0), way(2.0, 2.0)];
        let mut availability = Availability::new([share(8.0)], &ways);
        availability.change(1.0, 0, share(4.0));
        availability.change(3.0, 0, share(2.0));
        let found = availability.found();
        let found = found.iter().map(|it| it.map(|it| it.share));
        // From 0.5 to 4.5: half a second at 8, two seconds at 4, and one and a half at 2.
        let expected = [Some(8.0), Some(3.75), Some(2.0), None];
        assert_eq!(
            found.collect::<Vec<_>>(),
            expected.map(|share| share.map(self::share))
        );
    }

    #[test]
    fn the_most_loaded_link_has_the_least_mean() {
        let ways = [Way {
            from_s: 0.0,
            to_s: 4.0,
            links: &[1, 0, 2],
        }];
        let shares = [5.0, 9.0, 7.0].map(share);
        let mut availability = Availability::new(shares, &ways);
        // The share is low briefly, and high most of the time.
        availability.change(1.0, 1, share(1.0));
        availability.change(2.0, 1, share(9.0));
        let found = availability.found()[0].expect("it crosses links");
        assert_eq!((found.link, found.share), (0, share(5.0)));
        let none = Way {
            links: &[],
            ..ways[0]
        };
        assert_eq!(Availability::new([], &[none]).found(), [None]);
    }
}

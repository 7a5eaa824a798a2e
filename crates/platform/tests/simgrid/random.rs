//! Generates random platforms in `SimGrid`'s format.

use std::fmt::Write as _;

/// A random number generator (splitmix64).
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.next() % u64::from(end)).expect("it is below a u32")
    }

    fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least + 1)
    }

    fn flips(&mut self) -> bool {
        self.below(2) == 0
    }

    fn bandwidth(&mut self) -> String {
        format!("{}MBps", self.between(1, 4000))
    }

    fn latency(&mut self) -> String {
        format!("{}us", self.between(1, 900))
    }
}

pub(crate) struct Writer {
    pub(crate) random: Random,
    text: String,
    names: u32,
}

/// A zone, and the points where routes can enter it.
struct Zone {
    id: String,
    gateways: Vec<String>,
}

pub(crate) fn platform(seed: u64) -> String {
    let mut writer = Writer {
        random: Random(seed),
        text: String::new(),
        names: 0,
    };
    writer.zone(0);
    let text = &writer.text;
    let doctype = "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">";
    format!("<?xml version='1.0'?>\n{doctype}\n<platform version=\"4.1\">\n{text}</platform>\n")
}

impl Writer {
    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Generates a zone of a random kind. At most three zones are nested.
    fn zone(&mut self, depth: u32) -> Zone {
        match self.random.below(if depth < 2 { 12 } else { 8 }) {
            0 => self.flat(),
            1 => self.fat_tree(),
            2 => self.torus(),
            3 => self.dragonfly(),
            4 => self.cabinets(),
            5 => self.graph("Full"),
            6 => self.graph("Floyd"),
            7 => self.graph("Dijkstra"),
            8 | 9 => self.outer("Full", depth),
            10 => self.outer("Floyd", depth),
            _ => self.outer("Dijkstra", depth),
        }
    }

    fn cluster(&mut self, hosts: u32, rest: &str) -> (String, Vec<String>) {
        let id = self.name("c");
        let (bandwidth, latency) = (self.random.bandwidth(), self.random.latency());
        let mut more = String::new();
        if self.random.flips() {
            let _ = write!(more, " loopback_bw=\"{}\"", self.random.bandwidth());
            let _ = write!(more, " loopback_lat=\"{}\"", self.random.latency());
        }
        if self.random.flips() {
            let _ = write!(more, " limiter_link=\"{}\"", self.random.bandwidth());
        }
        if self.random.flips() {
            more.push_str(" sharing_policy=\"SHARED\"");
        }
        let last = hosts - 1;
        self.line(&format!(
            "<cluster id=\"{id}\" prefix=\"{id}-\" suffix=\".x\" radical=\"0-{last}\" \
             speed=\"1Gf\" bw=\"{bandwidth}\" lat=\"{latency}\"{more}{rest}/>"
        ));
        let hosts = (0..hosts).map(|it| format!("{id}-{it}.x")).collect();
        (id, hosts)
    }

    fn flat(&mut self) -> Zone {
        let hosts = self.random.between(1, 9);
        let mut rest = String::new();
        if self.random.flips() {
            let _ = write!(rest, " bb_bw=\"{}\"", self.random.bandwidth());
            let _ = write!(rest, " bb_lat=\"{}\"", self.random.latency());
        }
        let (id, _) = self.cluster(hosts, &rest);
        let gateways = vec![format!("{id}-{id}_router.x")];
        Zone { id, gateways }
    }

    fn topology(&mut self, topology: &str, hosts: u32, parameters: &str) -> Zone {
        let rest = format!(" topology=\"{topology}\" topo_parameters=\"{parameters}\"");
        let (id, gateways) = self.cluster(hosts, &rest);
        Zone { id, gateways }
    }

    fn list(&mut self, length: u32, most: u32) -> (u32, String) {
        let numbers: Vec<u32> = (0..length).map(|_| self.random.between(1, most)).collect();
        let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
        (numbers.iter().product(), words.join(","))
    }

    fn fat_tree(&mut self) -> Zone {
        let levels = self.random.between(1, 3);
        let (hosts, children) = self.list(levels, 4);
        let (_, parents) = self.list(levels, 3);
        let (_, cables) = self.list(levels, 3);
        self.topology(
            "FAT_TREE",
            hosts,
            &format!("{levels};{children};{parents};{cables}"),
        )
    }

    fn torus(&mut self) -> Zone {
        let dimensions = self.random.between(1, 3);
        let (hosts, sizes) = self.list(dimensions, 6);
        self.topology("TORUS", hosts, &sizes)
    }

    fn dragonfly(&mut self) -> Zone {
        let routers = self.random.between(1, 4);
        let groups = self.random.between(1, routers);
        let (chassis, nodes) = (self.random.between(1, 3), self.random.between(1, 3));
        let wires = [(); 3].map(|()| self.random.between(1, 4));
        let [a, b, c] = wires;
        let hosts = groups * chassis * routers * nodes;
        let parameters = format!("{groups},{a};{chassis},{b};{routers},{c};{nodes}");
        self.topology("DRAGONFLY", hosts, &parameters)
    }

    /// Generates a zone with Cluster routing: hosts with links, cabinets, and a router in the
    /// center.
    fn cabinets(&mut self) -> Zone {
        let id = self.name("z");
        self.line(&format!("<zone id=\"{id}\" routing=\"Cluster\">"));
        let mut links = Vec::new();
        for _ in 0..self.random.between(1, 3) {
            let (host, link) = (self.name("h"), self.name("l"));
            self.line(&format!("<host id=\"{host}\" speed=\"1Gf\"/>"));
            let (bandwidth, latency) = (self.random.bandwidth(), self.random.latency());
            self.line(&format!(
                "<link id=\"{link}\" bandwidth=\"{bandwidth}\" latency=\"{latency}\" \
                 sharing_policy=\"SPLITDUPLEX\"/>"
            ));
            links.push((host, link));
        }
        let router = self.name("r");
        self.line(&format!("<router id=\"{router}\"/>"));
        for (host, link) in links {
            self.line(&format!(
                "<host_link id=\"{host}\" up=\"{link}_UP\" down=\"{link}_DOWN\"/>"
            ));
        }
        let (bandwidth, latency) = (self.random.bandwidth(), self.random.latency());
        if self.random.flips() {
            self.line(&format!(
                "<backbone id=\"{id}-bb\" bandwidth=\"{bandwidth}\" latency=\"{latency}\"/>"
            ));
        }
        self.line(&format!(
            "<cabinet id=\"{id}-cab\" prefix=\"{id}-\" suffix=\"\" radical=\"1-3\" speed=\"1Gf\" \
             bw=\"{bandwidth}\" lat=\"{latency}\"/>"
        ));
        self.line("</zone>");
        let gateways = vec![router];
        Zone { id, gateways }
    }

    /// Generates links of random kinds, and returns the `link_ctn` elements of a route over them.
    fn links(&mut self) -> String {
        let mut route = String::new();
        for _ in 0..self.random.between(1, 3) {
            let id = self.name("l");
            let (bandwidth, latency) = (self.random.bandwidth(), self.random.latency());
            let (policy, direction) = match self.random.below(3) {
                0 => ("SHARED", ""),
                1 => ("FATPIPE", ""),
                _ if self.random.flips() => ("SPLITDUPLEX", " direction=\"UP\""),
                _ => ("SPLITDUPLEX", " direction=\"DOWN\""),
            };
            self.line(&format!(
                "<link id=\"{id}\" bandwidth=\"{bandwidth}\" latency=\"{latency}\" \
                 sharing_policy=\"{policy}\"/>"
            ));
            let _ = write!(route, "<link_ctn id=\"{id}\"{direction}/>");
        }
        route
    }

    /// Returns random pairs of `of` points. For a table, these are all pairs. Otherwise, they are a
    /// tree with some more pairs.
    ///
    /// If a table lacks a route that a longer route needs, this part of the longer route is empty
    /// in `SimGrid`.
    fn pairs(&mut self, routing: &str, of: u32) -> Vec<(u32, u32)> {
        if routing == "Full" {
            let all = (0..of).flat_map(|to| (0..to).map(move |from| (from, to)));
            return all.collect();
        }
        let mut pairs: Vec<(u32, u32)> = (1..of).map(|it| (self.random.below(it), it)).collect();
        for _ in 0..self.random.below(of + 1) {
            let (from, to) = (self.random.below(of), self.random.below(of));
            let pair = (from.min(to), from.max(to));
            if from != to && !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        pairs
    }

    /// Generates hosts and routers with given routes between them.
    fn graph(&mut self, routing: &str) -> Zone {
        let id = self.name("z");
        self.line(&format!("<zone id=\"{id}\" routing=\"{routing}\">"));
        let mut points = Vec::new();
        for _ in 0..self.random.between(2, 9) {
            let router = routing != "Full" && self.random.below(3) == 0 && !points.is_empty();
            let name = self.name(if router { "r" } else { "h" });
            self.line(&if router {
                format!("<router id=\"{name}\"/>")
            } else {
                format!("<host id=\"{name}\" speed=\"1Gf\"/>")
            });
            points.push(name);
        }
        let count = u32::try_from(points.len()).expect("there are few");
        let mut routes = Vec::new();
        for (from, to) in self.pairs(routing, count) {
            let links = self.links();
            routes.push(((from, to), links));
        }
        for ((from, to), links) in routes {
            let (from, to) = (&points[from as usize], &points[to as usize]);
            // In SimGrid 3.32, the lengths of shortest routes overflow if a point can't be reached.
            let one_way = routing == "Floyd" && self.random.below(4) == 0;
            let symmetrical = if one_way { "NO" } else { "YES" };
            self.line(&format!(
                "<route src=\"{from}\" dst=\"{to}\" symmetrical=\"{symmetrical}\">{links}</route>"
            ));
        }
        self.line("</zone>");
        let gateways = points;
        Zone { id, gateways }
    }

    fn outer(&mut self, routing: &str, depth: u32) -> Zone {
        let id = self.name("z");
        self.line(&format!("<zone id=\"{id}\" routing=\"{routing}\">"));
        let count = self.random.between(2, 5);
        let mut zones: Vec<Zone> = (0..count).map(|_| self.zone(depth + 1)).collect();
        if routing == "Dijkstra" {
            // SimGrid 3.32 doesn't find the route between two gateways of a zone on a shortest
            // route.
            for zone in &mut zones {
                zone.gateways.truncate(1);
            }
        }
        let mut routes = Vec::new();
        for pair in self.pairs(routing, count) {
            let links = self.links();
            routes.push((pair, links));
        }
        for ((from, to), links) in routes {
            let ends = [&zones[from as usize], &zones[to as usize]];
            let [src, dst] = ends.map(|it| &it.id);
            let [leaves, enters] = ends.map(|it| {
                let at = self.random.next() % it.gateways.len() as u64;
                &it.gateways[usize::try_from(at).expect("it is small")]
            });
            let line = format!(
                "<zoneRoute src=\"{src}\" dst=\"{dst}\" gw_src=\"{leaves}\" gw_dst=\"{enters}\">\
                 {links}</zoneRoute>"
            );
            self.text.push_str(&line);
            self.text.push('\n');
        }
        self.line("</zone>");
        let gateways = zones.remove(0).gateways;
        Zone { id, gateways }
    }
}

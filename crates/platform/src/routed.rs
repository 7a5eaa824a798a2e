//! Builds machines from links and given routes. Links have no ends, and each route is a list of
//! links.

use std::collections::BTreeMap;

use prophet_text::Problem;

use crate::builder::Builder;
use crate::graph::GivenRoute;
use crate::lists::{Hop, NONE};
use crate::platform::{Host, Link, Platform};

use crate::refuse::refuse;
use crate::zone::Routing;

/// A machine described by its links and routes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Routed {
    pub name: String,
    pub hosts: Vec<Host>,
    pub links: Vec<Link>,
    /// The routes. Each is for one direction.
    pub routes: Vec<GivenRoute>,
}

impl Platform {
    /// Builds a machine that is described by its links and routes.
    ///
    /// # Errors
    ///
    /// Returns an error if the platform exceeds the limits, if a name is missing or duplicate, or
    /// if a value is invalid for a link.
    pub fn routed(routed: &Routed) -> Result<Platform, Problem> {
        let mut builder = Builder::new(&routed.name);
        let zone = builder.zone(&routed.name, NONE, Routing::Empty);
        builder.reserve(routed.hosts.len() as u128, routed.links.len() as u128)?;
        let mut hosts = BTreeMap::new();
        for host in &routed.hosts {
            let point = builder.host(zone, host.clone())?;
            let id = builder.platform.points[point as usize].id;
            if hosts.insert(host.name.as_str(), id).is_some() {
                let name = &host.name;
                refuse!("two hosts are named `{name}`: choose different names");
            }
        }
        let mut links = BTreeMap::new();
        for link in &routed.links {
            let at = builder.link(link.clone())?;
            if links.insert(link.name.as_str(), at).is_some() {
                let name = &link.name;
                refuse!("two links are named `{name}`: choose different names");
            }
        }
        let mut table = BTreeMap::new();
        for GivenRoute {
            from,
            to,
            links: names,
        } in &routed.routes
        {
            let user = format!("the route from `{from}` to `{to}`");
            let host = |name: &str| match hosts.get(name) {
                Some(id) => Ok(*id),
                None => refuse!("{user} names `{name}`, which is not a host"),
            };
            let ends = (host(from)?, host(to)?);
            let mut list = Vec::new();
            for name in names {
                match links.get(name.as_str()) {
                    Some(link) => list.push(*link),
                    None => refuse!("{user} names the link `{name}`, which does not exist"),
                }
            }
            let links = builder.list(&list)?;
            if table.insert(ends, Hop::inside(links)).is_some() {
                refuse!("{user} exists twice");
            }
        }
        builder.platform.zones[zone as usize].routing = Routing::Full(table);
        Ok(builder.platform)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::{Route, Sharing};

    fn link(name: &str, latency_s: f64) -> Link {
        let (bytes_per_s, sharing, background) = (1e9, Sharing::Shared, 0.0);
        Link {
            name: name.to_owned(),
            bytes_per_s,
            latency_s,
            sharing,
            background,
        }
    }

    fn machine(links: &[&str], to: &str) -> Result<Platform, String> {
        let host = |name: &str| Host {
            name: name.to_owned(),
            cores: 1,
            speed: 0.0,
        };
        let routed = Routed {
            name: "m".to_owned(),
            hosts: vec![host("a"), host("b")],
            links: vec![link("x", 1.0), link("y", 2.0)],
            routes: vec![GivenRoute {
                from: "a".to_owned(),
                to: to.to_owned(),
                links: links.iter().map(|it| (*it).to_owned()).collect(),
            }],
        };
        Platform::routed(&routed).map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn messages_take_the_given_routes() {
        let platform = machine(&["y", "x"], "b").unwrap();
        let mut route = Route::default();
        platform.route(0, 1, &mut route).unwrap();
        assert_eq!(
            (route.links.as_slice(), route.latency_s),
            (&[1, 0][..], 3.0)
        );
        assert!(platform.route(1, 0, &mut route).is_err());
    }

    #[test]
    fn unknown_names_are_refused() {
        let error = |links: &[&str], to: &str| machine(links, to).unwrap_err();
        assert_eq!(
            error(&["z"], "b"),
            "the route from `a` to `b` names the link `z`, which does not exist"
        );
        assert_eq!(
            error(&["x"], "c"),
            "the route from `a` to `c` names `c`, which is not a host"
        );
    }
}

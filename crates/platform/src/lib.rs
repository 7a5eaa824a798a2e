//! Machines as graphs: hosts, links that messages share, and the route between any two hosts.
//!
//! A [`Platform`] is made by a topology with parameters, as `SimGrid` has them ([`Platform::star`],
//! [`Platform::fat_tree`], [`Platform::torus`], [`Platform::dragonfly`]), given part by part
//! ([`Platform::graph`], [`Platform::routed`]), or read from one of `SimGrid`'s files ([`Read`]).
//! Its routes are computed when they are asked.
//!
//! ```
//! use prophet_platform::{Cluster, FatTree, LinkSpeed, Platform, Route};
//!
//! let cable = LinkSpeed { bytes_per_s: 1.25e9, latency_s: 1e-6 };
//! let tree = FatTree::parse("2;4,4;1,2;1,2")?;
//! let platform = Platform::fat_tree(&Cluster::new("tree", cable), &tree)?;
//! assert_eq!(platform.hosts().len(), 16);
//!
//! let mut route = Route::default();
//! platform.route(0, 15, &mut route)?;
//! let names: Vec<&str> =
//!     route.links.iter().map(|it| platform.links()[*it as usize].name.as_str()).collect();
//! assert_eq!(names, ["node0.up", "switch1.0.up3", "switch1.3.down1", "node15.down"]);
//! assert_eq!(route.latency_s, 4e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | is |
//! |---|---|
//! | `refuse` | refusals of what cannot be a machine |
//! | `parameters` | numbers of topologies, in `SimGrid`'s notation |
//! | `change` | changes of a machine over time |
//! | `lists` | lists of links, all in one vector, and given routes that have such a list |
//! | `dijkstra` | shortest routes over given ones, source by source: with the fewest links |
//! | `floyd` | shortest routes over given ones, all together: with the fewest links |
//! | `cluster` | common parts of all topologies of equal nodes |
//! | `star` | stars: each node has a way up to the center and a way down from it |
//! | `vivaldi` | coordinates of an Internet: latencies by distance |
//! | `fat_tree` | fat trees: switches in levels, and routes by D-mod-k |
//! | `torus` | tori: each node is joined to two neighbors in each dimension |
//! | `dragonfly` | dragonflies: groups of chassis of routers, all joined at each level |
//! | `zone` | zones: parts of a platform, each with a way of its own to find routes |
//! | `platform` | the machine as a graph: hosts, links, and the zones that know the routes |
//! | `route` | routes through zones that are nested, as `SimGrid` finds them |
//! | `builder` | construction of a platform, within its limits |
//! | `site` | clusters inside a platform under construction: hosts, cables, limiters |
//! | `topologies` | construction of the topologies of equal nodes |
//! | `graph` | graphs of any shape |
//! | `routed` | machines whose routes are all given |
//! | `draw` | pictures of machines: hosts, switches and links, zone by zone, as SVG |
//! | `simgrid` | reader of `SimGrid`'s platform files, version 4.1 of their DTD |

mod builder;
mod change;
mod cluster;
mod dijkstra;
mod dragonfly;
mod draw;
mod fat_tree;
mod floyd;
mod graph;
mod lists;
mod parameters;
mod platform;
mod refuse;
mod route;
mod routed;
mod simgrid;
mod site;
mod star;
mod topologies;
mod torus;
mod vivaldi;
mod zone;

pub use change::{Change, Quantity, Target};
pub use cluster::{Cluster, Duplex, LinkSpeed};
pub use dragonfly::Dragonfly;
pub use fat_tree::FatTree;
pub use graph::{Cable, GivenRoute, Graph};
pub use platform::{HOSTS_MAX, Host, LINKS_MAX, Link, Platform, Route, Sharing};
pub use route::NoRoute;
pub use routed::Routed;
pub use simgrid::{Read, Watts};
pub use topologies::Backbone;
pub use torus::Torus;

//! Represents machines as graphs: hosts, links that messages share, and a route between any two
//! hosts.
//!
//! You can create a [`Platform`] from a topology with the same parameters as in `SimGrid`
//! ([`Platform::star`], [`Platform::fat_tree`], [`Platform::torus`], [`Platform::dragonfly`]), part
//! by part ([`Platform::graph`], [`Platform::routed`]), or from a `SimGrid` platform file
//! ([`Read`]). Routes are computed on demand.
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
//! | module | purpose |
//! |---|---|
//! | `refuse` | creates errors about invalid machines |
//! | `parameters` | parameters of topologies, in `SimGrid`'s notation |
//! | `change` | changes to a machine over time |
//! | `lists` | lists of links in a single vector, and given routes with such a list |
//! | `dijkstra` | shortest combinations of given routes, for one source at a time |
//! | `floyd` | shortest combinations of given routes, for all pairs |
//! | `cluster` | what topologies of identical nodes have in common |
//! | `star` | stars: each node has a way up to the center and a way down |
//! | `vivaldi` | Internet coordinates, with latencies that depend on the distance |
//! | `fat_tree` | fat trees: switches in levels, routes by D-mod-k |
//! | `torus` | tori: each node has two neighbors in each dimension |
//! | `dragonfly` | dragonflies: groups of chassis of routers, fully connected at each level |
//! | `zone` | zones: parts of a platform, each with its own routing |
//! | `platform` | the graph of a machine: hosts, links, and zones with their routing |
//! | `route` | routes through nested zones, as in `SimGrid` |
//! | `builder` | building platforms within the size limits |
//! | `site` | adding clusters to a platform: hosts, cables, limiters |
//! | `topologies` | building topologies of identical nodes |
//! | `graph` | machines of any shape |
//! | `routed` | machines with all routes given |
//! | `draw` | SVG pictures of hosts, switches and links, zone by zone |
//! | `simgrid` | reading `SimGrid`'s platform files (DTD version 4.1) |

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

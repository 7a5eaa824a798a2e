//! Checks the routes of topologies link by link, and that invalid topologies are rejected.

use prophet_platform::{
    Backbone, Cable, Cluster, Dragonfly, Duplex, FatTree, GivenRoute, Graph, Host, LinkSpeed,
    Platform, Route, Sharing, Torus,
};
use prophet_testing::assert_says;

const CABLE: LinkSpeed = LinkSpeed {
    bytes_per_s: 1e9,
    latency_s: 1e-6,
};

fn cluster() -> Cluster {
    Cluster::new("machine", CABLE)
}

fn route(platform: &Platform, from: &str, to: &str) -> String {
    let host = |name: &str| platform.host(name).expect("the host is there");
    let mut route = Route::default();
    platform
        .route(host(from), host(to), &mut route)
        .unwrap_or_else(|problem| panic!("{problem}"));
    let links = route.links.iter();
    let names: Vec<&str> = links
        .map(|it| platform.links()[*it as usize].name.as_str())
        .collect();
    names.join(" ")
}

fn refusal<T>(result: Result<T, prophet_text::Problem>) -> String {
    match result {
        Ok(_) => panic!("it is not refused"),
        Err(refusal) => refusal.to_string(),
    }
}

#[test]
fn star_goes_up_and_down() {
    let platform = Platform::star(&cluster(), 4, None).unwrap();
    assert_eq!(route(&platform, "node3", "node1"), "node3.up node1.down");
    let wire = CABLE;
    let sharing = Sharing::Fatpipe;
    let cluster = Cluster {
        duplex: Duplex::Half,
        loopback: Some(CABLE),
        limiter: Some(2e9),
        ..cluster()
    };
    let platform = Platform::star(&cluster, 4, Some(Backbone { wire, sharing })).unwrap();
    let expected = "node3.limiter node3 backbone node1 node1.limiter";
    assert_eq!(route(&platform, "node3", "node1"), expected);
    assert_eq!(route(&platform, "node3", "node3"), "node3.loopback");
}

#[test]
fn nodes_of_several_interfaces_choose_by_both_ends() {
    let platform = Platform::star_of_nics(&cluster(), 4, 2).unwrap();
    assert_eq!(platform.links().len(), 16);
    assert_eq!(
        route(&platform, "node3", "node1"),
        "node3.0.up node1.0.down"
    );
    assert_eq!(
        route(&platform, "node1", "node2"),
        "node1.1.up node2.1.down"
    );
    assert_eq!(
        route(&platform, "node2", "node1"),
        "node2.1.up node1.1.down"
    );
    let half = Cluster {
        duplex: Duplex::Half,
        ..cluster()
    };
    let platform = Platform::star_of_nics(&half, 3, 3).unwrap();
    assert_eq!(route(&platform, "node2", "node0"), "node2.2 node0.2");
    let all = u32::MAX;
    assert!(!refusal(Platform::star_of_nics(&half, all, all)).is_empty());
}

#[test]
fn torus_goes_the_shorter_way_dimension_by_dimension() {
    let torus = Torus::parse("4,3").unwrap();
    let platform = Platform::torus(&cluster(), &torus).unwrap();
    let expected = "node0.dim0+ node1.dim1-";
    assert_eq!(route(&platform, "node0", "node9"), expected);
    assert_eq!(route(&platform, "node0", "node3"), "node0.dim0-");
    let expected = "node0.dim0+ node1.dim0+";
    assert_eq!(route(&platform, "node0", "node2"), expected);
}

#[test]
fn dragonfly_leaves_its_group_by_the_first_chassis() {
    let shape = Dragonfly::parse("3,4;2,3;3,1;2").unwrap();
    let platform = Platform::dragonfly(&cluster(), &shape).unwrap();
    // Node 6 is the first node of router 0.1.0, and node 35 is the last node of router 2.1.2.
    let expected = "node6.up router0.1.0.slot2 router0.1.2.chassis0 group0.group2 \
                    router2.0.0.slot2 router2.0.2.chassis1 node35.down";
    assert_eq!(route(&platform, "node6", "node35"), expected);
    let wires = |name: &str| platform.links()[platform.link(name).unwrap() as usize].bytes_per_s;
    assert!((wires("group0.group2") - 4e9).abs() < 1.0);
    assert!((wires("router0.1.2.chassis0") - 3e9).abs() < 1.0);
}

fn host(name: &str) -> Host {
    Host {
        name: name.to_owned(),
        cores: 1,
        speed: 0.0,
    }
}

fn cable(name: &str, from: &str, to: &str) -> Cable {
    Cable {
        name: name.to_owned(),
        ends: [from.to_owned(), to.to_owned()],
        wire: CABLE,
        duplex: Duplex::Split,
        sharing: Sharing::Shared,
        background: 0.0,
    }
}

fn ring() -> Graph {
    Graph {
        name: "ring".to_owned(),
        hosts: ["a", "b", "c", "d"].map(host).to_vec(),
        cables: vec![
            cable("ab", "a", "b"),
            cable("bc", "b", "c"),
            cable("cd", "c", "d"),
            cable("da", "d", "a"),
        ],
        ..Graph::default()
    }
}

fn given(from: &str, to: &str, links: &[&str]) -> GivenRoute {
    GivenRoute {
        from: from.to_owned(),
        to: to.to_owned(),
        links: links.iter().map(|it| (*it).to_owned()).collect(),
    }
}

#[test]
fn graph_takes_the_fewest_links_or_the_given_ones() {
    let mut graph = ring();
    graph
        .routes
        .push(given("a", "b", &["da.down", "cd.down", "bc.down"]));
    let platform = Platform::graph(&graph).unwrap();
    assert_eq!(route(&platform, "a", "d"), "da.down");
    assert_eq!(route(&platform, "a", "c"), "ab.up bc.up");
    assert_eq!(route(&platform, "a", "b"), "da.down cd.down bc.down");
    assert_eq!(route(&platform, "b", "a"), "ab.down");
}

#[test]
fn routes_of_graphs_have_no_gaps_and_loops() {
    let refused = |route: GivenRoute| {
        let mut graph = ring();
        graph.routes.push(route);
        refusal(Platform::graph(&graph))
    };
    let loops = refused(given("a", "c", &["ab.up", "ab.down", "ab.up", "bc.up"]));
    assert_eq!(
        loops,
        "the route from `a` to `c` loops: it reaches `a` twice"
    );
    let gap = refused(given("a", "d", &["ab.up", "cd.up"]));
    assert_says(&gap, &["`cd.up`, which does not start at `b`"]);
    let short = refused(given("a", "d", &["ab.up"]));
    assert!(short.contains("ends at `b`"), "{short}");
    let none = refused(given("a", "b", &["xy"]));
    assert!(none.contains("`xy`, which no cable has"), "{none}");
}

#[test]
fn hosts_that_nothing_joins_have_no_route() {
    let mut graph = ring();
    graph.hosts.push(host("e"));
    let platform = Platform::graph(&graph).unwrap();
    let problem = platform.route(0, 4, &mut Route::default()).unwrap_err();
    let expected =
        "there is no route from `a` to `e`: zone `ring` has no route from `a` to `e`; describe it";
    assert_eq!(problem.to_string(), expected);
    let problem = platform.route(0, 5, &mut Route::default()).unwrap_err();
    assert!(problem.to_string().ends_with("the machine has fewer hosts"));
}

#[test]
fn links_that_pass_nothing_are_refused() {
    for bytes_per_s in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let cable = LinkSpeed {
            bytes_per_s,
            ..CABLE
        };
        let refused = refusal(Platform::star(&Cluster::new("star", cable), 2, None));
        assert_says(&refused, &["bandwidth of link `node0.up`"]);
    }
    for background in [1.0, 1.5, -0.1, f64::NAN] {
        let cluster = Cluster {
            background,
            ..cluster()
        };
        let refused = refusal(Platform::star(&cluster, 2, None));
        assert_says(&refused, &["background of link `node0.up`"]);
    }
}

#[test]
fn machines_beyond_the_limits_are_refused_at_once() {
    let billion = 1_000_000_000;
    let refused = refusal(Platform::star(&cluster(), billion, None));
    let expected =
        "the machine has 1000000000 hosts; the limit is 1048576: describe a smaller machine";
    assert_eq!(refused, expected);
    let tree = FatTree::parse("3;1000,1000,1000;1,1,1;1,1,1").unwrap();
    assert_eq!(refusal(Platform::fat_tree(&cluster(), &tree)), expected);
    let torus = Torus::parse("1000,1000,1000").unwrap();
    assert_eq!(refusal(Platform::torus(&cluster(), &torus)), expected);
    let shape = Dragonfly::parse("100,1;100,1;100,1;1000").unwrap();
    let refused = refusal(Platform::dragonfly(&cluster(), &shape));
    assert!(refused.contains("1000000000 hosts"), "{refused}");
    let most = u32::MAX.to_string();
    let tree = FatTree::parse(&format!("2;1,1;{most},{most};{most},{most}")).unwrap();
    let refused = refusal(Platform::fat_tree(&cluster(), &tree));
    assert!(refused.contains("links; the limit is"), "{refused}");
}

#[test]
fn parameters_that_say_no_topology_are_refused() {
    let tree = |text| refusal(FatTree::parse(text));
    assert!(tree("2;4,4;1,2").contains("levels;children;parents;links"));
    assert!(tree("3;4,4;1,2;1,2").contains("3 levels, but children for 2"));
    assert!(tree("2;4,4;1,2;1,0").contains("at least 1"));
    assert!(tree("2;4,x;1,2;1,1").contains("`x` in `4,x` is not a valid number"));
    assert!(refusal(Torus::parse("")).contains("is not a valid number"));
    assert!(refusal(Torus::parse("3,0")).contains("at least 1 node"));
    let dragonfly = |text| refusal(Dragonfly::parse(text));
    assert!(dragonfly("3;3,2;3,1;2").contains("expected a number and a number of links"));
    assert!(dragonfly("4,4;3,2;3,1;2").contains("4 groups, but only 3 routers"));
}

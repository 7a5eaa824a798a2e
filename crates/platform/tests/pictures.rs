//! Checks the pictures of machines.

use prophet_platform::{Cluster, Dragonfly, FatTree, LinkSpeed, Platform, Read, Torus};

fn cluster() -> Cluster {
    let cable = LinkSpeed {
        bytes_per_s: 1e9,
        latency_s: 1e-6,
    };
    Cluster::new("a <machine>", cable)
}

fn count(text: &str, piece: &str) -> usize {
    text.matches(piece).count()
}

#[test]
fn stars_show_each_node_and_its_cable() {
    let platform = Platform::star(&cluster(), 8, None).unwrap();
    let picture = platform.draw();
    assert_eq!(count(&picture, "<circle"), 8);
    assert_eq!(count(&picture, "<path"), 8);
    assert!(picture.contains("<title>node3.up, node3.down</title>"));
    assert!(picture.contains("a &lt;machine&gt;: 8 hosts"));
    let (up, down) = (platform.link("node3.up"), platform.link("node3.down"));
    let numbers = format!("data-links=\"{} {}\"", up.unwrap(), down.unwrap());
    assert_eq!(count(&picture, &numbers), 1);
    assert_eq!(picture, platform.draw());
}

#[test]
fn fat_trees_show_their_levels() {
    let tree = FatTree::parse("2;4,4;1,2;1,2").unwrap();
    let picture = Platform::fat_tree(&cluster(), &tree).unwrap().draw();
    // There are 16 nodes, 4 switches in the middle, and 2 at the top. Lines connect each of them to
    // its parents.
    assert_eq!(count(&picture, "<circle"), 16);
    assert_eq!(count(&picture, "<title>switch"), 6 + 8);
    assert_eq!(count(&picture, "<path"), 16 + 8);
}

#[test]
fn tori_and_dragonflies_show_their_cables() {
    let torus = Torus::parse("4,3").unwrap();
    let picture = Platform::torus(&cluster(), &torus).unwrap().draw();
    assert_eq!(count(&picture, "<path"), 24);
    let shape = Dragonfly::parse("3,1;2,1;3,1;2").unwrap();
    let picture = Platform::dragonfly(&cluster(), &shape).unwrap().draw();
    // Each group has 2 chassis with 3 pairs each, and 3 cables between the chassis. There are also
    // 3 pairs of groups.
    assert_eq!(count(&picture, "<path"), 3 * (2 * 3 + 3) + 3);
}

#[test]
fn large_machines_are_folded() {
    let tree = FatTree::parse("3;32,32,32;1,16,16;1,1,1").unwrap();
    let picture = Platform::fat_tree(&cluster(), &tree).unwrap().draw();
    assert!(picture.contains("32768 hosts; 48 are shown"));
    assert!(picture.len() < 500_000, "{} bytes", picture.len());
}

#[test]
fn loads_color_links() {
    let platform = Platform::star(&cluster(), 2, None).unwrap();
    let busy = platform.link("node1.down").unwrap();
    let picture = platform.draw_with(|link| Some(if link == busy { 1.0 } else { 0.0 }));
    assert_eq!(count(&picture, "hsl(0 75% 42%)"), 1);
    assert_eq!(count(&picture, "hsl(120 75% 42%)"), 1);
}

#[test]
fn zones_are_drawn_one_below_another() {
    let file = "<platform version=\"4.1\"><zone id=\"w\" routing=\"Full\">\
         <cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-3\" speed=\"1f\" bw=\"1Bps\" \
         lat=\"0\"/><zone id=\"z\" routing=\"None\"><host id=\"h\" speed=\"1f\"/></zone>\
         <link id=\"l\" bandwidth=\"1Bps\"/><zoneRoute src=\"c\" dst=\"z\" gw_src=\"cc_router\" \
         gw_dst=\"h\"><link_ctn id=\"l\"/></zoneRoute></zone></platform>";
    let none = |_: &str| Err(std::io::Error::other("there is none"));
    let read = Read::text("p.xml", file.as_bytes(), none).unwrap();
    let picture = read.platform.draw();
    assert!(picture.contains(">w: 2 points<") && picture.contains(">c: 4 hosts<"));
    assert_eq!(count(&picture, "<title>l</title>"), 1);
}

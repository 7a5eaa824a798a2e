//! Files that are no machine: each is refused with its place, the element, and what to do.

use prophet_platform::{Problem, Quantity, Read, Target, Watts};

fn read(text: &str) -> Result<Read, Problem> {
    Read::text("p.xml", text.as_bytes(), |name| match name {
        "zero" => Ok(b"0 1\n5 0\n".to_vec()),
        "twice" => Ok(b"1 2e6\n4 3e6\nLOOPAFTER 6\n".to_vec()),
        "broken" => Ok(b"1 1\n0 1\n".to_vec()),
        _ => Err(std::io::Error::other("there is none")),
    })
}

/// Two hosts and a link in a zone with a table, from line 3 on, and more.
fn platform(more: &str) -> String {
    format!(
        "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n\
         <host id=\"a\" speed=\"1Gf\"/>\n<host id=\"b\" speed=\"1Gf\"/>\n\
         <link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>\n{more}\n</zone>\n</platform>"
    )
}

fn refusal(text: &str) -> String {
    match read(text) {
        Ok(_) => panic!("it is read:\n{text}"),
        Err(problem) => problem.to_string(),
    }
}

/// Asserts that a file with this in line 6 is refused there, with these words.
#[track_caller]
fn refused(more: &str, words: &str) {
    let found = refusal(&platform(more));
    assert!(
        found.starts_with("p.xml:6: ") && found.contains(words),
        "{found}"
    );
}

#[test]
fn powers_that_fall_or_are_none() {
    let host = |watts: &str| {
        let state = "<host id=\"c\" speed=\"1f,2f\" core=\"4\" pstate=\"1\">";
        format!("{state}<prop id=\"wattage_per_state\" value=\"{watts}\"/></host>")
    };
    let why = "in watts, each a number of 0 or more";
    for watts in [
        "1:2,-1:5",
        "1:2,1:x:5",
        "1:2,NaN:3",
        "1:2,inf:inf",
        "1:2,5",
        "1:2,1:2:3:4",
    ] {
        refused(&host(watts), why);
    }
    refused(&host("1:2"), "there is no power for `pstate` 1 in `1:2`");
    refused(&host("1:2,100:50"), "falls as cores begin to work");
    refused(&host("1:2,100:20:200"), "100 W idle, 65 W with one core");
    let read = read(&platform(&host("1:2,100:80:180"))).expect("one core takes 105 W");
    let watts = Watts {
        idle: 100.0,
        epsilon: 80.0,
        all_cores: 180.0,
    };
    assert!(read.watts.into_iter().eq([(2, watts)]));
}

#[test]
fn links_that_pass_nothing() {
    let link = |bandwidth| format!("<link id=\"m\" bandwidth=\"{bandwidth}\" latency=\"0\"/>");
    refused(&link("0Bps"), "the bandwidth of link `m` is not above 0");
    refused(
        &link("-1Bps"),
        "`-1Bps` does not begin with a number of at least 0",
    );
    refused(&link("fastBps"), "`fastBps` does not begin with a number");
    refused(&link("1parsec"), "`1parsec` is no bandwidth");
    refused(
        "<link id=\"m\" bandwidth=\"1Bps\" latency=\"1s\" bandwidth_file=\"zero\"/>",
        "a profile sets a bandwidth to 0 at 5 s",
    );
    refused(
        "<cluster id=\"c\" prefix=\"\" suffix=\"\" radical=\"0-3\" speed=\"1f\" bw=\"0Bps\" \
         lat=\"0\"/>",
        "the bandwidth of link `0.up` is not above 0",
    );
}

#[test]
fn routes_that_cannot_be() {
    let route = |links| format!("<route src=\"a\" dst=\"b\">{links}</route>");
    let link = "<link_ctn id=\"l\"/>";
    refused(
        &route(format!("{link}{link}")),
        "the route loops: it takes the link `l` twice",
    );
    refused(
        &route(String::new()),
        "the route from `a` to `b` has no link",
    );
    let nowhere = "<link_ctn id=\"x\"/>".to_owned();
    refused(&route(nowhere), "link `x` is not described above");
    let up = "<link_ctn id=\"l\" direction=\"UP\"/>".to_owned();
    refused(&route(up), "link `l` has no direction UP");
    refused(
        &route(link.to_owned()).repeat(2),
        "there is a route from `a` to `b` already",
    );
    refused(
        "<route src=\"a\" dst=\"c\"/>",
        "`route` has dst `c`, which is not described",
    );
    refused("<route src=\"a\" dst=\"z\"/>", "`z`: a zone in `zoneRoute`");
    refused(link, "`link_ctn` of `l` lies in no route");
    let gateway = "<zoneRoute src=\"a\" dst=\"b\" gw_src=\"a\" gw_dst=\"b\"/>";
    refused(gateway, "`zoneRoute` joins zones, but `a` is not a zone");
}

#[test]
fn gateways_lie_in_their_zones() {
    let text = "<platform version=\"4.1\"><zone id=\"w\" routing=\"Full\">\
         <zone id=\"y\" routing=\"None\"><host id=\"a\" speed=\"1f\"/></zone>\
         <zone id=\"z\" routing=\"None\"><host id=\"b\" speed=\"1f\"/></zone>\
         <link id=\"l\" bandwidth=\"1Bps\"/>\n\
         <zoneRoute src=\"y\" dst=\"z\" gw_src=\"b\" gw_dst=\"b\"><link_ctn id=\"l\"/></zoneRoute>\
         </zone></platform>";
    let expected = "p.xml:2: the gateway `b` does not lie in zone `y`: name one that does";
    assert_eq!(refusal(text), expected);
}

#[test]
fn names_are_given_once() {
    refused(
        "<host id=\"a\" speed=\"1Gf\"/>",
        "two hosts, routers or zones have the name `a`",
    );
    refused(
        "<link id=\"l\" bandwidth=\"1Bps\"/>",
        "two links have the name `l`",
    );
    refused(
        "<host id=\"c\" id=\"d\" speed=\"1f\"/>",
        "`host` has two attributes `id`",
    );
}

#[test]
fn elements_and_attributes_are_those_of_simgrid() {
    refused(
        "<hots id=\"c\"/>",
        "`hots` is not one of SimGrid's elements",
    );
    refused(
        "<host id=\"c\"/>",
        "`host` has no attribute `speed`: add it",
    );
    refused(
        "<host id=\"c\" speed=\"1f\" colour=\"red\"/>",
        "`host` has the attribute `colour`, unknown to SimGrid",
    );
    refused("<include file=\"x\"/>", "`include` is not read");
    refused(
        "words",
        "`words` is text where only elements mean something",
    );
    refused(
        "<link id=\"m\" bandwidth=\"1Bps\" sharing_policy=\"WIFI\"/>",
        "link `m` is a WIFI link, which is not modelled",
    );
    refused(
        "<host id=\"c\" speed=\"1f\" core=\"0\"/>",
        "host `c` has no core",
    );
    refused(
        "<host id=\"c\" speed=\"1f\" pstate=\"1\"/>",
        "no speed for `pstate` 1 in `1f`",
    );
    refused(
        "<host id=\"c\" speed=\"1f\" coordinates=\"1 2\"/>",
        "are not three numbers",
    );
    refused(
        "<peer id=\"c\" speed=\"1f\"/>",
        "whose routing is not Vivaldi",
    );
    refused(
        "<cabinet id=\"c\" prefix=\"\" suffix=\"\" radical=\"1\" speed=\"1f\" bw=\"1Bps\" \
             lat=\"0\"/>",
        "whose routing is not Cluster",
    );
}

#[test]
fn profiles_are_read_or_refused() {
    let link = |file| {
        format!("<link id=\"m\" bandwidth=\"1MBps\" latency=\"1s\" bandwidth_file=\"{file}\"/>")
    };
    refused(
        &link("missing"),
        "the profile `missing` cannot be read: there is none",
    );
    refused(&link("broken"), "broken:2: `0 1` comes before 1 s");
    let read = read(&platform(&link("twice"))).unwrap();
    let changes: Vec<_> = read
        .changes
        .iter()
        .map(|it| (it.at_s, it.quantity))
        .collect();
    let bandwidth = Quantity::Bandwidth;
    assert_eq!(changes, [(1.0, bandwidth(2e6)), (4.0, bandwidth(3e6))]);
    assert_eq!(read.changes[0].repeat_s, Some(10.0));
    assert_eq!(
        read.changes[0].target,
        Target::Link(read.platform.link("m").unwrap())
    );
}

#[test]
fn traces_are_connected_to_what_is_there() {
    let connected = |kind, element| {
        let connect = format!("trace_connect kind=\"{kind}\" trace=\"t\" element=\"{element}\"");
        platform("").replace(
            "</platform>",
            &format!(
                "<trace id=\"t\" periodicity=\"-1\">0 1\n2 0.5</trace><{connect}/></platform>"
            ),
        )
    };
    let speed = read(&connected("SPEED", "b")).unwrap();
    assert_eq!(speed.changes[1].quantity, Quantity::Speed(0.5));
    assert_eq!(speed.changes[1].target, Target::Host(1));
    let failing = read(&connected("LINK_AVAIL", "l")).unwrap();
    let expected = "p.xml:9: failures are not modelled: `l` stays up";
    assert_eq!(failing.warnings[0].to_string(), expected);
    let missing = refusal(&connected("BANDWIDTH", "x"));
    assert!(
        missing.contains("the link `x`, which is not described"),
        "{missing}"
    );
}

#[test]
fn a_billion_nodes_in_a_small_file() {
    let cluster = |rest: &str| {
        format!(
            "<zone id=\"y\" routing=\"Full\"><cluster id=\"c\" prefix=\"\" suffix=\"\" \
             speed=\"1f\" bw=\"1Bps\" lat=\"0\" {rest}/></zone>"
        )
    };
    refused(
        &cluster("radical=\"0-999999999\""),
        "names more than 1048574 hosts",
    );
    let tree = "topology=\"FAT_TREE\" topo_parameters=\"3;1000,1000,1000;1,1,1;1,1,1\"";
    refused(
        &cluster(&format!("radical=\"0-9\" {tree}")),
        "has 1000000002 hosts",
    );
    let twice = "radical=\"0-600000,0-600000\"";
    refused(&cluster(twice), "names more than 1048574 hosts");
    let wide = "topology=\"FAT_TREE\" topo_parameters=\"1;2;4000000000;4000000000\"";
    refused(
        &cluster(&format!("radical=\"0-1\" {wide}")),
        "links, of which at most",
    );
}

#[test]
fn entities_are_not_expanded() {
    let bomb = "<!DOCTYPE platform [\n<!ENTITY a \"aaaaaaaaaa\">\n\
         <!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">\n]>\n<platform version=\"4.1\">\n";
    let text = format!("{bomb}&b;</platform>");
    let expected = "p.xml:6: entities are not expanded: write what `&b;` stands for";
    assert_eq!(refusal(&text), expected);
    let text = format!("{bomb}<zone id=\"&b;\" routing=\"Full\"/></platform>");
    let found = refusal(&text);
    assert!(
        found.starts_with("p.xml:6: attribute `id` of `zone` is not XML"),
        "{found}"
    );
}

#[test]
fn files_that_are_not_whole_or_no_platform() {
    let all = platform("");
    let cut = refusal(&all[..all.len() - 12]);
    assert!(cut.contains("the file ends inside `platform`"), "{cut}");
    assert!(refusal("").contains("describes no host"));
    assert!(refusal("<machine/>").contains("`machine` stands where `platform` should"));
    let old = refusal("<platform version=\"3\"/>");
    assert_eq!(
        old,
        "p.xml:1: version 3 is not read, only 4 and 4.1: convert the file by `simgrid_update_xml`"
    );
    let latin = Read::text("p.xml", b"<platform>\n\xe4", |_| {
        Err(std::io::Error::other("none"))
    });
    let found = latin.unwrap_err().to_string();
    assert_eq!(
        found,
        "p.xml:2: the file is not text in UTF-8: save it as such"
    );
    assert!(refusal(&"<platform version=\"4.1\">".repeat(2)).contains("stands where"));
}

#[test]
fn zones_are_not_nested_without_end() {
    let open = |at| format!("<zone id=\"{at}\" routing=\"Full\">\n");
    let zones: String = (0..100_000).map(open).collect();
    let found = refusal(&format!("<platform version=\"4.1\">\n{zones}"));
    assert_eq!(found, "p.xml:65: elements are nested more than 64 deep");
}

#[test]
fn messages_show_hidden_characters() {
    let found = refusal(&platform("<host id=\"c\" speed=\"\u{1b}[2J\"/>"));
    assert!(
        found.contains(r"\u{1b}[2J") && !found.contains('\u{1b}'),
        "{found}"
    );
}

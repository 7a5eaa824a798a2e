//! Checks that errors about invalid files contain the position, the element, and what to do.

use prophet_platform::{Quantity, Read, Target, Watts};
use prophet_testing::{assert_cases, assert_says};
use prophet_text::Problem;

fn read(text: &str) -> Result<Read, Problem> {
    Read::text("p.xml", text.as_bytes(), |name| match name {
        "zero" => Ok(b"0 1\n5 0\n".to_vec()),
        "twice" => Ok(b"1 2e6\n4 3e6\nLOOPAFTER 6\n".to_vec()),
        "broken" => Ok(b"1 1\n0 1\n".to_vec()),
        _ => Err(std::io::Error::other("there is none")),
    })
}

/// Creates a platform with two hosts and a link in a zone with a table, from line 3 on, followed by
/// `more`.
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

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    assert_cases("tests/cases/bad_files.txt", |case| {
        let is_whole = ["<platform", "<!DOCTYPE", "<machine"]
            .iter()
            .any(|it| case.input.starts_with(it));
        let more = platform(case.input);
        refusal(if is_whole { case.input } else { &more })
    });
}

#[test]
fn powers_that_rise_are_read() {
    let host = "<host id=\"c\" speed=\"1f,2f\" core=\"4\" pstate=\"1\">\
                <prop id=\"wattage_per_state\" value=\"1:2,100:80:180\"/></host>";
    let read = read(&platform(host)).expect("one core takes 105 W");
    let watts = Watts {
        idle: 100.0,
        epsilon: 80.0,
        all_cores: 180.0,
    };
    assert!(read.watts.into_iter().eq([(2, watts)]));
}

#[test]
fn profiles_are_read() {
    let link = "<link id=\"m\" bandwidth=\"1MBps\" latency=\"1s\" bandwidth_file=\"twice\"/>";
    let read = read(&platform(link)).unwrap();
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
    let expected = "p.xml:9: failures are not supported: `l` stays up";
    assert_eq!(failing.warnings[0].to_string(), expected);
    let missing = refusal(&connected("BANDWIDTH", "x"));
    assert_says(&missing, &["names the unknown link `x`"]);
}

#[test]
fn files_that_are_not_whole_or_no_platform() {
    let all = platform("");
    let cut = refusal(&all[..all.len() - 12]);
    assert!(cut.contains("the file ends inside `platform`"), "{cut}");
    assert!(refusal("").contains("does not describe any hosts"));
    let latin = Read::text("p.xml", b"<platform>\n\xe4", |_| {
        Err(std::io::Error::other("none"))
    });
    let found = latin.unwrap_err().to_string();
    assert_eq!(
        found,
        "p.xml:2: the file is not UTF-8 text: save it as UTF-8"
    );
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

use super::*;

fn values(text: &str) -> String {
    let axis = Axis::parse(text).unwrap_or_else(|message| panic!("{text}: {message}"));
    let count = axis.count().unwrap();
    let values: Vec<String> = (0..count).map(|at| axis.value(at).to_string()).collect();
    values.join(" ")
}

#[test]
fn ranges_continue_as_their_first_terms_say() {
    assert_eq!(values("n=3..6"), "3 4 5 6");
    assert_eq!(values("n=1,2,4..64"), "1 2 4 8 16 32 64");
    assert_eq!(values("n=1,2,4..100,128"), "1 2 4 8 16 32 64 128");
    assert_eq!(values("n=1,4..12"), "1 4 7 10");
    assert_eq!(values("n=10,8..1"), "10 8 6 4 2");
    assert_eq!(values("n=64,32,16..1"), "64 32 16 8 4 2 1");
    assert_eq!(values("x=0.1,0.2..0.7"), "0.1 0.2 0.3 0.4 0.5 0.6 0.7");
    assert_eq!(values("x=0.1,0.2,0.4..2"), "0.1 0.2 0.4 0.8 1.6");
    assert_eq!(
        values("b=64KiB,128KiB,256KiB..1024KiB"),
        "64KiB 128KiB 256KiB 512KiB 1024KiB"
    );
    assert_eq!(values("n=7"), "7");
    assert_eq!(values("n=5..5"), "5");
}

#[test]
fn ranges_with_a_count_are_spaced() {
    assert_eq!(values("n=1..1024:log6"), "1 4 16 64 256 1024");
    assert_eq!(values("n=1..4:log9"), "1 2 3 4");
    assert_eq!(values("t=1us..1000us:log4"), "1us 10us 100us 1000us");
}

#[test]
fn texts_are_separated_by_commas_or_semicolons() {
    assert_eq!(values("engine=event,local"), "event local");
    assert_eq!(values("mapping=0,0,1;0,1,0"), "0,0,1 0,1,0");
    let networks = "hockney:latency=1us,bandwidth=1GB/s";
    assert_eq!(
        values(&format!("network={networks};x")),
        format!("{networks} x")
    );
    let axis = Axis::parse(&format!("network={networks},{networks}")).unwrap();
    assert_eq!(
        (axis.count(), axis.value(1).to_string()),
        (Some(2), networks.to_owned())
    );
    assert_eq!(values("machine=../a.toml,a..b"), "../a.toml a..b");
}

#[test]
fn intervals_have_any_number_of_values() {
    let axis = Axis::parse("latency=1us..3us").unwrap();
    assert_eq!(axis.count(), None);
    assert_eq!(axis.value_at(0.25).to_string(), "1.5us");
    let whole = Axis::parse("n=1..4:log").unwrap().rounded();
    assert_eq!((whole.count(), whole.form()), (None, AxisForm::Whole));
    assert_eq!(whole.value_at(0.4).to_string(), "2");
    let axis = Axis::parse("n=1..4").unwrap();
    let at = |share| axis.value_at(share).to_string();
    assert_eq!(
        (at(0.0), at(0.25), at(0.999), at(1.0)),
        ("1".into(), "2".into(), "4".into(), "4".into())
    );
}

#[test]
fn wrong_axes_are_refused() {
    let long = "x".repeat(100);
    let empty = |text, range, turned| {
        format!("`{text}`: the range {range} is empty; write the smaller number first: {turned}")
    };
    for (text, message) in [
        (
            "nodes",
            "expected NAME=VALUES, such as nodes=1,2,4..64, found `nodes`".to_owned(),
        ),
        ("=1,2", "`=1,2` has no name before the `=`".to_owned()),
        (
            &long,
            format!(
                "expected NAME=VALUES, such as nodes=1,2,4..64, found `{}…`",
                &long[..60]
            ),
        ),
        ("n=", "`n=`: a value is missing".to_owned()),
        ("n=1,,2", "`n=1,,2`: a value is missing".to_owned()),
        ("n=8..4", empty("n=8..4", "8..4", "4..8")),
        ("n=1,2..0", empty("n=1,2..0", "2..0", "0..2")),
        ("n=0.9..0.1", empty("n=0.9..0.1", "0.9..0.1", "0.1..0.9")),
        ("n=1-4", "`n=1-4`: write a range as `n=1..4`".to_owned()),
        ("n=4..many", "`n=4..many`: expected a number, found `many`".to_owned()),
        (
            "n=1us..1GB",
            "`n=1us..1GB`: the units of `1us` and `1GB` are not of the same kind".to_owned(),
        ),
        (
            "n=1..1ms",
            "`n=1..1ms`: the units of `1` and `1ms` are not of the same kind".to_owned(),
        ),
        (
            "n=1,2,5..64",
            "`n=1,2,5..64`: 1, 2, 5 have neither a common difference nor a common factor"
                .to_owned(),
        ),
        ("n=2,2..8", "`n=2,2..8`: 2, 2 do not grow or shrink".to_owned()),
        (
            "n=1..8:x",
            "`n=1..8:x`: expected a number of values from 2 to 100000, or `log` followed by such a \
             number, found `x`"
                .to_owned(),
        ),
        (
            "n=0..8:log3",
            "`n=0..8:log3`: the numbers of a logarithmic range must be above 0".to_owned(),
        ),
        (
            "n=7,0.1..0.2:log",
            "`n=7,0.1..0.2:log`: an interval cannot be combined with other values; add a number of \
             values, such as `0.1..0.9:5`"
                .to_owned(),
        ),
    ] {
        assert_eq!(Axis::parse(text).unwrap_err(), &*message);
    }
}

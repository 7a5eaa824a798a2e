//! Tests the command `fit distribution` as users call it.

use std::fmt::Write as _;

use prophet_sim::variates::Generator;
use prophet_testing::assert_says;

use crate::command::home;

/// Returns times drawn from a lognormal distribution, at one or several points.
fn times(points: u32) -> String {
    let mut generator = Generator::new(9, 8, 7);
    let mut text = "p,time\n".to_owned();
    for index in 0..400 {
        let p = 1 + index % points;
        let noise = generator.lognormal(0.0, 0.4).expect("it is in range");
        let _ = writeln!(text, "{p},{}", f64::from(p) * noise);
    }
    text
}

#[test]
fn the_variate_of_repeated_times_is_found() {
    let home = home();
    home.write("t.csv", times(1));
    let words = "distribution t.csv --format json";
    let found = home.json(words);
    let best = &found[0]["variates"][0];
    assert_eq!(best["family"], "lognormal");
    assert!(best["p_value"].as_f64().expect("a number") > 0.05);
    assert!(best["distance"].as_f64().expect("a number") < 0.06);
    let cost = best["cost"].as_str().expect("it is text");
    assert!(cost.starts_with("lognormal("), "{cost}");
    assert_eq!(found[0]["relative"], false);
    assert_eq!(home.printed(words), home.printed(words));
}

#[test]
fn times_of_several_points_give_a_factor() {
    let home = home();
    home.write("t.csv", times(4));
    let shown = home.printed("distribution t.csv");
    let about = "time: 400 values, relative to the median of their point: use a variate as a \
                 factor of a cost\n";
    assert!(shown.starts_with(about), "{shown}");
    let first = shown.lines().nth(2).expect("there is a row");
    assert!(first.starts_with("lognormal("), "{shown}");
}

#[test]
fn times_that_no_variate_describes_can_be_drawn_themselves() {
    let home = home();
    // Two modes, as if only some runs had a page fault.
    let mut text = "time\n".to_owned();
    for index in 0..100 {
        let _ = writeln!(
            text,
            "{}",
            if index % 2 == 0 { 1.0 } else { 5.0 } + f64::from(index) / 1e3
        );
    }
    home.write("t.csv", text);
    let shown = home.printed("distribution t.csv --out quantiles.csv");
    assert_says(&shown, &["note: no distribution fits the values well"]);
    assert_says(&shown, &["interpolate(\"quantiles.csv\", uniform(0, 1))"]);
    let table = home.read("quantiles.csv");
    let rows: Vec<&str> = table.lines().skip(2).collect();
    assert_eq!((rows.len(), rows[0], rows[99]), (100, "0,1", "1,5.099"));
}

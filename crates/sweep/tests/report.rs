//! Tests the page that `--report` writes.

use prophet_frontend::checked::check;
use prophet_runtime::RunHandle;
use prophet_sweep::{Goals, Paged, Plan};
use prophet_testing::assert_says;

use crate::command::home;
use crate::study::page;

const SPACE: &str = "lapw0.uml --vary nodes=1,2,4 --vary nat=32,64";

/// Tests that the page doesn't depend on the number of threads, and is the same from a stream and
/// from kept rows.
#[test]
fn a_page_is_the_same_however_it_is_made() {
    let home = home();
    home.printed(&format!("{SPACE} --jobs 1 --report one.html"));
    home.printed(&format!(
        "{SPACE} --jobs 3 --out rows.csv --report two.html"
    ));
    assert!(home.read("one.html") == home.read("two.html"));
    let data = page(&home, "one.html");
    assert_eq!(data["model"], "LAPW0");
    assert_eq!(data["command"], "cargo xtask run lapw0.uml --");
    let parameters = &data["table"]["parameters"];
    assert_eq!(parameters[0]["before"], "--nodes ");
    assert_eq!(parameters[0]["is_resource"], true);
    assert_eq!(parameters[1]["before"], "--set NAT=");
    assert_eq!(parameters[1]["values"], serde_json::json!(["32", "64"]));
    assert_eq!(data["table"]["measures"][0]["name"], "predicted_time_s");
    let names = data["table"]["measures"].as_array().unwrap().iter();
    let names: Vec<_> = names
        .map(|measure| measure["name"].as_str().unwrap())
        .collect();
    assert!(
        !names.contains(&"nodes"),
        "an axis is not shown twice: {names:?}"
    );
    assert!(
        !names.contains(&"threads"),
        "it is the same everywhere: {names:?}"
    );
    let facts = data["facts"].to_string();
    assert_says(
        &facts,
        &[r#"{"name":"threads of each process","value":"1"}"#],
    );
}

#[test]
fn a_page_of_a_model_at_hand_is_that_of_the_command() {
    let home = home();
    home.printed(&format!("{SPACE} --minimize nodes --report page.html"));
    let checked = check(&home.path("lapw0.uml"), None).unwrap();
    let plan = Plan {
        model: "lapw0.uml".to_owned(),
        vary: ["nodes=1,2,4", "nat=32,64"].map(str::to_owned).to_vec(),
        find: Goals {
            minimize: Some("nodes".to_owned()),
            ..Goals::default()
        },
        ..Plan::default()
    };
    let paged = Paged::of(&checked, &plan, "cargo xtask sweep", &RunHandle::default());
    let paged = paged.unwrap().unwrap();
    assert_eq!(paged.points, 6);
    assert!(paged.page == home.read("page.html"));
}

#[test]
fn points_that_fail_are_on_the_page() {
    let home = home();
    home.printed("lapw0.uml --vary nodes=1,2 --vary mapping=block;0,1 --report page.html");
    let data = page(&home, "page.html");
    assert_eq!(data["table"]["failed"], 1);
    let reasons = data["table"]["failures"].as_array().unwrap();
    assert_eq!(reasons.len(), 1, "{reasons:?}");
}

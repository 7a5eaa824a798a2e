//! Tests several goals with one command: with a page, in plans, and after an interruption.

use std::fs;

use expect_test::expect_file;
use prophet_testing::{Home, assert_says, assert_starts, stderr};
use serde_json::{Value, json};

use crate::command::home;

pub(crate) fn page(home: &Home, name: &str) -> Value {
    let html = home.read(name);
    let start = "<script type=\"application/json\" id=\"data\">";
    let (_, rest) = html.split_once(start).expect("it has data");
    let (data, _) = rest.split_once("</script>").expect("which end");
    serde_json::from_str(data).expect("it is JSON")
}

const SPACE: &str = "--vary nodes=1,2,4..32 --vary network.latency=1us,10us";
const GOALS: &str = "--minimize 'predicted_time_s * nodes' --subject-to 'predicted_time_s < 200' \
                     --pareto 'predicted_time_s; nodes' --sensitivity sobol";

#[test]
fn time_and_energy_have_a_front() {
    let home = home();
    let machine = "name = \"m\"\nsource = \"a test\"\ncpus-per-node = 4\n[power]\n\
                   idle = \"100W\"\none-cpu = \"120W\"\nall-cpus = \"180W\"\n";
    home.write("m.toml", machine);
    let tariff = "source = \"a test\"\n[[tariff]]\nfrom = \"2026-01-01\"\ncarbon = 400\n";
    home.write("t.toml", tariff);
    let nodes = "lapw0.uml --vary nodes=1,2,4";
    let rows = home.printed(&format!("{nodes} -- --machine m.toml --tariff t.toml"));
    let heads = "cpus_per_node,processes,threads,energy_j,mean_power_w,cost,carbon_g,error";
    assert!(
        rows.lines().next().is_some_and(|it| it.ends_with(heads)),
        "{rows}"
    );
    let without = home.printed(nodes);
    assert!(!without.contains("energy_j"), "{without}");
    let varied = home.printed("lapw0.uml --vary machine=default,m.toml");
    assert!(varied.contains("energy_j"), "{varied}");
    expect_file!["golden/time_and_energy_have_a_front.txt"].assert_eq(&home.printed(&format!(
        "{nodes} --pareto 'predicted_time_s; energy_j' -- --machine m.toml"
    )));
}

/// Tests that a file of a language model gives the same points as its sizes as flags, and that an
/// axis overrides the file.
#[test]
fn language_models_are_taken_from_files() {
    let home = home();
    let config = r#"{"model_type": "mistral", "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
        "vocab_size": 32000, "sliding_window": 4096}"#;
    home.write("config.json", config);
    let space = "megatron.uml --vary tensor=1,2,4 --vary layers=16,32";
    let machine = "-- --machine h100-te --processes 1 --shard-optimizer 1 --gpu-gb 200";
    let sizes = "--hidden 4096 --heads 32 --kv-heads 8 --feed-forward 14336 --gated 1 --tied 0 \
                 --vocabulary 32000";
    let swept = home.call(&format!("{space} {machine} --config config.json"));
    assert_says(
        stderr(&swept),
        &["warning: config.json: each token attends to 4096"],
    );
    let rows = String::from_utf8(swept.stdout).expect("rows are text");
    assert_eq!(rows, home.printed(&format!("{space} {machine} {sizes}")));
    assert!(
        rows.lines().count() == 7 && !rows.contains("false"),
        "{rows}"
    );
    home.assert_refused(
        &format!("{space} --out config.json {machine} --config config.json"),
        "`--out` would replace config.json, which this command reads",
    );
    home.assert_refused(
        &format!("{space} -- --config llama-4"),
        "unknown language model `llama-4`",
    );
    assert_eq!(home.read("config.json"), config);
}

#[test]
fn several_goals_are_found_at_once() {
    let home = home();
    let all = home.printed(&format!("lapw0.uml {SPACE} {GOALS}"));
    expect_file!["golden/several_goals_are_found_at_once.txt"].assert_eq(&all);
    let list: Value = home.json(&format!("lapw0.uml {SPACE} {GOALS} --json"));
    assert_eq!(list[0]["minimize"], "predicted_time_s * nodes");
    assert_eq!(list[1]["front"].as_array().map(Vec::len), Some(6));
    assert_eq!(list[2]["method"], "sobol");
}

/// Tests that a sweep with goals has the same rows and page as one without, and the findings.
#[test]
fn a_page_shows_what_was_found() {
    let home = home();
    let plain = "--out plain.csv --report plain.html";
    home.printed(&format!("lapw0.uml {SPACE} {plain}"));
    let found = "--out found.csv --report found.html";
    home.printed(&format!("lapw0.uml {SPACE} {GOALS} {found}"));
    assert_eq!(home.read("plain.csv"), home.read("found.csv"));
    let data = page(&home, "found.html");
    let marked = &data["marked"];
    assert_eq!(
        marked[0],
        json!({
            "title": "Least predicted_time_s * nodes where predicted_time_s < 200",
            "about": "Evaluated: all 12 points.",
            "columns": ["predicted_time_s * nodes"],
            "points": [6],
            "next": [7, 8, 9, 10],
        })
    );
    assert_eq!(marked[1]["columns"], json!(["predicted_time_s", "nodes"]));
    assert_eq!(marked[1]["points"], json!([10, 11, 8, 9, 6, 7]));
    let names = |data: &Value| -> Vec<Value> {
        let measures = data["table"]["measures"].as_array().expect("a list");
        measures.iter().map(|it| it["name"].clone()).collect()
    };
    let plain = page(&home, "plain.html");
    let mut expected = names(&plain);
    expected.push("predicted_time_s * nodes".into());
    assert_eq!(names(&data), expected);
    assert_eq!(plain["marked"], json!([]));
    let [nodes, latency] = [0, 1].map(|at| &data["sensitivity"][0]["influences"][at]);
    assert_eq!(nodes["parameter"], "nodes");
    let reason = latency["reason"].as_str().expect("a text");
    assert_starts(reason, "the model sets its own costs");
    // The output doesn't depend on the number of threads.
    home.printed(&format!(
        "lapw0.uml {SPACE} {GOALS} --jobs 3 --report again.html"
    ));
    assert_eq!(home.read("again.html"), home.read("found.html"));
}

#[test]
fn a_page_of_a_search_has_its_points() {
    let home = home();
    let space = "--vary nodes=1..64 --vary nat=1..64";
    let goals = "--minimize 'predicted_time_s * nodes / nat' --budget 40";
    home.printed(&format!(
        "lapw0.uml {space} {goals} --out rows.csv --report page.html"
    ));
    let data = page(&home, "page.html");
    let evaluated = home.read("rows.csv").lines().count() - 1;
    assert_eq!(evaluated, 40);
    assert_eq!(data["table"]["points"], evaluated);
    let about = format!(
        "Evaluated: {evaluated} of 4,096 points, chosen by a search: other points may be better."
    );
    assert_eq!(data["marked"][0]["about"], about);
}

#[test]
fn what_is_not_found_keeps_the_rest() {
    let home = home();
    let goals = "--minimize nodes --pareto 'predicted_time_s; nodes' --subject-to 'nodes > 99' \
                 --sensitivity sobol --report page.html --out rows.csv";
    let output = home.call(&format!("lapw0.uml --vary nodes=1,2 {goals}"));
    assert_eq!(output.status.code(), Some(1));
    expect_file!["golden/what_is_not_found_keeps_the_rest.txt"].assert_eq(&stderr(&output));
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.starts_with("shares of the variance"), "{told}");
    assert_eq!(home.read("rows.csv").lines().count(), 3);
    assert_eq!(
        page(&home, "page.html")["notes"].as_array().map(Vec::len),
        Some(2)
    );
}

#[test]
fn goals_stand_in_plans() {
    let home = home();
    let plan = home.printed(&format!("lapw0.uml {SPACE} {GOALS} --print-plan"));
    expect_file!["golden/goals_stand_in_plans.txt"].assert_eq(&plan);
    home.write("plan.toml", plan);
    let found = home.printed(&format!("lapw0.uml {SPACE} {GOALS}"));
    assert_eq!(home.printed("plan.toml"), found);
    // The command line adds to the plan.
    let stricter = home.printed("plan.toml --subject-to 'predicted_time_s < 120'");
    assert_starts(&stricter, "least predicted_time_s * nodes at nodes=32 ");
}

/// Tests that merging finds the same as a single machine, because the chunks cover all points.
#[test]
fn merged_rows_have_goals() {
    let home = home();
    let local = format!("lapw0.uml {SPACE} {GOALS} --out local.csv --report local.html");
    let local = home.printed(&local);
    home.printed(&format!(
        "plan lapw0.uml {SPACE} {GOALS} --chunks 2 --out a.plan"
    ));
    home.printed("work a.plan --chunk 1");
    home.printed("work a.plan --chunk 2");
    assert_eq!(home.printed("merge a.plan"), local);
    assert_eq!(
        home.printed("merge a.plan --out rows.csv --report page.html"),
        local
    );
    assert_eq!(home.read("rows.csv"), home.read("local.csv"));
    assert_eq!(home.read("page.html"), home.read("local.html"));
    // Without goals, rows are printed and a page is written.
    home.printed(&format!("plan lapw0.uml {SPACE} --chunks 1 --out b.plan"));
    home.printed("work b.plan --chunk 1");
    assert_eq!(
        home.printed("merge b.plan --report b.html"),
        home.read("local.csv")
    );
    home.printed(&format!(
        "lapw0.uml {SPACE} --out plain.csv --report plain.html"
    ));
    assert_eq!(home.read("b.html"), home.read("plain.html"));
}

#[test]
fn a_search_finds_a_place_on_an_interval() {
    let home = home();
    let words = "valley.prophet.xml --vary x=0.1..9.9 --vary seed=1,2 --json";
    let found = home.printed(&format!("{words} --minimize predicted_time_s --budget 60"));
    let found: Value = serde_json::from_str(&found).expect("it is JSON");
    let best = &found["best"][0];
    let x = best["values"]["x"].as_f64().expect("a number");
    assert!((x - 2.0).abs() < 0.01, "{x}");
    assert_eq!(
        (&found["evaluated"], &found["points"]),
        (&60.into(), &Value::Null)
    );
}

/// Tests that points evaluated by a search are kept, so that the same command continues from there.
#[test]
fn an_interrupted_search_goes_on() {
    for space in [
        "--vary nodes=1..64 --vary nat=1..64",
        "--vary nodes=1..64 --vary cutoff=1..2",
    ] {
        let home = home();
        let space = space.replace("cutoff=1..2", "network.latency=1us..100us:log");
        let words = format!("lapw0.uml {space} --minimize 'predicted_time_s * nodes' --budget 40");
        let whole = home.printed(&format!("{words} --out rows.csv"));
        let rows = home.read("rows.csv");
        // The output can't be written, because a folder has its name.
        fs::create_dir(home.path("other.csv")).expect("there is room");
        home.refused(&format!("{words} --out other.csv"));
        let kept = home.read("other.csv.unfinished");
        let lines: Vec<&str> = kept.split_inclusive('\n').collect();
        assert!(lines.len() > 3, "{kept}");
        for end in [1, 2, lines.len() - 1, lines.len()] {
            let part = lines[..end].concat();
            home.write("again.csv.unfinished", part);
            let output = home.call(&format!("{words} --out again.csv"));
            let told = stderr(&output);
            let is_told = told.ends_with(" from an interrupted sweep already exist\n");
            assert_eq!(is_told, end > 1, "{told}");
            assert_eq!(String::from_utf8_lossy(&output.stdout), whole);
            assert_eq!(home.read("again.csv"), rows);
            assert!(!home.path("again.csv.unfinished").exists());
        }
        // Rows of a different search aren't mixed with these.
        home.write("new.csv.unfinished", &kept);
        home.assert_refused(
            &format!("{words} --search-seed 2 --out new.csv"),
            "contains rows of another sweep",
        );
    }
}

/// Tests that full results equal the results of single runs, for any number of threads.
#[test]
fn records_have_the_results_of_all_points() {
    let home = home();
    let words = "lapw0.uml --vary nodes=1,2,99 --vary nat=32,64";
    let goal = "--minimize nodes --records results.jsonl --jobs 3 -- --machine gescher";
    let output = home.call(&format!("{words} {goal}"));
    assert!(output.status.success(), "{}", stderr(&output));
    let note = "note: 2 points without a result omitted from results.jsonl\n";
    assert!(stderr(&output).contains(note), "{}", stderr(&output));
    let results = home.read("results.jsonl");
    let lines: Vec<Value> = results
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    let of = |line: &Value| {
        (
            line["system"]["nodes"].clone(),
            line["parameters"]["NAT"].clone(),
        )
    };
    let all: Vec<_> = lines.iter().map(of).collect();
    let expected = [(1, 32), (1, 64), (2, 32), (2, 64)];
    assert_eq!(all, expected.map(|(nodes, nat)| (nodes.into(), nat.into())));
    assert!(
        lines
            .iter()
            .all(|line| line["model"] == "LAPW0" && line["elements"].is_array())
    );
    home.printed(&format!(
        "{words} --records one.jsonl --jobs 1 -- --machine gescher"
    ));
    assert_eq!(home.read("one.jsonl"), results);
}

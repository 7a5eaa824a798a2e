//! Tests that models with MARTE annotations predict what queueing theory says about their
//! workloads.

use std::path::{Path, PathBuf};

use prophet_frontend::check::RuleSet;
use prophet_testing::assert_near;
use prophet_tests::interpreted::{self, Ran};
use prophet_tests::programs::Programs;
use prophet_tests::root;
use serde_json::Value;

/// A model that consists of one step with its demand and workload.
fn server(demand: &str, pattern: &str, rest: &str) -> String {
    format!(
        r#"<xmi:XMI xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML"
        xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
        xmlns:GQAM="http://www.eclipse.org/papyrus/GQAM/1">
    <uml:Model name="M"><packagedElement xmi:type="uml:Activity" xmi:id="m" name="Job">
        <node xmi:type="uml:InitialNode" xmi:id="i"/>
        <node xmi:type="uml:DecisionNode" xmi:id="d" name="Decision"/>
        <node xmi:type="uml:OpaqueAction" xmi:id="a" name="Serve"/>
        <node xmi:type="uml:ActivityFinalNode" xmi:id="f"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="id" source="i" target="d"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="da" source="d" target="a"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="df" source="d" target="f"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="af" source="a" target="f"/>
    </packagedElement></uml:Model>
    <GQAM:GaStep xmi:id="1" base_NamedElement="a" hostDemand="{demand}"/>
    <GQAM:GaWorkloadEvent xmi:id="2" base_NamedElement="i" pattern="{pattern}"/>
    {rest}</xmi:XMI>"#
    )
}

/// A decision that always takes the step.
const ALWAYS: &str = r#"<GQAM:GaStep xmi:id="3" base_NamedElement="da" prob="1"/>"#;

fn run(model: &str, flags: &str) -> Value {
    let ran = ran(model, flags);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("it is JSON")
}

fn ran(model: &str, flags: &str) -> Ran {
    let folder = tempfile::tempdir().expect("there is room");
    let path: PathBuf = folder.path().join("m.uml");
    std::fs::write(&path, model).expect("there is room");
    let flags: Vec<&str> = flags
        .split_whitespace()
        .chain(["--format", "json"])
        .collect();
    interpreted::run(&path, "m", &flags)
}

/// Returns an element's number from a result.
fn of_element(result: &Value, name: &str, key: &str) -> f64 {
    let elements = result["elements"].as_array().expect("there are elements");
    let element = elements.iter().find(|it| it["name"] == name);
    let element = element.unwrap_or_else(|| panic!("{name} is in {result}"));
    element[key].as_f64().expect("it is a number")
}

#[test]
fn an_open_workload_waits_as_in_an_m_m_1_queue() {
    let pattern = "open=(arrivalRate=(expr=$rate,unit=Hz,statQ=mean,source=est))";
    let context = r#"<GQAM:GaAnalysisContext xmi:id="4" base_NamedElement="m"
        context="in$rate=50"/>"#;
    let model = server("(exp(10), ms)", pattern, &format!("{ALWAYS}{context}"));
    let result = run(&model, "--processes 20000");
    // For M/M/1, the response time is 1/(μ - λ), with μ = 100/s and λ = 50/s.
    assert_near(of_element(&result, "Job", "mean_s"), 0.02, 0.05);
    let end = result["predicted_time_s"].as_f64().expect("a time");
    assert_near(end, 20_000.0 / 50.0, 0.02);
    let result = run(&model, "--processes 20000 --rate 80");
    assert_near(of_element(&result, "Job", "mean_s"), 0.05, 0.1);
    let result = run(&model, "--processes 20000 --rate 150 --cpus-per-node 2");
    // For M/M/2 with ρ = 0.75, it is 1/μ / (1 - ρ²).
    assert_near(
        of_element(&result, "Job", "mean_s"),
        0.01 / (1.0 - 0.5625),
        0.05,
    );
}

#[test]
fn variables_without_a_value_are_flags_that_each_run_gives() {
    let pattern = "closed(population=1)";
    let context = r#"<GQAM:GaAnalysisContext xmi:id="4" base_NamedElement="m">
        <context>in$t</context><context>in$unused</context></GQAM:GaAnalysisContext>"#;
    let model = server(
        "(expr=$t+$other, ms)",
        pattern,
        &format!("{ALWAYS}{context}"),
    );
    let refused = ran(&model, "--t 5");
    assert_eq!((refused.code, &*refused.stdout), (2, ""));
    let told = "error: the parameter `other` has no value: pass --other <REAL>\n";
    assert!(refused.stderr.starts_with(told), "{}", refused.stderr);
    let result = run(&model, "--t 5 --other 2");
    let end = result["predicted_time_s"].as_f64().expect("a time");
    assert_near(end, 0.007, 1e-12);
    assert_eq!(result["parameters"]["t"], 5.0);
}

#[test]
fn periodic_jobs_that_do_not_meet_wait_for_nothing() {
    let model = server("(5, ms)", "periodic(period=(10, ms))", ALWAYS);
    let result = run(&model, "--processes 100");
    assert_near(of_element(&result, "Job", "max_s"), 0.005, 1e-12);
    let end = result["predicted_time_s"].as_f64().expect("a time");
    assert_near(end, 99.0 * 0.01 + 0.005, 1e-12);
}

#[test]
fn a_closed_population_circulates_as_in_a_machine_repair_model() {
    let pattern = "closed=(population=3, extDelay=(expr=exp(20), unit=ms))";
    let model = server("(exp(10), ms)", pattern, ALWAYS);
    let result = run(&model, "--processes 3 --cycles 20000");
    // For M/M/1//3 with μ = 100/s and think rate 50/s, the throughput is μ (1 - p0), where 1/p0 = 1
    // + 3 ρ + 6 ρ² + 6 ρ³ and ρ = 1/2.
    let idle = 1.0 / (1.0 + 1.5 + 1.5 + 0.75);
    let jobs = of_element(&result, "Job", "count");
    let end = result["predicted_time_s"].as_f64().expect("a time");
    assert_near(jobs / end, 100.0 * (1.0 - idle), 0.02);
}

#[test]
fn probabilities_are_those_of_the_annotations_and_follow_the_seed() {
    let choice = r#"<GQAM:GaStep xmi:id="3" base_NamedElement="da" prob="(expr=$p)"/>
        <GQAM:GaStep xmi:id="4" base_NamedElement="df" prob="(expr=1-$p)"/>
        <GQAM:GaAnalysisContext xmi:id="5" base_NamedElement="m" context="in$p=0.3"/>"#;
    let model = server("(5, ms)", "closed(population=1)", choice);
    let count = |flags: &str| of_element(&run(&model, flags), "Serve", "count");
    let taken = count("--cycles 10000");
    assert_near(taken / 10_000.0, 0.3, 0.05);
    assert_eq!(taken.to_bits(), count("--cycles 10000 --seed 1").to_bits());
    assert_ne!(taken.to_bits(), count("--cycles 10000 --seed 2").to_bits());
    assert_near(count("--cycles 10000 --p 0.9") / 10_000.0, 0.9, 0.05);
    assert_near(count("--cycles 100 --p 1"), 100.0, 0.0);
}

#[test]
fn the_sample_of_the_page_predicts_with_its_demands() {
    let model = std::fs::read_to_string(root().join("docs/models/web_server.uml"));
    let result = run(
        &model.expect("the page has it"),
        "--processes 1000 --cpus-per-node 2",
    );
    let processes = result["processes"].as_array().expect("there are processes");
    let computed = processes.iter().filter_map(|it| it["compute_s"].as_f64());
    // Parsing takes 2 ms, 8 of 10 cases take 0.5 ms and 2 of 10 take 2 * 15 ms, and rendering takes
    // 5 ms.
    assert_near(computed.sum::<f64>() / 1000.0, 0.0134, 0.1);
    let hits = of_element(&result, "LookUp", "count");
    assert_near(hits / 1000.0, 0.8, 0.05);
    let queries = (1000.0 - hits) * 2.0;
    let elements = result["elements"]
        .as_array()
        .expect("there are elements")
        .iter();
    let counts = elements.filter(|it| it["name"] == "Query" && it["type"] == "action+");
    let counted: f64 = counts.filter_map(|it| it["count"].as_f64()).sum();
    assert_near(counted, queries, 0.0);
}

#[test]
fn crates_of_annotated_and_of_assumed_models_print_what_interpreting_does() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("annotated");
    std::fs::create_dir_all(&folder).expect("there is room");
    let [server, order] = ["web_server.uml", "order.uml"].map(|name| {
        let path = root().join("docs/models").join(name);
        std::fs::read_to_string(path).expect("the page has it")
    });
    // One variable has no value.
    let open = server.replace("in$rate=50", "in$rate");
    let model = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("there is room");
        path
    };
    let server = model("web_server.uml", &server);
    let order = model("order.uml", &order);
    let open = model("open_server.uml", &open);
    let mut rules = RuleSet::empty();
    rules.assume();
    let models = [server.clone(), order.clone(), open.clone()];
    let programs = Programs::build_by(rules, &folder, &models);
    let runs: [(&Path, &[&str], bool); 6] = [
        (&server, &["--processes=200", "--cpus-per-node=2"], true),
        (
            &server,
            &["--processes=200", "--rate=130", "--format=json"],
            true,
        ),
        (&order, &["--processes=20"], true),
        (
            &order,
            &["--processes=20", "--seed=7", "--format=json"],
            true,
        ),
        (
            &open,
            &["--processes=200", "--rate=130", "--format=json"],
            true,
        ),
        (&open, &["--processes=200"], false),
    ];
    for (model, flags, succeeds) in runs {
        let output = programs.run(model, flags);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), succeeds, "{told}");
        let result = String::from_utf8_lossy(&output.stdout);
        let assumes = result.contains("Assumed") || result.contains("\"assumptions\"");
        assert_eq!(assumes, model == order, "{result}");
    }
}

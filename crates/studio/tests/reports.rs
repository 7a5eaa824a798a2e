//! Reports of the studio's server.

use crate::client;

use client::{MODEL, Studio};
use serde_json::{Value, json};

const SAMPLE: &str = include_str!("../../../sample-models/sample.uml");

#[test]
fn a_prediction_is_explained() {
    let studio = Studio::of(SAMPLE);
    let flags = json!({ "flags": { "cpus-per-node": "4" } });
    let (status, report) = studio.post("api/report", &flags);
    assert_eq!(status, 200, "{report}");
    let path = &report["result"]["path"];
    assert_eq!(path["end_s"], 194.184_431_847_133_74);
    // Process 0 ends last, and has no part in what is decided the other way.
    let flows = path["flows"].as_array().unwrap().iter();
    let flows: Vec<&str> = flows.map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(
        flows,
        [
            "_MainActivity_Initial_to_A1",
            "_A1_to_MainActivity_Decision",
            "_MainActivity_Decision_to_SA",
            "_SA_to_MainActivity_Merge",
            "_MainActivity_Merge_to_A4",
            "_A4_to_MainActivity_Final",
            "_SA_diagram_Initial_to_SA1",
            "_SA1_to_SA2",
            "_SA2_to_SA_diagram_Final"
        ]
    );
    let elements = path["elements"].as_array().unwrap().iter();
    let seconds: Vec<f64> = elements.map(|it| it["seconds"].as_f64().unwrap()).collect();
    assert_eq!(seconds.len(), 4, "{path}");
    let all: f64 = seconds.iter().sum();
    assert!((all - 194.184_431_847_133_74).abs() < 1e-9, "{all}");
    let progress = |page: u32| -> Value {
        let (_, _, progress) = studio.get(&format!("api/progress/{page}"));
        serde_json::from_str(&progress).unwrap()
    };
    assert!(progress(0)["report"]["time_s"].is_f64());
    // No page has another number.
    assert!(progress(1)["report"].is_null());
}

#[test]
fn a_report_is_a_stranger_in_its_frame() {
    let hostile = "&lt;/script>&lt;script>alert(1)&lt;/script>";
    let studio = Studio::of(SAMPLE.replace("name=\"A1\"", &format!("name=\"{hostile}\"")));
    let (_, report) = studio.post("api/report", &json!({}));
    let address = report["result"]["address"].as_str().unwrap();
    let (status, head, page) = studio.get(address);
    assert_eq!(status, 200, "{head}");
    assert!(page.contains("<title>SampleModel: prediction</title>"));
    assert!(!page.contains("<script>alert"));
    assert!(
        head.contains("sandbox allow-scripts allow-downloads\r\n"),
        "{head}"
    );
    assert!(
        head.contains("default-src 'none'; style-src 'sha256-"),
        "{head}"
    );
    assert!(head.contains("frame-ancestors 'self'"), "{head}");
    assert!(!head.contains("x-frame-options"), "{head}");
    // No frame may show the page itself.
    let (_, head, _) = studio.get("");
    assert!(head.contains("frame-ancestors 'none'"), "{head}");
    for unknown in [
        "api/report/99",
        "api/report/",
        "api/report/-1",
        "api/report/1/2",
    ] {
        assert_eq!(studio.get(unknown).0, 404, "{unknown}");
    }
    // The last four are kept.
    for _ in 0..4 {
        studio.post("api/report", &json!({}));
    }
    assert_eq!(studio.get(address).0, 404);
}

#[test]
fn what_cannot_be_explained_is_told() {
    let studio = Studio::start();
    let (_, refused) = studio.post("api/report", &json!({ "flags": { "trace": "/tmp/x" } }));
    assert_eq!(refused["error"], "`trace` cannot be set to `/tmp/x` here");
    let broken = Studio::of(MODEL.replace("cost=\"DoSFT()\"", "cost=\"Nothing()\""));
    let (_, refused) = broken.post("api/report", &json!({}));
    assert_eq!(refused["error"], "the model has problems");
}

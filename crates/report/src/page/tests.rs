use expect_test::expect_file;
use sha2::{Digest, Sha256};

use super::*;

mod colors;

/// Returns the text between two others, at their first occurrence.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let start = text.find(before).expect("it begins") + before.len();
    let length = text[start..].find(after).expect("it ends");
    &text[start..start + length]
}

const DATA: &str = "<script type=\"application/json\" id=\"data\">";

#[test]
fn text_of_strangers_stays_text() {
    let evil = "</script><!--<script>alert(1)//\u{2028}\u{1f600}\"'&";
    let mut data = Data::default();
    data.run.model = evil.to_owned();
    let html = render(&data);
    assert_eq!(html.matches("</script").count(), 2, "the data's and ours");
    assert_eq!(html.matches("<script").count(), 2);
    assert!(!html.contains("<!--"));
    let json = between(&html, DATA, "</script>");
    assert!(json.is_ascii());
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(value["run"]["model"], evil);
    data.run.model = "a\0b\u{1b}[2J\u{202e}c".to_owned();
    let html = render(&data);
    let title = between(&html, "<title>", ": prediction</title>");
    assert_eq!(title, "a\u{fffd}b\u{fffd}[2J\u{fffd}c");
}

#[test]
fn the_policy_names_what_is_in_the_page() {
    let html = render(&Data::default());
    let digest = |element: &str| {
        let content = between(&html, &format!("<{element}>"), &format!("</{element}>"));
        column::base64(&Sha256::digest(content))
    };
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'\n",
        digest("style"),
        digest("script")
    );
    expect_file!["policy.txt"].assert_eq(&policy);
    let named = format!(
        "\"Content-Security-Policy\" content=\"{}\"",
        POLICY.trim_end()
    );
    assert!(html.contains(&named));
}

#[test]
fn nothing_in_the_page_points_elsewhere() {
    let html = render(&Data::default());
    let names = ["http://www.w3.org/2000/svg"];
    let links = html.matches("://").count();
    let known: usize = names.iter().map(|name| html.matches(name).count()).sum();
    assert_eq!(links, known, "namespaces are the only addresses");
    for word in [
        "innerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "Function(",
    ] {
        assert!(!html.contains(word), "{word}");
    }
}

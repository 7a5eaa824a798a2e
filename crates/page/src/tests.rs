use super::*;

mod colors;

const PAGE: Page = Page {
    styles: &["b { top: 0 }\n"],
    scripts: &["const own = 1;\n"],
    policy: "default-src 'none'\n",
};

/// Returns the text between two other texts, at their first occurrence.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let start = text.find(before).expect("it begins") + before.len();
    let length = text[start..].find(after).expect("it ends");
    &text[start..start + length]
}

/// Tests that the digests match the content of the file byte for byte.
#[test]
fn the_policy_is_of_what_is_in_the_page() {
    let html = PAGE.render("", &());
    let style = between(&html, "<style>", "</style>");
    let script = between(&html, "<script>", "</script>");
    assert!(style.ends_with("b { top: 0 }\n") && script.contains("\nconst own = 1;\n"));
    let policy = PAGE.policy_with(|text| {
        let digests = [(style, "first"), (script, "second")];
        let found = digests.iter().find(|(digested, _)| *digested == text);
        found.expect("one of both").1.to_owned()
    });
    assert_eq!(
        policy,
        "default-src 'none'; style-src 'sha256-first'; script-src 'sha256-second'; \
         base-uri 'none'; form-action 'none'\n"
    );
    let named = "\"Content-Security-Policy\" content=\"default-src 'none'\">";
    assert!(html.contains(named), "the page has its own policy");
}

#[test]
fn text_of_strangers_stays_text() {
    let evil = "</script><!--<script>alert(1)//\u{2028}\u{1f600}\"'&";
    let html = PAGE.render("a\0b\u{1b}[2J\u{202e}c{{data}}</title>", &evil);
    assert_eq!(html.matches("</script").count(), 2, "the data's and ours");
    assert!(!html.contains("<!--"));
    let data = "<script type=\"application/json\" id=\"data\">";
    let json = between(&html, data, "</script>");
    assert!(json.is_ascii());
    assert_eq!(serde_json::from_str::<String>(json).unwrap(), evil);
    let title = between(&html, "<title>", "</title>");
    assert_eq!(
        title,
        "a\u{fffd}b\u{fffd}[2J\u{fffd}c{{data}}&lt;/title&gt;"
    );
}

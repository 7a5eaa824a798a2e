use std::collections::BTreeMap;

use super::*;

/// Creates a file with a description in an attribute, as tools write it. Also returns the
/// stereotype.
fn file(kind: StereotypeKind, rud: &str) -> (Source, Stereotype) {
    let escaped = rud.replace('&', "&amp;").replace('<', "&lt;");
    let escaped = escaped.replace('"', "&quot;").replace('\n', "&#10;");
    let text = format!("<x rud=\"{escaped}\"/>");
    let tag = Text::new(rud, Span::new(8, 8 + escaped.len()));
    let source = Source::new("m.uml", text);
    let stereotype = Stereotype {
        kind,
        tags: BTreeMap::from([(RUD.to_owned(), tag)]),
        span: Span::new(0, 2),
        is_implied: false,
    };
    (source, stereotype)
}

/// Returns the tags for a description, or the problem with its place in the file.
fn translated(kind: StereotypeKind, rud: &str) -> String {
    let (source, stereotype) = file(kind, rud);
    match replacement(&stereotype, &stereotype.tags[RUD], &source) {
        Ok(tags) => {
            let shown = tags
                .iter()
                .map(|(name, text)| format!("{name} = {}", text.value));
            shown.collect::<Vec<_>>().join("; ")
        }
        Err(problem) => {
            let place = &source.text[problem.span.range()];
            format!("`{place}`: {}; {}", problem.message, problem.help)
        }
    }
}

fn cost(content: &str) -> String {
    let rud = format!("<rud device=\"CPU\">{content}</rud>");
    translated(StereotypeKind::ActionPlus, &rud)
}

#[test]
fn the_paper_s_description_is_a_sum() {
    let rud = r#"
  <loop iter="MY_SIZE" type="clc" of="LFOR,CMLL,INLL">
    <compute type="clc" of="2*CMLL,ANDL"/>
    <case type="clc" of="IFBR">
      <branch exprob="0.9">
        <compute type="clc" of="ARF1,3*ARF2,DFSL,2*TFSL,MFSL,AFSL"/>
      </branch>
    </case>
  </loop>
"#;
    assert_eq!(
        cost(rud),
        "cost = MY_SIZE * (clc(\"LFOR,CMLL,INLL\") + clc(\"2*CMLL,ANDL\") + clc(\"IFBR\") + \
         0.9 * clc(\"ARF1,3*ARF2,DFSL,2*TFSL,MFSL,AFSL\"))"
    );
}

#[test]
fn devices_of_ones_own_get_their_resource_data() {
    let disk = "<rud device=\"disk\"><bytes> 8 * N </bytes><seeks>2</seeks></rud>";
    let (source, mut stereotype) = file(StereotypeKind::ActionPlus, disk);
    let tag = stereotype.tags[RUD].clone();
    let flash = Text::new("flash", Span::new(0, 5));
    stereotype.tags.insert(MODEL.to_owned(), flash);
    let tags = replacement(&stereotype, &tag, &source).expect("it is right");
    assert!(tags[0].1.value.starts_with("rud(\"disk\", \"flash\", \"("));
}

#[test]
fn places_lead_into_the_description() {
    let rud = "<rud device=\"CPU\"><loop iter=\"N &lt; M\" of=\"2*CMLL\"/></rud>";
    let (source, stereotype) = file(StereotypeKind::ActionPlus, rud);
    let tags = replacement(&stereotype, &stereotype.tags[RUD], &source).expect("it can be read");
    let text = &tags[0].1;
    assert_eq!(text.value, "(N < M) * clc(\"2*CMLL\")");
    let place = |part: &str| {
        let start = text.value.find(part).expect(part);
        &source.text[text.locate(&source, start, start + part.len()).range()]
    };
    assert_eq!(place("CMLL"), "CMLL");
    assert_eq!(place("2"), "2");
    // Nested escapes are underlined as a whole.
    assert_eq!(place("M"), "N &amp;lt; M");
    assert_eq!(place(" * clc"), &source.text[text.span.range()]);
}

#[test]
fn descriptions_become_tags_or_are_told_to_be_wrong() {
    prophet_testing::assert_cases("tests/cases/descriptions.txt", |case| {
        let told = |line: &str| {
            let (kind, rud) = line.split_once(' ').unwrap_or((line, ""));
            let mut kinds = StereotypeKind::ALL.into_iter();
            let kind = kinds.find(|it| it.name() == kind).expect("a stereotype");
            let told = format!("{line}\n    {}", translated(kind, rud));
            format!("{}\n", told.trim_end())
        };
        case.input.lines().map(told).collect()
    });
}

#[test]
fn deep_and_hostile_texts_are_refused() {
    let deep = "<loop iter=\"2\">".repeat(1_000);
    assert!(
        cost(&deep).contains("elements are nested"),
        "{}",
        cost(&deep).len()
    );
    let bomb = "<!DOCTYPE r [<!ENTITY a \"&b;&b;\">]><rud device=\"CPU\">&a;</rud>";
    let told = translated(StereotypeKind::ActionPlus, bomb);
    assert!(told.contains("cannot have a document type"), "{told}");
    assert!(
        cost("&a;").contains("cannot contain text"),
        "{}",
        cost("&a;")
    );
}

#[test]
fn a_description_stands_alone() {
    let rud = "<rud device=\"CPU\"><compute of=\"A\"/></rud>";
    for other in ["cost", "time"] {
        let (source, mut stereotype) = file(StereotypeKind::ActionPlus, rud);
        let tag = stereotype.tags[RUD].clone();
        stereotype.tags.insert(other.to_owned(), Text::default());
        let problem = replacement(&stereotype, &tag, &source).unwrap_err();
        let expected = format!("the element has both the tag `{other}` and a `rud`");
        assert_eq!(problem.message, expected);
    }
}

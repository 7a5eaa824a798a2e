use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::*;

/// A file with a description as an attribute, as tools write it, and the stereotype.
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
    };
    (source, stereotype)
}

/// The tags that a description becomes, or the problem with its place in the file.
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
fn loops_nest_and_branches_are_several() {
    let inner = r#"<loop iter="N + 1"><loop iter="M"><compute of="A"/></loop></loop>"#;
    assert_eq!(cost(inner), "cost = (N + 1) * (M * clc(\"A\"))");
    let case = r#"<compute of="A"/><case><branch exprob="p"><compute of="B"/></branch>
                  <branch exprob="1 - p"><compute of="C"/><compute of="D"/></branch></case>"#;
    assert_eq!(
        cost(case),
        "cost = clc(\"A\") + p * clc(\"B\") + (1 - p) * (clc(\"C\") + clc(\"D\"))"
    );
    assert_eq!(cost(r#"<loop iter="9" of="A"/>"#), "cost = 9 * clc(\"A\")");
    assert_eq!(cost(""), "cost = 0.0");
}

#[test]
fn probabilities_may_sum_to_one() {
    let branch = |p: &str| format!("<branch exprob=\"{p}\"><compute of=\"A\"/></branch>");
    let three = ["0.7", "0.2", "0.1"].map(branch).concat();
    assert!(cost(&format!("<case>{three}</case>")).starts_with("cost = "));
}

#[test]
fn messages_name_partner_and_length() {
    use StereotypeKind as S;
    let send = "<rud device=\"MPIsend\"><trg>pid + 1</trg><len> 8 * N </len></rud>";
    assert_eq!(translated(S::BSend, send), "dest = pid + 1; size = 8 * N");
    let own = "<rud device=\"MPIsend\"><src>pid</src><trg>10</trg></rud>";
    assert_eq!(translated(S::NbSend, own), "dest = 10");
    let receive = "<rud device=\"MPIrecv\"><src>ANY</src><len>9</len><trg>pid</trg></rud>";
    assert_eq!(translated(S::BRecv, receive), "source = ANY; size = 9");
}

#[test]
fn devices_of_ones_own_get_their_resource_data() {
    let disk = "<rud device=\"disk\"><bytes> 8 * N </bytes><seeks>2</seeks></rud>";
    let cost = "cost = rud(\"disk\", \"(8 * N) * bytes, (2) * seeks\")";
    assert_eq!(translated(StereotypeKind::ActionPlus, disk), cost);
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
    // Escapes within escapes: as a whole.
    assert_eq!(place("M"), "N &amp;lt; M");
    assert_eq!(place(" * clc"), &source.text[text.span.range()]);
}

#[test]
fn what_is_no_description_says_why() {
    let mut seen = String::new();
    let mut see = |kind, rud: &str| {
        let told = translated(kind, rud);
        let _ = writeln!(seen, "{rud}\n    {told}");
    };
    for content in [
        "<compute/>",
        "<compute of=\"A\">B</compute>",
        "<compute of=\"A\" type=\"flops\"/>",
        "<compute of='\"A'/>",
        "<compute off=\"A\"/>",
        "<comput of=\"A\"/>",
        "<loop of=\"A\"/>",
        "<loop iter=\"3\"/>",
        "<branch exprob=\"1\"/>",
        "<case of=\"A\"/>",
        "<case><branch exprob=\"0.6\" ><compute of=\"A\"/></branch>\
         <branch exprob=\"0.5\"><compute of=\"A\"/></branch></case>",
        "<case><branch exprob=\"1.5\"><compute of=\"A\"/></branch></case>",
        "A",
        "<loop iter=\"3\">",
    ] {
        let rud = format!("<rud device=\"CPU\">{content}</rud>");
        see(StereotypeKind::ActionPlus, &rud);
    }
    for rud in [
        "",
        "a.xml",
        "<rud/>",
        "<ruf/>",
        "<rud device=\"GPU\"/>",
        "<rud device=\"GPU\">8</rud>",
        "<rud device=\"GPU\"><bytes>&quot;</bytes></rud>",
        "<rud device=\"a b\"><bytes>1</bytes></rud>",
        "<rud device=\"network\"/>",
        "<!DOCTYPE a><rud/>",
    ] {
        see(StereotypeKind::ActionPlus, rud);
    }
    for content in [
        "<len>8</len>",
        "<src>1</src><trg>10</trg>",
        "<trg>1</trg><trg>2</trg>",
        "<trg></trg>",
        "<trg><a/></trg>",
        "<target>1</target>",
    ] {
        see(
            StereotypeKind::BSend,
            &format!("<rud device=\"MPIsend\">{content}</rud>"),
        );
    }
    see(
        StereotypeKind::BRecv,
        "<rud device=\"MPIsend\"><trg>1</trg></rud>",
    );
    expect_test::expect_file!["wrong.txt"].assert_eq(&seen);
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
    assert!(told.contains("has no document type"), "{told}");
    assert!(cost("&a;").contains("there is text"), "{}", cost("&a;"));
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

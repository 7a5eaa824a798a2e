//! Damaged models: whatever the bytes, there is no panic.

use proptest::prelude::*;

use super::super::encoding;
use crate::diagnostic::{Diagnostics, render_human, render_json};
use crate::source::Source;

/// Valid models that use everything the reader knows.
const MODELS: [&str; 9] = [
    r##"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
  xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmlns:prophet="http:///schemas/prophet/1">
<uml:Model xmi:id="_0" name="M">
<packagedElement xmi:type="uml:Class" xmi:id="_c" name="C" classifierBehavior="_m">
<ownedAttribute xmi:id="_g" name="P" isReadOnly="true"><type href="pathmap://x#Real"/>
  <defaultValue xmi:type="uml:LiteralReal" xmi:id="_gd" value="3.14"/><upperValue
    xmi:type="uml:LiteralUnlimitedNatural" xmi:id="_gu" value="10"/></ownedAttribute>
<ownedBehavior xmi:type="uml:Activity" xmi:id="_m" name="Main" node="_i _a _d _l _k">
<ownedComment xmi:id="_o" annotatedElement="_a"><body>é &lt; ü<![CDATA[&]]></body></ownedComment>
<variable xmi:id="_v" name="i" type="int"/>
<edge xmi:type="uml:ControlFlow" xmi:id="_e1" source="_i" target="_a"/>
<edge xmi:type="uml:ObjectFlow" xmi:id="_e2" source="_ap" target="_d"/>
<edge xmi:type="uml:ControlFlow" xmi:id="_e3" source="_d" target="_l"><guard
  xmi:type="uml:OpaqueExpression" xmi:id="_x"><language>C</language>
  <body>[i &lt; 1]</body></guard></edge>
<edge xmi:type="uml:ControlFlow" xmi:id="_e4" source="_d" target="_k" guard="else"/>
<node xmi:type="uml:InitialNode" xmi:id="_i" outgoing="_e1"/>
<node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"><outputValue
  xmi:id="_ap"/><body>x = 1;&#xD;&#xA;</body></node>
<node xmi:type="uml:DecisionNode" xmi:id="_d"/>
<node xmi:type="uml:LoopNode" xmi:id="_l" setupPart="_s" test="_t" bodyPart="_b" decider="_tp">
  <node xmi:type="uml:OpaqueAction" xmi:id="_s"/><node xmi:type="uml:OpaqueAction"
    xmi:id="_t"><body>i</body><outputValue xmi:id="_tp"/></node><node
    xmi:type="uml:CallBehaviorAction" xmi:id="_b" behavior="_n"/></node>
<node xmi:type="uml:ConditionalNode" xmi:id="_k"><clause xmi:id="_k1" test="_kt" body="_kb"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_kt" body="1"/><node
    xmi:type="uml:StructuredActivityNode" xmi:id="_kb"/></node>
</ownedBehavior>
<ownedBehavior xmi:type="uml:Activity" xmi:id="_n" name="N"><group
  xmi:type="uml:ActivityPartition" xmi:id="_p"><node xmi:type="uml:SequenceNode" xmi:id="_q">
  <executableNode xmi:type="uml:OpaqueAction" xmi:id="_q1"/></node></group></ownedBehavior>
<ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="_f" name="F"
  specification="_op"><body>1</body></ownedBehavior>
<ownedOperation xmi:id="_op" name="F" method="_f"><ownedParameter xmi:id="_fp" name="p"
  type="int"/></ownedOperation>
</packagedElement></uml:Model>
<prophet:action xmi:id="_1" base_Action="_a" time="1"><cost>F(1)</cost></prophet:action>
</xmi:XMI>"##,
    r#"<uml:Activity xmlns:uml="http://schema.omg.org/spec/UML/2.1" xmi:id="a b" name="M"
  node="a 1 a 2"><node xmi:type="uml:Action" xmi:id="a 1"/>
  <node xmi:type="uml:MergeNode" xmi:id="a 2"/>
  <edge xmi:id="e" source="a 1" target="a 2"/></uml:Activity>"#,
    include_str!("../../../../../tests/models/dialects/argouml.xmi"),
    include_str!("../../../../../tests/models/dialects/staruml.xmi"),
    include_str!("../../../../../tests/models/dialects/visual-paradigm.xmi"),
    include_str!("../../../../../docs/models/web_server.uml"),
    include_str!("../../../../../tests/models/uml14/argouml-1.0.xmi"),
    include_str!("../../../../../tests/models/uml14/enterprise-architect-1.1.xmi"),
    // References by place, and an event that starts with its diagram.
    r##"<uml:Model xmlns:uml="http://www.eclipse.org/uml2/4.0.0/UML"
  xmlns:xmi="http://www.omg.org/spec/XMI/20110701" name="M"><packagedElement
  xmi:type="uml:Activity" name="A" node="//A/i //A/x //A/@node.2"><edge
  xmi:type="uml:ControlFlow" source="//A/i" target="//A/x"/><edge xmi:type="uml:ControlFlow"
  source="//@packagedElement.0/x" target="//A/x.1"/><node xmi:type="uml:InitialNode"
  name="i"/><node xmi:type="uml:OpaqueAction" name="x"/><node xmi:type="uml:OpaqueAction"
  name="x"/><node xmi:type="uml:AcceptEventAction" name="y"/></packagedElement></uml:Model>"##,
];

/// A way to damage a file; positions are taken modulo its length.
#[derive(Debug, Clone)]
enum Damage {
    Flip(usize, u8),
    Insert(usize, String),
    Delete(usize, usize),
    Copy(usize, usize, usize),
    Truncate(usize),
    DropTag(usize),
    SwapIds(usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = || 0_usize..10_000;
    let tokens = [
        "<",
        ">",
        "&",
        "\"",
        "'",
        "/>",
        "<!--",
        "<![CDATA[",
        "]]>",
        "<?",
        "<!DOCTYPE a [",
        "\u{0}",
        "xmlns=''",
        "é",
        "\u{feff}",
        "&#x0;",
        "href='#'",
        " ",
        "_a",
        "<node>",
        "</node>",
    ];
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, with)| Damage::Flip(at, with)),
        (at(), prop::sample::select(tokens.to_vec()))
            .prop_map(|(at, token)| Damage::Insert(at, token.to_owned())),
        (at(), 0_usize..40).prop_map(|(at, length)| Damage::Delete(at, length)),
        (at(), at(), 0_usize..200).prop_map(|(from, to, length)| Damage::Copy(from, to, length)),
        at().prop_map(Damage::Truncate),
        at().prop_map(Damage::DropTag),
        (at(), at()).prop_map(|(one, other)| Damage::SwapIds(one, other)),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    let length = bytes.len().max(1);
    match damage {
        Damage::Flip(at, with) => {
            if let Some(byte) = bytes.get_mut(at % length) {
                *byte ^= with;
            }
        }
        Damage::Insert(at, token) => {
            let at = at % length;
            bytes.splice(at.min(bytes.len())..at.min(bytes.len()), token.bytes());
        }
        Damage::Delete(at, count) => {
            let start = (at % length).min(bytes.len());
            bytes.drain(start..(start + count).min(bytes.len()));
        }
        Damage::Copy(from, to, count) => {
            let start = (from % length).min(bytes.len());
            let part = bytes[start..(start + count).min(bytes.len())].to_vec();
            let to = (to % length).min(bytes.len());
            bytes.splice(to..to, part);
        }
        Damage::Truncate(at) => bytes.truncate(at % length),
        Damage::DropTag(number) => {
            let starts = bytes.iter().enumerate().filter(|&(_, &b)| b == b'<');
            let starts: Vec<usize> = starts.map(|(at, _)| at).collect();
            if let Some(&start) = starts.get(number % starts.len().max(1)) {
                let end = bytes[start..].iter().position(|&b| b == b'>');
                bytes.drain(start..end.map_or(bytes.len(), |end| start + end + 1));
            }
        }
        Damage::SwapIds(one, other) => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let ids: Vec<&str> = text.split('"').filter(|it| it.starts_with('_')).collect();
            if let (Some(one), Some(other)) = (
                ids.get(one % ids.len().max(1)),
                ids.get(other % ids.len().max(1)),
            ) {
                let with = format!("\"{other}\"");
                *bytes = text.replacen(&format!("\"{one}\""), &with, 1).into_bytes();
            }
        }
    }
}

/// Reads bytes as a file, and renders its problems.
fn read(bytes: Vec<u8>) {
    let Ok(text) = encoding::decode(bytes) else {
        return;
    };
    let source = Source::new("damaged.uml", text);
    let mut diagnostics = Diagnostics::new();
    if let Some(model) = super::super::read(&source, None, &mut diagnostics) {
        // The outline follows every index and checks that flows stay in their diagrams.
        let outline = super::outline(&model);
        assert!(outline.starts_with("model "));
    }
    let diagnostics = diagnostics.sorted();
    let shown = render_human(&source, &diagnostics, true);
    assert_eq!(shown.is_empty(), diagnostics.is_empty());
    assert!(render_json(&source, &diagnostics).starts_with('['));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn damaged_models_cause_no_panic(
        model in prop::sample::select(MODELS.to_vec()),
        damages in prop::collection::vec(damage(), 1..6),
    ) {
        let mut bytes = model.as_bytes().to_vec();
        for damage in &damages {
            apply(&mut bytes, damage);
        }
        read(bytes);
    }

    #[test]
    fn any_bytes_cause_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read(bytes);
    }
}

#[test]
fn undamaged_models_are_read_without_complaint() {
    for text in MODELS {
        let source = Source::new("whole.uml", text);
        let mut diagnostics = Diagnostics::new();
        assert!(super::super::read(&source, None, &mut diagnostics).is_some());
        assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    }
}

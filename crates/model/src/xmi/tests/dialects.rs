//! Tests differences between tools.

use super::read;

#[test]
fn follows_the_paths_of_emf_where_elements_have_no_ids() {
    let model = |edge: &str| {
        format!(
            r#"<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20110701"
  xmlns:uml="http://www.eclipse.org/uml2/4.0.0/UML">
  <uml:Model name="M"><eAnnotations source="a/b"/><packagedElement xmi:type="uml:Activity"
    name="My A" node="/0/My%20A/i /0/My%20A/x">
    {edge}
    <node xmi:type="uml:InitialNode" name="i" outgoing="/0/My%20A/@edge.0"/>
    <node xmi:type="uml:OpaqueAction" name="x"/>
    <node xmi:type="uml:OpaqueAction" name="x"/>
    <node xmi:type="uml:ActivityFinalNode"/>
  </packagedElement></uml:Model><uml:Package name="N"/></xmi:XMI>"#
        )
    };
    let edge = |target: &str| {
        model(&format!(
            r##"<edge xmi:type="uml:ControlFlow" target="{target}"><source
            xmi:type="uml:InitialNode" href="#/0/My%20A/i"/></edge>"##
        ))
    };
    for (target, place) in [
        ("/0/My%20A/x", 1),
        ("//My%20A/x", 1),
        ("//My A/x", 1),
        ("//@packagedElement/@node.2", 2),
        ("//@packagedElement.0/x.1", 2),
        ("/0/@packagedElement.0/@node.3", 3),
    ] {
        let (model, problems) = read(&edge(target));
        let model = model.expect("there is an activity");
        assert!(problems.is_empty(), "{target}: {problems:?}");
        let flow = &model.diagrams[0].flows[0];
        assert_eq!(flow.target, model.diagrams[0].elements[place], "{target}");
    }
    for nowhere in [
        "//My%20A/y",
        "//My%20A/x.2",
        "//My%20A/@node.4",
        "//My%20A/@nodes.0",
        "//My%20A/@node.x",
        "//My%20A/@",
        "//My%20A/",
        "/2",
        "/x",
        "//%a%2Fb%/x",
        "//%/%%/%zz",
    ] {
        let (_, problems) = read(&edge(nowhere));
        let codes: Vec<&str> = problems.iter().map(|it| &*it.code).collect();
        assert_eq!(codes, ["PM0104"], "{nowhere}: {problems:?}");
    }
    // An annotation and another root are found, but they aren't nodes.
    for elsewhere in ["//%a%2Fb%", "/1", "/0"] {
        let (_, problems) = read(&edge(elsewhere));
        let codes: Vec<&str> = problems.iter().map(|it| &*it.code).collect();
        assert_eq!(codes, ["PM0106"], "{elsewhere}: {problems:?}");
    }
}

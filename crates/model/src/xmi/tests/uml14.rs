//! UML 1.3 and 1.4.

use expect_test::expect;

use super::check;

/// A file of MagicDraw 9, which keeps ends and types in attributes.
fn magicdraw(content: &str) -> String {
    format!(
        "<?xml version='1.0'?>
<XMI xmi.version='1.2' xmlns:UML='omg.org/UML/1.4'>
<XMI.header><XMI.documentation><XMI.exporter>MagicDraw UML</XMI.exporter></XMI.documentation>
</XMI.header><XMI.content><UML:Model xmi.id='m' name='M'><UML:Namespace.ownedElement>
{content}
</UML:Namespace.ownedElement></UML:Model></XMI.content></XMI>"
    )
}

/// An activity graph with these states and transitions.
fn graph(id: &str, states: &str, transitions: &str) -> String {
    format!(
        "<UML:ActivityGraph xmi.id='{id}' name='{id}'><UML:StateMachine.top>
<UML:CompositeState xmi.id='{id}t'><UML:CompositeState.subvertex>
{states}
</UML:CompositeState.subvertex></UML:CompositeState></UML:StateMachine.top>
<UML:StateMachine.transitions>
{transitions}
</UML:StateMachine.transitions></UML:ActivityGraph>"
    )
}

#[test]
fn reads_the_words_of_xmi_1_0_and_of_enterprise_architect() {
    let files = [
        include_str!("../../../../../tests/models/uml14/argouml-1.0.xmi"),
        include_str!("../../../../../tests/models/uml14/enterprise-architect-1.1.xmi"),
    ];
    for file in files {
        let (model, problems) = super::read(file);
        assert!(problems.is_empty(), "{problems:?}");
        let model = model.expect("there is a graph");
        let text = super::outline(&model);
        let nodes = text.lines().filter(|line| line.starts_with("  "));
        let nodes: Vec<&str> = nodes.map(str::trim).collect();
        let expected = [
            "Initial Start",
            "Decision D",
            "Action A «action+ cost=2»",
            "Action B",
            "ActivityFinal End",
            "Start -> D",
            "D -> A [pid == 0]",
            "D -> B [else]",
            "A -> End",
            "B -> End",
        ];
        assert_eq!(nodes, expected);
    }
}

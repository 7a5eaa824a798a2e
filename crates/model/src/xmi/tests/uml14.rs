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
fn reads_states_as_nodes() {
    let states = "<UML:Pseudostate xmi.id='i' kind='initial'/>
<UML:Pseudostate xmi.id='f' kind='fork'/><UML:Pseudostate xmi.id='j' kind='join'/>
<UML:ActionState xmi.id='a' name='A'/><UML:CallState xmi.id='c' name='C'/>
<UML:ObjectFlowState xmi.id='o' name='O'/><UML:Pseudostate xmi.id='h' kind='deepHistory'/>
<UML:SubactivityState xmi.id='s' name='S'><UML:CompositeState.subvertex>
  <UML:ActionState xmi.id='sa' name='In'/></UML:CompositeState.subvertex></UML:SubactivityState>
<UML:SubactivityState xmi.id='n' name='Other' submachine='Other'/>
<UML:FinalState xmi.id='e'/>";
    let transitions = "<UML:Transition xmi.id='1' source='i' target='f'/>
<UML:Transition xmi.id='2' source='f' target='a'/><UML:Transition xmi.id='3' source='f' target='c'/>
<UML:Transition xmi.id='4' source='a' target='j'/><UML:Transition xmi.id='5' source='c' target='j'/>
<UML:Transition xmi.id='6' source='j' target='e'/>";
    let other = graph("Other", "<UML:ActionState xmi.id='x' name='X'/>", "");
    check(
        &magicdraw(&format!("{}{other}", graph("Main", states, transitions))),
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Initial InitialNode
              Fork ForkNode
              Join JoinNode
              Action A
              Action C
              Unsupported Pseudostate deepHistory Pseudostate deepHistory
              Structured 1 S
              Call 2 Other
              ActivityFinal ActivityFinalNode
              InitialNode -> ForkNode
              ForkNode -> A
              ForkNode -> C
              A -> JoinNode
              C -> JoinNode
              JoinNode -> ActivityFinalNode
            1 "S" M::Main::S
              Action In
            2 "Other" M::Other
              Action X
            warning PM0122: the CallState has no stereotype and does nothing
              at <UML:CallState xmi.id='c' name='C'/>
              in M::Main::C
              help: apply a stereotype, or use an ActionState
            warning PM0128: an ObjectFlowState holds data, and only passes control on
              at <UML:ObjectFlowState xmi.id='o' name='O'/>
              in M::Main::O
        "#]],
    );
}

#[test]
fn implies_the_control_nodes_that_uml_2_draws() {
    let states =
        "<UML:Pseudostate xmi.id='i' kind='initial'/><UML:ActionState xmi.id='a' name='A'/>
<UML:ActionState xmi.id='b' name='B'/><UML:FinalState xmi.id='e'/>";
    let guarded = |id: &str, ends: &str, body: &str| {
        format!(
            "<UML:Transition xmi.id='{id}' {ends}><UML:Transition.guard><UML:Guard xmi.id='{id}g'>
<UML:Guard.expression><UML:BooleanExpression xmi.id='{id}b' language='C' body='{body}'/>
</UML:Guard.expression></UML:Guard></UML:Transition.guard></UML:Transition>"
        )
    };
    let transitions = format!(
        "<UML:Transition xmi.id='1' source='i' target='a'/>
<UML:Transition xmi.id='2' source='b' target='a'/>{}{}
<UML:Transition xmi.id='5' source='b' target='nothing'/>",
        guarded("3", "source='a' target='b'", "[x &lt; 1]"),
        guarded("4", "source='a' target='e'", "else")
    );
    check(
        &magicdraw(&graph("Main", states, &transitions)),
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Initial InitialNode
              Action A
              Action B
              ActivityFinal ActivityFinalNode
              Merge MergeNode
              Decision DecisionNode
              InitialNode -> MergeNode
              B -> MergeNode
              DecisionNode -> B [x < 1]
              DecisionNode -> ActivityFinalNode [else]
              MergeNode -> A
              A -> DecisionNode
            error PM0104: there is no element with the id `nothing`
              at nothing
              in M::Main
              help: draw the element again, or remove the reference to it
        "#]],
    );
}

#[test]
fn takes_junctions_for_what_they_are() {
    let states = "<UML:Pseudostate xmi.id='d' kind='junction'/><UML:Pseudostate xmi.id='n'
kind='junction'/><UML:ActionState xmi.id='a' name='A'/><UML:ActionState xmi.id='b' name='B'/>";
    let transitions = "<UML:Transition xmi.id='1' name='[x]' source='d' target='a'/>
<UML:Transition xmi.id='2' name='[else]' source='d' target='b'/>
<UML:Transition xmi.id='3' source='a' target='n'/>
<UML:Transition xmi.id='4' source='b' target='n'/>";
    check(
        &magicdraw(&graph("Main", states, transitions)),
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Decision DecisionNode
              Merge MergeNode
              Action A
              Action B
              DecisionNode -> A [x]
              DecisionNode -> B [else]
              A -> MergeNode
              B -> MergeNode
            warning PM0011: the name `[x]` of an edge is read as its guard (and once more in the f…
              at [x]
              in M::Main::DecisionNode
              help: write it as the guard, where the tool can
        "#]],
    );
}

#[test]
fn reads_stereotypes_tags_and_comments() {
    let states =
        "<UML:ActionState xmi.id='a' name='A' stereotype='st'><UML:ModelElement.taggedValue>
  <UML:TaggedValue xmi.id='t1' name='cost'><UML:TaggedValue.dataValue>F(1)
  </UML:TaggedValue.dataValue></UML:TaggedValue>
  <UML:TaggedValue xmi.id='t2' tag='id' value='7'/>
  <UML:TaggedValue xmi.id='t3' tag='documentation' value='Says what it does.'/>
  <UML:TaggedValue xmi.id='t4'><UML:TaggedValue.dataValue>1</UML:TaggedValue.dataValue>
    <UML:TaggedValue.type><UML:TagDefinition href='p.zip|1'><XMI.extension
    xmi.extender='MagicDraw UML 9.5'><referentPath xmi.value='prophet::tyme'/></XMI.extension>
    </UML:TagDefinition></UML:TaggedValue.type></UML:TaggedValue>
</UML:ModelElement.taggedValue></UML:ActionState>
<UML:ActionState xmi.id='b' name='B'><UML:ModelElement.stereotype><UML:Stereotype
  href='p.zip|2'><XMI.extension xmi.extender='MagicDraw UML 9.5'><referentPath
  xmi.value='prophet::barrier'/></XMI.extension></UML:Stereotype></UML:ModelElement.stereotype>
</UML:ActionState>
<UML:ActionState xmi.id='c' name='C' stereotype='other'/>";
    let content = format!(
        "<UML:Stereotype xmi.id='st' name='action+'/><UML:Stereotype xmi.id='other' name='view'/>
<UML:Comment xmi.id='k' body='Waits.' annotatedElement='b'/>{}",
        graph("Main", states, "")
    );
    check(
        &magicdraw(&content),
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A «action+ cost=F(1) id=7» // Says what it does.
              Action B «barrier» // Waits.
              Action C
            warning PM0114: `action+` has no tag `tyme`
              at 1
              help: did you mean `type`?
        "#]],
    );
}

#[test]
fn reads_variables_and_methods() {
    let content = format!(
        "<UML:DataType xmi.id='int' name='int'/><UML:Class xmi.id='c' name='Program'>
<UML:Classifier.feature>
<UML:Attribute xmi.id='x' name='x' type='int'><UML:Attribute.initialValue><UML:Expression
  xmi.id='xi' body='3'/></UML:Attribute.initialValue></UML:Attribute>
<UML:Attribute xmi.id='n' name='N' changeability='frozen'><UML:StructuralFeature.type>
  <UML:DataType href='datatypes.zip|9'><XMI.extension xmi.extender='MagicDraw UML 9.5'><referentPath
  xmi.value='datatypes::double'/></XMI.extension></UML:DataType></UML:StructuralFeature.type>
  <UML:StructuralFeature.multiplicity><UML:Multiplicity xmi.id='mu'><UML:Multiplicity.range>
  <UML:MultiplicityRange xmi.id='mr' lower='0' upper='5'/></UML:Multiplicity.range>
  </UML:Multiplicity></UML:StructuralFeature.multiplicity></UML:Attribute>
<UML:Operation xmi.id='o' name='F'><UML:BehavioralFeature.parameter>
  <UML:Parameter xmi.id='p1' name='return' kind='return' type='int'/>
  <UML:Parameter xmi.id='p2' name='n' kind='in' type='int'/></UML:BehavioralFeature.parameter>
</UML:Operation>
<UML:Method xmi.id='f' name='F' specification='o'><UML:Method.body><UML:ProcedureExpression
  xmi.id='fb' language='java' body='return n;'/></UML:Method.body></UML:Method>
<UML:Method xmi.id='g' name='G'><UML:Method.body><UML:ProcedureExpression xmi.id='gb'
  language='Perl' body='1'/></UML:Method.body></UML:Method>
</UML:Classifier.feature><UML:Namespace.ownedElement>{}</UML:Namespace.ownedElement></UML:Class>",
        graph("Main", "<UML:ActionState xmi.id='a' name='A'/>", "")
    );
    check(
        &magicdraw(&content),
        &expect![[r#"
        model M starts at M::Program::Main
        global int x = 3
        global double N[5] const
        function F(int n) -> int: return n;
        0 "Main" M::Program::Main
          Action A
        error PM0115: an expression in `Perl` is not read
          at 1
          in M::Program::G
          help: write it in C, C++ or Rust, or remove its language
    "#]],
    );
}

#[test]
fn names_argouml_states_by_what_they_show() {
    let entry = |id: &str, body: &str| {
        format!(
            "<UML:ActionState xmi.id='{id}' name=''><UML:State.entry><UML:UninterpretedAction
xmi.id='{id}u'><UML:Action.script><UML:ActionExpression xmi.id='{id}e' language='' body='{body}'/>
</UML:Action.script></UML:UninterpretedAction></UML:State.entry></UML:ActionState>"
        )
    };
    let states = entry("a", "Send halo") + &entry("b", "x = 1;");
    check(
        &magicdraw(&graph("Main", &states, "")),
        &expect![[r#"
        model M starts at M::Main
        0 "Main" M::Main
          Action Send halo
          Action OpaqueAction { x = 1; }
    "#]],
    );
}

#[test]
fn says_what_cannot_be_read() {
    check(
        "<XMI xmi.version='1.2' xmlns:UML='omg.org/UML/1.4'><XMI.content/></XMI>",
        &expect![[r#"
            no model
            error PM0003: the file is XMI 1.x of UML 1.x, without an activity graph
              at <XMI xmi.version='1.2' xmlns:UML='omg.org/UML/1.4'>
              help: draw the program as an activity diagram, or export it as XMI 2.x of UM…
        "#]],
    );
    check(
        "<XMI xmi.version='1.2'><XMI.extensions><diagrams><diagram><activitywidget/></diagram>
</diagrams></XMI.extensions></XMI>",
        &expect![[r#"
            no model
            error PM0003: Umbrello stores activity diagrams only as drawings, from which no flow…
              at <XMI xmi.version='1.2'>
              help: draw the program in a tool that exports activities as UML
        "#]],
    );
    check(
        "<xmi:XMI xmlns:xmi='http://schema.omg.org/spec/XMI/2.1'
xmlns:uml='http://schema.omg.org/spec/UML/2.1'><uml:Model xmi:id='m'/><xmi:Extension
extender='umbrello'><activitywidget/></xmi:Extension></xmi:XMI>",
        &expect![[r#"
            no model
            error PM0003: Umbrello stores activity diagrams only as drawings, from which no flow…
              at <xmi:XMI xmlns:xmi='http://schema.omg.org/spec/XMI/2.1' xmlns:uml='htt…
              help: draw the program in a tool that exports activities as UML
        "#]],
    );
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

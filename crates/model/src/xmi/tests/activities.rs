//! Activities, nodes and edges.

use expect_test::expect;

use super::check;

#[test]
fn reads_a_diagram_as_eclipse_writes_it() {
    check(
        r##"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main" node="_i _a _d _b _g _f">
  <ownedComment xmi:id="_k"><body>What it does.</body></ownedComment>
  <ownedComment xmi:id="_l" annotatedElement="_a"><body>What A does.</body></ownedComment>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e1" target="_a" source="_i"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e2" target="_d" source="_a"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e3" target="_b" source="_d">
    <guard xmi:type="uml:OpaqueExpression" xmi:id="_x">
      <language>C</language><body>n &lt; 1 &amp;&amp; m</body></guard>
    <weight xmi:type="uml:LiteralInteger" xmi:id="_w"/>
  </edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e4" target="_g" source="_d">
    <guard xmi:type="uml:LiteralString" xmi:id="_y" value="else"/>
  </edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e5" target="_g" source="_b"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e6" target="_f" source="_g"/>
  <node xmi:type="uml:InitialNode" xmi:id="_i" name="start" outgoing="_e1"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A" incoming="_e1" outgoing="_e2">
    <language>C++</language>
    <body>n = 1;</body>
  </node>
  <node xmi:type="uml:DecisionNode" xmi:id="_d" incoming="_e2" outgoing="_e3 _e4"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B" incoming="_e3" outgoing="_e5"/>
  <node xmi:type="uml:MergeNode" xmi:id="_g" incoming="_e4 _e5" outgoing="_e6"/>
  <node xmi:type="uml:ActivityFinalNode" xmi:id="_f" incoming="_e6"/>
</packagedElement>
<prophet:action xmi:id="_s" base_Action="_b" cost="F(n)" id="7"/>
"##,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main // What it does.
              Initial start
              Action A { n = 1; } // What A does.
              Decision DecisionNode
              Action B «action+ cost=F(n) id=7»
              Merge MergeNode
              ActivityFinal ActivityFinalNode
              start -> A
              A -> DecisionNode
              DecisionNode -> B [n < 1 && m]
              DecisionNode -> MergeNode [else]
              B -> MergeNode
              MergeNode -> ActivityFinalNode
        "#]],
    );
}

#[test]
fn knows_all_nodes() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:ForkNode" xmi:id="_1"/>
  <node xmi:type="uml:JoinNode" xmi:id="_2"/>
  <node xmi:type="uml:FlowFinalNode" xmi:id="_3"/>
  <node xmi:type="uml:Action" xmi:id="_4" name="abstract"/>
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_5" name="call" behavior="_n"/>
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_6" name="nobody"/>
  <node xmi:type="uml:CallOperationAction" xmi:id="_7" name="operation"/>
  <node xmi:type="uml:CallOperationAction" xmi:id="_8" name="again"/>
  <node xmi:type="uml:CentralBufferNode" xmi:id="_9" name="buffer"/>
  <node xmi:type="uml:ExpansionRegion" xmi:id="_10"/>
  <node xmi:id="_11" name="untyped"/>
  <ownedBehavior xmi:type="uml:Activity" xmi:id="_n" name="Nested"/>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Fork ForkNode
              Join JoinNode
              FlowFinal FlowFinalNode
              Action abstract
              Call 2 call
              Action nobody
              Action operation
              Action again
              Structured 1 ExpansionRegion «loop+»
              Unsupported ActivityNode untyped
            1 "" M::Main::ExpansionRegion
            2 "Nested" M::Main::Nested
            warning PM0122: the CallBehaviorAction names no activity and does nothing
              at <node xmi:type="uml:CallBehaviorAction" xmi:id="_6" name="nobody"/>
              in M::Main::nobody
              help: apply a stereotype, or choose the activity in its property `behavior`
            warning PM0122: the CallOperationAction has no stereotype and does nothing (and once m…
              at <node xmi:type="uml:CallOperationAction" xmi:id="_7" name="operation"/…
              in M::Main::operation
              help: apply a stereotype, or use an OpaqueAction
            warning PM0128: a CentralBufferNode holds data, and only passes control on
              at <node xmi:type="uml:CentralBufferNode" xmi:id="_9" name="buffer"/>
              in M::Main::buffer
        "#]],
    );
}

#[test]
fn sees_through_partitions() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main" partition="_p" node="_a _b">
  <group xmi:type="uml:ActivityPartition" xmi:id="_p" name="left" node="_b">
    <subpartition xmi:type="uml:ActivityPartition" xmi:id="_q" name="inner">
      <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A" inPartition="_q"/>
      <edge xmi:type="uml:ControlFlow" xmi:id="_e" source="_a" target="_b"/>
    </subpartition>
  </group>
  <group xmi:type="uml:ActivityPartition" xmi:id="_r"><node xmi:idref="_a"/><node
    xmi:idref="_gone"/></group>
  <group xmi:type="uml:InterruptibleActivityRegion" xmi:id="_s">
    <node xmi:type="uml:OpaqueAction" xmi:id="_c" name="C"/>
  </group>
  <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B" inPartition="_p"/>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A
              Action C
              Action B
              A -> B
            warning PM0105: there is no element with the id `_gone`
              at _gone
              in M::Main
              help: draw the element again, or remove the reference to it
            warning PM0124: the InterruptibleActivityRegion is read as if it were not there
              at <group xmi:type="uml:InterruptibleActivityRegion" xmi:id="_s">
              in M::Main
        "#]],
    );
}

#[test]
fn takes_nodes_and_edges_that_are_only_named() {
    check(
        r##"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <containedNode xmi:idref="_a _b"/>
  <containedNode href="#_c"/>
  <containedEdge xmi:idref="_e"/>
</packagedElement>
<packagedElement xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
<packagedElement xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"/>
<packagedElement xmi:type="uml:OpaqueAction" xmi:id="_c" name="C"/>
<packagedElement xmi:type="uml:OpaqueAction" xmi:id="_d" name="D"/>
<packagedElement xmi:type="uml:ControlFlow" xmi:id="_e" source="_a" target="_b"/>
"##,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A
              Action B
              Action C
              A -> B
            warning PM0123: the OpaqueAction is in no activity, and is left out
              at <packagedElement xmi:type="uml:OpaqueAction" xmi:id="_d" name="D"/>
              in M::D
        "#]],
    );
}

#[test]
fn takes_ends_from_children_and_from_lists_of_nodes() {
    check(
        r##"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"><outgoing xmi:idref="_f"/></node>
  <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B" incoming="_f"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e"><source xmi:idref="_a"/><target href="#_b"/></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_f"><guard><body>x</body></guard></edge>
</packagedElement>
"##,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A
              Action B
              A -> B
              A -> B [x]
        "#]],
    );
}

#[test]
fn moves_edges_from_pins_to_their_actions() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A">
    <outputValue xmi:type="uml:OutputPin" xmi:id="_ao"/><inputValue xmi:id="_ai"/>
  </node>
  <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"><inputValue xmi:id="_bi"/></node>
  <node xmi:type="uml:OpaqueAction" xmi:id="_c" name="C"><inputValue xmi:id="_ci"/></node>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_1" source="_ao" target="_bi"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_2" source="_ao" target="_ci"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_3" source="_ao" target="_ci"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_4" source="_ao" target="_ai"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_5" source="_a" target="_b"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_6" source="_a" target="_b"/>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A
              Action B
              Action C
              A -> C
              A -> B
        "#]],
    );
}

#[test]
fn reads_guards_however_they_are_written() {
    check(
        r##"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:DecisionNode" xmi:id="_d" name="D"/>
  <node xmi:type="uml:MergeNode" xmi:id="_m2" name="M"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_1" source="_d" target="_m2" guard="x == 1"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_2" source="_d" target="_m2" guard="[x == 2]"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_3" source="_d" target="_m2" guard="_g3"><guard
    xmi:id="_g3" xmi:type="uml:OpaqueExpression" body="a[0] == b[1]"/></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_4" source="_d" target="_m2" guard="[ Else ]"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_5" source="_d" target="_m2"><guard
    xmi:type="uml:LiteralBoolean" xmi:id="_g5"/></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_6" source="_d" target="_m2"><guard
    xmi:type="uml:LiteralBoolean" xmi:id="_g6" value="true"/></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_7" source="_m2" target="_d"><guard
    xmi:type="uml:LiteralBoolean" xmi:id="_g7" value="true"/></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_8" source="_d" target="_m2"><guard
    xmi:type="uml:Constraint" xmi:id="_g8"><specification xmi:type="uml:OpaqueExpression"
    xmi:id="_s8"><body>c</body></specification></guard></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_9" source="_d" target="_m2"><guard
    xmi:type="uml:LiteralString" xmi:id="_g9"><value>x&lt;y</value></guard></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_10" source="_d" target="_m2"><guard
    xmi:type="uml:OpaqueExpression" xmi:id="_g10"><language>OCL</language>
    <language>Rust</language><body>x = y</body><body>x == y</body></guard></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_11" source="_d" target="_m2"><guard
    xmi:type="uml:OpaqueExpression" xmi:id="_g11"><language>C</language><language>C++</language>
    <body></body><body>[x][0] == y[1]</body></guard></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_12" source="_d" target="_m2"><guard
    xmi:type="uml:OpaqueExpression" xmi:id="_g12"><language>OCL</language>
    <body>x = y</body></guard></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_13" source="_d" target="_m2"><guard
    xmi:type="uml:InstanceValue" xmi:id="_g13"/></edge>
</packagedElement>
"##,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Decision D
              Merge M
              D -> M [x == 1]
              D -> M [x == 2]
              D -> M [a[0] == b[1]]
              D -> M [else]
              D -> M [false]
              D -> M [true]
              M -> D
              D -> M [c]
              D -> M [x<y]
              D -> M [rust x == y]
              D -> M [[x][0] == y[1]]
              D -> M
            error PM0115: an expression in `OCL` is not read
              at OCL
              in M::Main
              help: write it in C, C++ or Rust, or remove its language
            error PM0117: a value given as InstanceValue is not read
              at <guard     xmi:type="uml:InstanceValue" xmi:id="_g13"/>
              in M::Main
              help: use an OpaqueExpression or a literal
        "#]],
    );
}

#[test]
fn reports_what_is_not_read() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main" visibility="public" surprise="1">
  <ownedParameter xmi:id="_p" name="p"/>
  <ownedRule xmi:id="_r"/>
  <node xmi:type="uml:DecisionNode" xmi:id="_d" name="D" decisionInput="_b" isLeaf="true" empty=""/>
  <node xmi:type="uml:DecisionNode" xmi:id="_d2" name="D2" decisionInput="_b"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A">
    <handler xmi:type="uml:ExceptionHandler" xmi:id="_h"/>
    <xmi:Extension extender="x"><handler/></xmi:Extension>
    <body>go</body><language>Alf</language>
  </node>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e" source="_d" target="_a" probability="0.5"/>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Decision D
              Decision D2
              Action A
              D -> A
            warning PM0010: `surprise` of `Activity` is not read
              at surprise="1"
              in M::Main
            warning PM0009: `ownedParameter` in `Activity` is not read
              at <ownedParameter xmi:id="_p" name="p"/>
              in M::Main
            warning PM0010: `decisionInput` of `DecisionNode` is not read (and once more in the fi…
              at decisionInput="_b"
              in M::Main::D
            warning PM0132: an exception handler is left out: no exceptions are simulated
              at <handler xmi:type="uml:ExceptionHandler" xmi:id="_h"/>
              in M::Main::A
            warning PM0116: a body in `Alf` is left out
              at Alf
              in M::Main::A
              help: write it in C, C++ or Rust, or remove its language
            warning PM0010: `probability` of `ControlFlow` is not read
              at probability="0.5"
              in M::Main
        "#]],
    );
}

#[test]
fn reads_literals_whose_value_is_their_text() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <ownedAttribute xmi:id="_v" name="v" type="double"><upperValue
    xmi:type="uml:LiteralUnlimitedNatural" xmi:id="_u"> 3 </upperValue><defaultValue
    xmi:type="uml:LiteralReal" xmi:id="_r">2.5</defaultValue></ownedAttribute>
  <ownedAttribute xmi:id="_w" name="w" type="int"><upperValue xmi:id="_u2">4</upperValue>
    <defaultValue xmi:type="uml:LiteralInteger" xmi:id="_i">7</defaultValue></ownedAttribute>
  <node xmi:type="uml:DecisionNode" xmi:id="_d" name="D"/>
  <node xmi:type="uml:MergeNode" xmi:id="_m2" name="M"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_1" source="_d" target="_m2"><guard
    xmi:type="uml:LiteralBoolean" xmi:id="_g1">true</guard></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_2" source="_d" target="_m2"><guard
    xmi:type="uml:LiteralBoolean" xmi:id="_g2">
      false
    </guard></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_3" source="_d" target="_m2"><guard
    xmi:type="uml:LiteralString" xmi:id="_g3">x == 1</guard></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_4" source="_d" target="_m2"><guard
    xmi:type="uml:LiteralBoolean" xmi:id="_g4"> </guard></edge>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            global double v[3] = 2.5
            global int w[4] = 7
            0 "Main" M::Main
              Decision D
              Merge M
              D -> M [true]
              D -> M [false]
              D -> M [x == 1]
              D -> M [false]
        "#]],
    );
}

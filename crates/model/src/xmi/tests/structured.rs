//! Structured, loop and conditional nodes.

use expect_test::expect;

use super::check;

#[test]
fn gives_structured_nodes_diagrams() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main" structuredNode="_s" node="_a">
  <structuredNode xmi:type="uml:StructuredActivityNode" xmi:id="_s" name="S">
    <structuredNodeInput xmi:id="_in"/>
    <variable xmi:id="_v" name="k"><type xmi:type="uml:PrimitiveType"
      href="pathmap://UML_LIBRARIES/UMLPrimitiveTypes.library.uml#Integer"/></variable>
    <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"><inputValue xmi:id="_bi"/></node>
    <node xmi:type="uml:SequenceNode" xmi:id="_q" name="Q">
      <executableNode xmi:type="uml:OpaqueAction" xmi:id="_1" name="first"/>
      <executableNode xmi:type="uml:OpaqueAction" xmi:id="_2" name="second"/>
    </node>
    <edge xmi:type="uml:ControlFlow" xmi:id="_e" source="_b" target="_q"/>
    <edge xmi:type="uml:ObjectFlow" xmi:id="_f" source="_in" target="_bi"/>
  </structuredNode>
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_g" source="_a" target="_s"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_h" source="_a" target="_b"/>
</packagedElement>
<prophet:parallel xmi:id="_x" base_StructuredActivityNode="_s" threads="4"/>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Structured 1 S «parallel threads=4»
              Action A
              A -> S
            1 "S" M::Main::S
              local Integer k
              Action B
              Structured 2 Q
              B -> Q
            2 "Q" M::Main::S::Q
              Action first
              Action second
              first -> second
            warning PM0133: the edge from `M::Main::A` to `M::Main::S::B` crosses the border of a …
              at <edge xmi:type="uml:ControlFlow" xmi:id="_h" source="_a" target="_b"/>
              in M::Main::A
              help: connect the node itself, to say so
        "#]],
    );
}

#[test]
fn splits_loop_nodes_into_their_parts() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <structuredNode xmi:type="uml:LoopNode" xmi:id="_l" name="L" isTestedFirst="true" decider="_p"
    setupPart="_s" test="_u _t" bodyPart="_b _c">
    <variable xmi:id="_v" name="i" type="double"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_s" name="S"><body>i = 0;</body></node>
    <node xmi:type="uml:OpaqueAction" xmi:id="_u" name="U"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_t" name="T"><body>i &lt; 9</body><outputValue
      xmi:id="_p"/></node>
    <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_c" name="C"/>
    <node xmi:type="uml:DecisionNode" xmi:id="_d" name="D"/>
    <node xmi:type="uml:InitialNode" xmi:id="_i" name="start of U"/>
    <edge xmi:type="uml:ControlFlow" xmi:id="_1" source="_i" target="_u"/>
    <edge xmi:type="uml:ControlFlow" xmi:id="_2" source="_u" target="_t"/>
    <edge xmi:type="uml:ControlFlow" xmi:id="_3" source="_b" target="_d"/>
    <edge xmi:type="uml:ControlFlow" xmi:id="_4" source="_d" target="_c" guard="i"/>
    <edge xmi:type="uml:ControlFlow" xmi:id="_5" source="_s" target="_b"/>
  </structuredNode>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              local double i
              Loop setup 1 test 2 while i < 9 body 3 L
            1 "L setup" M::Main::L
              Action S { i = 0; }
            2 "L test" M::Main::L
              Action U
              Initial start of U
              start of U -> U
            3 "L" M::Main::L
              Action B
              Action C
              Decision D
              B -> D
              D -> C [i]
            warning PM0125: an edge between two parts of a node has no effect
              at <edge xmi:type="uml:ControlFlow" xmi:id="_5" source="_s" target="_b"/>
              in M::Main::L
              help: the parts follow each other without it
        "#]],
    );
}

#[test]
fn finds_the_condition_of_a_loop_without_a_decider() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:LoopNode" xmi:id="_l">
    <test xmi:idref="_t"/>
    <node xmi:type="uml:ValueSpecificationAction" xmi:id="_t" name="T"><value
      xmi:type="uml:LiteralBoolean" xmi:id="_x"/><result xmi:id="_y"/></node>
    <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"/>
  </node>
  <node xmi:type="uml:LoopNode" xmi:id="_k" name="priced" test="_kt">
    <node xmi:type="uml:OpaqueAction" xmi:id="_kt" name="T"><body>x</body></node>
  </node>
  <node xmi:type="uml:LoopNode" xmi:id="_n" name="none"/>
</packagedElement>
<prophet:action base_Action="_kt" time="1"/>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Loop setup -1 test -1 while false body 1 first LoopNode
              Loop setup -1 test 2 while x body 3 first priced
              Loop setup -1 test -1 while ? body 4 first none
            1 "" M::Main::LoopNode
              Action B
            2 "priced test" M::Main::priced
              Action T «action+ time=1»
            3 "priced" M::Main::priced
            4 "none" M::Main::none
        "#]],
    );
}

#[test]
fn splits_conditional_nodes_into_their_clauses() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <structuredNode xmi:type="uml:ConditionalNode" xmi:id="_c" name="C">
    <clause xmi:id="_c1" test="_t1" decider="_p1" body="_b1 _b2" successorClause="_c2"/>
    <clause xmi:id="_c2" test="_t2 _u2" decider="_p2" body="_b3"/>
    <clause xmi:id="_c3" body="_b4"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_t1" name="T1"><body>x</body><outputValue
      xmi:id="_p1"/></node>
    <node xmi:type="uml:OpaqueAction" xmi:id="_t2" name="T2"><body>y</body>
      <language>Rust</language><outputValue xmi:id="_p2"/></node>
    <node xmi:type="uml:OpaqueAction" xmi:id="_u2" name="U2"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_b1" name="B1"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_b2" name="B2"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_b3" name="B3"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_b4" name="B4"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_x" name="X"/>
    <edge xmi:type="uml:ControlFlow" xmi:id="_1" source="_b1" target="_b2"/>
    <edge xmi:type="uml:ControlFlow" xmi:id="_2" source="_t1" target="_b1"/>
    <edge xmi:type="uml:ControlFlow" xmi:id="_3" source="_b2" target="_b3"/>
  </structuredNode>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Conditional if x do 1 if rust y do 2 if ? do 3 C
            1 "C 1" M::Main::C
              Action B1
              Action B2
              B1 -> B2
            2 "C 2" M::Main::C
              Action B3
            3 "C 3" M::Main::C
              Action B4
            error PM0121: the OpaqueAction `U2` is in the test of a clause
              at <node xmi:type="uml:OpaqueAction" xmi:id="_u2" name="U2"/>
              in M::Main::C
              help: the test of a clause is one action without a stereotype; move the rest…
            warning PM0123: the OpaqueAction `X` is in no clause, and is left out
              at <node xmi:type="uml:OpaqueAction" xmi:id="_x" name="X"/>
              in M::Main::C::X
            warning PM0125: an edge between two parts of a node has no effect
              at <edge xmi:type="uml:ControlFlow" xmi:id="_3" source="_b2" target="_b3"…
              in M::Main::C
              help: the parts follow each other without it
        "#]],
    );
}

#[test]
fn moves_edges_across_borders_to_the_nodes_around() {
    // From A into S and T, from S to T, and from S to the end.
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
  <node xmi:type="uml:StructuredActivityNode" xmi:id="_s" name="S">
    <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"/>
  </node>
  <node xmi:type="uml:StructuredActivityNode" xmi:id="_t" name="T">
    <node xmi:type="uml:StructuredActivityNode" xmi:id="_u" name="U">
      <node xmi:type="uml:OpaqueAction" xmi:id="_c" name="C"><inputValue xmi:id="_ci"/></node>
    </node>
  </node>
  <node xmi:type="uml:ActivityFinalNode" xmi:id="_f" name="F"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_1" source="_a" target="_b"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_2" source="_a" target="_ci"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_3" source="_b" target="_c"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_4" source="_c" target="_f"/>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A
              Structured 1 S
              Structured 2 T
              ActivityFinal F
              A -> S
              A -> T
              S -> T
              T -> F
            1 "S" M::Main::S
              Action B
            2 "T" M::Main::T
              Structured 3 U
            3 "U" M::Main::T::U
              Action C
            warning PM0133: the edge from `M::Main::A` to `M::Main::S::B` crosses the border of a …
              at <edge xmi:type="uml:ControlFlow" xmi:id="_1" source="_a" target="_b"/>
              in M::Main::A
              help: connect the node itself, to say so
        "#]],
    );
}

#[test]
fn refuses_edges_across_borders_that_mean_something_else() {
    // D chooses where S begins, E where it ends; C is not started by what is inside of T.
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:DecisionNode" xmi:id="_d" name="D"/>
  <node xmi:type="uml:StructuredActivityNode" xmi:id="_s" name="S">
    <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
    <node xmi:type="uml:DecisionNode" xmi:id="_e" name="E"/>
  </node>
  <node xmi:type="uml:StructuredActivityNode" xmi:id="_t" name="T">
    <node xmi:type="uml:InitialNode" xmi:id="_i" name="I"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_c" name="C"/>
  </node>
  <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_1" source="_d" target="_a" guard="pid"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_2" source="_d" target="_e" guard="else"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_3" source="_e" target="_b" guard="pid"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_4" source="_b" target="_c"/>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Decision D
              Structured 1 S
              Structured 2 T
              Action B
            1 "S" M::Main::S
              Action A
              Decision E
            2 "T" M::Main::T
              Initial I
              Action C
            error PM0108: an edge from `M::Main::D` to `M::Main::S::A` crosses a border
              at <edge xmi:type="uml:ControlFlow" xmi:id="_1" source="_d" target="_a" g…
              in M::Main
              help: connect nodes of one activity or structured node
            error PM0108: an edge from `M::Main::D` to `M::Main::S::E` crosses a border
              at <edge xmi:type="uml:ControlFlow" xmi:id="_2" source="_d" target="_e" g…
              in M::Main
              help: connect nodes of one activity or structured node
            error PM0108: an edge from `M::Main::S::E` to `M::Main::B` crosses a border
              at <edge xmi:type="uml:ControlFlow" xmi:id="_3" source="_e" target="_b" g…
              in M::Main::S
              help: connect nodes of one activity or structured node
            error PM0108: an edge from `M::Main::B` to `M::Main::T::C` crosses a border
              at <edge xmi:type="uml:ControlFlow" xmi:id="_4" source="_b" target="_c"/>
              in M::Main
              help: connect nodes of one activity or structured node
        "#]],
    );
}

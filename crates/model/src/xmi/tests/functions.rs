//! Cost functions, variables, types and values.

use expect_test::expect;

use super::check;

#[test]
fn reads_cost_functions_wherever_they_are() {
    check(
        r##"
<packagedElement xmi:type="uml:FunctionBehavior" xmi:id="_f" name="FA1">
  <ownedComment xmi:id="_k"><body>Of the paper.</body></ownedComment>
  <ownedParameter xmi:id="_p1" name="P"><type xmi:type="uml:PrimitiveType"
    href="pathmap://UML_LIBRARIES/UMLPrimitiveTypes.library.uml#Real"/></ownedParameter>
  <ownedParameter xmi:id="_p2" name="n" type="_int" direction="in"><defaultValue
    xmi:type="uml:LiteralInteger" xmi:id="_dv" value="3"/></ownedParameter>
  <ownedParameter xmi:id="_p3" direction="return"><type
    href="http://www.omg.org/spec/UML/20131001/PrimitiveTypes.xmi#Real"/></ownedParameter>
  <language>C</language>
  <body>121/P</body>
</packagedElement>
<packagedElement xmi:type="uml:PrimitiveType" xmi:id="_int" name="long"/>
<packagedElement xmi:type="uml:Class" xmi:id="_c" name="Program">
  <ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="_g" name="impl" language="Rust"
    body="x + 1"/>
  <ownedOperation xmi:id="_o" name="G" method="_g">
    <ownedParameter xmi:id="_q" name="x" type="double"/>
    <ownedParameter xmi:id="_q2" name="r" type="double" direction="out"/>
  </ownedOperation>
  <ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="_h"
    specification="_oh"><body>1</body></ownedBehavior>
  <ownedOperation xmi:id="_oh" name="H"/>
</packagedElement>
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="_i" name="I">
    <language>OCL</language><language>C++</language><language>Rust</language>
    <body>one</body><body>two</body><body>three</body>
  </ownedBehavior>
</packagedElement>
"##,
        &expect![[r#"
            model M starts at M::Main
            function FA1(Real P, long n = 3) -> Real: 121/P // Of the paper.
            function G(double x) -> double: rust x + 1
            function H() -> ?: 1
            function I() -> ?: two
            0 "Main" M::Main
        "#]],
    );
}

#[test]
fn leaves_out_functions_that_cannot_be_called() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main"/>
<packagedElement xmi:type="uml:OpaqueBehavior" xmi:id="_1"><body>1</body></packagedElement>
<packagedElement xmi:type="uml:OpaqueBehavior" xmi:id="_2" name="empty"/>
<packagedElement xmi:type="uml:OpaqueBehavior" xmi:id="_3" name="foreign" language="OCL" body="x"/>
<packagedElement xmi:type="uml:OpaqueBehavior" xmi:id="_4" name="outs" body="x" odd="1">
  <ownedParameter xmi:id="_41" name="a" direction="inout" type="int"/>
  <ownedParameter xmi:id="_42" name="b" direction="out" type="int"/>
  <ownedParameter xmi:id="_43" direction="return" type="int"/>
  <ownedParameter xmi:id="_44" type="int"/>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            function outs() -> int: x
              PM0119 a parameter is `inout`
              PM0120 a variable without a name is left out
              PM0119 a function has two results
            0 "Main" M::Main
            warning PM0120: a function without a name is left out
              at <packagedElement xmi:type="uml:OpaqueBehavior" xmi:id="_1">
              in M::OpaqueBehavior
            warning PM0116: `empty` is left out: it has no body
              at <packagedElement xmi:type="uml:OpaqueBehavior" xmi:id="_2" name="empty…
              in M::empty
            warning PM0116: `foreign` is left out: it is in `OCL`
              at OCL
              in M::foreign
              help: write it in C, C++ or Rust, or remove its language
            warning PM0010: `odd` of `OpaqueBehavior` is not read
              at odd="1"
              in M::outs
        "#]],
    );
}

#[test]
fn reads_globals_parameters_and_locals() {
    check(
        r##"
<packagedElement xmi:type="uml:Class" xmi:id="_c" name="Program" classifierBehavior="_m">
  <ownedAttribute xmi:id="_1" name="GV" type="_long"/>
  <ownedAttribute xmi:id="_2" name="P"><type href="#_double"/><defaultValue
    xmi:type="uml:LiteralReal" xmi:id="_2d" value="3.14"/></ownedAttribute>
  <ownedAttribute xmi:id="_3" name="NAT" isReadOnly="true" type="_long"><defaultValue
    xmi:type="uml:LiteralInteger" xmi:id="_3d"/></ownedAttribute>
  <ownedAttribute xmi:id="_4" name="on" type="bool"><defaultValue xmi:type="uml:LiteralBoolean"
    xmi:id="_4d"/></ownedAttribute>
  <ownedAttribute xmi:id="_5" name="a" type="_double"><upperValue
    xmi:type="uml:LiteralUnlimitedNatural" xmi:id="_5u" value="10"/><lowerValue
    xmi:type="uml:LiteralInteger" xmi:id="_5l"/></ownedAttribute>
  <ownedAttribute xmi:id="_6" name="b" type="_double" upper="3" default="{1, 2, 3}"/>
  <ownedAttribute xmi:id="_7" name="one"><type xmi:idref="EAJava_int"/><upperValue
    xmi:type="uml:LiteralInteger" xmi:id="_7u" value="1"/></ownedAttribute>
  <ownedAttribute xmi:id="_8" name="text" type="_double"><defaultValue
    xmi:type="uml:LiteralString" xmi:id="_8d" value="2*N"/><ownedComment xmi:id="_8c"
    body="Twice."/></ownedAttribute>
  <ownedAttribute xmi:id="_9" name="expression" type="_double"><defaultValue
    xmi:type="uml:OpaqueExpression" xmi:id="_9d"><language>Rust</language>
    <body>1.0</body></defaultValue></ownedAttribute>
  <ownedAttribute xmi:type="uml:Port" xmi:id="_10" name="port"/>
  <ownedAttribute xmi:id="_11" name="end" association="_assoc"/>
  <ownedAttribute xmi:id="_12" name="ecore"><type
    href="http://www.eclipse.org/emf/2002/Ecore#//EDouble"/></ownedAttribute>
  <ownedBehavior xmi:type="uml:Activity" xmi:id="_m" name="Main">
    <ownedAttribute xmi:id="_13" name="own" type="_long"/>
    <variable xmi:id="_14" name="i" type="_long"/>
    <node xmi:type="uml:CallBehaviorAction" xmi:id="_call" name="call" behavior="_sub"/>
  </ownedBehavior>
  <ownedBehavior xmi:type="uml:Activity" xmi:id="_sub" name="Sub">
    <ownedAttribute xmi:id="_15" name="k" type="_long"/>
    <variable xmi:id="_16" name="j" type="_long"/>
  </ownedBehavior>
</packagedElement>
<packagedElement xmi:type="uml:PrimitiveType" xmi:id="_long" name="long"/>
<packagedElement xmi:type="uml:DataType" xmi:id="_double" name="double"/>
<packagedElement xmi:type="uml:Class" xmi:id="_other" name="Other"><ownedAttribute xmi:id="_17"
  name="unseen"/></packagedElement>
"##,
        &expect![[r#"
            model M starts at M::Program::Main
            global long GV
            global double P = 3.14
            global long NAT const = 0
            global bool on = false
            global double a[10]
            global double b[3] = {1, 2, 3}
            global int one
            global double text = 2*N // Twice.
            global double expression = rust 1.0
            global EDouble ecore
            global long own
            0 "Main" M::Program::Main
              local long i
              Call 1 call
            1 "Sub" M::Program::Sub
              local long j
              local long k
        "#]],
    );
}

#[test]
fn reports_sizes_types_and_names_that_make_no_sense() {
    check(
        r##"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <variable xmi:id="_1" name="all" type="int"><upperValue xmi:type="uml:LiteralUnlimitedNatural"
    xmi:id="_1u" value="*"/></variable>
  <variable xmi:id="_2" name="none" type="int"><upperValue xmi:type="uml:LiteralInteger"
    xmi:id="_2u"/></variable>
  <variable xmi:id="_3" name="some" type="int"><upperValue xmi:type="uml:OpaqueExpression"
    xmi:id="_3u"><body>N &amp; 2</body></upperValue></variable>
  <variable xmi:id="_4" name="gone" type="_nothing"/>
  <variable xmi:id="_5" type="int"/>
  <variable xmi:id="_6" name="instance" type="int"><defaultValue xmi:type="uml:InstanceValue"
    xmi:id="_6d"/></variable>
  <variable xmi:id="_7" name="ocl" type="int"><defaultValue xmi:type="uml:OpaqueExpression"
    xmi:id="_7d" body="x" language="OCL"/></variable>
</packagedElement>
"##,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              local int all
              local int none
              local int some
              local  gone
              local int instance
              local int ocl
            error PM0118: an array has no size: its upper multiplicity is unlimited
              at *
              in M::Main::all
              help: give it an upper multiplicity that is a number, as in [0..10]
            error PM0118: an array has no elements: its upper multiplicity is 0
              at <upperValue xmi:type="uml:LiteralInteger"     xmi:id="_2u"/>
              in M::Main::none
              help: give it an upper multiplicity that is a number, as in [0..10]
            error PM0118: the upper multiplicity `N & 2` is not a number
              at N &amp; 2
              in M::Main::some
              help: give it an upper multiplicity that is a number, as in [0..10]
            error PM0104: there is no element with the id `_nothing`
              at _nothing
              in M::Main::gone
              help: draw the element again, or remove the reference to it
            warning PM0120: a variable without a name is left out
              at <variable xmi:id="_5" type="int"/>
              in M::Main
            error PM0117: a value given as InstanceValue is not read
              at <defaultValue xmi:type="uml:InstanceValue"     xmi:id="_6d"/>
              in M::Main::instance
              help: use an OpaqueExpression or a literal
            error PM0115: an expression in `OCL` is not read
              at OCL
              in M::Main::ocl
              help: write it in C, C++ or Rust, or remove its language
        "#]],
    );
}

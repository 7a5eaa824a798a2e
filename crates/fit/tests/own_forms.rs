//! Tests cost functions in models in our own formats: `PlantUML` text, and XML without UML.

use prophet_testing::assert_says;

use crate::command::home;

const TEXT: &str = "@startuml
title Main
legend
  model Solver
  parameter int n = 1000
end legend
start
:<<action+>> Solve
cost = 2;
:<<action+>> Write;
:<<action+>> Read
time = 3;
stop
@enduml
";

const XML: &str = "<model xmlns=\"http:///schemas/prophet/model/1\" name=\"Solver\">
  <parameter name=\"n\" type=\"int\" value=\"1000\"/>
  <activity name=\"Main\">
    <action name=\"Solve\" stereotype=\"action+\" cost=\"2\"/>
    <action name=\"Write\" stereotype=\"action+\"/>
  </activity>
</model>
";

/// Writes a region's cost into the model's element twice, and returns the model.
#[track_caller]
fn inserted(name: &str, text: &str, element: &str) -> String {
    let home = home();
    home.write(name, text);
    let into = |region: &str| {
        home.printed(&format!(
            "times.csv --into {name} --element {element} --region {region} \
             --argument 'p=NUM_PROCESSES / 2 + (1 < 2)'"
        ));
        home.read(name)
    };
    // A later fit replaces the function.
    assert!(into("solve").contains("(solve)"));
    into("write")
}

#[test]
fn a_cost_function_goes_into_a_text() {
    let after = inserted("model.puml", TEXT, "Solve");
    let call = "cost = fitted_Solve(NUM_PROCESSES / 2 + (1 < 2), n);";
    assert!(after.contains(call), "{after}");
    let function = "  double fitted_Solve(double p, double n) { return ";
    assert_eq!(after.matches(function).count(), 1, "{after}");
    let comment =
        "  // Seconds, fitted to 20 values at 20 points of times.csv (write), p = 1 to 16";
    assert_eq!(after.matches("// Seconds").count(), 1, "{after}");
    assert!(after.contains(comment), "{after}");
    // All other lines stay unchanged.
    let others = after.lines().filter(|it| !it.contains("itted"));
    let before = TEXT.lines().filter(|it| *it != "cost = 2;");
    assert!(others.eq(before), "{after}");
}

#[test]
fn a_text_gets_a_cost_where_it_has_none() {
    let after = inserted("model.puml", TEXT, "Write");
    let action = ":<<action+>> Write\n  cost = fitted_Write(NUM_PROCESSES / 2 + (1 < 2), n);\n";
    assert!(after.contains(action), "{after}");
    let bare = TEXT.replace("legend\n  model Solver\n", "note right\nprogram\n");
    let bare = bare.replace("end legend", "end note");
    let after = inserted("model.puml", &bare, "Main::Main::Write");
    assert!(after.contains("@startuml\nlegend\n  // Seconds"), "{after}");
}

#[test]
fn a_cost_function_goes_into_xml_without_uml() {
    for (element, kept) in [("Solve", "name=\"Write\""), ("Write", "cost=\"2\"")] {
        let after = inserted("model.prophet.xml", XML, element);
        let call = format!("cost=\"fitted_{element}(NUM_PROCESSES / 2 + (1 &lt; 2), n)\"");
        assert!(after.contains(&call) && after.contains(kept), "{after}");
        assert_eq!(after.matches("<function ").count(), 1, "{after}");
        assert_says(&after, &["<comment>Seconds, fitted to 20 values"]);
        assert!(
            after.contains("(write)") && !after.contains("(solve)"),
            "{after}"
        );
    }
}

#[test]
fn an_argument_is_one_expression() {
    let home = home();
    home.write("model.puml", TEXT);
    let told = home.refused(
        "times.csv --region write --into model.puml --element Solve --argument 'p=1;\n:x'",
    );
    let why = "inserting the function and its call would change other parts of the file";
    assert!(told.contains(why), "{told}");
    assert_eq!(home.read("model.puml"), TEXT);
}

//! Tests rules about models in our own formats, and about chains of messages.

use std::path::Path;

use crate::check::RuleSet;
use crate::checked::check_source;
use prophet_model::source::Source;

/// Returns the codes of the findings in a text, each with the element that it is about.
fn findings(name: &str, text: String) -> Vec<String> {
    let source = Source::new(name, text);
    let checked = check_source(&RuleSet::shipped(), source, Path::new(""), None);
    let found = checked.diagnostics.iter();
    found
        .map(|it| format!("{} {}", it.code, it.element))
        .collect()
}

fn in_xml(content: &str) -> Vec<String> {
    let space = prophet_model::xml_form::NAMESPACE;
    let text = format!(
        "<model xmlns=\"{space}\" name=\"M\"><parameter name=\"N\" type=\"int\" value=\"3\"/>\
         <activity name=\"A\">{content}</activity></model>"
    );
    findings("model.prophet.xml", text)
}

/// Returns the findings of PM0945 in a text with these statements.
fn chains(statements: &str) -> Vec<String> {
    let text = format!("@startuml\ntitle A\nstart\n{statements}stop\n@enduml\n");
    let all = findings("model.puml", text);
    let chain = |it: &str| it.strip_prefix("PM0945 A::A::").map(str::to_owned);
    all.iter().filter_map(|it| chain(it)).collect()
}

#[test]
fn arms_may_end_an_activity() {
    let work = "<action name=\"W\" stereotype=\"action+\" cost=\"1\"/>";
    let decision =
        format!("<decision><when guard=\"N &gt; 2\">{work}</when><otherwise/></decision>");
    assert_eq!(in_xml(&decision), [""; 0]);
    let two = format!("<fork><branch>{work}</branch><branch>{work}</branch></fork>");
    let of_end = |it: &String| it.starts_with("PM0803");
    assert!(!in_xml(&two).iter().any(of_end), "{:?}", in_xml(&two));
    // If the author has drawn the merge, it is reported.
    let drawn = format!(
        "<decision name=\"D\"><when guard=\"N &gt; 2\">{work}</when><otherwise/></decision>\
         <decision name=\"Last\"/>"
    );
    let found = in_xml(&drawn);
    assert!(found.contains(&"PM0803 M::A::Last".to_owned()), "{found:?}");
}

const SEND: &str = "if (pid < NUM_PROCESSES - 1) then\n:<<bsend>> Send\n\
    dest = pid + 1\nsize = 8;\nendif\n";
const RECEIVE: &str = "if (pid > 0) then\n:<<brecv>> Receive\nsource = pid - 1;\nendif\n";
const WORK: &str = ":<<action+>> Work\ncost = 1;\n";

#[test]
fn blocking_messages_over_all_ranks_are_a_chain() {
    assert_eq!(chains(&format!("{SEND}{RECEIVE}")), ["Send"]);
    assert_eq!(chains(&format!("{SEND}{WORK}{RECEIVE}")), ["Send"]);
    assert_eq!(chains(&format!("{WORK}{RECEIVE}{SEND}{WORK}")), ["Receive"]);
}

#[test]
fn pipelines_and_messages_that_do_not_block_are_no_chain() {
    let none = [""; 0];
    // The sent data depends on the received data, as in a wavefront.
    assert_eq!(chains(&format!("{RECEIVE}{WORK}{SEND}")), none);
    let code = SEND.replace(
        "size = 8;\n",
        "size = 8;\nnote right\ncode\nN = 1;\nend note\n",
    );
    assert_eq!(chains(&format!("{RECEIVE}{code}")), none);
    let begun = SEND.replace("bsend", "nbsend");
    assert_eq!(chains(&format!("{begun}{RECEIVE}")), none);
    // A receive that was started earlier takes the message.
    let posted = RECEIVE.replace("<<brecv>>", "<<nbrecv>>");
    assert_eq!(chains(&format!("{posted}{SEND}{RECEIVE}")), none);
    let any = RECEIVE.replace("source = pid - 1", "source = ANY");
    assert_eq!(chains(&format!("{SEND}{any}")), none);
    // Only two processes communicate, or only odd ranks with even ranks.
    let one = |text: &str| text.replace("pid > 0", "pid == 1");
    assert_eq!(chains(&one(&format!("{SEND}{RECEIVE}"))), none);
    let odd = |text: &str| text.replace("pid > 0", "pid % 2 == 1");
    assert_eq!(chains(&odd(&format!("{SEND}{RECEIVE}"))), none);
    // A shift to the other side has no matching partner.
    let other = RECEIVE.replace("pid - 1", "pid + 1");
    assert_eq!(chains(&format!("{SEND}{other}")), none);
}

#[test]
fn a_loop_with_a_condition_that_nothing_changes_never_ends() {
    let text = |change: &str| {
        format!(
            "@startuml\nlegend\n  parameter int N = 3\n  global int I\nend legend\nstart\n\
             while (I < N)\n:<<action+>> A\ncost = 1;\n{change}endwhile\nstop\n@enduml\n"
        )
    };
    let endless = |change: &str| {
        let found = findings("model.puml", text(change));
        found.iter().any(|it| it.starts_with("PM0818"))
    };
    assert!(endless(""));
    assert!(!endless("note right\ncode\nI = I + 1;\nend note\n"));
    assert!(!endless("if (pid > 0) then\nstop\nendif\n"));
}

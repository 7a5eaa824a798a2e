use std::fs;

use prophet_testing::assert_says;

use super::*;
use crate::reading::errors;

fn open(path: &Path, unsaved: Option<&Path>) -> Result<Session, String> {
    Session::open(path, unsaved, &Language::shipped()).map_err(String::from)
}

const MODEL: &str = include_str!("../../../../sample-models/lapw0.uml");

/// Opens a copy of a sample, with a folder for unsaved text.
fn opened() -> (tempfile::TempDir, PathBuf, Session) {
    opened_as("lapw0.uml", MODEL)
}

/// Opens a file with this text, with a folder for unsaved text.
fn opened_as(name: &str, text: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf, Session) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let session = open(&path, Some(&folder.path().join("unsaved"))).unwrap();
    (folder, path, session)
}

fn rename(name: &str) -> Vec<Edit> {
    vec![Edit::Rename {
        element: "_SFT".to_owned(),
        name: name.to_owned(),
    }]
}

fn renamed(session: &mut Session, revision: u64, name: &str) {
    let edited = session.edit(revision, "Rename SFT", rename(name), None);
    edited.unwrap();
}

fn priced(session: &mut Session, cost: &str) {
    let edit = Edit::Tag {
        element: "_SFT".to_owned(),
        tag: "cost".to_owned(),
        value: Some(cost.to_owned()),
    };
    session.edit(1, "Change a cost", vec![edit], None).unwrap();
}

/// Returns the sample with a different name for SFT.
fn with_name(name: &str) -> String {
    MODEL.replace("name=\"SFT\"", &format!("name=\"{name}\""))
}

fn why(refusal: Refusal) -> String {
    match refusal {
        Refusal::Conflict(why) | Refusal::Wrong(why) => why,
    }
}

#[test]
fn what_is_saved_differs_in_the_edit_alone() {
    let (_folder, path, mut session) = opened();
    session.save(1, false).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), MODEL);
    renamed(&mut session, 1, "Fourier");
    assert_eq!(fs::read_to_string(&path).unwrap(), MODEL);
    session.save(2, false).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), with_name("Fourier"));
}

#[test]
fn what_was_not_saved_is_there_again() {
    let (folder, path, mut session) = opened();
    renamed(&mut session, 1, "Fourier");
    drop(session);
    let unsaved = folder.path().join("unsaved");
    let mut session = open(&path, Some(&unsaved)).unwrap();
    assert!(session.document.text().contains("Fourier"));
    assert_eq!(session.state().undo, Some("Recover unsaved changes"));
    session.undo(1).unwrap();
    assert_eq!(session.document.text(), MODEL);
    // Stored text is merged with a file that has changed since then.
    renamed(&mut session, 2, "Again");
    drop(session);
    fs::write(&path, MODEL.replace("ETOTAL", "TOTAL")).unwrap();
    let mut session = open(&path, Some(&unsaved)).unwrap();
    let text = session.document.text();
    assert!(text.contains("Again") && !text.contains("ETOTAL"), "{text}");
    renamed(&mut session, 1, "More");
    drop(session);
    // Conflicting changes are shown to the user, and not lost.
    let theirs = with_name("Theirs");
    fs::write(&path, &theirs).unwrap();
    let mut session = open(&path, Some(&unsaved)).unwrap();
    assert!(session.document.text().contains("More"));
    assert!(session.state().conflict);
    session.take_file(1).unwrap();
    assert_eq!(session.document.text(), theirs);
}

#[test]
fn changes_of_the_file_are_noticed() {
    let (_folder, path, mut session) = opened();
    let theirs = MODEL.replace("ETOTAL", "TOTAL");
    fs::write(&path, &theirs).unwrap();
    assert!(session.look_at_files());
    assert!(!session.look_at_files());
    assert_eq!(session.document.text(), theirs);
    assert!(session.state().saved);
    renamed(&mut session, 2, "Fourier");
    fs::write(&path, theirs.replace("name=\"SFT\"", "name=\"Theirs\"")).unwrap();
    assert!(session.look_at_files());
    assert!(session.state().conflict);
    let refused = session.save(4, false).expect_err("it would be lost");
    assert!(why(refused).starts_with("another program has changed the file"));
    session.take_file(4).unwrap();
    assert!(session.document.text().contains("Theirs"));
    session.undo(5).unwrap();
    session.save(6, true).unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains("Fourier"));
}

#[test]
fn pages_that_are_behind_change_nothing() {
    let (_folder, _path, mut session) = opened();
    renamed(&mut session, 1, "Fourier");
    let refused = session
        .edit(1, "Rename SFT", rename("Other"), None)
        .expect_err("it is behind");
    assert!(why(refused).starts_with("the model was changed elsewhere"));
}

#[test]
fn the_first_move_writes_the_whole_drawing() {
    let (_folder, _path, mut session) = opened();
    let view = serde_json::to_value(session.state()).unwrap();
    let nodes = view["diagrams"][0]["nodes"].as_array().unwrap().clone();
    let edit = Edit::Move {
        element: "_SFT".to_owned(),
        x: 500.0,
        y: 600.0,
        width: 100.0,
        height: 50.0,
    };
    session.edit(1, "Move SFT", vec![edit], None).unwrap();
    let view = serde_json::to_value(session.state()).unwrap();
    for (before, now) in nodes
        .iter()
        .zip(view["diagrams"][0]["nodes"].as_array().unwrap())
    {
        assert_eq!(now["drawn"], true);
        if now["id"] == "_SFT" {
            assert_eq!(now["x"], 500.0);
        } else {
            let apart = (before["x"].as_f64().unwrap() - now["x"].as_f64().unwrap()).abs();
            assert!(apart < 0.006, "{before} {now}");
        }
    }
}

#[test]
fn what_cannot_be_edited_is_shown_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.uml");
    for (file, reason) in [
        (
            MODEL
                .replace("UTF-8", "ISO-8859-1")
                .replace("name=\"SFT\"", "name=\"\u{80}\""),
            "files with this encoding are read-only",
        ),
        (
            MODEL.replace("name=\"SFT\"", "name=\"a && b\""),
            "the file is not XML: malformed entity reference at",
        ),
        (
            MODEL.replacen(
                "<xmi:XMI",
                "<!DOCTYPE xmi:XMI [<!ENTITY a 'b'>]><xmi:XMI",
                1,
            ),
            "the file is not XML: XML with DTD detected",
        ),
        (
            "<XMI xmi.version='1.2'/>".to_owned(),
            "UML 1 files are read-only",
        ),
    ] {
        // In Latin-1, characters up to U+00FF are single bytes. The sample has no others.
        let bytes: Vec<u8> = file.chars().map(|it| u8::try_from(it).unwrap()).collect();
        fs::write(&path, bytes).unwrap();
        let mut session = open(&path, None).unwrap();
        assert!(!session.state().editable);
        let refused = session
            .edit(1, "Rename", rename("x"), None)
            .expect_err("it is only shown");
        let refused = why(refused);
        assert!(refused.starts_with(reason), "{refused}");
    }
    let missing = open(&folder.path().join("none.uml"), None).unwrap_err();
    assert!(missing.starts_with("cannot read"), "{missing}");
}

#[test]
fn characters_that_an_encoding_lacks_are_no_change_of_another_program() {
    let text = MODEL.replace("UTF-8", "ISO-8859-1");
    let (_folder, path, mut session) = opened_as("model.uml", text);
    renamed(&mut session, 1, "\u{3b1}\u{e4}");
    session.save(2, false).unwrap();
    assert!(!session.look_at_file());
    assert!(session.state().saved);
    let file = fs::read(&path).unwrap();
    let name = b"name=\"&#945;\xe4\"";
    assert!(file.windows(name.len()).any(|it| it == name));
}

#[test]
fn problems_stand_at_their_places() {
    let (_folder, _path, mut session) = opened();
    priced(&mut session, "1 < 2 ? DoSFT() : Wrong()");
    let view = serde_json::to_value(session.state()).unwrap();
    let problem = &view["problems"][0];
    assert_eq!(problem["owner"], "_SFT", "{problem}");
    assert_eq!(problem["diagram"], "_LAPW0");
    assert_eq!(problem["property"], "cost");
    let range: [usize; 2] = serde_json::from_value(problem["range"].clone()).unwrap();
    assert_eq!(&"1 < 2 ? DoSFT() : Wrong()"[range[0]..range[1]], "Wrong");
}

#[test]
fn tables_are_part_of_what_is_looked_at() {
    let cost = "cost=\"interpolate(&quot;sft.csv&quot;, NAT)\"";
    let text = MODEL.replace("cost=\"DoSFT()\"", cost);
    let (folder, _, mut session) = opened_as("lapw0.uml", text);
    let problems = |session: &Session| {
        let state = serde_json::to_value(session.state()).unwrap();
        let problems = state["problems"].as_array().unwrap().clone();
        let errors = problems.iter().filter(|it| it["severity"] == "error");
        errors.map(|it| it["code"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(problems(&session), ["\"PM0607\""]);
    session
        .write_table(1, "sft.csv", "1,2\n64,3\n", None)
        .unwrap();
    assert!(problems(&session).is_empty());
    assert_eq!(session.revision(), 2);
    assert!(!session.look_at_files());
    // Another program writes new measurements.
    fs::write(folder.path().join("sft.csv"), "1,two\n").unwrap();
    assert!(session.look_at_files());
    assert_eq!(problems(&session), ["\"PM0607\""]);
    let behind = session
        .write_table(1, "sft.csv", "", None)
        .expect_err("it is behind");
    assert!(why(behind).starts_with("the model was changed elsewhere"));
}

#[test]
fn changes_of_tables_are_undone_among_the_others() {
    let code = "cost=\"interpolate(&quot;sft.csv&quot;, 2)\"";
    let text = MODEL.replace("cost=\"DoSFT()\"", code);
    let (folder, _, mut session) = opened_as("lapw0.uml", text);
    let table = folder.path().join("sft.csv");
    let text = || fs::read_to_string(&table).ok();
    for (revision, new) in (1..).zip(["1,", "1,2\n64,3\n"]) {
        let visit = Some("one visit");
        session
            .write_table(revision, "sft.csv", new, visit)
            .unwrap();
    }
    session
        .edit(3, "Rename", rename("Renamed SFT"), None)
        .unwrap();
    session
        .write_table(4, "sft.csv", "1,4\n64,4\n", None)
        .unwrap();
    assert_eq!(session.state().undo, Some("Change sft.csv"));
    session.undo(5).unwrap();
    assert_eq!(text().as_deref(), Some("1,2\n64,3\n"));
    session.undo(6).unwrap();
    assert!(!session.document.text().contains("Renamed SFT"));
    session.undo(7).unwrap();
    assert_eq!((text(), session.state().undo), (None, None));
    session.redo(8).unwrap();
    session.redo(9).unwrap();
    session.redo(10).unwrap();
    assert_eq!(text().as_deref(), Some("1,4\n64,4\n"));
    assert!(!session.look_at_files());
    // The other program's text stays, and so does everything else that was done.
    fs::write(&table, "1,5\n64,5\n").unwrap();
    let refused = session.undo(11).expect_err("it is not ours any more");
    let stays = "another program has changed `sft.csv`; it was not overwritten";
    assert_eq!(why(refused), stays);
    assert_eq!(session.state().undo, Some("Rename"));
    assert!(session.look_at_files());
    assert_eq!(text().as_deref(), Some("1,5\n64,5\n"));
}

#[test]
fn stereotypes_of_ones_own_are_applied() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lapw0.uml");
    fs::write(&path, MODEL).unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/checkpoint");
    let mut language = Language::shipped();
    let vocabulary = example.join("checkpoint.vocabulary.xml");
    language.add("--vocabulary", &vocabulary).unwrap();
    let mut session = Session::open(&path, None, &language).unwrap();
    let own = session.profiles().stereotypes().last().unwrap();
    assert_eq!((own.name.as_str(), own.tags.len()), ("checkpoint", 4));
    let element = || "_SFT".to_owned();
    let tag = |tag: &str, value: Option<&str>| Edit::Tag {
        element: element(),
        tag: tag.to_owned(),
        value: value.map(str::to_owned),
    };
    let apply = Edit::Stereotype {
        element: element(),
        name: Some("checkpoint".to_owned()),
    };
    let edits = vec![apply, tag("bytes", Some("NAT * 1000"))];
    session.edit(1, "Apply checkpoint", edits, None).unwrap();
    let text = session.document.text();
    assert!(text.contains("xmlns:checkpoint=\"http:///schemas/checkpoint/1\""));
    assert_says(text, &["base_Action=\"_SFT\" bytes=\"NAT * 1000\"/>"]);
    assert!(text.contains("/checkpoint.profile.uml#_checkpoint_profile\""));
    let state = serde_json::to_value(session.state()).unwrap();
    // No code calls the function that computed the cost of SFT.
    assert_eq!(state["problems"].as_array().unwrap().len(), 1);
    assert_eq!(state["problems"][0]["code"], "PM0610");
    session.undo(2).unwrap();
    assert_eq!(session.document.text(), MODEL);
}

#[test]
fn changes_of_different_places_are_merged() {
    let (folder, path, mut session) = opened();
    renamed(&mut session, 1, "Fourier");
    let theirs = MODEL.replace("ETOTAL", "TOTAL");
    fs::write(&path, &theirs).unwrap();
    assert!(session.look_at_files());
    let both = theirs.replace("name=\"SFT\"", "name=\"Fourier\"");
    assert_eq!(session.document.text(), both);
    let state = session.state();
    assert!(!state.conflict && !state.saved);
    assert_eq!(state.undo, Some("Merge a change by another program"));
    // It is restored after a crash.
    drop(session);
    let mut session = open(&path, Some(&folder.path().join("unsaved"))).unwrap();
    assert_eq!(session.document.text(), both);
    session.save(1, false).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), both);
}

#[test]
fn a_merge_that_breaks_the_model_is_asked_about() {
    let (_folder, path, mut session) = opened();
    // Our new cost uses a parameter that the other program renamed.
    priced(&mut session, "DoSFT() + NAT");
    fs::write(&path, MODEL.replace("name=\"NAT\"", "name=\"ATOMS\"")).unwrap();
    assert!(session.look_at_files());
    assert!(session.state().conflict);
}

#[test]
fn a_misspelled_name_is_mended() {
    let (_folder, _path, mut session) = opened();
    priced(&mut session, "1 < 2 ? DoSTF() : 0");
    let view = serde_json::to_value(session.state()).unwrap();
    assert_eq!(view["problems"][0]["fix"], "DoSFT", "{view}");
    session.fix(2, 0).unwrap();
    assert_says(
        session.document.text(),
        &["cost=\"1 &lt; 2 ? DoSFT() : 0\""],
    );
    assert_eq!(session.state().undo, Some("Write DoSFT"));
    let refused = session.fix(3, 0).expect_err("there is no problem");
    assert_eq!(why(refused), "no fix is known for this problem");
}

/// Makes a change that causes a problem. Returns the session, and the problem's position in the
/// state.
fn wrong(model: &str, right: &str, wrong: &str, code: &str) -> (tempfile::TempDir, Session, usize) {
    assert!(model.contains(right), "{right}");
    let (folder, _, session) = opened_as("model.uml", model.replacen(right, wrong, 1));
    let view = serde_json::to_value(session.state()).unwrap();
    let problems = view["problems"].as_array().unwrap();
    let at = problems.iter().position(|it| it["code"] == code);
    let at = at.unwrap_or_else(|| panic!("{problems:?}"));
    (folder, session, at)
}

fn fix(session: &Session, at: usize) -> Option<String> {
    let view = serde_json::to_value(session.state()).unwrap();
    view["problems"][at]["fix"].as_str().map(str::to_owned)
}

const SAMPLE: &str = include_str!("../../../../sample-models/sample.uml");

#[test]
fn a_misspelled_name_of_any_kind_is_mended() {
    const HALO: &str = include_str!("../../../../sample-models/halo.uml");
    const WORKER: &str = include_str!("../../../../sample-models/master_worker.uml");
    let of_wait = "_wait\" base_Action=\"_WaitFirst\" request=\"";
    let (halo, hal) = (format!("{of_wait}halo\""), format!("{of_wait}hal\""));
    for (model, right, misspelled, name, code) in [
        (SAMPLE, "cost=\"FA1()", "cots=\"FA1()", "cost", "PM0114"),
        (SAMPLE, ":allreduce ", ":alreduce ", "allreduce", "PM0109"),
        // The stereotype's name isn't valid in XML.
        (SAMPLE, ":activity ", ":activiti ", "activity+", "PM0109"),
        (HALO, &halo, &hal, "halo", "PM0416"),
        (WORKER, "into=\"result", "into=\"reslt", "result", "PM0421"),
    ] {
        let (_folder, mut session, at) = wrong(model, right, misspelled, code);
        assert_eq!(fix(&session, at).as_deref(), Some(name), "{misspelled}");
        session.fix(1, at).unwrap();
        assert_eq!(session.document.text(), model, "{misspelled}");
    }
}

#[test]
fn the_only_guard_that_is_missing_is_else() {
    let (start, end) = ("<guard ", "</guard>");
    let guard = |from: usize| {
        let start = from + SAMPLE[from..].find(start).unwrap();
        start..start + SAMPLE[start..].find(end).unwrap() + end.len()
    };
    let one = guard(0);
    let other = guard(one.end);
    let without = format!("{}{}", &SAMPLE[..other.start], &SAMPLE[other.end..]);
    let (_folder, mut session, at) = wrong(SAMPLE, SAMPLE, &without, "PM0305");
    assert_eq!(fix(&session, at).as_deref(), Some("else"));
    session.fix(1, at).unwrap();
    let view = serde_json::to_value(session.state()).unwrap();
    assert_eq!(view["problems"], serde_json::json!([]));
    assert!(session.document.text().contains("<body>else</body>"));
    // Two elements without ids can't be told apart.
    let none = format!("{}{}", &without[..one.start], &without[one.end..]);
    let (_folder, mut session, at) = wrong(SAMPLE, SAMPLE, &none, "PM0305");
    assert_eq!(fix(&session, at), None);
    let refused = session.fix(1, at).expect_err("there is no fix");
    assert_eq!(why(refused), "no fix is known for this problem");
}

#[test]
fn a_model_as_text_is_drawn_anew() {
    let text = "@startuml\ntitle Main\nstart\nif (pid == 0) then\n  :<<action+>> A\n  cost = 2;\n\
                endif\nstop\n@enduml\n";
    let (_folder, _, session) = opened_as("text.puml", text);
    assert_eq!(errors(&session.checked).next(), None);
    let drawn = session.snapshot().as_uml().unwrap();
    assert_says(
        &drawn,
        &["<uml:Model", "pid == 0", "base_Action", "cost=\"2\""],
    );
}

#[test]
fn what_would_be_wrong_is_not_drawn_anew() {
    // As decisions, the nested loops would be nested deeper than a file can be.
    let (depth, action) = (62, "<action name=\"A\" stereotype=\"action+\" cost=\"1\"/>");
    let (start, end) = ("<loop condition=\"pid &lt; 0\"><body>", "</body></loop>");
    let loops = format!("{}{action}{}", start.repeat(depth), end.repeat(depth));
    let model = format!(
        "<model xmlns=\"http:///schemas/prophet/model/1\" name=\"M\">\
         <activity name=\"Main\">{loops}</activity></model>"
    );
    let (_folder, _, session) = opened_as("loops.prophet.xml", model);
    assert_eq!(errors(&session.checked).next(), None);
    let why = session.snapshot().as_uml().unwrap_err().to_string();
    let wrong = "when drawn again, the model would have an error: ";
    assert!(why.starts_with(wrong), "{why}");
}

#[test]
fn files_beside_the_model_are_read_and_watched() {
    let activity = |name: &str, node: &str| {
        format!(
            r#"<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:prophet="http:///schemas/prophet/1" xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML">
<uml:Model xmi:id="_m" name="M">
<packagedElement xmi:type="uml:Activity" xmi:id="_{name}" name="{name}">
<node xmi:type="uml:InitialNode" xmi:id="_i"/>{node}
<edge xmi:type="uml:ControlFlow" xmi:id="_e" source="_i" target="_a"/>
</packagedElement></uml:Model>"#
        )
    };
    let call = r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="_a" name="Call">
<behavior xmi:type="uml:Activity" href="library.uml#_Solve"/></node>"#;
    let program = activity("Main", call) + "</xmi:XMI>";
    let action = r#"<node xmi:type="uml:OpaqueAction" xmi:id="_a" name="Work"/>"#;
    let library = |cost: &str| {
        let applied = r#"<prophet:action_ xmi:id="_s" base_Action="_a" cost=""#;
        format!("{}{applied}{cost}\"/></xmi:XMI>", activity("Solve", action))
    };
    let (folder, _, mut session) = opened_as("program.uml", program);
    let elements = |session: &Session| {
        let program = session.checked().program.clone().expect("it is sound");
        let named = program.elements.iter().filter(|it| it.name == "Work");
        named.count()
    };
    assert_eq!(elements(&session), 0);
    fs::write(folder.path().join("library.uml"), library("1")).unwrap();
    assert!(session.look_at_files());
    assert_eq!(elements(&session), 1);
    assert!(!session.look_at_files());
    let state = serde_json::to_value(session.state()).unwrap();
    let diagrams = state["diagrams"].as_array().unwrap();
    assert_eq!(diagrams.len(), 1, "that of the other file is not drawn");
    fs::write(folder.path().join("library.uml"), library("1 + missing")).unwrap();
    assert!(session.look_at_files());
    let state = serde_json::to_value(session.state()).unwrap();
    let problem = &state["problems"][0];
    let told = "library.uml:6:87: unknown variable `missing`";
    assert_eq!(problem["message"], told);
    assert_eq!(problem["owner"], serde_json::Value::Null);
    let refused = session.fix(session.revision(), 0);
    assert!(refused.is_err());
}

#[test]
fn a_file_that_was_emptied_or_broken_is_saved_over() {
    let whole = MODEL.as_bytes();
    for broken in [
        &b""[..],
        &whole[..whole.len() / 2],
        b"\xff\xfe\x00",
        b"notes",
    ] {
        for edits in [false, true] {
            let (folder, path, mut session) = opened();
            let mut mine = MODEL.to_owned();
            if edits {
                renamed(&mut session, 1, "Fourier");
                mine = with_name("Fourier");
            }
            fs::write(&path, broken).unwrap();
            assert!(session.look_at_files());
            let state = session.state();
            assert!(
                state.conflict && state.editable && !state.saved,
                "{broken:?}"
            );
            assert!(state.spoiled.is_some(), "{broken:?}");
            assert_eq!(session.document.text(), mine);
            let revision = session.revision();
            assert!(session.take_file(revision).is_err());
            assert!(session.save(revision, false).is_err());
            // A user who closes the page now finds the model again later.
            drop(session);
            let mut session = open(&path, Some(&folder.path().join("unsaved"))).unwrap();
            assert!(session.state().conflict && session.state().editable);
            assert_eq!(session.document.text(), mine);
            session.save(1, true).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), mine);
            let state = session.state();
            assert!(state.saved && !state.conflict && state.spoiled.is_none());
        }
    }
}

#[test]
fn a_file_that_is_whole_again_is_taken_over() {
    let (_folder, path, mut session) = opened();
    renamed(&mut session, 1, "Fourier");
    fs::write(&path, "").unwrap();
    assert!(session.look_at_files());
    // Some programs empty a file before they write it.
    let theirs = MODEL.replace("ETOTAL", "TOTAL");
    fs::write(&path, &theirs).unwrap();
    assert!(session.look_at_files());
    let both = theirs.replace("name=\"SFT\"", "name=\"Fourier\"");
    assert_eq!(session.document.text(), both);
    let state = session.state();
    assert!(!state.conflict && state.spoiled.is_none() && state.remark.is_some());
}

//! Troubles outside of the page: predictions that fail, files that others change, a studio
//! that ends.

use std::fs;

use crate::studio::{CONTROL, ENTER, LAPW0, Page};

const SWEEP3D: &str = include_str!("../../../sample-models/sweep3d.uml");
const MACHINE: &str = include_str!("../../../sample-models/first-model/cluster.toml");

#[test]
fn a_prediction_that_fails_is_a_failure_everywhere() {
    // A run that stops while it runs, after an edit that made it so.
    let Some(page) = Page::lapw0() else {
        return;
    };
    page.browser.press("/");
    page.browser.press("SFT");
    page.browser.press(ENTER);
    page.browser.press("e");
    page.until("document.activeElement.matches('.code-host')");
    page.browser.press("1/(pid-pid)");
    page.leave_code();
    page.shows("Prediction failed");
    page.until("document.querySelector('.time strong').innerText === 'failed'");
    let bar = page.text_of(".problems-head");
    assert!(bar.len() > "Prediction failed".len() + 10, "{bar}");
    assert!(!page.text_of(".time").contains("0 s"));
    let reason = page
        .browser
        .run("return document.querySelector('.time').title");
    assert!(
        reason.as_str().is_some_and(|it| it.contains("SFT")),
        "{reason}"
    );
    page.browser.press("t");
    page.until("document.querySelector('.run-failure')");
    page.until("!document.querySelector('.outcome')");
    // The next good prediction takes its place.
    page.browser.press_while(CONTROL, "z");
    page.shows("No problems");
    page.until("document.querySelector('.time strong').innerText === '1,109.5 s'");
}

#[test]
fn a_machine_without_prices_says_what_to_do_in_one_line_and_another_one_is_chosen() {
    let Some(page) = Page::open_folder(&[("sweep3d.uml", SWEEP3D), ("cluster.toml", MACHINE)])
    else {
        return;
    };
    page.shows("sweep3d.uml");
    page.browser.click(".list a");
    page.until("document.querySelector('.run-failure')");
    let failure = page.text_of(".run-failure > p");
    assert_eq!(
        failure,
        "The machine `default` does not price operations of the model. Choose a machine that \
         prices them under System, or add them to its file."
    );
    page.until("!document.querySelector('.run-failure details').open");
    let choose = |machine: &str| {
        page.until("document.querySelector('.panel select')");
        page.browser.run(&format!(
            "const field = [...document.querySelectorAll('.panel .field')]
                 .find(it => it.innerText.startsWith('machine')).querySelector('select');
             field.value = '{machine}';
             field.dispatchEvent(new Event('change', {{bubbles: true}}))"
        ));
    };
    choose("pti-cluster");
    page.until("document.querySelector('.outcome:not(.old)')");
    page.shows("No problems");
    choose("cluster.toml");
    page.until("document.querySelector('.run-failure')");
    assert!(
        page.text_of(".run-failure > p")
            .starts_with("The machine `cluster` (")
    );
}

#[test]
fn a_file_that_another_program_empties_is_saved_over() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    fs::write(page.file(), "").unwrap();
    page.shows("Another program has emptied or broken the file");
    page.until("document.querySelectorAll('.djs-shape').length === 14");
    page.browser.click(".notice button");
    page.shows("Saved model.uml");
    assert_eq!(fs::read_to_string(page.file()).unwrap(), LAPW0);
}

#[test]
fn a_merge_with_the_file_is_told() {
    let Some(page) = Page::open(LAPW0) else {
        return;
    };
    rename_sft(&page, "Fourier");
    fs::write(page.file(), LAPW0.replace("ETOTAL", "TOTAL")).unwrap();
    page.shows("its changes were merged with yours");
    page.shows("TOTAL");
}

fn rename_sft(page: &Page, name: &str) {
    page.shows("1,109.5 s");
    page.browser.press("/");
    page.browser.press("SFT");
    page.browser.press(ENTER);
    page.browser.press(ENTER);
    page.browser.press(name);
    page.browser.press(ENTER);
    page.until("document.querySelector('[aria-label=\"Undo: Rename SFT\"]')");
}

#[test]
fn a_studio_that_ends_is_told_with_what_to_do_and_nothing_is_lost() {
    let Some((page, mut program)) = Page::of_program(LAPW0) else {
        return;
    };
    rename_sft(&page, "Fourier");
    // The page keeps a copy when nothing is typed for a while.
    page.browser.run_async("setTimeout(done, 3000)");
    program.kill();
    page.until("document.querySelector('.gone')?.innerText.includes('does not answer')");
    assert!(page.text_of(".gone").contains("--port"));
    // What is typed now waits in the page.
    page.browser.press(ENTER);
    page.browser.press("Later");
    page.browser.press(ENTER);
    page.shows("1 edit wait");
    let downloads = page.file().with_file_name("downloads");
    fs::create_dir(&downloads).unwrap();
    page.browser.save_to(&downloads);
    page.browser.click(".gone button");
    let copy = downloads.join("copy-of-model.uml");
    let written = (0..200).any(|_| {
        page.browser.run_async("setTimeout(done, 50)");
        copy.exists()
    });
    assert!(written);
    let renamed = LAPW0.replace("name=\"SFT\"", "name=\"Fourier\"");
    assert_eq!(fs::read_to_string(copy).unwrap(), renamed);
    let address = program.again();
    page.until("document.querySelector('.gone')?.innerText.includes('was started again')");
    page.browser.open_address(&address);
    page.shows("The studio had ended before it got 1 edit: Rename Fourier");
    page.until(
        "[...document.querySelectorAll('.uml-name')].some(it => it.textContent === 'Fourier')",
    );
    page.browser.click(".notice button");
    page.until(
        "[...document.querySelectorAll('.uml-name')].some(it => it.textContent === 'Later')",
    );
}

#[test]
fn edits_that_wait_are_offered_to_their_own_model_alone() {
    let cost = "cost=\"interpolate(&quot;sft.csv&quot;, NAT)\"";
    let model = LAPW0.replace("cost=\"DoSFT()\"", cost);
    let Some((page, mut program)) = Page::of_program(&model) else {
        return;
    };
    page.shows("cannot read the table");
    page.browser.click("#tab-program");
    page.until("document.querySelector('#panel textarea')");
    program.kill();
    page.shows("The studio does not answer");
    page.browser.click("#panel textarea");
    page.browser.press("1,100\n65,356\n");
    page.shows("1 edit wait");
    // A model of that name elsewhere gets a studio at the same port.
    let elsewhere = page.file().with_file_name("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let other = elsewhere.join("model.uml");
    fs::write(&other, LAPW0).unwrap();
    let open = |address: &str, condition: &str| {
        page.browser
            .run(&format!("window.other = window.open({address:?})"));
        page.until(&format!(
            "window.other.document.querySelector('.canvas svg') && {condition}"
        ));
    };
    let address = program.again_on(&other);
    open(
        &address,
        "!window.other.document.querySelector('.notice button')",
    );
    program.kill();
    let address = program.again();
    open(
        &address,
        "window.other.document.body.innerText.includes('before it got 1 edit: Write sft.csv')",
    );
    let table = page.file().with_file_name("sft.csv");
    assert!(!table.exists());
    page.browser
        .run("window.other.document.querySelector('.notice button').click()");
    page.shows("Another page has taken the edits of this one");
    page.until("window.other.document.querySelector('.time strong')?.innerText === '1,247.9 s'");
    assert_eq!(fs::read_to_string(table).unwrap(), "1,100\n65,356\n");
}

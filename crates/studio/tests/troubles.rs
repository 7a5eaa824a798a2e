//! Tests what the page does when the studio ends.

use std::fs;

use crate::studio::{ENTER, LAPW0, Page, downloaded};

fn rename_sft(page: &Page, name: &str) {
    page.shows("1,068.7 s");
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
    // The page makes a copy once nothing has been typed for a while.
    page.browser.run_async("setTimeout(done, 3000)");
    program.kill();
    page.until("document.querySelector('.gone')?.innerText.includes('is not responding')");
    assert!(page.text_of(".gone").contains("--port"));
    // What is typed now waits in the page.
    page.browser.press(ENTER);
    page.browser.press("Later");
    page.browser.press(ENTER);
    page.shows("1 edit wait");
    page.browser.click(".gone button");
    let copy = downloaded(&page, "copy-of-model.uml");
    let renamed = LAPW0.replace("name=\"SFT\"", "name=\"Fourier\"");
    assert_eq!(String::from_utf8(copy).unwrap(), renamed);
    let address = program.again();
    page.until("document.querySelector('.gone')?.innerText.includes('was restarted')");
    page.browser.open_address(&address);
    page.shows("The studio ended before it received 1 edit: Rename Fourier");
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
    page.shows("The studio is not responding");
    page.browser.click("#panel textarea");
    page.browser.press("1,100\n65,356\n");
    page.shows("1 edit wait");
    // A model with the same name elsewhere gets a studio on the same port.
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
        "window.other.document.body.innerText.includes('before it received 1 edit: Write sft.csv')",
    );
    let table = page.file().with_file_name("sft.csv");
    assert!(!table.exists());
    page.browser
        .run("window.other.document.querySelector('.notice button').click()");
    page.shows("Another page has the edits of this one now");
    page.until("window.other.document.querySelector('.time strong')?.innerText === '1,211.5 s'");
    assert_eq!(fs::read_to_string(table).unwrap(), "1,100\n65,356\n");
}

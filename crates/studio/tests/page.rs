//! The page in a browser: what a user sees and does.

use std::fs;

use crate::studio::{CONTROL, DELETE, ESCAPE, LAPW0, Page};

#[test]
fn a_model_is_shown_with_its_prediction() {
    let Some(page) = Page::open(LAPW0) else {
        return;
    };
    // The sum of the costs of one process: 10.82 and 0.5233 of NAT = 32, and so on.
    page.shows("1,109.5 s");
    let nodes = "return document.querySelectorAll('.djs-shape').length";
    assert_eq!(page.browser.run(nodes), 14);
    assert_eq!(page.browser.console(), [""; 0]);
    let strangers = page.browser.requests().into_iter();
    let strangers: Vec<_> = strangers
        .filter(|it| it.starts_with("http") && !it.starts_with(&page.address))
        .collect();
    assert_eq!(strangers, [""; 0]);
}

#[test]
fn what_is_removed_comes_back_and_is_saved() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    page.browser.click("[data-element-id='_SFT']");
    page.browser.press(DELETE);
    page.until("!document.querySelector(\"[data-element-id='_SFT']\")");
    page.browser.press_while(CONTROL, "z");
    page.until("document.querySelector(\"[data-element-id='_SFT']\")");
    page.browser.press_while(CONTROL, "s");
    assert_eq!(fs::read_to_string(page.file()).unwrap(), LAPW0);
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn a_word_that_was_typed_is_one_step_of_undo() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    page.browser.click("[data-element-id='_SFT']");
    page.browser.press("p");
    page.until("document.activeElement.value == 'SFT'");
    // Each letter is sent, as after a pause in typing.
    for name in ["F", "Fo", "Fou", "Four"] {
        page.browser.press(&name[name.len() - 1..]);
        let title = "document.querySelector(\"[data-element-id='_SFT']\").textContent";
        page.until(&format!("{title}.includes({name:?})"));
    }
    // Escape leaves the field, so that Ctrl+Z is the drawing's.
    page.browser.press(ESCAPE);
    page.browser.press_while(CONTROL, "z");
    page.until("document.querySelector(\"[data-element-id='_SFT']\").textContent.includes('SFT')");
    page.until("document.querySelector('[aria-label^=Undo]').disabled");
    page.browser.press_while(CONTROL, "s");
    assert_eq!(fs::read_to_string(page.file()).unwrap(), LAPW0);
}

#[test]
fn changes_of_others_are_shown() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    // Another program writes the file: SFT is free now.
    fs::write(page.file(), LAPW0.replace("cost=\"DoSFT()\"", "cost=\"0\"")).unwrap();
    // 70.13 + 0.4827 * 32 less.
    page.shows("1,023.9 s");
    fs::write(
        page.file(),
        LAPW0.replace("cost=\"DoSFT()\"", "cost=\"Nothing()\""),
    )
    .unwrap();
    page.shows("Nothing");
}

#[test]
fn names_are_texts() {
    let hostile = "&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;alert(2)&lt;/script&gt;";
    let model = LAPW0.replace("name=\"SFT\"", &format!("name=\"{hostile}\""));
    let model = model.replace("name=\"LAPW0\"", &format!("name=\"{hostile}\""));
    let Some(page) = Page::open(&model) else {
        return;
    };
    page.shows("1,109.5 s");
    page.browser.click("[data-element-id='_SFT']");
    let made = "return document.querySelectorAll('img, #studio script').length";
    assert_eq!(page.browser.run(made), 0);
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn a_table_is_written_beside_the_model() {
    let cost = "cost=\"interpolate(&quot;sft.csv&quot;, NAT) \
        + interpolate(&quot;zeros.csv&quot;, NAT, 1)\"";
    let Some(page) = Page::open(&LAPW0.replace("cost=\"DoSFT()\"", cost)) else {
        return;
    };
    page.shows("cannot read the table");
    let zeros = page.file().with_file_name("zeros.csv");
    fs::write(zeros, "1,1,0\n1,2,0\n65,1,0\n65,2,0\n").unwrap();
    page.browser.click("#tab-program");
    page.browser.click("#panel textarea");
    page.browser.press("1,100\n65,356\n");
    // 100 and 4 * 31 instead of 70.13 and 0.4827 * 32: NAT is 32.
    page.shows("1,247.9 s");
    let points = "return document.querySelectorAll('.curve circle').length";
    assert_eq!(page.browser.run(points), 2 + 4);
    // A table over two numbers has a curve for each of the first.
    let curves = "return document.querySelectorAll('.curve polyline').length";
    assert_eq!(page.browser.run(curves), 1 + 2);
    let table = page.file().with_file_name("sft.csv");
    assert_eq!(fs::read_to_string(table).unwrap(), "1,100\n65,356\n");
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn no_more_is_drawn_than_a_browser_bears() {
    use std::fmt::Write as _;

    let mut nodes = String::new();
    for number in 0..4_000 {
        let _ = write!(
            nodes,
            "<node xmi:type=\"uml:OpaqueAction\" xmi:id=\"_n{number}\"/>"
        );
    }
    let end = LAPW0.find("</ownedBehavior>").unwrap();
    let model = format!("{}{nodes}{}", &LAPW0[..end], &LAPW0[end..]);
    let Some(page) = Page::open(&model) else {
        return;
    };
    page.shows("This diagram has 4,014 nodes; the first 3,000 are drawn.");
    let drawn = "return document.querySelectorAll('.djs-shape').length";
    assert_eq!(page.browser.run(drawn), 3_000);
    assert_eq!(page.browser.console(), [""; 0]);
}

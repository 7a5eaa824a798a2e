//! Tests models in the built page.

use prophet_samples::SAMPLES;
use prophet_web::Studio;
use serde_json::Value;

use crate::host::Page;
use crate::requests::{MACHINE, RULES};

const CONTROL: &str = "\u{e009}";
const ENTER: &str = "\u{e007}";
const SHIFT: &str = "\u{e008}";
const ESCAPE: &str = "\u{e00c}";

/// Returns the head and body of an answer, without what the run itself took.
fn result(answer: &[u8]) -> [Value; 2] {
    let mut lines = answer.splitn(2, |it| *it == b'\n');
    [(); 2].map(|()| {
        let mut value: Value = serde_json::from_slice(lines.next().unwrap()).unwrap();
        if let Some(result) = value.get_mut("result").and_then(Value::as_object_mut) {
            result.remove("evaluation");
        }
        value
    })
}

#[test]
#[ignore = "needs `cargo xtask book --studio`"]
fn the_page_answers_as_the_program_does_to_the_last_bit() {
    let Some(page) = Page::start() else { return };
    page.open("");
    page.shows("Open a file");
    let mut requests = Vec::new();
    for sample in SAMPLES {
        requests.push(format!("POST open/1/{}.uml\n{}", sample.name, sample.text));
        requests.push("POST api/predict\n{}".to_owned());
    }
    let answers = page.answers(&requests);
    assert_eq!(answers.len(), requests.len());
    let mut studio = Studio::new();
    for (request, (answer, _)) in requests.iter().zip(answers) {
        let native = studio.answer(request.as_bytes());
        let line = request.lines().next().unwrap();
        assert_eq!(result(answer.as_bytes()), result(&native), "{line}");
    }
}

#[test]
#[ignore = "needs `cargo xtask book --studio`"]
fn a_model_is_predicted_edited_and_shared_in_the_page() {
    let Some(page) = Page::start() else { return };
    page.open("#sample=lapw0");
    page.shows("1,068.7 s");
    page.browser.press("/");
    page.browser.press("SFT");
    page.browser.press(ENTER);
    page.browser.press("e");
    page.until("document.activeElement.matches('.code-host')");
    page.browser.press_while(CONTROL, "a");
    page.browser.press("0");
    let time = "return document.querySelector('.time strong').innerText";
    page.until("document.querySelector('.time strong').innerText !== '1,068.7 s'");
    let changed = page.browser.run(time);
    page.browser.press(&ESCAPE.repeat(2));
    page.browser.press_while(SHIFT, "L");
    page.until("location.hash.includes('model=')");
    let fragment = page.browser.run("return location.hash");
    page.open(fragment.as_str().unwrap());
    page.until(&format!(
        "document.querySelector('.time strong')?.innerText === {changed}"
    ));
    page.browser.click("#tab-report");
    page.until("document.querySelector('iframe')");
    page.browser.in_frame("iframe", || {
        page.until("document.getElementById('predicted-time')?.textContent.length > 1");
    });
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
#[ignore = "needs `cargo xtask book --studio`"]
fn machines_and_rules_open_with_a_model() {
    let Some(page) = Page::start() else { return };
    let machine = std::fs::read_to_string(MACHINE).unwrap();
    let lapw0 = prophet_samples::find("lapw0").unwrap().text;
    let drop = |files: &[[&str; 2]]| {
        page.open("");
        page.shows("Open a file");
        page.browser.drop_files(".drop", files);
    };
    let [model, rules] = [["lapw0.uml", lapw0], ["rules.xml", RULES]];
    drop(&[model, ["other.uml", lapw0]]);
    page.shows("lapw0.uml and other.uml are both models");
    drop(&[rules]);
    page.shows("There is no model among the files.");
    drop(&[model, ["cluster.toml", &machine], rules]);
    page.shows("Calculate_Multipolmoments is a block");
    page.until("[...document.querySelectorAll('option')].some(it => it.value === 'cluster.toml')");
    let choose = "const all = [...document.querySelectorAll('option')]; \
                  const select = all.find(it => it.value === 'cluster.toml').closest('select'); \
                  select.value = 'cluster.toml'; \
                  select.dispatchEvent(new Event('change', { bubbles: true }))";
    page.browser.run(choose);
    page.shows("112.46 s");
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
#[ignore = "needs `cargo xtask book --studio`"]
fn strangers_addresses_are_refused_with_reasons() {
    let Some(page) = Page::start() else { return };
    for (fragment, why) in [
        ("#sample=none", "unknown sample `none`"),
        (
            "#model=%%%",
            "the address does not contain a complete model: it was cut off or changed",
        ),
        (
            "#model=q1YqSS0u",
            "the address does not contain a complete model: it was cut off or changed",
        ),
    ] {
        page.open(fragment);
        page.shows(why);
    }
    page.open("#sample=sample&--nodes=<b>&--report=/etc/passwd");
    page.shows("cannot be set to");
    let bold = page
        .browser
        .run("return document.querySelector('b') === null");
    assert_eq!(bold, Value::from(true));
}

//! The report beside the drawing, and the critical path in it.

use crate::studio::{CONTROL, Page, SAMPLE, SHIFT};

const LOOPS: &str = include_str!("../../../sample-models/kernel6_detailed.uml");
const FRAME: &str = ".report iframe";

impl Page {
    /// Opens a model, and its report beside the drawing.
    fn with_report(model: &str) -> Option<Self> {
        let page = Self::open(model)?;
        page.shows("194.18 s");
        page.browser.press_while(SHIFT, "r");
        page.until(&format!("document.querySelector('{FRAME}')"));
        page.in_report(|| page.until("document.querySelector('#path-table .element')"));
        Some(page)
    }

    fn in_report<T>(&self, act: impl FnOnce() -> T) -> T {
        self.browser.in_frame(FRAME, act)
    }

    fn is_selected(&self, id: &str) {
        self.until(&format!(
            "document.querySelector('.djs-shape.selected')?.dataset.elementId == {id:?}"
        ));
    }

    /// Waits until the report says what it has marked.
    fn marks(&self, text: &str) {
        let status = "document.getElementById('timeline-status').textContent";
        // Numbers and their units are held together by narrow spaces.
        let plain = format!("{status}.replaceAll('\u{202f}', ' ')");
        self.in_report(|| self.until(&format!("{plain}.includes({text:?})")));
    }
}

#[test]
fn what_is_chosen_in_the_report_is_shown_in_the_drawing() {
    let Some(page) = Page::with_report(SAMPLE) else {
        return;
    };
    // The first row is SA1 with its 112 s, which lies in the diagram of SA.
    let click = |selector: &str| page.in_report(|| page.browser.click_element(selector));
    click("#path-table tbody .element");
    page.is_selected("_SA1");
    // SA1 is in the middle of the space-time diagram, and of the path; the row of an element is as
    // good as its name.
    let other = "#path-table tbody tr:nth-child(2) td";
    for chart in ["#timeline", "#critical-path"] {
        click(other);
        page.is_selected("_A1");
        click(chart);
        page.is_selected("_SA1");
    }
    page.in_report(|| {
        let show = "document.getElementById('timeline').scrollIntoView({block: 'center'})";
        page.browser.run(show)
    });
    page.marks("SA1: 1 execution marked");
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn what_is_chosen_in_the_drawing_is_marked_in_the_report() {
    let Some(page) = Page::with_report(SAMPLE) else {
        return;
    };
    page.browser.click("[data-element-id='_A4'] .djs-hit");
    page.marks("A4: 1 execution marked");
    page.browser.click("[data-element-id='_A2'] .djs-hit");
    page.marks("A2 was not executed");
    page.browser
        .click("[data-element-id='_MainActivity_Merge'] .djs-hit");
    let status = "!document.getElementById('timeline-status').textContent.includes('A2')";
    page.in_report(|| page.until(status));
    // A call stands for what it calls: itself and both elements in it.
    page.browser.click("[data-element-id='_SA'] .djs-hit");
    page.marks("SA: 3 executions marked");
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn a_report_follows_the_model_and_reaches_nothing_else() {
    let Some(page) = Page::with_report(SAMPLE) else {
        return;
    };
    let first = format!("return document.querySelector('{FRAME}').getAttribute('src')");
    let first = page.browser.run(&first);
    page.in_report(|| {
        let reach = "try { return parent.document.title } catch { return 'refused' }";
        assert_eq!(page.browser.run(reach), "refused");
        let fetch = "fetch(new URL('../api/state', location.href)) \
             .then(() => done('got'), () => done('refused'))";
        assert_eq!(page.browser.run_async(fetch), "refused");
    });
    page.browser.click("[data-element-id='_A4'] .djs-hit");
    page.browser.press("e");
    let editor = "document.activeElement.matches('.code-host')";
    page.until(editor);
    page.browser.press_while(CONTROL, "a");
    page.browser.press("0");
    page.shows("182.54 s");
    page.browser.click("#tab-report");
    page.until(&format!(
        "document.querySelector('{FRAME}') && \
         document.querySelector('{FRAME}').getAttribute('src') != {first}"
    ));
    page.in_report(|| {
        page.until("document.getElementById('predicted-time')?.textContent.includes('182.5')");
    });
}

#[test]
fn names_in_reports_are_texts() {
    let hostile = "&lt;img src=x onerror=alert(1)&gt;";
    let model = SAMPLE.replace("name=\"A4\"", &format!("name=\"{hostile}\""));
    let Some(page) = Page::with_report(&model) else {
        return;
    };
    page.browser.click("[data-element-id='_A4'] .djs-hit");
    page.marks("<img src=x onerror=alert(1)>: 1 execution marked");
    let made = "return document.querySelectorAll('img').length";
    assert_eq!(page.in_report(|| page.browser.run(made)), 0);
    assert_eq!(page.browser.run(made), 0);
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn the_critical_path_is_marked_on_the_diagrams() {
    let Some(page) = Page::open(SAMPLE) else {
        return;
    };
    page.shows("194.18 s");
    let marked =
        |id: &str| format!("document.querySelector('[data-element-id={id}] .uml-critical')");
    page.browser.press("k");
    page.until(&marked("_MainActivity_Decision_to_SA"));
    for id in [
        "_MainActivity_Initial_to_A1",
        "_A1",
        "_SA",
        "_A4_to_MainActivity_Final",
    ] {
        page.until(&marked(id));
    }
    for id in ["_MainActivity_Decision_to_A2", "_A2"] {
        page.until(&format!("!{}", marked(id)));
    }
    // SA1's 112 s and SA2's 32 s of 194.18 s.
    let text = "document.querySelector('[data-element-id=_SA] .uml-path-share').textContent";
    page.until(&format!("{text} == 'path 74 %'"));
    page.shows("Mark it on the diagrams");
    // All tabs have room beside each other.
    page.until("document.documentElement.scrollWidth <= innerWidth");
    page.until("document.getElementById('tab-report').getBoundingClientRect().right <= innerWidth");
    let first = "document.querySelector('.on-path .name').textContent == 'SA1'";
    page.until(first);
    page.browser.click(".on-path button");
    page.is_selected("_SA1");
    page.until(&marked("_SA1_to_SA2"));
    page.browser.press("k");
    page.until("!document.querySelector('.uml-critical')");
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn a_long_run_shows_its_progress_and_can_be_stopped() {
    let Some(page) = Page::open(LOOPS) else {
        return;
    };
    page.until("document.querySelector('.time strong').textContent != '–'");
    // The number of repetitions, of which each takes some hundred thousand events.
    page.browser.run(
        "const labels = [...document.querySelectorAll('.field.number label')]; \
         const field = labels.find(it => it.textContent == 'M').htmlFor; \
         document.getElementById(field).focus(); document.getElementById(field).select()",
    );
    page.browser.press("9999999");
    page.shows("s simulated, ");
    page.browser.click(".stop");
    page.until("!document.querySelector('.stop, .time.running')");
    assert_eq!(page.browser.console(), [""; 0]);
}

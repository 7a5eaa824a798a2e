//! Translates the cost of a computation, including loops, cases and operations, to an expression.

use super::written::Written;
use super::{Description, UsageProblem, expect_attributes, expect_name, required};
use crate::source::Text;
use crate::xml::Xml;

/// Translates the content of a description to an expression in the cost language.
pub(super) fn text(root: &Xml, description: &Description<'_>) -> Result<Text, UsageProblem> {
    expect_attributes(root, &["device"])?;
    let terms = content(root, &STEPS, description)?;
    let mut written = Written::default();
    write_sum(&terms, &mut written, description);
    Ok(written.finish(description))
}

/// The elements that use resources.
const STEPS: [&str; 3] = ["compute", "loop", "case"];

enum Term<'x> {
    Operations(&'x Text),
    /// A sum, multiplied by a factor.
    Product(&'x Text, Vec<Term<'x>>),
}

/// Reads all children, which must have one of these names, as terms of a sum.
fn content<'x>(
    parent: &'x Xml,
    names: &[&str],
    description: &Description<'_>,
) -> Result<Vec<Term<'x>>, UsageProblem> {
    if !parent.text.trim().is_empty() {
        let message = format!("`<{}>` cannot contain text", parent.name);
        return UsageProblem::new(
            parent.span,
            message,
            "write operations in the attribute `of`",
        );
    }
    let mut terms = Vec::new();
    for child in &parent.children {
        expect_name(child, names)?;
        match child.name.as_str() {
            "compute" => {
                expect_attributes(child, &["type", "of"])?;
                required(child, "of")?;
                terms.extend(operations(child)?);
                content(child, &[], description)?;
            }
            "loop" => {
                expect_attributes(child, &["iter", "type", "of"])?;
                let factor = required(child, "iter")?;
                terms.push(repeated(child, factor, description)?);
            }
            "case" => terms.extend(case(child, description)?),
            _ => {
                expect_attributes(child, &["exprob"])?;
                let factor = required(child, "exprob")?;
                terms.push(repeated(child, factor, description)?);
            }
        }
    }
    Ok(terms)
}

fn operations(element: &Xml) -> Result<Option<Term<'_>>, UsageProblem> {
    if let Some(ty) = element.attribute("type")
        && ty.value != "clc"
    {
        let message = format!("unknown resource type `{}`", ty.value);
        return UsageProblem::new(ty.span, message, "use `clc` for operations");
    }
    let Some(of) = element.attribute("of") else {
        return Ok(None);
    };
    if of.value.contains(['"', '\\']) {
        let message = "expected operations with their counts";
        return UsageProblem::new(of.span, message, "write `2*CMLL,ANDL`");
    }
    Ok(Some(Term::Operations(of)))
}

/// Reads an element's use of resources, multiplied by `factor`.
fn repeated<'x>(
    element: &'x Xml,
    factor: &'x Text,
    description: &Description<'_>,
) -> Result<Term<'x>, UsageProblem> {
    let mut terms: Vec<Term<'x>> = operations(element)?.into_iter().collect();
    terms.extend(content(element, &STEPS, description)?);
    if terms.is_empty() {
        let message = format!("`<{}>` does not use a resource", element.name);
        return UsageProblem::new(element.span, message, "put `<compute>` in it");
    }
    Ok(Term::Product(factor, terms))
}

/// Reads a case. Each of its branches is taken with a probability.
fn case<'x>(
    element: &'x Xml,
    description: &Description<'_>,
) -> Result<Vec<Term<'x>>, UsageProblem> {
    expect_attributes(element, &["type", "of"])?;
    let mut terms: Vec<Term<'x>> = operations(element)?.into_iter().collect();
    let branches = content(element, &["branch"], description)?;
    if branches.is_empty() {
        let message = "`<case>` has no branch";
        return UsageProblem::new(element.span, message, "put `<branch exprob=\"…\">` in it");
    }
    let mut sum = 0.0;
    for branch in &branches {
        if let Term::Product(probability, _) = branch
            && let Ok(value) = probability.value.trim().parse::<f64>()
        {
            sum += value;
            let is_probability = (0.0..=1.0).contains(&value);
            // Fractions such as 0.7 and 0.3 can add up to slightly more than 1.
            if !is_probability || sum > 1.0 + 1e-12 {
                let message = if is_probability {
                    format!("the probabilities of this `<case>` sum to {sum}")
                } else {
                    format!("the probability {value} is not between 0 and 1")
                };
                let help = "they must sum to at most 1";
                return UsageProblem::new(probability.span, message, help);
            }
        }
    }
    terms.extend(branches);
    Ok(terms)
}

/// Writes a sum. An empty sum is 0.
fn write_sum(terms: &[Term<'_>], written: &mut Written, description: &Description<'_>) {
    if terms.is_empty() {
        written.add("0.0");
    }
    for (number, term) in terms.iter().enumerate() {
        if number > 0 {
            written.add(" + ");
        }
        match term {
            Term::Operations(of) => {
                written.add("clc(\"");
                written.copy(of, description);
                written.add("\")");
            }
            Term::Product(factor, terms) => {
                operand(factor, written, description);
                written.add(" * ");
                let is_bare = matches!(**terms, [Term::Operations(_)]);
                written.add(if is_bare { "" } else { "(" });
                write_sum(terms, written, description);
                written.add(if is_bare { "" } else { ")" });
            }
        }
    }
}

/// Writes a factor, in parentheses unless it is a name or a number.
fn operand(factor: &Text, written: &mut Written, description: &Description<'_>) {
    let is_plain = |it: char| it == '_' || it == '.' || it.is_ascii_alphanumeric();
    let is_bare = factor.value.trim().chars().all(is_plain);
    written.add(if is_bare { "" } else { "(" });
    written.copy(factor, description);
    written.add(if is_bare { "" } else { ")" });
}

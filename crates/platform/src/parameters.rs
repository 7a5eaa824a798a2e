//! Parses the parameters of topologies in `SimGrid`'s notation.

use prophet_text::Problem;

use crate::refuse::refuse;

const NUMBERS_MAX: usize = 32;

/// Splits a text at semicolons. It must have as many parts as `example`.
pub(crate) fn parts<'a, const N: usize>(
    text: &'a str,
    example: &str,
) -> Result<[&'a str; N], Problem> {
    let parts: Vec<&str> = text.split(';').map(str::trim).collect();
    match parts.try_into() {
        Ok(parts) => Ok(parts),
        Err(_) => refuse!("expected a topology such as `{example}`, found `{text}`"),
    }
}

/// Parses numbers separated by commas.
pub(crate) fn numbers(text: &str) -> Result<Vec<u32>, Problem> {
    let mut numbers = Vec::new();
    for word in text.split(',') {
        match word.trim().parse() {
            Ok(number) => numbers.push(number),
            Err(_) => refuse!("`{word}` in `{text}` is not a valid number for the topology"),
        }
        if numbers.len() > NUMBERS_MAX {
            refuse!("the topology has more than {NUMBERS_MAX} levels or dimensions");
        }
    }
    Ok(numbers)
}

/// Returns a product. The type is large enough for the product of any numbers of nodes or links.
pub(crate) fn product(factors: &[u32]) -> u128 {
    factors.iter().fold(1, |product: u128, it| {
        product.saturating_mul(u128::from(*it))
    })
}

//! Encodes columns of numbers for pages, as JSON such as `{"f64": "…"}` with base64 text.
//!
//! A page converts the text to a typed array in one step, but parsing a million decimal numbers
//! would take seconds. Base64 is implemented here because it takes 15 lines, and compiling the
//! crate `base64` would delay a first prediction by 0.5 s of CPU time.

use std::ops::{Deref, DerefMut};

use serde::ser::{Serialize, SerializeMap, Serializer};

/// A column of numbers, one for each row of a table.
///
/// ```
/// use prophet_page::Column;
///
/// let mut column = Column::from(vec![1_u32]);
/// column.push(256);
/// assert_eq!(serde_json::to_string(&column)?, r#"{"u32":"AQAAAAABAAA="}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Column<N>(Vec<N>);

impl<N> Default for Column<N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<N> From<Vec<N>> for Column<N> {
    fn from(numbers: Vec<N>) -> Self {
        Self(numbers)
    }
}

impl<N> FromIterator<N> for Column<N> {
    fn from_iter<I: IntoIterator<Item = N>>(numbers: I) -> Self {
        Self(numbers.into_iter().collect())
    }
}

impl<N: PartialEq, const ROWS: usize> PartialEq<[N; ROWS]> for Column<N> {
    fn eq(&self, numbers: &[N; ROWS]) -> bool {
        self.0 == numbers
    }
}

impl<N> Deref for Column<N> {
    type Target = Vec<N>;

    fn deref(&self) -> &Vec<N> {
        &self.0
    }
}

impl<N> DerefMut for Column<N> {
    fn deref_mut(&mut self) -> &mut Vec<N> {
        &mut self.0
    }
}

impl<N: Number> Serialize for Column<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::with_capacity(size_of_val(self.as_slice()));
        for &number in self.iter() {
            number.write(&mut bytes);
        }
        let mut column = serializer.serialize_map(Some(1))?;
        column.serialize_entry(N::NAME, &base64(&bytes))?;
        column.end()
    }
}

/// A number type that JavaScript's typed arrays support.
trait Number: Copy {
    const NAME: &'static str;

    /// Appends the bytes in little-endian order.
    fn write(self, bytes: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl Number for $number {
            const NAME: &'static str = stringify!($number);

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

numbers!(u8 u32 f32 f64);

/// Encodes bytes as base64 (RFC 4648, with padding).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            if digit <= chunk.len() {
                let index = bits >> (18 - 6 * digit) & 63;
                text.push(char::from(DIGITS[index as usize]));
            } else {
                text.push('=');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors in section 10 of RFC 4648.
    #[test]
    fn base64_is_that_of_the_standard() {
        for (bytes, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), expected);
        }
    }
}

//! Columns of numbers as the page reads them: `"f64:"` and the like, then base64 of their bytes.
//!
//! The page makes a typed array of such a string at once; a million numbers in decimal would
//! take it seconds.

use serde::Serializer;

/// A number that typed arrays of JavaScript have.
pub(super) trait Number: Copy {
    /// Its name in front of the bytes.
    const NAME: &'static str;

    /// Appends its bytes, the lowest first.
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

/// Writes a column, for `serialize_with`.
pub(super) fn serialize<N: Number, S: Serializer>(
    column: &[N],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut bytes = Vec::with_capacity(size_of_val(column));
    for &number in column {
        number.write(&mut bytes);
    }
    let mut text = String::with_capacity(N::NAME.len() + 1 + bytes.len().div_ceil(3) * 4);
    text.push_str(N::NAME);
    text.push(':');
    base64(&bytes, &mut text);
    serializer.serialize_str(&text)
}

/// Appends bytes in base64 (RFC 4648, with padding).
pub(super) fn base64(bytes: &[u8], text: &mut String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 4648, section 10.
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
            let mut text = String::new();
            base64(bytes.as_bytes(), &mut text);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn columns_name_their_type() {
        #[derive(serde::Serialize)]
        struct Columns {
            #[serde(serialize_with = "serialize")]
            bytes: Vec<u8>,
            #[serde(serialize_with = "serialize")]
            counts: Vec<u32>,
            #[serde(serialize_with = "serialize")]
            times: Vec<f64>,
        }
        let columns = Columns {
            bytes: vec![0x66, 0x6f],
            counts: vec![1, 256],
            times: vec![],
        };
        let json = serde_json::to_string(&columns).unwrap();
        let expected = r#"{"bytes":"u8:Zm8=","counts":"u32:AQAAAAABAAA=","times":"f64:"}"#;
        assert_eq!(json, expected);
    }
}

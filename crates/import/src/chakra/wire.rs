//! Decodes protobuf messages in place: their fields, each with a number and a value.

use std::fmt;

/// Offset in a file where the encoding is invalid.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    at: usize,
    why: &'static str,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.at, self.why)
    }
}

/// A message's bytes, and their offset in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wire<'b> {
    bytes: &'b [u8],
    at: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum FieldValue<'b> {
    Number(u64),
    Wide([u8; 8]),
    Short([u8; 4]),
    Bytes(Wire<'b>),
}

impl<'b> Wire<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn wrong(&self, why: &'static str) -> Wrong {
        Wrong { at: self.at, why }
    }

    fn take(&mut self, count: u64) -> Result<Self, Wrong> {
        let count = usize::try_from(count).ok();
        let Some((front, rest)) = count.and_then(|it| self.bytes.split_at_checked(it)) else {
            return Err(self.wrong("the file is cut off"));
        };
        let taken = Self {
            bytes: front,
            at: self.at,
        };
        (self.bytes, self.at) = (rest, self.at + front.len());
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Wrong> {
        let taken = self.take(N as u64)?;
        taken
            .bytes
            .try_into()
            .map_err(|_| self.wrong("the file is cut off"))
    }

    fn number(&mut self) -> Result<u64, Wrong> {
        let start = *self;
        let mut number = 0;
        for shift in (0..70).step_by(7) {
            let [byte] = self.array()?;
            let part = u64::from(byte & 0x7f);
            if shift == 63 && part > 1 {
                break;
            }
            number |= part << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(start.wrong("the number is too long"))
    }

    /// Takes a message, which follows its length; `None` at the end.
    pub(super) fn message(&mut self) -> Result<Option<Self>, Wrong> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let length = self.number()?;
        self.take(length).map(Some)
    }

    pub(super) fn field(&mut self) -> Result<Option<(u64, FieldValue<'b>)>, Wrong> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let start = *self;
        let key = self.number()?;
        let value = match key & 7 {
            0 => FieldValue::Number(self.number()?),
            1 => FieldValue::Wide(self.array()?),
            2 => {
                let length = self.number()?;
                FieldValue::Bytes(self.take(length)?)
            }
            5 => FieldValue::Short(self.array()?),
            _ => return Err(start.wrong("expected a field of a message")),
        };
        Ok(Some((key >> 3, value)))
    }

    pub(super) fn text(&self) -> Result<String, Wrong> {
        let text = std::str::from_utf8(self.bytes);
        text.map(str::to_owned)
            .map_err(|_| self.wrong("the text is not UTF-8"))
    }
}

impl FieldValue<'_> {
    /// Adds the numbers of a repeated field, which can be packed.
    pub(super) fn numbers(self, into: &mut Vec<u64>) -> Result<(), Wrong> {
        match self {
            FieldValue::Number(number) => into.push(number),
            FieldValue::Bytes(mut packed) => {
                while !packed.bytes.is_empty() {
                    into.push(packed.number()?);
                }
            }
            FieldValue::Wide(_) | FieldValue::Short(_) => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_all_kinds_are_read() {
        // Field 1: 300, 2: "ab", 3: 1.0, 4: a short message.
        let bytes = [
            &[0x08, 0xac, 0x02, 0x12, 2, b'a', b'b', 0x19][..],
            &1.0_f64.to_le_bytes(),
            &[0x25, 1, 2, 3, 4],
        ]
        .concat();
        let mut wire = Wire::new(&bytes);
        assert!(matches!(
            wire.field(),
            Ok(Some((1, FieldValue::Number(300))))
        ));
        let Ok(Some((2, FieldValue::Bytes(text)))) = wire.field() else {
            panic!("no text");
        };
        assert_eq!(text.text().as_deref(), Ok("ab"));
        let Ok(Some((3, FieldValue::Wide(wide)))) = wire.field() else {
            panic!("no wide number");
        };
        assert_eq!(wide, 1.0_f64.to_le_bytes());
        assert!(matches!(
            wire.field(),
            Ok(Some((4, FieldValue::Short([1, 2, 3, 4]))))
        ));
        assert!(matches!(wire.field(), Ok(None)));
    }

    #[test]
    fn wrong_bytes_are_told_with_their_place() {
        let told = |bytes: &[u8]| {
            let mut wire = Wire::new(bytes);
            loop {
                match wire.field() {
                    Ok(Some(_)) => {}
                    Ok(None) => return String::new(),
                    Err(wrong) => return wrong.to_string(),
                }
            }
        };
        assert_eq!(told(&[0x08]), "byte 1: the file is cut off");
        assert_eq!(told(&[0x08, 1, 0x12, 9, 1]), "byte 4: the file is cut off");
        assert_eq!(told(&[0x0b]), "byte 0: expected a field of a message");
        let long = [&[0x08][..], &[0xff; 11]].concat();
        assert_eq!(told(&long), "byte 1: the number is too long");
    }
}

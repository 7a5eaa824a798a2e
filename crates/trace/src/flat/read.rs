//! Decodes `FlatBuffers`. The bytes are untrusted, so each position is checked before it is read.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

type Result<T> = std::result::Result<T, Malformed>;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Table<'a> {
    bytes: &'a [u8],
    place: usize,
    /// Position of the table that locates the fields. `head_length` is its length in bytes.
    head: usize,
    head_length: usize,
}

impl<'a> Table<'a> {
    pub(crate) fn root(bytes: &'a [u8]) -> Result<Self> {
        let place = follow(bytes, 0)?;
        Self::at(bytes, place)
    }

    fn at(bytes: &'a [u8], place: usize) -> Result<Self> {
        let back = i64::from(i32::from_le_bytes(take(bytes, place)?));
        let place_signed = i64::try_from(place).map_err(|_| Malformed)?;
        let head = usize::try_from(place_signed - back).map_err(|_| Malformed)?;
        let head_length = usize::from(u16::from_le_bytes(take(bytes, head)?));
        Ok(Self {
            bytes,
            place,
            head,
            head_length,
        })
    }

    fn field(&self, slot: usize) -> Result<Option<usize>> {
        let entry = 4 + 2 * slot;
        if entry + 2 > self.head_length {
            return Ok(None);
        }
        let offset = usize::from(u16::from_le_bytes(take(self.bytes, self.head + entry)?));
        Ok((offset > 0).then_some(self.place + offset))
    }

    fn number<const N: usize>(&self, slot: usize) -> Result<Option<[u8; N]>> {
        self.field(slot)?
            .map(|place| take(self.bytes, place))
            .transpose()
    }

    pub(crate) fn u8(&self, slot: usize) -> Result<Option<u8>> {
        Ok(self.number(slot)?.map(u8::from_le_bytes))
    }

    pub(crate) fn i16(&self, slot: usize) -> Result<Option<i16>> {
        Ok(self.number(slot)?.map(i16::from_le_bytes))
    }

    pub(crate) fn i32(&self, slot: usize) -> Result<Option<i32>> {
        Ok(self.number(slot)?.map(i32::from_le_bytes))
    }

    pub(crate) fn i64(&self, slot: usize) -> Result<Option<i64>> {
        Ok(self.number(slot)?.map(i64::from_le_bytes))
    }

    pub(crate) fn table(&self, slot: usize) -> Result<Option<Self>> {
        let Some(place) = self.field(slot)? else {
            return Ok(None);
        };
        Self::at(self.bytes, follow(self.bytes, place)?).map(Some)
    }

    pub(crate) fn text(&self, slot: usize) -> Result<Option<&'a str>> {
        let Some((place, length)) = self.list(slot, 1)? else {
            return Ok(None);
        };
        let text = &self.bytes[place..place + length];
        std::str::from_utf8(text).map(Some).map_err(|_| Malformed)
    }

    /// Reads a list of tables; empty if the field is missing.
    pub(crate) fn tables(&self, slot: usize) -> Result<Vec<Self>> {
        let Some((place, length)) = self.list(slot, 4)? else {
            return Ok(Vec::new());
        };
        (0..length)
            .map(|number| Self::at(self.bytes, follow(self.bytes, place + 4 * number)?))
            .collect()
    }

    /// Reads a list of structs, each of which consists of `N` eight-byte numbers.
    pub(crate) fn structs<const N: usize>(&self, slot: usize) -> Result<Vec<[i64; N]>> {
        let Some((place, length)) = self.list(slot, 8 * N)? else {
            return Ok(Vec::new());
        };
        let number = |at: usize| take(self.bytes, at).map(i64::from_le_bytes);
        (0..length)
            .map(|row| {
                let mut numbers = [0; N];
                for (column, to) in numbers.iter_mut().enumerate() {
                    *to = number(place + 8 * (N * row + column))?;
                }
                Ok(numbers)
            })
            .collect()
    }

    /// Returns the position and the length of a list, and checks that the whole list is within the
    /// bytes.
    fn list(&self, slot: usize, width: usize) -> Result<Option<(usize, usize)>> {
        let Some(place) = self.field(slot)? else {
            return Ok(None);
        };
        let place = follow(self.bytes, place)?;
        let length = usize::try_from(u32::from_le_bytes(take(self.bytes, place)?));
        let length = length.map_err(|_| Malformed)?;
        let end = length
            .checked_mul(width)
            .and_then(|size| size.checked_add(place + 4));
        match end {
            Some(end) if end <= self.bytes.len() => Ok(Some((place + 4, length))),
            _ => Err(Malformed),
        }
    }
}

fn follow(bytes: &[u8], place: usize) -> Result<usize> {
    let offset = usize::try_from(u32::from_le_bytes(take(bytes, place)?));
    let target = offset.ok().and_then(|offset| place.checked_add(offset));
    target
        .filter(|target| *target < bytes.len())
        .ok_or(Malformed)
}

fn take<const N: usize>(bytes: &[u8], place: usize) -> Result<[u8; N]> {
    let end = place.checked_add(N).ok_or(Malformed)?;
    let taken = bytes.get(place..end).ok_or(Malformed)?;
    taken.try_into().map_err(|_| Malformed)
}

//! Writes a sequence of messages in Arrow's format.

use std::io::{self, Write};

use crate::metadata::Block;

pub(crate) const ALIGNMENT: usize = 64;
pub(crate) const CONTINUATION: [u8; 4] = [0xff; 4];

/// Body of a message: its own bytes, and borrowed slices between them.
#[derive(Debug, Default)]
pub(crate) struct Body<'a> {
    pub(crate) bytes: Vec<u8>,
    /// The slices, and how many of the body's own bytes come before each.
    slices: Vec<(usize, &'a [u8])>,
    sliced: usize,
}

impl<'a> Body<'a> {
    /// Creates an empty body that reuses the memory of `bytes`.
    pub(crate) fn of(mut bytes: Vec<u8>) -> Self {
        bytes.clear();
        let (slices, sliced) = (Vec::new(), 0);
        Self {
            bytes,
            slices,
            sliced,
        }
    }

    pub(crate) fn length(&self) -> usize {
        self.bytes.len() + self.sliced
    }

    pub(crate) fn put(&mut self, slice: &'a [u8]) {
        self.slices.push((self.bytes.len(), slice));
        self.sliced += slice.len();
    }

    pub(crate) fn align(&mut self) {
        let rest = self.length().next_multiple_of(ALIGNMENT) - self.length();
        self.bytes.resize(self.bytes.len() + rest, 0);
    }
}

/// Output that counts the bytes written to it.
#[derive(Debug)]
pub(crate) struct Stream<W> {
    pub(crate) out: W,
    written: usize,
}

impl<W: Write> Stream<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, written: 0 }
    }

    pub(crate) fn written(&self) -> usize {
        self.written
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.written += bytes.len();
        Ok(())
    }

    pub(crate) fn align(&mut self) -> io::Result<()> {
        let rest = self.written.next_multiple_of(ALIGNMENT) - self.written;
        self.put(&[0; ALIGNMENT][..rest])
    }

    pub(crate) fn put_message(&mut self, metadata: &[u8], body: &Body<'_>) -> io::Result<Block> {
        let offset = self.written;
        // Including the eight bytes before it, the metadata ends at a multiple of the alignment.
        let end = (offset + 8 + metadata.len()).next_multiple_of(ALIGNMENT);
        let length = end - offset - 8;
        self.put(&CONTINUATION)?;
        self.put(&i32_of(length).to_le_bytes())?;
        self.put(metadata)?;
        self.put(&[0; ALIGNMENT][..length - metadata.len()])?;
        let mut start = 0;
        for (end, slice) in &body.slices {
            self.put(&body.bytes[start..*end])?;
            self.put(slice)?;
            start = *end;
        }
        self.put(&body.bytes[start..])?;
        Ok(Block {
            offset: i64_of(offset),
            metadata_length: i32_of(length + 8),
            body_length: i64_of(body.length()),
        })
    }

    pub(crate) fn end(&mut self) -> io::Result<()> {
        self.put(&CONTINUATION)?;
        self.put(&[0; 4])
    }
}

/// Converts a length in memory, which always fits.
pub(crate) fn i64_of(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// Converts the length of metadata, which always fits.
pub(crate) fn i32_of(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

//! Reads and writes `FlatBuffers`, limited to what Arrow's metadata needs: tables, strings, lists
//! of either, and lists of structs with members of up to eight bytes.
//!
//! The format is described at <https://flatbuffers.dev/internals/>. It is implemented here because
//! the crate `flatbuffers` needs 11,000 lines of code that its compiler generates from Arrow's
//! schema.

mod read;
mod write;

pub(crate) use read::{Malformed, Table};
pub(crate) use write::{Field, Object, serialize};

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let inner = |name: &str| Object::table([(0, Field::text(name))]);
        serialize(&Object::table([
            (0, Field::I16(-3)),
            (2, Field::I64(i64::MIN)),
            (3, Field::U8(7)),
            (4, Field::Child(Object::Tables(vec![inner("a"), inner("")]))),
            (5, Field::Child(Object::structs(&[[1, 2], [3, 4]]))),
            (6, Field::I32(9)),
        ]))
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = sample();
        let root = Table::root(&bytes).unwrap();
        assert_eq!(root.i16(0).unwrap(), Some(-3));
        assert_eq!(root.i16(1).unwrap(), None);
        assert_eq!(root.i64(2).unwrap(), Some(i64::MIN));
        assert_eq!(root.u8(3).unwrap(), Some(7));
        assert_eq!(root.i32(6).unwrap(), Some(9));
        assert_eq!(root.i32(600).unwrap(), None);
        let inner = root.tables(4).unwrap();
        let names: Vec<&str> = inner.iter().map(|t| t.text(0).unwrap().unwrap()).collect();
        assert_eq!(names, ["a", ""]);
        assert_eq!(root.structs::<2>(5).unwrap(), [[1, 2], [3, 4]]);
    }

    #[test]
    fn no_byte_can_make_it_read_what_is_not_there() {
        let bytes = sample();
        for place in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bytes = bytes.clone();
                bytes[place] = value;
                let Ok(root) = Table::root(&bytes) else {
                    continue;
                };
                let _ = (root.i16(0), root.i64(2), root.u8(3), root.i32(6));
                let _ = root.structs::<2>(5);
                for inner in root.tables(4).unwrap_or_default() {
                    let _ = inner.text(0);
                }
            }
            let _ = Table::root(&bytes[..place]).and_then(|root| root.i64(2));
        }
    }
}

//! Protocol Buffers on the wire: fields by number, without a schema.
//!
//! Owns only what reading needs; groups are refused. Source: "Encoding" of the Protocol Buffers documentation.

use std::borrow::Cow;

/// The bytes of a message.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ProtobufMessage<'m>(pub &'m [u8]);

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FieldValue<'m> {
    Number(u64),
    Fixed64([u8; 8]),
    Fixed32([u8; 4]),
    Bytes(&'m [u8]),
}

impl<'m> ProtobufMessage<'m> {
    /// Every field up to the end, or up to the first invalid bytes.
    pub fn fields(self) -> impl Iterator<Item = (u32, FieldValue<'m>)> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let field = next_field(&mut rest);
            if field.is_none() {
                rest = &[];
            }
            field
        })
    }

    fn values(self, number: u32) -> impl Iterator<Item = FieldValue<'m>> {
        self.fields().filter(move |(found, _)| *found == number).map(|(_, value)| value)
    }

    /// A number.
    pub fn number(self, number: u32) -> Option<u64> {
        self.values(number)
            .find_map(|value| if let FieldValue::Number(value) = value { Some(value) } else { None })
    }

    /// A boolean; false if it is absent.
    pub fn is(self, number: u32) -> bool {
        self.number(number).is_some_and(|value| value != 0)
    }

    /// Bytes of every field of this number.
    pub fn all(self, number: u32) -> impl Iterator<Item = &'m [u8]> {
        self.values(number)
            .filter_map(|value| if let FieldValue::Bytes(bytes) = value { Some(bytes) } else { None })
    }

    /// Bytes.
    pub fn bytes(self, number: u32) -> Option<&'m [u8]> {
        self.all(number).next()
    }

    /// A message inside; empty if there is none.
    pub fn message(self, number: u32) -> ProtobufMessage<'m> {
        ProtobufMessage(self.bytes(number).unwrap_or_default())
    }

    /// Messages inside.
    pub fn messages(self, number: u32) -> impl Iterator<Item = ProtobufMessage<'m>> {
        self.all(number).map(ProtobufMessage)
    }

    /// Text; empty if there is none.
    pub fn text(self, number: u32) -> Cow<'m, str> {
        String::from_utf8_lossy(self.bytes(number).unwrap_or_default())
    }

    /// The identifier of an object that is referred to.
    pub fn reference(self, number: u32) -> Option<u64> {
        self.references(number).next()
    }

    /// The identifiers of objects that are referred to.
    pub fn references(self, number: u32) -> impl Iterator<Item = u64> {
        self.messages(number).filter_map(|reference| reference.number(1))
    }

    /// Numbers, packed or one by one.
    pub fn numbers(self, number: u32) -> Vec<u64> {
        let mut numbers = Vec::new();
        for value in self.values(number).take(64) {
            match value {
                FieldValue::Number(value) => numbers.push(value),
                FieldValue::Bytes(mut packed) => {
                    while let Some(value) = varint(&mut packed).filter(|_| numbers.len() < 64) {
                        numbers.push(value);
                    }
                }
                FieldValue::Fixed64(_) | FieldValue::Fixed32(_) => {}
            }
        }
        numbers
    }
}

fn next_field<'m>(rest: &mut &'m [u8]) -> Option<(u32, FieldValue<'m>)> {
    let key = varint(rest)?;
    let value = match key & 7 {
        0 => FieldValue::Number(varint(rest)?),
        1 => FieldValue::Fixed64(take_array(rest)?),
        2 => {
            let length = usize::try_from(varint(rest)?).ok()?;
            let (bytes, after) = rest.split_at_checked(length)?;
            *rest = after;
            FieldValue::Bytes(bytes)
        }
        5 => FieldValue::Fixed32(take_array(rest)?),
        _ => return None,
    };
    Some((u32::try_from(key >> 3).ok()?, value))
}

fn take_array<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (array, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*array)
}

/// A number in groups of seven bits, the lowest first.
pub(super) fn varint(input: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = input.split_first()?;
        *input = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_number() {
        let message = ProtobufMessage(
            b"\x08\x96\x01\x12\x03abc\x1a\x02\x08\x07\x1a\x02\x08\x09\x22\x02\x01\x02\x0d\0\0\0\0",
        );
        assert_eq!(message.number(1), Some(150));
        assert_eq!(message.text(2), "abc");
        assert_eq!(message.references(3).collect::<Vec<_>>(), [7, 9]);
        assert_eq!(message.numbers(4), [1, 2]);
        assert!(message.is(1) && !message.is(9));
        assert_eq!(message.message(9).fields().count(), 0);
    }

    #[test]
    fn what_is_cut_ends_the_fields() {
        assert_eq!(ProtobufMessage(b"\x08\x01\x12\x09ab").fields().count(), 1);
        assert_eq!(ProtobufMessage(b"\x08\x01\x0b").fields().count(), 1);
        assert_eq!(ProtobufMessage(&[0xff; 20]).fields().count(), 0);
    }
}

//! Tables in the encoding of FlatBuffers, as little of it as a schema of Arrow needs: no defaults, no sharing, and every
//! field in four bytes.

/// A table: its fields by their number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table(pub Vec<Field>);

/// A field of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Field {
    /// Not there: the reader takes the default.
    Absent,
    /// A number of at most 32 bits, a bool or a variant.
    Number(i32),
    /// A string.
    Text(&'static str),
    /// Another table.
    Table(Table),
    /// A vector of tables.
    Tables(Vec<Table>),
}

/// Bytes of an offset, and of each field.
const CELL: usize = 4;

/// A buffer with this table as its root.
pub(super) fn encode(root: &Table) -> Vec<u8> {
    let mut bytes = vec![0; CELL];
    let target = write_table(&mut bytes, root);
    point(&mut bytes, 0, target);
    bytes
}

/// Writes the vtable, the table, then what its fields refer to. Returns the position of the table.
fn write_table(bytes: &mut Vec<u8>, table: &Table) -> usize {
    let vtable = bytes.len();
    let present = table.0.iter().filter(|field| **field != Field::Absent).count();
    push_u16(bytes, 2 * (table.0.len() + 2));
    push_u16(bytes, CELL * (present + 1));
    let mut offset = CELL;
    for field in &table.0 {
        let is_there = *field != Field::Absent;
        push_u16(bytes, if is_there { offset } else { 0 });
        offset += if is_there { CELL } else { 0 };
    }
    align(bytes);
    let start = bytes.len();
    push_u32(bytes, start - vtable);
    let mut references = Vec::new();
    for field in table.0.iter().filter(|field| **field != Field::Absent) {
        if let Field::Number(number) = field {
            bytes.extend(number.to_le_bytes());
        } else {
            references.push((bytes.len(), field));
            push_u32(bytes, 0);
        }
    }
    for (from, field) in references {
        let target = write_target(bytes, field);
        point(bytes, from, target);
    }
    start
}

/// Writes what a field refers to, and returns its position.
fn write_target(bytes: &mut Vec<u8>, field: &Field) -> usize {
    let start = bytes.len();
    match field {
        Field::Absent | Field::Number(_) => {}
        Field::Table(table) => return write_table(bytes, table),
        Field::Text(text) => {
            push_u32(bytes, text.len());
            bytes.extend(text.as_bytes());
            bytes.push(0);
            align(bytes);
        }
        Field::Tables(tables) => {
            push_u32(bytes, tables.len());
            bytes.resize(bytes.len() + CELL * tables.len(), 0);
            for (at, table) in tables.iter().enumerate() {
                let target = write_table(bytes, table);
                point(bytes, start + CELL * (at + 1), target);
            }
        }
    }
    start
}

/// Writes the offset to `target` at `from`.
fn point(bytes: &mut [u8], from: usize, target: usize) {
    bytes[from..from + CELL].copy_from_slice(&((target - from) as u32).to_le_bytes());
}

fn push_u16(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend((number as u16).to_le_bytes());
}

fn push_u32(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend((number as u32).to_le_bytes());
}

fn align(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(CELL), 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_its_vtable_its_fields_and_what_they_refer_to() {
        let inner = Table(vec![Field::Number(-1)]);
        let table = Table(vec![Field::Text("ab"), Field::Absent, Field::Tables(vec![inner])]);
        let expected: &[&[u8]] = &[
            &[16, 0, 0, 0],
            // The vtable: its size, that of the table, where the fields are; two bytes of padding.
            &[10, 0, 12, 0, 4, 0, 0, 0, 8, 0, 0, 0],
            &[12, 0, 0, 0, 8, 0, 0, 0, 12, 0, 0, 0],
            &[2, 0, 0, 0, b'a', b'b', 0, 0],
            &[1, 0, 0, 0, 12, 0, 0, 0],
            &[6, 0, 8, 0, 4, 0, 0, 0],
            &[8, 0, 0, 0, 255, 255, 255, 255],
        ];
        assert_eq!(encode(&table), expected.concat());
    }
}

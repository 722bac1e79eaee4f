//! Values of columns in the memory layout of Arrow, and the message that carries them in a stream.

use super::columns::ColumnType;
use serde_json::Value;

/// Buffers begin at multiples of this, in bytes.
const ALIGNMENT: usize = 8;

/// Bytes of the head of a batch before its lists of columns and buffers.
const HEAD_BYTES: usize = 68;

/// The values of a column.
#[derive(Debug)]
pub(super) struct ArrowColumn {
    present: Vec<bool>,
    values: ArrowValues,
}

#[derive(Debug)]
enum ArrowValues {
    /// The end of each text, and all texts.
    Text(Vec<i32>, Vec<u8>),
    Integer(Vec<i64>),
    Flag(Vec<bool>),
    Number(Vec<f64>),
}

impl ArrowColumn {
    /// A column without values.
    pub(super) fn new(kind: ColumnType) -> ArrowColumn {
        let values = match kind {
            ColumnType::Text => ArrowValues::Text(vec![0], Vec::new()),
            ColumnType::Integer => ArrowValues::Integer(Vec::new()),
            ColumnType::Flag => ArrowValues::Flag(Vec::new()),
            ColumnType::Number => ArrowValues::Number(Vec::new()),
        };
        ArrowColumn { present: Vec::new(), values }
    }

    /// Adds a value; what is no text is added to a column of texts as JSON. Returns the bytes that it takes.
    pub(super) fn push(&mut self, value: Option<&Value>) -> usize {
        let value = value.filter(|value| !value.is_null());
        self.present.push(value.is_some());
        match &mut self.values {
            ArrowValues::Text(ends, bytes) => {
                let start = bytes.len();
                match value {
                    Some(Value::String(text)) => bytes.extend(text.as_bytes()),
                    Some(other) => bytes.extend(other.to_string().as_bytes()),
                    None => {}
                }
                // A batch ends long before its texts have so many bytes.
                ends.push(i32::try_from(bytes.len()).unwrap_or(i32::MAX));
                bytes.len() - start + size_of::<i32>()
            }
            ArrowValues::Integer(numbers) => {
                numbers.push(value.and_then(Value::as_i64).unwrap_or_default());
                size_of::<i64>()
            }
            ArrowValues::Flag(flags) => {
                flags.push(value.and_then(Value::as_bool).unwrap_or_default());
                1
            }
            ArrowValues::Number(numbers) => {
                numbers.push(value.and_then(Value::as_f64).unwrap_or_default());
                size_of::<f64>()
            }
        }
    }

    fn nulls(&self) -> usize {
        self.present.iter().filter(|present| !**present).count()
    }

    /// Which values there are, then the values.
    fn buffers(&self) -> Vec<Vec<u8>> {
        let present = bits(&self.present);
        match &self.values {
            ArrowValues::Text(ends, bytes) => {
                let ends = ends.iter().flat_map(|end| end.to_le_bytes()).collect();
                vec![present, ends, bytes.clone()]
            }
            ArrowValues::Integer(numbers) => {
                vec![present, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()]
            }
            ArrowValues::Flag(flags) => vec![present, bits(flags)],
            ArrowValues::Number(numbers) => {
                vec![present, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()]
            }
        }
    }
}

/// One bit for each value, the first one lowest.
fn bits(values: &[bool]) -> Vec<u8> {
    let byte = |values: &[bool]| (0..).zip(values).fold(0, |byte, (at, value)| byte | u8::from(*value) << at);
    values.chunks(8).map(byte).collect()
}

/// The message of a stream with these columns, each of so many rows: a mark, the length of the head, head, buffers.
pub(super) fn record_batch(rows: usize, columns: &[ArrowColumn]) -> Vec<u8> {
    let mut body = Vec::new();
    let mut places = Vec::new();
    for buffer in columns.iter().flat_map(ArrowColumn::buffers) {
        places.push((body.len(), buffer.len()));
        body.extend(buffer);
        body.resize(body.len().next_multiple_of(ALIGNMENT), 0);
    }
    let nodes: Vec<(usize, usize)> = columns.iter().map(|column| (rows, column.nulls())).collect();
    let head = batch_head(rows, body.len(), &nodes, &places);
    let mut message = u32::MAX.to_le_bytes().to_vec();
    message.extend((head.len() as u32).to_le_bytes());
    message.extend(head);
    message.extend(body);
    message
}

/// The tables `Message` and `RecordBatch` of `Message.fbs` in the encoding of FlatBuffers. Their fields are fixed, and so are
/// their places: a number of eight bytes stands at a multiple of eight.
fn batch_head(rows: usize, body: usize, nodes: &[(usize, usize)], buffers: &[(usize, usize)]) -> Vec<u8> {
    let mut head = Vec::with_capacity(HEAD_BYTES + 16 * (nodes.len() + buffers.len() + 1));
    push_u32(&mut head, 16);
    // 4: the fields of `Message`: version, type and place of its header, length of the body.
    push_u16s(&mut head, [12, 20, 16, 18, 4, 8]);
    // 16: `Message`. Version 5 of the metadata; the header is a `RecordBatch`, number 3 of its union.
    push_u32(&mut head, 12);
    push_u32(&mut head, 28);
    push_u64(&mut head, body);
    push_u16s(&mut head, [4, 3]);
    // 36: the fields of `RecordBatch`: rows, columns, buffers.
    push_u16s(&mut head, [10, 20, 8, 4, 16, 0]);
    // 48: `RecordBatch`.
    push_u32(&mut head, 12);
    push_u32(&mut head, 16);
    push_u64(&mut head, rows);
    push_u32(&mut head, 12 + 16 * nodes.len());
    push_pairs(&mut head, nodes);
    push_u32(&mut head, 0);
    push_pairs(&mut head, buffers);
    head
}

fn push_pairs(head: &mut Vec<u8>, pairs: &[(usize, usize)]) {
    push_u32(head, pairs.len());
    for (first, second) in pairs {
        push_u64(head, *first);
        push_u64(head, *second);
    }
}

fn push_u16s<const N: usize>(head: &mut Vec<u8>, numbers: [u16; N]) {
    numbers.iter().for_each(|number| head.extend(number.to_le_bytes()));
}

fn push_u32(head: &mut Vec<u8>, number: usize) {
    head.extend((number as u32).to_le_bytes());
}

fn push_u64(head: &mut Vec<u8>, number: usize) {
    head.extend((number as u64).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_batch_has_its_values_at_multiples_of_eight() {
        let mut column = ArrowColumn::new(ColumnType::Text);
        for value in [json!("ab"), Value::Null, json!([1])] {
            column.push(Some(&value));
        }
        let message = record_batch(3, &[column]);
        let head = u32::from_le_bytes(message[4..8].try_into().unwrap()) as usize;
        assert_eq!((head % 8, message.len() % 8), (0, 0));
        let body = &message[8 + head..];
        assert_eq!(body[0], 0b101);
        assert_eq!(body[8..24], [0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0]);
        assert_eq!(&body[24..29], b"ab[1]");
    }

    #[test]
    fn flags_are_bits() {
        assert_eq!(bits(&[true, false, false, true, false, false, false, false, true]), [0b1001, 1]);
    }

    #[test]
    fn a_value_takes_its_bytes() {
        let check = |kind: ColumnType, value: Value, bytes: usize, buffers: &[&[u8]]| {
            let mut column = ArrowColumn::new(kind);
            assert_eq!(column.push(Some(&value)), bytes, "{value}");
            assert_eq!(
                (column.buffers(), column.nulls()),
                (buffers.iter().map(|buffer| buffer.to_vec()).collect(), usize::from(value.is_null())),
                "{value}"
            );
        };
        check(ColumnType::Text, json!("ab"), 6, &[&[1], &[0, 0, 0, 0, 2, 0, 0, 0], b"ab"]);
        check(ColumnType::Text, json!([1]), 7, &[&[1], &[0, 0, 0, 0, 3, 0, 0, 0], b"[1]"]);
        check(ColumnType::Text, Value::Null, 4, &[&[0], &[0; 8], b""]);
        check(ColumnType::Integer, json!(258), 8, &[&[1], &[2, 1, 0, 0, 0, 0, 0, 0]]);
        check(ColumnType::Integer, Value::Null, 8, &[&[0], &[0; 8]]);
        check(ColumnType::Flag, json!(true), 1, &[&[1], &[1]]);
        check(ColumnType::Flag, json!(false), 1, &[&[1], &[0]]);
    }

    #[test]
    fn the_head_of_a_batch_has_rows_columns_and_buffers() {
        let long = |number: u8| [number, 0, 0, 0, 0, 0, 0, 0];
        let expected = [
            &[16, 0, 0, 0, 12, 0, 20, 0, 16, 0, 18, 0, 4, 0, 8, 0, 12, 0, 0, 0, 28, 0, 0, 0][..],
            &long(32),
            &[4, 0, 3, 0, 10, 0, 20, 0, 8, 0, 4, 0, 16, 0, 0, 0, 12, 0, 0, 0, 16, 0, 0, 0],
            &long(3),
            &[44, 0, 0, 0, 2, 0, 0, 0],
            &[long(3), long(1), long(3), long(0)].concat(),
            &[0, 0, 0, 0, 3, 0, 0, 0],
            &[long(0), long(1), long(8), long(16), long(24), long(5)].concat(),
        ];
        assert_eq!(batch_head(3, 32, &[(3, 1), (3, 0)], &[(0, 1), (8, 16), (24, 5)]), expected.concat());
    }
}

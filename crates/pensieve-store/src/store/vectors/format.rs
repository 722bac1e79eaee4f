//! [`VectorFormat`]: how the numbers of a vector are stored.

use super::half::{from_half, to_half};
use pensieve_text::names;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};

names! {
    /// How the numbers of a vector are stored, little-endian, one after the other.
    #[derive(Default)]
    VectorFormat {
        /// 2 bytes each (IEEE 754 binary16): about three decimals.
        #[default]
        F16 = "f16",
        /// 4 bytes each, as they came.
        F32 = "f32",
        /// 1 byte each: 127 is the largest number of the vector. Direction is kept, length is not.
        I8 = "i8",
    }
}

impl VectorFormat {
    /// Bytes of a number.
    pub fn width(self) -> usize {
        match self {
            VectorFormat::F16 => 2,
            VectorFormat::F32 => 4,
            VectorFormat::I8 => 1,
        }
    }

    /// The stored form of a vector; `None` if a number is not finite, or too large for the format.
    pub fn encode(self, vector: &[f32]) -> Option<Vec<u8>> {
        let largest = vector.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
        if vector.iter().any(|number| !number.is_finite()) {
            return None;
        }
        let mut bytes = Vec::with_capacity(vector.len() * self.width());
        for number in vector {
            match self {
                VectorFormat::F16 => bytes.extend(to_half(*number)?.to_le_bytes()),
                VectorFormat::F32 => bytes.extend(number.to_le_bytes()),
                VectorFormat::I8 if largest > 0.0 => {
                    bytes.push((number / largest * 127.0).round() as i8 as u8)
                }
                VectorFormat::I8 => bytes.push(0),
            }
        }
        Some(bytes)
    }

    /// The numbers of a stored vector; of `i8` in proportion to each other.
    pub fn decode(self, bytes: &[u8]) -> Vec<f32> {
        match self {
            VectorFormat::F16 => {
                bytes.chunks_exact(2).map(|pair| from_half(u16::from_le_bytes([pair[0], pair[1]]))).collect()
            }
            VectorFormat::F32 => bytes
                .chunks_exact(4)
                .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
                .collect(),
            VectorFormat::I8 => bytes.iter().map(|byte| f32::from(*byte as i8)).collect(),
        }
    }
}

impl FromSql for VectorFormat {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<VectorFormat> {
        match value.as_str()? {
            "f16" => Ok(VectorFormat::F16),
            "f32" => Ok(VectorFormat::F32),
            "i8" => Ok(VectorFormat::I8),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_stored_little_endian() {
        let vector = [1.0, -0.5, 0.25];
        let check = |format: VectorFormat, bytes: &[u8], back: &[f32]| {
            assert_eq!(format.encode(&vector).as_deref(), Some(bytes), "{format:?}");
            assert_eq!(format.decode(bytes), back, "{format:?}");
        };
        check(VectorFormat::F16, &[0x00, 0x3C, 0x00, 0xB8, 0x00, 0x34], &vector);
        check(VectorFormat::F32, &[0, 0, 0x80, 0x3F, 0, 0, 0, 0xBF, 0, 0, 0x80, 0x3E], &vector);
        check(VectorFormat::I8, &[127, 192, 32], &[127.0, -64.0, 32.0]);
        assert_eq!(VectorFormat::I8.encode(&[0.0, 0.0]).as_deref(), Some(&[0, 0][..]));
    }

    #[test]
    fn what_is_no_finite_number_is_refused() {
        for format in [VectorFormat::F16, VectorFormat::F32, VectorFormat::I8] {
            assert_eq!(format.encode(&[0.0, f32::NAN]), None);
            assert_eq!(format.encode(&[f32::INFINITY]), None);
        }
        assert_eq!(VectorFormat::F16.encode(&[1e9]), None);
        assert!(VectorFormat::F32.encode(&[1e9]).is_some());
    }
}

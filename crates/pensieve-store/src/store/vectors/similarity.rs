//! How near two vectors are: the cosine of the angle between them.
//!
//! Loops run over arrays of fixed length, which the compiler turns into vector instructions.

use super::format::VectorFormat;
use super::half::from_half;

/// Numbers that are computed side by side.
const LANES: usize = 16;

/// A question's vector, prepared to be compared with many others.
pub(super) struct Direction {
    /// The numbers, of length 1 together, filled up to whole lanes.
    numbers: Vec<f32>,
    dimensions: usize,
}

impl Direction {
    /// The direction of a vector; that of a vector of zeros is near to none.
    pub fn of(vector: &[f32]) -> Direction {
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
        let mut numbers: Vec<f32> = vector.iter().map(|number| number * scale).collect();
        numbers.resize(vector.len().next_multiple_of(LANES), 0.0);
        Direction { numbers, dimensions: vector.len() }
    }

    /// The cosine of the angle to a stored vector; `None` if it has another number of dimensions.
    pub fn cosine(&self, format: VectorFormat, stored: &[u8]) -> Option<f32> {
        if stored.len() != self.dimensions * format.width() {
            return None;
        }
        let (dot, square) = match format {
            VectorFormat::F16 => self.sums::<2>(stored, |bytes| from_half(u16::from_le_bytes(bytes))),
            VectorFormat::F32 => self.sums::<4>(stored, f32::from_le_bytes),
            VectorFormat::I8 => self.sums::<1>(stored, |[byte]| f32::from(byte as i8)),
        };
        Some(if square > 0.0 { dot / square.sqrt() } else { 0.0 })
    }

    /// The product with a stored vector, and its square.
    #[inline(always)]
    fn sums<const WIDTH: usize>(&self, stored: &[u8], read: impl Fn([u8; WIDTH]) -> f32) -> (f32, f32) {
        let (numbers, _) = stored.as_chunks::<WIDTH>();
        let (blocks, rest) = numbers.as_chunks::<LANES>();
        let (own, _) = self.numbers.as_chunks::<LANES>();
        let (mut dot, mut square) = ([0.0_f32; LANES], [0.0_f32; LANES]);
        for (block, own) in blocks.iter().zip(own) {
            for lane in 0..LANES {
                let number = read(block[lane]);
                dot[lane] += number * own[lane];
                square[lane] += number * number;
            }
        }
        let last = own.get(blocks.len()).into_iter().flatten();
        for (lane, (bytes, own)) in rest.iter().zip(last).enumerate() {
            let number = read(*bytes);
            dot[lane] += number * own;
            square[lane] += number * number;
        }
        (dot.iter().sum(), square.iter().sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_are_those_of_the_numbers_in_every_format_and_length() {
        for dimensions in [1, 2, 15, 16, 17, 100, 384] {
            let vector = |seed: f32| (0..dimensions).map(move |at| ((at as f32 + 1.0) * seed).sin());
            let (question, other): (Vec<f32>, Vec<f32>) = (vector(1.3).collect(), vector(0.7).collect());
            let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
            let lengths = product(&question, &question).sqrt() * product(&other, &other).sqrt();
            let expected = product(&question, &other) / lengths;
            let direction = Direction::of(&question);
            for (format, margin) in
                [(VectorFormat::F32, 1e-5), (VectorFormat::F16, 1e-3), (VectorFormat::I8, 2e-2)]
            {
                let cosine = direction.cosine(format, &format.encode(&other).unwrap()).unwrap();
                assert!((cosine - expected).abs() < margin, "{dimensions} {format:?}: {cosine} {expected}");
            }
        }
    }

    #[test]
    fn vectors_of_other_lengths_are_not_compared() {
        let direction = Direction::of(&[1.0, 0.0]);
        assert_eq!(direction.cosine(VectorFormat::F16, &[0; 6]), None);
        assert_eq!(direction.cosine(VectorFormat::F16, &[0; 4]), Some(0.0));
        assert_eq!(Direction::of(&[0.0]).cosine(VectorFormat::I8, &[5]), Some(0.0));
    }
}

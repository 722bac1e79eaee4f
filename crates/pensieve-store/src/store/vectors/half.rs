//! Numbers of 16 bits as in IEEE 754 (binary16), to and from 32 bits.

/// The bias of the exponent of 32 bits minus that of 16 bits, at the place of the exponent.
const BIAS: u32 = 112 << 23;

/// The smallest normal number of 16 bits, 2^-14.
const SMALLEST_NORMAL: f32 = f32::from_bits(113 << 23);

/// The number nearest to this one, ties to even; `None` if it is not finite or too large.
pub(super) fn to_half(number: f32) -> Option<u16> {
    /// Halfway between the largest number and the next one that there would be.
    const TOO_LARGE: f32 = 65_520.0;
    /// 2^-1: beside it the distance of numbers of 32 bits is 2^-24, that of the numbers below the normal ones.
    const UNIT: f32 = 0.5;
    let size = number.abs();
    if !number.is_finite() || size >= TOO_LARGE {
        return None;
    }
    let sign = ((number.to_bits() >> 16) & 0x8000) as u16;
    let bits = if size < SMALLEST_NORMAL {
        (size + UNIT).to_bits() - UNIT.to_bits()
    } else {
        let bits = size.to_bits();
        let is_odd = (bits >> 13) & 1;
        (bits - BIAS + 0xFFF + is_odd) >> 13
    };
    Some(sign | bits as u16)
}

/// The same number in 32 bits. Infinity and NaN, which are never stored, become large numbers.
///
/// Cost: a few operations without a branch, so that loops over it are vectorised; no number below the normal ones of 32
/// bits arises, with which processors are slow.
#[inline(always)]
pub(super) fn from_half(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let bits = (u32::from(half & 0x7FFF) << 13) + BIAS;
    let normal = f32::from_bits(bits);
    let small = f32::from_bits(bits + (1 << 23)) - SMALLEST_NORMAL;
    let size = if bits < BIAS + (1 << 23) { small } else { normal };
    f32::from_bits(size.to_bits() | sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finite_number_of_16_bits_comes_back() {
        for half in 0..=u16::MAX {
            if half & 0x7C00 != 0x7C00 {
                assert_eq!(to_half(from_half(half)), Some(half), "{half:#06x}");
            }
        }
    }

    #[test]
    fn numbers_become_the_nearest_ones_ties_to_even() {
        let check = |number: f32, half: Option<u16>| assert_eq!(to_half(number), half, "{number}");
        check(0.0, Some(0));
        check(-0.0, Some(0x8000));
        check(1.0, Some(0x3C00));
        check(-2.5, Some(0xC100));
        check(65_504.0, Some(0x7BFF));
        check(65_519.9, Some(0x7BFF));
        check(65_520.0, None);
        check(f32::INFINITY, None);
        check(f32::NAN, None);
        // Halfway between two neighbours: the even one.
        check(1.0 + 1.0 / 2048.0, Some(0x3C00));
        check(1.0 + 3.0 / 2048.0, Some(0x3C02));
        // Below the normal numbers: multiples of 2^-24, and half of one is a tie.
        check(2.0_f32.powi(-24), Some(1));
        check(2.0_f32.powi(-25), Some(0));
        check(3.0 * 2.0_f32.powi(-25), Some(2));
        check(2.0_f32.powi(-14), Some(0x0400));
        assert_eq!((from_half(1), from_half(0x8001)), (2.0_f32.powi(-24), -2.0_f32.powi(-24)));
    }
}

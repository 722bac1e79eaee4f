//! LZX, the compression of cabinets and of the ITSS family, unpacked.
//!
//! After Microsoft's "LZX Data Compression Format" (1997) and [MS-PATCH], section 2. Frames of 32 KiB begin at words
//! of 16 bits; blocks may span them. The translation of machine code (E8) is not undone: books have no machine code.
//! The crate `lzxd` (0.2.7) reads no whole book: it fails on the first frame of the golden book, even with zeros
//! after it.

/// A frame.
pub(super) const FRAME: usize = 32 << 10;

/// The number of literals; then of match lengths that are coded in the main tree.
const LITERALS: usize = 256;
const SHORT_LENGTHS: usize = 7;

/// Sizes of the other trees.
const LENGTHS: usize = 249;
const ALIGNED: usize = 8;
const BEFORE: usize = 20;

/// The longest code.
const MAX_CODE_BITS: usize = 16;

/// Reads a stream bit by bit.
struct BitReader<'p> {
    bytes: &'p [u8],
    at: usize,
    buffer: u64,
    count: u32,
}

impl BitReader<'_> {
    /// The next bits, without taking them; zeros after the end.
    fn peek(&mut self, count: u32) -> u32 {
        while self.count < count {
            let word = match self.bytes.get(self.at..self.at + 2) {
                Some(two) => u64::from(two[0]) | u64::from(two[1]) << 8,
                None => self.bytes.get(self.at).map_or(0, |&byte| u64::from(byte)),
            };
            self.at += 2;
            self.buffer = self.buffer << 16 | word;
            self.count += 16;
        }
        ((self.buffer >> (self.count - count)) & ((1 << count) - 1)) as u32
    }

    fn take(&mut self, count: u32) -> u32 {
        let bits = self.peek(count);
        self.count -= count;
        bits
    }

    /// True if more bits were taken than there are.
    fn is_over(&self) -> bool {
        self.at.saturating_sub(self.count as usize / 8) > self.bytes.len() + 2
    }

    /// Goes to the next word; if it is already at one, skips a whole word if `at_least_one`.
    fn align(&mut self, at_least_one: bool) {
        if at_least_one && self.count.is_multiple_of(16) {
            self.take(16);
        }
        self.at = self.at.saturating_sub(self.count as usize / 16 * 2);
        (self.buffer, self.count) = (0, 0);
    }

    fn byte(&mut self) -> Option<u8> {
        self.at += 1;
        self.bytes.get(self.at - 1).copied()
    }

    fn long(&mut self) -> Option<usize> {
        let four = [self.byte()?, self.byte()?, self.byte()?, self.byte()?];
        Some(u32::from_le_bytes(four) as usize)
    }
}

/// A canonical Huffman code.
#[derive(Default)]
struct CodeTree {
    /// For each length, the first code after those of this length, filled up to 16 bits, and the offset from a code
    /// to its index.
    ends: [u32; MAX_CODE_BITS + 1],
    shifts: [i64; MAX_CODE_BITS + 1],
    symbols: Vec<u16>,
}

impl CodeTree {
    fn new(lengths: &[u8]) -> CodeTree {
        let mut counts = [0u32; MAX_CODE_BITS + 1];
        lengths.iter().for_each(|&length| counts[usize::from(length).min(MAX_CODE_BITS)] += 1);
        counts[0] = 0;
        let mut tree = CodeTree::default();
        let (mut code, mut place) = (0u32, 0i64);
        for (length, &count) in counts.iter().enumerate().skip(1) {
            code <<= 1;
            tree.shifts[length] = place - i64::from(code);
            code = code.saturating_add(count).min(1 << 20);
            place += i64::from(count);
            tree.ends[length] = code << (MAX_CODE_BITS - length);
            let of_length =
                |(symbol, &own): (usize, &u8)| (usize::from(own) == length).then_some(symbol as u16);
            if count > 0 {
                tree.symbols.extend(lengths.iter().enumerate().filter_map(of_length));
            }
        }
        tree
    }

    fn symbol(&self, bits: &mut BitReader<'_>) -> Option<usize> {
        let code = bits.peek(MAX_CODE_BITS as u32);
        let length = (1..=MAX_CODE_BITS).find(|&length| code < self.ends[length])?;
        bits.take(length as u32);
        let place = i64::from(code >> (MAX_CODE_BITS - length)) + self.shifts[length];
        self.symbols.get(usize::try_from(place).ok()?).map(|&symbol| usize::from(symbol))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LzxBlockKind {
    Verbatim,
    Aligned,
    Plain,
}

/// A decoder; it restarts with each window.
pub(super) struct LzxDecoder {
    main_lengths: Vec<u8>,
    length_lengths: Vec<u8>,
    main: CodeTree,
    length: CodeTree,
    aligned: CodeTree,
    kind: LzxBlockKind,
    left: usize,
    /// The size of a block without compression is odd: an unused byte follows it.
    is_odd: bool,
    last: [usize; 3],
    has_header: bool,
}

impl LzxDecoder {
    /// A decoder of windows of 2 to the power of 15 to 21 bytes.
    pub(super) fn new(bits: u32) -> Option<LzxDecoder> {
        let slots = match bits {
            15..=19 => bits as usize * 2,
            20 => 42,
            21 => 50,
            _ => return None,
        };
        Some(LzxDecoder {
            main_lengths: vec![0; LITERALS + slots * 8],
            length_lengths: vec![0; LENGTHS],
            main: CodeTree::default(),
            length: CodeTree::default(),
            aligned: CodeTree::default(),
            kind: LzxBlockKind::Plain,
            left: 0,
            is_odd: false,
            last: [1; 3],
            has_header: false,
        })
    }

    /// Appends a frame of `size` bytes to the output, in which the window begins at `window`. `None` if its data are
    /// invalid; the bytes up to there stay.
    pub(super) fn frame(
        &mut self,
        packed: &[u8],
        out: &mut Vec<u8>,
        window: usize,
        size: usize,
    ) -> Option<()> {
        let mut bits = BitReader { bytes: packed, at: 0, buffer: 0, count: 0 };
        if !std::mem::replace(&mut self.has_header, true) && bits.take(1) == 1 {
            bits.take(16);
            bits.take(16);
        }
        let end = out.len() + size;
        while out.len() < end {
            if self.left == 0 {
                self.begin_block(&mut bits)?;
            }
            if bits.is_over() {
                return None;
            }
            if self.kind == LzxBlockKind::Plain {
                out.push(bits.byte()?);
                self.left -= 1;
                if self.left == 0 && self.is_odd {
                    bits.byte();
                }
                continue;
            }
            let symbol = self.main.symbol(&mut bits)?;
            let before = out.len();
            match symbol.checked_sub(LITERALS) {
                None => out.push(symbol as u8),
                Some(symbol) => self.repeat(symbol, &mut bits, out, window, end)?,
            }
            self.left = self.left.saturating_sub(out.len() - before);
        }
        Some(())
    }

    fn begin_block(&mut self, bits: &mut BitReader<'_>) -> Option<()> {
        let kind = bits.take(3);
        self.left = (bits.take(16) as usize) << 8 | bits.take(8) as usize;
        self.kind = match kind {
            1 => LzxBlockKind::Verbatim,
            2 => LzxBlockKind::Aligned,
            3 => LzxBlockKind::Plain,
            _ => return None,
        };
        if self.left == 0 || bits.is_over() {
            return None;
        }
        if self.kind == LzxBlockKind::Plain {
            self.is_odd = self.left % 2 == 1;
            bits.align(true);
            for last in &mut self.last {
                *last = bits.long()?;
            }
            return Some(());
        }
        if self.kind == LzxBlockKind::Aligned {
            let lengths: [u8; ALIGNED] = std::array::from_fn(|_| bits.take(3) as u8);
            self.aligned = CodeTree::new(&lengths);
        }
        read_lengths(&mut self.main_lengths[..LITERALS], bits)?;
        read_lengths(&mut self.main_lengths[LITERALS..], bits)?;
        read_lengths(&mut self.length_lengths, bits)?;
        self.main = CodeTree::new(&self.main_lengths);
        self.length = CodeTree::new(&self.length_lengths);
        Some(())
    }

    fn repeat(
        &mut self,
        symbol: usize,
        bits: &mut BitReader<'_>,
        out: &mut Vec<u8>,
        window: usize,
        end: usize,
    ) -> Option<()> {
        let mut length = symbol % 8;
        if length == SHORT_LENGTHS {
            length += self.length.symbol(bits)?;
        }
        length += 2;
        let distance = self.distance(symbol / 8, bits)?;
        if distance == 0 || distance > out.len() - window {
            return None;
        }
        // Matches must not cross the end of a frame; of one that does, only the beginning is used.
        for _ in 0..length.min(end - out.len()) {
            out.push(out[out.len() - distance]);
        }
        Some(())
    }

    fn distance(&mut self, slot: usize, bits: &mut BitReader<'_>) -> Option<usize> {
        if slot < 3 {
            self.last.swap(0, slot);
            return Some(self.last[0]);
        }
        let (base, extra) = slot_base(slot);
        let offset = match (self.kind, extra) {
            (_, 0) => 0,
            (LzxBlockKind::Aligned, 3..) => {
                let high = bits.take(extra - 3) as usize;
                high << 3 | self.aligned.symbol(bits)?
            }
            _ => bits.take(extra) as usize,
        };
        let distance = (base + offset).checked_sub(2)?;
        self.last = [distance, self.last[0], self.last[1]];
        Some(distance)
    }
}

/// The first distance of a slot, and how many bits select one of them: two slots each of 0 to 16 bits, then of 17.
fn slot_base(slot: usize) -> (usize, u32) {
    match slot {
        0..4 => (slot, 0),
        4..36 => {
            let extra = slot / 2 - 1;
            ((2 + slot % 2) << extra, extra as u32)
        }
        _ => ((slot - 34) << 17, 17),
    }
}

/// Reads the lengths of codes, coded as differences from the previous ones.
fn read_lengths(lengths: &mut [u8], bits: &mut BitReader<'_>) -> Option<()> {
    let before: [u8; BEFORE] = std::array::from_fn(|_| bits.take(4) as u8);
    let tree = CodeTree::new(&before);
    let mut at = 0;
    while at < lengths.len() {
        if bits.is_over() {
            return None;
        }
        let changed = |old: u8, by: usize| ((17 + usize::from(old) - by) % 17) as u8;
        let (run, length) = match tree.symbol(bits)? {
            17 => (bits.take(4) as usize + 4, 0),
            18 => (bits.take(5) as usize + 20, 0),
            19 => {
                let run = bits.take(1) as usize + 4;
                let by = tree.symbol(bits).filter(|&by| by < 17)?;
                (run, changed(lengths[at], by))
            }
            by => (1, changed(lengths[at], by)),
        };
        let end = (at + run).min(lengths.len());
        lengths[at..end].fill(length);
        at = end;
    }
    Some(())
}

#[cfg(test)]
mod tests;

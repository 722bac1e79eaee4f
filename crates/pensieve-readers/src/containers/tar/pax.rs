//! Extended headers of POSIX tar: records `length key=value`, one a line, for the next entry or for all that follow.

/// The fields of extended headers that are read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct PaxFields {
    pub path: Option<Vec<u8>>,
    pub link: Option<Vec<u8>>,
    pub size: Option<u64>,
    /// The file has holes, and its data a form of their own.
    pub is_sparse: bool,
}

impl PaxFields {
    /// Takes over the records of a header; false if it is malformed.
    pub fn read(&mut self, mut records: &[u8]) -> bool {
        while !records.iter().all(|byte| *byte == 0) {
            let Some((key, value, rest)) = record(records) else { return false };
            self.set(key, value);
            records = rest;
        }
        true
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        let given = Some(value.to_vec()).filter(|value| !value.is_empty());
        match key {
            b"path" | b"GNU.sparse.name" => self.path = given,
            b"linkpath" => self.link = given,
            b"size" => self.size = std::str::from_utf8(value).ok().and_then(|value| value.parse().ok()),
            _ => {}
        }
        self.is_sparse |= key.starts_with(b"GNU.sparse.");
    }

    /// These fields, or else those of the headers for all entries.
    pub fn or(self, global: &PaxFields) -> PaxFields {
        PaxFields {
            path: self.path.or_else(|| global.path.clone()),
            link: self.link.or_else(|| global.link.clone()),
            size: self.size.or(global.size),
            is_sparse: self.is_sparse || global.is_sparse,
        }
    }
}

/// Key and value of the first record, and the records after it.
fn record(records: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let blank = memchr::memchr(b' ', records)?;
    let length: usize = std::str::from_utf8(records.get(..blank)?).ok()?.parse().ok()?;
    let (record, rest) = records.split_at_checked(length)?;
    let record = record.get(blank + 1..)?.strip_suffix(b"\n")?;
    let equals = memchr::memchr(b'=', record)?;
    Some((record.get(..equals)?, record.get(equals + 1..)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_by_their_lengths() {
        let mut fields = PaxFields::default();
        assert!(fields.read(b"17 path=a\nb=c d\xe9\n14 size=70000\n19 mtime=1.5000000\n\0\0"));
        let path = Some(b"a\nb=c d\xe9".to_vec());
        assert_eq!(fields, PaxFields { path, size: Some(70000), ..PaxFields::default() });
        assert!(!PaxFields::default().read(b"99 path=a\n"));
        assert!(!PaxFields::default().read(b"path=a\n"));
        assert!(!PaxFields::default().read(b"0 path=a\n"));
    }
}

//! Formats by their first bytes: a table, and the two container formats whose entries must be read.
//!
//! A row is `Sure` if no text begins with its bytes: they contain control characters, or belong to a document format
//! whose source is not worth reading. The others (`BM`, `MZ`, `ID3`, ...) count only for files that are not text,
//! because prose may begin with these letters too.

use super::table::{Container, Format, table_row};

/// The result of examining the first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// A document of this row.
    Document(&'static Format),
    /// A container whose first bytes do not show the document format.
    Container(Container, ContentType),
    /// Not a document.
    Other(ContentType),
}

/// A type of content without a row in the table of formats: its name for people and its MIME type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContentType {
    pub label: &'static str,
    pub mime: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Certainty {
    Sure,
    Likely,
}

struct Magic {
    at: usize,
    bytes: &'static [u8],
    certainty: Certainty,
    content: ContentType,
}

const fn sure(at: usize, bytes: &'static [u8], label: &'static str, mime: &'static str) -> Magic {
    Magic { at, bytes, certainty: Certainty::Sure, content: ContentType { label, mime } }
}

const fn likely(at: usize, bytes: &'static [u8], label: &'static str, mime: &'static str) -> Magic {
    Magic { at, bytes, certainty: Certainty::Likely, content: ContentType { label, mime } }
}

const ARCHIVE: ContentType = ContentType { label: "ZIP archive", mime: "application/zip" };
const COMPOUND_FILE: ContentType =
    ContentType { label: "OLE2 compound file", mime: "application/x-ole-storage" };

/// First bytes of files that are not documents; a longer row precedes a shorter one that is its prefix.
#[rustfmt::skip]
const MAGIC: &[Magic] = &[
    // Images.
    sure(0, b"\x89PNG\r\n\x1a\n", "PNG image", "image/png"),
    sure(0, b"\xff\xd8\xff", "JPEG image", "image/jpeg"),
    sure(0, b"II*\0", "TIFF image", "image/tiff"),
    sure(0, b"MM\0*", "TIFF image", "image/tiff"),
    sure(0, b"8BPS\0", "Photoshop image", "image/vnd.adobe.photoshop"),
    sure(0, b"\0\0\x01\0", "icon", "image/vnd.microsoft.icon"),
    sure(0, b"\0\0\x02\0", "cursor", "image/vnd.microsoft.icon"),
    sure(0, b"\0\0\0\x0cjP  \r\n\x87\n", "JPEG 2000 image", "image/jp2"),
    sure(0, b"\0\0\0\x0cJXL \r\n\x87\n", "JPEG XL image", "image/jxl"),
    sure(0, b"\x76\x2f\x31\x01", "OpenEXR image", "image/x-exr"),
    likely(0, b"\xff\x0a", "JPEG XL image", "image/jxl"),
    likely(0, b"GIF87a", "GIF image", "image/gif"),
    likely(0, b"GIF89a", "GIF image", "image/gif"),
    likely(0, b"BM", "BMP image", "image/bmp"),
    likely(8, b"WEBP", "WebP image", "image/webp"),
    likely(4, b"ftypavif", "AVIF image", "image/avif"),
    likely(4, b"ftyphei", "HEIF image", "image/heic"),
    likely(4, b"ftypmif1", "HEIF image", "image/heif"),
    likely(0, b"gimp xcf", "GIMP image", "image/x-xcf"),
    likely(0, b"AT&TFORM", "DjVu document", "image/vnd.djvu"),
    likely(128, b"DICM", "DICOM image", "application/dicom"),
    likely(0, b"qoif", "QOI image", "image/qoi"),
    likely(0, b"DDS ", "DirectDraw texture", "image/vnd.ms-dds"),
    // Sound.
    sure(0, b"OggS\0", "Ogg stream", "audio/ogg"),
    sure(0, b"MThd\0\0\0", "MIDI music", "audio/midi"),
    likely(0, b"ID3", "MP3 audio", "audio/mpeg"),
    likely(0, b"\xff\xfb", "MP3 audio", "audio/mpeg"),
    likely(0, b"\xff\xf3", "MP3 audio", "audio/mpeg"),
    likely(0, b"\xff\xf2", "MP3 audio", "audio/mpeg"),
    likely(0, b"\xff\xf1", "AAC audio", "audio/aac"),
    likely(0, b"\xff\xf9", "AAC audio", "audio/aac"),
    likely(0, b"fLaC", "FLAC audio", "audio/flac"),
    likely(8, b"WAVE", "WAV audio", "audio/wav"),
    likely(8, b"AIFF", "AIFF audio", "audio/aiff"),
    likely(8, b"AIFC", "AIFF audio", "audio/aiff"),
    likely(0, b"#!AMR\n", "AMR audio", "audio/amr"),
    likely(0, b"wvpk", "WavPack audio", "audio/x-wavpack"),
    likely(0, b"MAC ", "Monkey's audio", "audio/x-ape"),
    // Video.
    sure(0, b"\x1a\x45\xdf\xa3", "Matroska video", "video/x-matroska"),
    sure(0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "Windows media", "video/x-ms-asf"),
    sure(0, b"\0\0\x01\xba", "MPEG video", "video/mpeg"),
    sure(0, b"\0\0\x01\xb3", "MPEG video", "video/mpeg"),
    sure(0, b"FLV\x01", "Flash video", "video/x-flv"),
    likely(8, b"AVI ", "AVI video", "video/x-msvideo"),
    likely(4, b"ftypqt", "QuickTime video", "video/quicktime"),
    likely(4, b"ftypM4A", "MPEG-4 audio", "audio/mp4"),
    likely(4, b"ftyp", "MPEG-4 video", "video/mp4"),
    likely(4, b"moov", "QuickTime video", "video/quicktime"),
    likely(4, b"mdat", "QuickTime video", "video/quicktime"),
    likely(0, b"FWS", "Flash film", "application/x-shockwave-flash"),
    likely(0, b"CWS", "Flash film", "application/x-shockwave-flash"),
    // Archives and packed files.
    sure(0, b"\x1f\x8b", "gzip archive", "application/gzip"),
    sure(0, b"\x1f\x9d", "compressed file", "application/x-compress"),
    sure(0, b"\xfd7zXZ\0", "xz archive", "application/x-xz"),
    sure(0, b"\x28\xb5\x2f\xfd", "Zstandard archive", "application/zstd"),
    sure(0, b"\x04\x22\x4d\x18", "LZ4 archive", "application/x-lz4"),
    sure(0, b"7z\xbc\xaf\x27\x1c", "7-Zip archive", "application/x-7z-compressed"),
    sure(0, b"Rar!\x1a\x07", "RAR archive", "application/vnd.rar"),
    sure(257, b"ustar\0", "tar archive", "application/x-tar"),
    sure(257, b"ustar  \0", "tar archive", "application/x-tar"),
    sure(0, b"MSCF\0\0\0\0", "cabinet archive", "application/vnd.ms-cab-compressed"),
    sure(0, b"\xed\xab\xee\xdb\x03", "RPM package", "application/x-rpm"),
    sure(0, b"\xff\x06\0\0sNaPpY", "Snappy archive", "application/x-snappy-framed"),
    likely(0, b"\x78\x9c", "zlib stream", "application/zlib"),
    likely(0, b"\x78\xda", "zlib stream", "application/zlib"),
    likely(0, b"BZh", "bzip2 archive", "application/x-bzip2"),
    likely(0, b"LZIP", "lzip archive", "application/lzip"),
    likely(0, b"\x5d\0\0", "LZMA archive", "application/x-lzma"),
    likely(0, b"!<arch>\n", "library or package archive", "application/x-archive"),
    likely(0, b"070701", "cpio archive", "application/x-cpio"),
    likely(0, b"hsqs", "SquashFS image", "application/vnd.squashfs"),
    likely(0x8001, b"CD001", "CD image", "application/x-iso9660-image"),
    likely(2, b"-lh", "LHA archive", "application/x-lzh-compressed"),
    likely(0, b"QFI\xfb", "disk image", "application/x-qemu-disk"),
    likely(0, b"KDMV", "disk image", "application/x-vmdk"),
    likely(0, b"vhdxfile", "disk image", "application/x-vhdx"),
    // Programs, libraries, compiled code.
    sure(0, b"\x7fELF", "ELF program or library", "application/x-elf"),
    likely(0, b"\xfe\xed\xfa\xce", "Mach-O program or library", "application/x-mach-binary"),
    likely(0, b"\xfe\xed\xfa\xcf", "Mach-O program or library", "application/x-mach-binary"),
    likely(0, b"\xce\xfa\xed\xfe", "Mach-O program or library", "application/x-mach-binary"),
    likely(0, b"\xcf\xfa\xed\xfe", "Mach-O program or library", "application/x-mach-binary"),
    sure(0, b"\xca\xfe\xba\xbe\0", "Java class or Mach-O program", "application/java-vm"),
    sure(0, b"\0asm", "WebAssembly program", "application/wasm"),
    sure(0, b"dex\n03", "Android program", "application/vnd.android.dex"),
    likely(0, b"BC\xc0\xde", "LLVM bitcode", "application/x-llvm"),
    sure(0, b"\x1bLua", "Lua bytecode", "application/x-lua-bytecode"),
    sure(0, b"\xac\xed\0\x05", "serialised Java object", "application/x-java-serialized-object"),
    sure(0, b"Microsoft C/C++ MSF 7.00\r\n\x1a", "debug symbols", "application/x-ms-pdb"),
    likely(0, b"rust\0\0", "Rust metadata", "application/octet-stream"),
    likely(0, b"MZ", "Windows program or library", "application/vnd.microsoft.portable-executable"),
    likely(0, b"\x0a\x0d\x0d\x0a", "network capture", "application/x-pcapng"),
    likely(1, b"\x0d\x0d\x0a", "Python bytecode", "application/x-python-bytecode"),
    likely(8, b"BEAM", "Erlang bytecode", "application/x-beam"),
    likely(0, b";ELC", "Emacs bytecode", "application/x-elc"),
    // Fonts.
    sure(0, b"OTTO\0", "font", "font/otf"),
    sure(0, b"ttcf\0", "font", "font/collection"),
    sure(0, b"true\0", "font", "font/ttf"),
    likely(0, b"wOFF", "font", "font/woff"),
    likely(0, b"wOF2", "font", "font/woff2"),
    likely(4, b"Standard Jet DB", "Access database", "application/x-msaccess"),
    likely(4, b"Standard ACE DB", "Access database", "application/x-msaccess"),
    likely(0, b"\0\x01\0\0", "font", "font/ttf"),
    // Data.
    sure(0, b"SQLite format 3\0", "SQLite database", "application/vnd.sqlite3"),
    sure(0, b"\x89HDF\r\n\x1a\n", "HDF5 data", "application/x-hdf5"),
    likely(0, b"\x93NUMPY", "NumPy array", "application/x-npy"),
    sure(0, b"ARROW1\0\0", "Arrow data", "application/vnd.apache.arrow.file"),
    sure(0, b"Obj\x01", "Avro data", "application/avro"),
    sure(0, b"CDF\x01", "NetCDF data", "application/x-netcdf"),
    sure(0, b"CDF\x02", "NetCDF data", "application/x-netcdf"),
    sure(0, b"\xd4\xc3\xb2\xa1\x02\0", "network capture", "application/vnd.tcpdump.pcap"),
    sure(0, b"\xa1\xb2\xc3\xd4\0\x02", "network capture", "application/vnd.tcpdump.pcap"),
    sure(0, b"\xde\x12\x04\x95", "gettext catalogue", "application/x-gettext-translation"),
    sure(0, b"\x95\x04\x12\xde", "gettext catalogue", "application/x-gettext-translation"),
    likely(0, b"\xfe\xed\xfe\xed", "Java key store", "application/x-java-keystore"),
    sure(0, b"PACK\0\0\0", "git pack", "application/x-git"),
    sure(0, b"DIRC\0\0\0", "git index", "application/x-git"),
    sure(0, b"\x4c\0\0\0\x01\x14\x02\0", "Windows shortcut", "application/x-ms-shortcut"),
    sure(0, b"ITSF\x03\0\0\0", "compiled help", "application/vnd.ms-htmlhelp"),
    sure(0, b"ElfFile\0", "Windows event log", "application/x-ms-evtx"),
    likely(0, b"PAR1", "Parquet data", "application/vnd.apache.parquet"),
    likely(0, b"ORC", "ORC data", "application/x-orc"),
    likely(0, b"GGUF", "model weights", "application/x-gguf"),
    likely(0, b"MATLAB 5.0 MAT-file", "MATLAB data", "application/x-matlab-data"),
    likely(0, b"bplist00", "property list", "application/x-bplist"),
    likely(0, b"regf", "Windows registry", "application/x-ms-registry"),
    likely(0, b"d8:announce", "torrent", "application/x-bittorrent"),
    likely(0, b"\x30\x82", "DER certificate or key", "application/x-x509-ca-cert"),
];

/// Types and creators of Palm databases that are books.
const PALM_BOOKS: &[&[u8; 8]] = &[b"TEXtREAd", b"TEXtTlDc", b"zTXTGPlm", b"PNRdPPrs"];

/// Topaz and KFX books, which the reader of Kindle books reports as unsupported.
const OTHER_KINDLE: &[&[u8]] = &[b"TPZ0", b"\xeaDRMION\xee", b"CONT\x02\0"];

/// Workbooks of Excel 2 to 4, which are not compound files.
const EXCEL_FILES: &[&[u8]] = &[b"\x09\0\x04\0", b"\x09\x02\x06\0", b"\x09\x04\x06\0"];

/// Files of Windows Write, and of Word versions before compound files.
const WRITE_FILES: &[&[u8]] = &[b"\x31\xbe\0\0", b"\x32\xbe\0\0", b"\xdb\xa5\x2d\0", b"\x9b\xa5\x21\0"];

/// The content by first bytes that no text begins with.
pub(super) fn sure_content(head: &[u8]) -> Option<Content> {
    let row = |name| table_row(name).map(Content::Document);
    if head.starts_with(b"%PDF-") {
        return row("pdf");
    }
    if head.starts_with(b"{\\rtf") {
        return row("rtf");
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Some(zip_content(head));
    }
    if head.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        return Some(compound_content(head));
    }
    if let Some(kind) = head.get(60..68).filter(|_| head[..60].contains(&0)) {
        if kind == b"BOOKMOBI" {
            return row("mobi");
        }
        if PALM_BOOKS.iter().any(|known| kind == *known) {
            return row("pdb");
        }
    }
    if OTHER_KINDLE.iter().any(|begin| head.starts_with(begin)) {
        return row("mobi");
    }
    if head.starts_with(b"ITOLITLS") {
        return row("lit");
    }
    if head.starts_with(b"!!8-Bit!!") {
        return row("tcr");
    }
    if EXCEL_FILES.iter().any(|begin| head.starts_with(begin)) {
        return row("xls");
    }
    if WRITE_FILES.iter().any(|begin| head.starts_with(begin)) {
        return row("doc");
    }
    if is_portable_image(head) {
        let content = ContentType { label: "portable image", mime: "image/x-portable-anymap" };
        return Some(Content::Other(content));
    }
    find(head, Certainty::Sure)
}

/// The content by the first bytes of a file that is not text.
pub(super) fn likely_content(head: &[u8]) -> Option<Content> {
    // Readers of PDF look for its header in the first kilobyte.
    let beginning = &head[..head.len().min(1024)];
    if memchr::memmem::find(beginning, b"%PDF-").is_some() {
        return table_row("pdf").map(Content::Document);
    }
    if is_transport_stream(head) {
        let content = ContentType { label: "MPEG transport stream", mime: "video/mp2t" };
        return Some(Content::Other(content));
    }
    if is_early_tar(head) {
        let content = ContentType { label: "tar archive", mime: "application/x-tar" };
        return Some(Content::Other(content));
    }
    find(head, Certainty::Likely)
}

fn find(head: &[u8], certainty: Certainty) -> Option<Content> {
    let is_here = |magic: &&Magic| {
        magic.certainty == certainty && head.get(magic.at..).is_some_and(|rest| rest.starts_with(magic.bytes))
    };
    MAGIC.iter().find(is_here).map(|magic| Content::Other(magic.content))
}

/// True for an archive of tar's first form, which has no magic number: the checksum of its first header is right. It is the
/// sum of all bytes of the header, with blanks in its own place, in octal digits.
fn is_early_tar(head: &[u8]) -> bool {
    const CHECKSUM: std::ops::Range<usize> = 148..156;
    let Some(header) = head.get(..512) else { return false };
    let digits = header[CHECKSUM].split(|byte| *byte == 0).next().unwrap_or_default();
    let stored =
        std::str::from_utf8(digits).ok().and_then(|digits| u32::from_str_radix(digits.trim(), 8).ok());
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    let own: u32 = header[CHECKSUM].iter().map(|byte| u32::from(*byte)).sum();
    stored == Some(sum - own + CHECKSUM.len() as u32 * u32::from(b' '))
}

/// True for an image of the kinds P4, P5 and P6, whose pixels follow as bytes: white ones look like text in an old encoding. The
/// header is width and height, and the largest value but for P4, as digits with white space and comments between.
fn is_portable_image(head: &[u8]) -> bool {
    let Some((kind @ (b"P4" | b"P5" | b"P6"), rest)) = head.split_at_checked(2) else { return false };
    let lines = rest[..rest.len().min(1024)].split(|byte| *byte == b'\n');
    let without_comments = lines.map(|line| line.split(|byte| *byte == b'#').next().unwrap_or_default());
    let mut words =
        without_comments.flat_map(|line| line.split(u8::is_ascii_whitespace)).filter(|word| !word.is_empty());
    let is_number =
        |word: Option<&[u8]>| word.is_some_and(|word| word.len() <= 9 && word.iter().all(u8::is_ascii_digit));
    let numbers = if kind == b"P4" { 2 } else { 3 };
    rest.first().is_some_and(u8::is_ascii_whitespace) && (0..numbers).all(|_| is_number(words.next()))
}

fn is_transport_stream(head: &[u8]) -> bool {
    [0, 188, 376].iter().all(|at| head.get(*at) == Some(&0x47))
}

/// Beginnings of entry names that show the format of an archive.
const ZIP_NAMES: &[(&[u8], &str)] =
    &[(b"word/", "docx"), (b"xl/", "xlsx"), (b"ppt/", "pptx"), (b"META-INF/container.xml", "epub")];

/// Entry names of archives that are not documents.
const ZIP_OTHERS: &[(&[u8], ContentType)] = &[
    (
        b"AndroidManifest.xml",
        ContentType { label: "Android package", mime: "application/vnd.android.package-archive" },
    ),
    (b"META-INF/MANIFEST.MF", ContentType { label: "Java archive", mime: "application/java-archive" }),
    (b"visio/", ContentType { label: "Visio drawing", mime: "application/vnd.ms-visio.drawing" }),
];

/// Beginnings of the content of a `mimetype` entry.
const ZIP_TYPES: &[(&[u8], &str)] = &[
    (b"application/epub+zip", "epub"),
    (b"application/vnd.oasis.opendocument.text", "odt"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "ods"),
    (b"application/vnd.oasis.opendocument.presentation", "odp"),
];

fn zip_content(head: &[u8]) -> Content {
    for (name, content) in zip_entries(head) {
        let named = |(start, row): &(&[u8], &'static str)| name.starts_with(start).then_some(*row);
        let typed = |(start, row): &(&[u8], &'static str)| content.starts_with(start).then_some(*row);
        let row = match name {
            b"mimetype" => ZIP_TYPES.iter().find_map(typed),
            _ => ZIP_NAMES.iter().find_map(named),
        };
        if let Some(row) = row.and_then(table_row) {
            return Content::Document(row);
        }
        if let Some((_, content)) = ZIP_OTHERS.iter().find(|(start, _)| name.starts_with(start)) {
            return Content::Other(*content);
        }
    }
    Content::Container(Container::Zip, ARCHIVE)
}

/// Name and beginning of each entry whose header lies in the head. Sizes in headers may be wrong, so the next header is
/// searched for.
fn zip_entries(head: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    memchr::memmem::find_iter(head, b"PK\x03\x04").filter_map(|at| {
        let header = &head[at..];
        let number =
            |at: usize| Some(usize::from(u16::from_le_bytes([*header.get(at)?, *header.get(at + 1)?])));
        let name_end = 30 + number(26)?;
        let content = header.get(name_end + number(28)?..).unwrap_or_default();
        Some((header.get(30..name_end)?, content))
    })
}

/// Names of streams that show the format, as the directory contains them in UTF-16.
const COMPOUND_STREAMS: &[(&str, &str)] = &[
    // A mail may contain documents, but a document contains no mail.
    ("__properties_version1.0", "msg"),
    ("WordDocument", "doc"),
    ("Workbook", "xls"),
    ("PowerPoint Document", "ppt"),
];

fn compound_content(head: &[u8]) -> Content {
    let found = COMPOUND_STREAMS.iter().find(|(stream, _)| {
        let name: Vec<u8> = stream.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memchr::memmem::find(head, &name).is_some()
    });
    let row = found.and_then(|(_, row)| table_row(row));
    row.map_or(Content::Container(Container::CompoundFile, COMPOUND_FILE), Content::Document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_is_shadowed_by_an_earlier_one() {
        for (at, later) in MAGIC.iter().enumerate() {
            for earlier in &MAGIC[..at] {
                let shadows = earlier.at == later.at && later.bytes.starts_with(earlier.bytes);
                assert!(
                    !shadows || earlier.certainty != later.certainty,
                    "{} shadows {}",
                    earlier.content.label,
                    later.content.label
                );
            }
        }
    }

    #[test]
    fn every_row_is_found_and_no_text_begins_with_a_sure_one() {
        for magic in MAGIC {
            let mut head = vec![b'x'; magic.at];
            head.extend_from_slice(magic.bytes);
            assert_eq!(
                find(&head, magic.certainty),
                Some(Content::Other(magic.content)),
                "{}",
                magic.content.label
            );
            let is_control = |byte: &u8| *byte == 0x7f || (*byte < 0x20 && !b"\t\n\r".contains(byte));
            // Letters in some legacy encodings, but not words in any.
            let is_no_word = matches!(magic.bytes, b"\xff\xd8\xff" | b"\x28\xb5\x2f\xfd" | b"dex\n03");
            let is_marked = magic.bytes.iter().any(is_control) || is_no_word;
            assert!(
                is_marked || magic.certainty == Certainty::Likely,
                "{} may begin a text",
                magic.content.label
            );
        }
    }

    #[test]
    fn every_row_that_is_named_here_is_in_the_table_of_formats() {
        let named = ZIP_NAMES.iter().chain(ZIP_TYPES).map(|(_, row)| *row);
        let named = named.chain(COMPOUND_STREAMS.iter().map(|(_, row)| *row));
        for row in named.chain(["pdf", "rtf", "mobi", "pdb", "lit", "tcr", "doc"]) {
            assert!(table_row(row).is_some(), "{row}");
        }
    }
}

//! Every limit of the readers: what a document may cost before the reader stops, and the reason for each number.
//!
//! A limit is a number of bytes, a count, a depth or a number of seconds. What lies above it is left out or the
//! document is refused; either way the reader reports it. Thresholds
//! by which a reader judges what a text means (the longest heading, the share of links in a menu) are not limits;
//! they are defined beside the code that uses them.

/// What a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitUnit {
    /// Bytes, in memory or in a file.
    Bytes,
    /// Items of one kind, such as parts of a mail.
    Count,
    /// Items inside each other.
    Depth,
    /// Seconds.
    Seconds,
}

/// One limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The name of the constant.
    pub name: &'static str,
    /// What the number counts.
    pub unit: LimitUnit,
    /// The number.
    pub value: u64,
    /// What is limited, what happens above it, and why it is this much.
    pub reason: &'static str,
}

/// The limits of one group of readers.
#[derive(Debug, Clone, Copy)]
pub struct LimitGroup {
    /// The module of the readers, such as `mail`.
    pub name: &'static str,
    /// Its limits, in the order of this file.
    pub limits: &'static [Limit],
}

/// Declares the limits of one group of readers as constants and as rows.
macro_rules! limits {
    ($group:ident: $($(#[doc = $reason:literal])+ $unit:ident $name:ident: $type:ty = $value:expr;)*) => {
        /// Limits of the readers of this name.
        pub(crate) mod $group {
            $($(#[doc = $reason])+ pub(crate) const $name: $type = $value;)*

            pub(super) const ROWS: super::LimitGroup = super::LimitGroup {
                name: stringify!($group),
                limits: &[$(super::Limit {
                    name: stringify!($name),
                    unit: super::LimitUnit::$unit,
                    value: $name as u64,
                    reason: concat!($($reason),+),
                },)*],
            };
        }
    };
}

limits! { archive:
    /// Bytes that one entry of a ZIP package may expand to when it is read whole; what lies above is cut off and reported
    /// as `SizeLimit`. An XML part of 32 MiB is thousands of pages; those of the test corpora are below 2 MiB.
    Bytes MAX_ENTRY_BYTES: u64 = 32 << 20;
    /// Bytes that everything that is read of one package may expand to, streamed entries included; a reader that asks for
    /// more gets `SizeLimit`. Sheets are streamed, so this bounds time and not memory.
    Bytes MAX_PACKAGE_BYTES: u64 = 2 << 30;
    /// Entries of one package; a package with more is refused. A directory without ZIP64 cannot count more.
    Count MAX_ENTRIES: usize = 65_536;
    /// Bytes that the directory of a package may have, and the headers of its entries if they are looked for without
    /// it; a package with more is refused. They suffice for the largest number of entries with names of 200 letters.
    Bytes MAX_DIRECTORY_BYTES: u64 = 16 << 20;
}

limits! { containers:
    /// Bytes of one document in an archive that are held in memory. A larger one is read as a stream if it is text, and
    /// is otherwise listed with this reason: readers of documents need all of it.
    Bytes MAX_HELD_BYTES: usize = 32 << 20;
    /// Bytes of all archives inside each other that are held in memory at the same time; a document that does not fit
    /// beside them is listed with this reason.
    Bytes MAX_NESTED_BYTES: usize = 64 << 20;
    /// Entries of one archive, folders included; what follows is not read, and a ZIP archive with more is refused. Their
    /// names are in memory. Linux has 90,000 files.
    Count MAX_ENTRIES: usize = 200_000;
    /// Bytes that the directory of a ZIP archive may have: the largest number of entries with names of 200 letters.
    Bytes MAX_DIRECTORY_BYTES: u64 = 48 << 20;
    /// Bytes that a file and the archives inside it may unpack to together, however small it is; from then on
    /// `max_ratio` counts. What follows is not read.
    Bytes SMALL_ARCHIVE_BYTES: u64 = 256 << 20;
    /// Bytes that a file and the archives inside it may unpack to for each of its bytes, beyond those of a small one.
    /// Logs and dumps are packed to a twentieth; a kilobyte that unpacks to a megabyte is a bomb.
    Count MAX_RATIO: u64 = 100;
    /// Bytes of the dictionary of a packed stream, which are in memory; a stream with a larger one is not unpacked. `xz -9`
    /// has as many.
    Bytes MAX_DICTIONARY_BYTES: u64 = 64 << 20;
    /// Bytes of an extended header of tar, which has a long name; a longer one is left out and reported.
    Bytes MAX_TAR_HEADER_BYTES: u64 = 1 << 20;
    /// Bytes of the name of an entry; a longer one is cut at its start. Systems have no longer paths.
    Bytes MAX_NAME_BYTES: usize = 4096;
}

limits! { ole:
    /// Bytes that one stream of a compound file may have when it is read whole; a larger one is reported as
    /// `SizeLimit`. Streams of text are far smaller; those of pictures are read by range or not at all.
    Bytes MAX_STREAM_BYTES: u64 = 64 << 20;
    /// Bytes of all streams of one file that are read whole; streams of hostile files share their sectors.
    Bytes MAX_FILE_BYTES: u64 = 1 << 30;
    /// Storages and streams of one file; what lies above is left out. A recipient of a mail
    /// is a storage with some ten streams, so a mail to 10,000 people is read whole.
    Count MAX_DIRECTORY_ENTRIES: usize = 1 << 18;
    /// Storages inside each other; what lies deeper is left out and reported. A mail in a mail takes two, and documents
    /// inside each other are read to a depth of 8.
    Depth MAX_STORAGE_DEPTH: usize = 64;
    /// Properties of one property set; what lies above is left out. The standard sets define fewer than 50.
    Count MAX_PROPERTIES: usize = 4096;
    /// Bytes of one property; a longer one is cut off, because it is no metadata.
    Bytes MAX_PROPERTY_BYTES: usize = 64 << 10;
}

limits! { iwork:
    /// Bytes that one block of Snappy may expand to; a file with a larger one ends before it. The programs write 64
    /// KiB.
    Bytes MAX_BLOCK_BYTES: usize = 16 << 20;
    /// Bytes that a packed part of an iWork document from before 2013 may expand to; what follows is cut off. One entry
    /// of a package may have as many.
    Bytes MAX_PART_BYTES: u64 = 32 << 20;
    /// Paragraphs and cells of one page, sheet or slide that wait to be written, and runs of one paragraph. Above it
    /// further paragraphs join the one before them, and further runs take the style of the one before them, so that
    /// text is never lost.
    Count MAX_PENDING_BLOCKS: usize = 60_000;
    /// Styles, and attachments, that are kept by their names in a document from before 2013; text with later styles
    /// gets no headings, later attachments are left out.
    Count MAX_NAMED_ENTRIES: usize = 50_000;
    /// Parents of a style from before 2013 that are followed to find a heading; a broken style may be its own parent.
    Depth MAX_XML_STYLE_DEPTH: usize = 16;
    /// Cells with text of one table from before 2013; later ones are left out.
    Count MAX_XML_TABLE_CELLS: usize = 500_000;
    /// Number formats of a document from before 2013, and choices of one menu in a cell; numbers with later formats are
    /// shown plain, later choices are left out.
    Count MAX_CELL_FORMATS: usize = 50_000;
    /// Columns of a table; cells in later ones are left out. Numbers has at most a thousand.
    Count MAX_COLUMNS: u32 = 1000;
    /// Columns that one merged cell covers, in which its text is repeated; further ones stay empty, because each costs
    /// a copy.
    Count MAX_COVERED_COLUMNS: u32 = 32;
    /// Drawables and texts inside each other; deeper ones are left out. Each level is a call on the stack.
    Depth MAX_DRAWABLE_DEPTH: usize = 16;
    /// Bytes of shared objects (styles, lists of cells) that are read for one document, counted at each use; what needs
    /// more is left out and reported. Any number of tables may refer to one list.
    Bytes MAX_SHARED_BYTES: usize = 256 << 20;
    /// Bytes of text that cells and notes refer to, counted at each use; further texts are left out and reported. Any
    /// number of cells may refer to one text.
    Bytes MAX_REFERRED_TEXT_BYTES: usize = 24 << 20;
    /// Slides, sheets or sections of a document, and answers to one comment; later ones are left out.
    Count MAX_UNITS: usize = 20_000;
    /// Bytes that all files of a document's index may expand to together, since they are all in memory; a file beyond
    /// it is left out and reported.
    Bytes MAX_INDEX_BYTES: usize = 44 << 20;
    /// Objects of a document; later ones are not known, and what refers to them is left out.
    Count MAX_OBJECTS: usize = 400_000;
    /// Entries of one attribute table of a text (where a style, a link, a list begins); later ones are ignored.
    Count MAX_ATTRIBUTES: usize = 200_000;
    /// Styles that inherit from each other; what lies further up is not inherited. A broken style may be its own
    /// parent.
    Depth MAX_STYLE_DEPTH: usize = 8;
    /// Footnotes that are kept as footnotes; the text of later ones is put in parentheses where they are referred to.
    Count MAX_NOTES: usize = 20_000;
    /// Entries of one list that the cells of a table share; cells that refer to later ones are empty or have no format.
    Count MAX_LIST_ENTRIES: usize = 500_000;
    /// Cells with text of one table; the rows after them are left out and reported.
    Count MAX_TABLE_CELLS: usize = 300_000;
    /// Bytes of text in one table; the cells after them are left out and reported. Any number of cells may share a long
    /// string.
    Bytes MAX_TABLE_TEXT_BYTES: usize = 16 << 20;
}

limits! { nested:
    /// Documents inside each other; deeper ones get a row with that reason and are not read.
    Depth MAX_DEPTH: usize = 8;
    /// Documents inside one file, at all depths; the file is reported as too large above it. Large mailboxes have some
    /// hundred thousand.
    Count MAX_MEMBERS: usize = 1_000_000;
    /// Bytes of members that wait until their container has been read. Above it the outermost container has its members
    /// read in between; members of a member are refused at twice as many.
    Bytes MEMBER_QUEUE_BYTES: usize = 24 << 20;
    /// Text that a document of any size may become; what follows is left out and reported as `OutputLimit`. Spreadsheets, whose
    /// rows repeat each other, have a limit of their own.
    Bytes MIN_TEXT_BYTES: u64 = 4 << 20;
    /// Text that a document may become for each byte of its file, beyond that. Packages of words reach 20.
    Count MAX_TEXT_PER_FILE_BYTE: u64 = 100;
}

limits! { markdown:
    /// Tables, notes and items inside each other; what lies deeper is written without its form, so that hostile nesting
    /// costs no more than its words.
    Depth MAX_NESTED_BLOCKS: usize = 8;
    /// Quotations and items around a line that indent it; deeper lines are not indented further, which would cost the
    /// square of their depth.
    Depth MAX_INDENTS: usize = 24;
    /// Bytes that repeated and empty cells of tables may add to one document: merged cells of a few bytes could
    /// expand to gigabytes. Beyond it each cell is written once.
    Bytes MAX_REPEATED_BYTES: usize = 4 << 20;
}

limits! { hidden_text:
    /// Passages of a document that are listed because nobody can see them; the characters of further ones are counted. It is
    /// enough to see what was hidden, and how.
    Count MAX_PASSAGES: usize = 200;
    /// Characters of one passage that are listed; it is enough to find it.
    Count MAX_PASSAGE_CHARS: usize = 1000;
}

limits! { web:
    /// Tags of a page that is read as a tree; a page of more is read token by token, without main content. A tree of as
    /// many takes some 200 MiB.
    Count MAX_TREE_TAGS: usize = 600_000;
    /// Elements inside each other; deeper ones become children of the deepest, as in browsers, since the tree builder's
    /// cost grows with the depth at every tag (200 KB of nested `<div>` took 21 s).
    Depth MAX_ELEMENT_DEPTH: usize = 512;
    /// Nodes of a tree for each byte of its page; tags beyond it are ignored. Broken formatting can multiply nodes.
    Count MAX_NODES_PER_BYTE: usize = 2;
    /// Nodes that a page of any size may have in addition to those.
    Count SMALL_PAGE_NODES: usize = 10_000;
    /// Formatting elements that are open at once; further ones are ignored, since each is opened again in every
    /// paragraph that follows.
    Count MAX_OPEN_FORMATS: usize = 16;
    /// Bytes of an attribute's value; the rest is left out. Longer ones are image data, scripts, state of frameworks.
    Bytes MAX_ATTRIBUTE_BYTES: usize = 16 << 10;
    /// Bytes in which the end of a document type's internal subset is looked for, so that many false starts cost no
    /// more than the page is long.
    Bytes MAX_SUBSET_BYTES: usize = 64 << 10;
    /// Bytes at the start of a page in which its declarations are looked for, and its metadata where it has no tree.
    Bytes HEAD_BYTES: usize = 64 << 10;
    /// Entities that a page may declare; further ones stay as they are written.
    Count MAX_ENTITIES: usize = 1000;
    /// Bytes of the value of an entity; longer ones stay as they are written.
    Bytes MAX_ENTITY_BYTES: usize = 1000;
    /// Bytes that the entities of a page may add in addition to as many as it has itself; further ones stay as they are
    /// written.
    Bytes SMALL_ENTITY_BYTES: usize = 64 << 10;
    /// Bytes of a block of linked data (JSON-LD); larger ones are not read.
    Bytes MAX_LINKED_DATA_BYTES: usize = 1 << 20;
    /// Values of a block of linked data that are looked at for metadata.
    Count MAX_LINKED_DATA_VALUES: usize = 2000;
    /// Tables inside each other whose rows become items; deeper ones are written as blocks.
    Depth MAX_TABLES_AS_ITEMS: usize = 3;
    /// Bytes of a notebook that is kept in memory while it is read; a larger one streams, since its pictures may be
    /// most of it.
    Bytes MAX_HELD_NOTEBOOK_BYTES: u64 = 8 << 20;
    /// Cells of a notebook; what follows is left out.
    Count MAX_NOTEBOOK_CELLS: usize = 100_000;
    /// Outputs of one cell of a notebook, each stream counted once; further ones are left out.
    Count MAX_CELL_OUTPUTS: usize = 2000;
    /// Tags of an output that is HTML; nobody reads a longer one, and it is left out.
    Count MAX_OUTPUT_TAGS: usize = 100_000;
    /// Runs of words in one line of a drawing; what follows begins another line.
    Count MAX_LINE_RUNS: usize = 5000;
    /// Runs of words in a drawing; what follows is left out and reported.
    Count MAX_DRAWING_RUNS: usize = 200_000;
}

limits! { ocr:
    /// Lines of one answer of an OCR program; later ones are left out. A page of small print has some hundred.
    Count MAX_LINES: usize = 200_000;
}

limits! { pdf:
    /// Text of a PDF file that the reader collects before it emits it: a book is never in memory as a whole.
    Bytes SEGMENT_BYTES: usize = 256 << 10;
    /// Bytes that one stream may expand to, at each of its filters; a stream that gives more is left out. Kilobytes can
    /// expand to gigabytes.
    Bytes MAX_STREAM_BYTES: usize = 24 << 20;
    /// Bytes that all decoded streams of a document may have together; pages after that are left out. A form can be
    /// drawn any number of times, and is decoded each time.
    Bytes MAX_DECODED_BYTES: usize = 1 << 30;
    /// Bytes before the data of a stream in which its dictionary is looked for before the file is opened; a stream
    /// with a longer one is not checked in advance. Dictionaries of object and cross-reference streams are short.
    Bytes MAX_PRESCAN_BYTES: usize = 16 << 10;
    /// Dictionaries that are tried as that of a stream before the file is opened, the innermost first: it may contain
    /// others, and a stream inside more of them is not checked in advance.
    Count MAX_PRESCAN_DICTIONARIES: usize = 64;
    /// Bytes of dictionaries that are parsed again because they are inside of others, in the whole file; from then on
    /// every stream counts as one that expands too far. Files not made for it stay below a hundredth.
    Bytes MAX_PRESCAN_REREAD_BYTES: usize = 64 << 20;
    /// Bytes that are read and made to count what object and cross-reference streams expand to, in the whole file; from
    /// then on those that are not short count as ones that expand too far. Pages end at as many bytes of all streams.
    Bytes MAX_PRESCAN_COUNTED_BYTES: usize = 1 << 30;
    /// Passwords that are tried; later ones are not. Each takes a tenth of a second with the newest encryption.
    Count MAX_PASSWORDS: usize = 32;
    /// Pages that are read; later ones are left out. Each takes 2 KB for as long as the file is open.
    Count MAX_PAGES: usize = 20_000;
    /// Content streams of one page; later ones are left out. A page may have many short ones.
    Count MAX_CONTENT_STREAMS: usize = 20_000;
    /// Inline images without an end in one content stream; the rest of the stream is left out. The end of each is looked
    /// for in all of the rest.
    Count MAX_ENDLESS_IMAGES: usize = 100;
    /// Operators of all pages together; pages after that are left out. Forms that draw each other multiply them.
    Count MAX_OPERATORS: u64 = 60_000_000;
    /// Operators of one page; the rest of the page is left out, so that one page cannot use up the limit of all pages.
    Count MAX_PAGE_OPERATORS: u64 = 10_000_000;
    /// Glyphs of all pages together; pages after that are left out.
    Count MAX_GLYPHS: u64 = 40_000_000;
    /// Glyphs of one page; the rest of the page is left out. A page full of small print has some ten thousand.
    Count MAX_PAGE_GLYPHS: u64 = 400_000;
    /// Forms that draw forms; deeper ones are not drawn. A form can draw itself.
    Depth MAX_FORM_DEPTH: usize = 20;
    /// Graphics states that `q` saves; deeper ones are counted and not kept.
    Depth MAX_SAVED_STATES: usize = 128;
    /// Levels of marked content; deeper ones are counted and have no replacement text.
    Depth MAX_MARKED_CONTENT_DEPTH: usize = 128;
    /// Shapes of one page that the layout gets; later ones are left out. A page with more of them is a drawing.
    Count MAX_SHAPES: usize = 6_000;
    /// Subpaths of one path; later ones are left out. A path with more of them is a drawing.
    Count MAX_SUBPATHS: usize = 2_000;
    /// Annotations of one page; later ones are not looked at.
    Count MAX_ANNOTATIONS: usize = 20_000;
    /// Files that a document carries; later ones are left out and reported as skipped.
    Count MAX_EMBEDDED_FILES: usize = 2000;
    /// Bytes of one of these files, which is kept in memory; a larger one is left out and reported as skipped.
    Bytes MAX_EMBEDDED_BYTES: usize = 32 << 20;
    /// Bytes of all these files; further ones are left out and reported as skipped.
    Bytes MAX_EMBEDDED_TOTAL_BYTES: usize = 64 << 20;
    /// Fields above a form field from which it may inherit; a field can be its own parent.
    Depth MAX_FIELD_PARENTS: usize = 16;
    /// Values of a form field with several; later ones are left out.
    Count MAX_FIELD_VALUES: usize = 1_000;
    /// Layers in one list of the document; later ones count as shown.
    Count MAX_LAYERS: usize = 10_000;
    /// Bookmarks, destinations, nodes of their trees and ranges of page labels, each; later ones are left out. The
    /// trees can be made to loop.
    Count MAX_OUTLINE_ENTRIES: usize = 20_000;
    /// Bookmarks inside bookmarks; deeper ones are left out.
    Depth MAX_OUTLINE_DEPTH: usize = 64;
    /// Elements of the structure tree of a tagged file; the tags of later ones are not used. The tree can be made to loop.
    Count MAX_STRUCTURE_ELEMENTS: usize = 200_000;
    /// Bytes of an XMP packet; a larger one is not read. A packet may contain a preview picture.
    Bytes MAX_XMP_BYTES: usize = 1 << 20;
    /// Values of one key of the metadata; later ones are left out.
    Count MAX_METADATA_VALUES: usize = 200;
    /// Headers and footers that the metadata lists as left out of the text; later ones are not listed.
    Count MAX_LEFT_OUT_ROWS: usize = 200;
    /// Bytes that fonts may take in memory, about; above it all are dropped and read again when they are used again.
    Bytes MAX_FONT_BYTES: usize = 32 << 20;
    /// Bytes of the character map of a font with codes of one byte; a font with a larger one is not read. Each entry
    /// takes five times its bytes in memory.
    Bytes MAX_SIMPLE_CMAP_BYTES: usize = 6 << 20;
    /// Bytes of a character map of a font with codes of several bytes; a larger one is not read. All codes of two
    /// bytes, one by one, are 1 MB, and each entry takes five times its bytes in memory.
    Bytes MAX_CMAP_BYTES: usize = 4 << 20;
    /// Entries of a font program's character map; later ones are not read. A map can list all of Unicode many times.
    Count MAX_CMAP_MAPPINGS: usize = 120_000;
    /// Glyphs of a font program whose names are read: as many as a TrueType font can have.
    Count MAX_GLYPH_NAMES: u32 = 65_536;
    /// Characters of all font programs together that are kept; above it all are dropped and read again where needed.
    Count MAX_CACHED_CHARACTERS: usize = 300_000;
}

limits! { doc:
    /// Bytes of a Word 1, Word 2 or Windows Write file, which is read whole; a larger file that is no compound file is
    /// reported as `Damaged`.
    Bytes MAX_PLAIN_FILE_BYTES: u64 = 16 << 20;
    /// Lists, and uses of lists, of one document; items of further ones have no number. The count in the file is not to
    /// be trusted.
    Count MAX_LISTS: usize = 20_000;
    /// Cells of a row whose edges are read; further ones are not aligned. Word allows 63.
    Count MAX_ROW_CELLS: usize = 200;
    /// Styles that are based on each other; what lies further up is not inherited. A broken style may be its own base.
    Depth MAX_STYLE_DEPTH: usize = 12;
    /// Paragraphs whose properties are read from the data stream; each costs a read of its own. Further ones keep the
    /// properties of their style.
    Count MAX_DATA_STREAM_PARAGRAPHS: usize = 5_000;
}

limits! { docx:
    /// Parts beside the body that are read of one document: charts, diagrams, headers, inserted documents. Further ones
    /// are reported as skipped: a small package can refer to one part without end.
    Count MAX_PARTS: usize = 2_000;
    /// Bytes of all these parts; further ones are reported as skipped.
    Bytes MAX_PARTS_BYTES: usize = 64 << 20;
    /// Notes of one kind, or comments, of one document; further ones are left out. All are in memory together.
    Count MAX_ANNOTATIONS: usize = 50_000;
    /// Bytes of an HTML page that a document inserts; a larger one is reported as skipped, because the tree of a page
    /// takes many times its size.
    Bytes MAX_INSERTED_PAGE_BYTES: usize = 4 << 20;
    /// Bytes of all documents and pages that one document inserts; further ones are reported as skipped.
    Bytes MAX_INSERTED_BYTES: usize = 16 << 20;
    /// Bytes of text of one inserted document, which is kept whole; a longer one is reported as skipped.
    Bytes MAX_INSERTED_TEXT_BYTES: usize = 8 << 20;
    /// Documents that are inserted into each other; deeper ones are reported as skipped.
    Depth MAX_INSERTED_DEPTH: usize = 3;
    /// Bytes that are kept of a field code; the rest of a longer one is left out. Only links and a few kinds of fields
    /// are read from it.
    Bytes MAX_FIELD_CODE_BYTES: usize = 16 << 10;
    /// Styles that are based on each other; what lies further up is not inherited. A broken style may be its own base.
    Depth MAX_STYLE_DEPTH: usize = 40;
    /// Styles of one document; further ones are read as undefined.
    Count MAX_STYLES: usize = 20_000;
    /// Lists and definitions of lists of one document; items of further ones have no number.
    Count MAX_LISTS: usize = 50_000;
    /// Cells of the tables that are open at one time, which are kept in memory; the text of further ones stays, their
    /// borders do not.
    Count MAX_OPEN_CELLS: usize = 60_000;
    /// Cells after which a table of the body is written and goes on as another table, so that it need not fit into
    /// memory.
    Count MAX_TABLE_CELLS: usize = 20_000;
    /// Text boxes and tables inside each other; what lies deeper belongs to the innermost of these.
    Depth MAX_FLOW_DEPTH: usize = 40;
    /// Changes of style in one paragraph; the text after them looks like the last run, because each run takes more
    /// memory than its letters.
    Count MAX_PARAGRAPH_RUNS: usize = 20_000;
    /// Open elements that are searched for the picture around a description, and fields inside each other.
    Depth MAX_SEARCHED_DEPTH: usize = 64;
    /// Descriptions of one picture, which may be a group of many; further ones are left out.
    Count MAX_DESCRIPTIONS: usize = 200;
    /// Entries of a list of choices in a form; a choice after them is shown as nothing.
    Count MAX_FORM_ENTRIES: usize = 1_000;
}

limits! { story:
    /// Characters of the text of a list level; a longer one is cut, because it is written before every item.
    Count MAX_LIST_TEXT_CHARS: usize = 200;
    /// Tables inside each other in RTF and Word 97; what lies deeper belongs to the innermost of these.
    Depth MAX_TABLE_DEPTH: usize = 6;
    /// Different right edges of cells in one table; the columns of a table with more are not aligned, because every row
    /// would get a cell for each edge.
    Count MAX_COLUMN_EDGES: usize = 64;
    /// Cells of a row; the next ones begin another row.
    Count MAX_ROW_CELLS: usize = 256;
    /// Cells after which a table is written and goes on as another table, so that it need not fit into memory.
    Count MAX_TABLE_CELLS: usize = 20_000;
}

limits! { odf:
    /// Runs, blocks and cells that wait to be written; beyond that blocks and cells are joined. A package of 300 KB can
    /// contain a million paragraphs in one cell.
    Count MAX_HELD_ITEMS: usize = 60_000;
    /// Cells that one table covers, counted with their spans; a larger one is written in parts, and wider spans are
    /// dropped.
    Count MAX_TABLE_AREA_CELLS: usize = 100_000;
    /// Columns of a table, and repetitions of one cell, that are written; the Markdown of a table has no more.
    Count MAX_COLUMNS: u32 = 400;
    /// Spaces that one element may stand for; more are left out.
    Count MAX_REPEATED_SPACES: usize = 256;
    /// Cells of one document that are written again because they are declared as repeated; further ones are written
    /// once.
    Count MAX_REPEATED_CELLS: usize = 200_000;
    /// Times that a repeated row with words is written; further repetitions are left out. A row can declare a million
    /// repetitions.
    Count MAX_ROW_REPEATS: u32 = 100;
    /// Blocks of notes or of comments that wait for the end of the body; where there are more, they are written before
    /// it.
    Count MAX_WAITING_BLOCKS: usize = 20_000;
    /// Embedded objects that are read; further ones are reported as skipped. Each is a file of the package.
    Count MAX_OBJECTS: usize = 1000;
    /// Bytes of an embedded object that are read; the rest of a larger one is reported as skipped.
    Bytes MAX_OBJECT_BYTES: u64 = 1 << 20;
    /// Rows of metadata of one document; further ones are left out.
    Count MAX_METADATA_ROWS: usize = 200;
    /// Styles of one document; further ones are read as undefined. A package of 300 KB could name a million.
    Count MAX_STYLES: usize = 50_000;
    /// Parents of a style that are followed. A style may be its own ancestor in a broken file.
    Depth MAX_STYLE_DEPTH: usize = 32;
    /// Lists whose numbers are kept for lists that continue them; further ones cannot be continued.
    Count MAX_CONTINUED_LISTS: usize = 20_000;
}

limits! { ppt:
    /// Links of a presentation, and comments of a slide; further ones are left out.
    Count MAX_LINKS_AND_COMMENTS: usize = 50_000;
    /// Saves of a presentation whose changes are followed; older ones are not read. Every save appends to the file.
    Count MAX_EDITS: usize = 10_000;
    /// Groups of shapes inside each other; deeper ones are left out.
    Depth MAX_GROUP_DEPTH: usize = 32;
    /// Cells of a table that is drawn as a group of shapes; further ones are left out.
    Count MAX_TABLE_CELLS: usize = 5_000;
    /// Columns that a cell of such a table may cover.
    Count MAX_CELL_COLUMNS: u32 = 60;
    /// Rows that a cell of such a table may cover.
    Count MAX_CELL_ROWS: u32 = 100;
    /// Runs and links of the text of one shape; further text has the default look.
    Count MAX_TEXT_RUNS: usize = 100_000;
}

limits! { pptx:
    /// Slides that are read of one presentation; further ones are left out.
    Count MAX_SLIDES: usize = 20_000;
    /// Bytes of all parts that are read of one presentation: slides, layouts, notes, charts. Slides after them are
    /// reported as skipped.
    Bytes MAX_PARTS_BYTES: usize = 256 << 20;
    /// Bytes that the parts of a presentation may expand to for each byte of its file, one part as often as it is named.
    Count MAX_PARTS_PER_FILE_BYTE: usize = 200;
    /// Bytes that those of a presentation of any size may expand to.
    Bytes MIN_PARTS_LIMIT_BYTES: usize = 16 << 20;
    /// Comments of one slide, and authors of one presentation; further ones are left out.
    Count MAX_COMMENTS: usize = 10_000;
    /// Cells, and rows, of the tables of one slide; the text of further ones stays, their borders do not.
    Count MAX_TABLE_CELLS: usize = 50_000;
    /// Paragraphs of one slide; further ones become lines of the last.
    Count MAX_BLOCKS: usize = 50_000;
    /// Changes of style in one paragraph; the text after them looks like the last run.
    Count MAX_PARAGRAPH_RUNS: usize = 20_000;
    /// Shapes inside shapes, groups aside, and tables inside tables; deeper ones belong to the innermost of these.
    Depth MAX_SHAPE_DEPTH: usize = 16;
    /// Charts and diagrams of one slide; further ones are left out.
    Count MAX_DRAWINGS: usize = 200;
}

limits! { rtf:
    /// Groups inside each other; what lies deeper is reported as skipped.
    Depth MAX_GROUP_DEPTH: usize = 5_000;
    /// Flows of text inside each other, such as a note in a text box in a header; deeper ones are left out.
    Depth MAX_FLOW_DEPTH: usize = 16;
    /// Links whose addresses are kept; of later ones only the words stay.
    Count MAX_LINKS: usize = 100_000;
    /// Fonts of one document; text in later ones is decoded in the code page of the document.
    Count MAX_FONTS: usize = 20_000;
    /// Cells of a row whose edges are read; further ones are not aligned.
    Count MAX_ROW_CELLS: usize = 1_000;
    /// Bytes of a field code, a list marker or a row of metadata; the rest of a longer one is left out.
    Bytes MAX_CAPTURE_BYTES: usize = 16 << 10;
    /// Bytes after which nothing is added to the name of a font or style; only its beginning is compared.
    Bytes MAX_NAME_BYTES: usize = 100;
    /// Rows of metadata of one document; further ones are left out.
    Count MAX_METADATA_ROWS: usize = 100;
    /// Fonts of the RTF around the HTML of a mail; text in later ones is decoded in the code page of the document.
    Count MAX_HTML_FONTS: usize = 10_000;
    /// Bytes that the compressed body of a mail may expand to; the rest is left out.
    Bytes MAX_DECOMPRESSED_BYTES: usize = 32 << 20;
}

limits! { xml:
    /// Elements inside each other in the XML of a part; the stream ends at a deeper one. Documents nest a few dozen,
    /// and every open element keeps its name in memory.
    Depth MAX_ELEMENT_DEPTH: usize = 2_000;
    /// Elements that an end tag may close beside its own because their end tags are missing; an end tag that would have
    /// to close more is ignored. Documents that can be repaired need one or two, and each stray end tag costs a search
    /// this deep.
    Count MAX_CLOSED_BY_END_TAG: usize = 64;
    /// How many times the length of a text may be read in vain when broken markup makes the reader start again; beyond
    /// that the stream ends. It bounds the time for a text made of unclosed comments.
    Count MAX_VAIN_READS: usize = 8;
}

limits! { opc:
    /// Relationships that are read of one part of an Office package; later ones are left out. A presentation with ten
    /// thousand pictures stays below it.
    Count MAX_RELATIONSHIPS: usize = 100_000;
    /// Custom properties that are read of one Office document; later ones are left out. Programs write a few dozen.
    Count MAX_CUSTOM_PROPERTIES: usize = 200;
    /// Bytes of one property of an Office document; a longer one is left out, because it contains data of a program.
    Bytes MAX_PROPERTY_BYTES: usize = 16 << 10;
    /// Points of a diagram or texts of a chart that are read; later ones are left out. No page has room for more.
    Count MAX_DRAWING_TEXTS: usize = 20_000;
    /// Characters that are kept of the description of a picture; the rest is cut. Descriptions are sentences.
    Count MAX_DESCRIPTION_CHARACTERS: usize = 2000;
    /// Structures inside each other in a formula; of deeper ones only the text is read. Formulas of papers nest fewer
    /// than ten.
    Depth MAX_FORMULA_DEPTH: usize = 60;
}

limits! { sheets:
    /// Rows that are kept in memory before the columns of a table are decided on; of a longer table only these decide.
    /// They suffice to find the columns of real tables.
    Count MAX_PENDING_ROWS: usize = 1000;
    /// Bytes of cells that are kept in memory before the columns of a table are decided on, as for the rows.
    Bytes MAX_PENDING_BYTES: usize = 1 << 20;
    /// How many times a table may prove to be wider than decided; after that its cells are no longer padded.
    /// Each time the header is written once more.
    Count MAX_WIDENINGS: usize = 40;
    /// Text that a spreadsheet of any size may become; the rest is cut and reported.
    Bytes MIN_TEXT_LIMIT_BYTES: u64 = 16 << 20;
    /// Text that a spreadsheet may become for each byte of its file, beyond that; the rest is cut and reported. Ten
    /// million cells that repeat each other reach 30.
    Bytes MAX_TEXT_PER_FILE_BYTE: u64 = 100;
    /// Text that no spreadsheet may exceed; the rest is cut and reported.
    Bytes MAX_TEXT_BYTES: u64 = 1 << 30;
    /// Bytes of the text of one cell, comment or shape; a longer one is cut and reported. Excel allows 32,767
    /// characters.
    Bytes MAX_CELL_BYTES: usize = 256 << 10;
    /// Bytes of the cells of one row; the cells that do not fit are left out and reported.
    Bytes MAX_ROW_BYTES: usize = 4 << 20;
    /// Bytes of comments, texts of drawings and names that are kept until their sheet or document ends; what does not
    /// fit is left out. A thousand pages of comments fit.
    Bytes MAX_HELD_TEXT_BYTES: usize = 4 << 20;
    /// Bytes of a name of a sheet, style or person; a longer one is cut. Excel allows 31 characters for sheets.
    Bytes MAX_NAME_BYTES: usize = 1024;
    /// Labels merged over rows of one sheet that are repeated in these rows; later ones stand in their first row. All are
    /// in memory together.
    Count MAX_MERGED_LABELS: usize = 50_000;
    /// Bytes in memory for the texts that cells share, with their ends; later texts are left out and reported. A run
    /// may be given as little as 256 MiB for all its processes.
    Bytes MAX_SHARED_STRING_BYTES: usize = 92 << 20;
    /// Paragraphs that are taken from the drawings of one sheet; later ones are left out.
    Count MAX_DRAWING_PARAGRAPHS: usize = 100_000;
    /// Bytes of one paragraph of a drawing, or of one comment; the rest is cut.
    Bytes MAX_PARAGRAPH_BYTES: usize = 64 << 10;
    /// Bytes of one tag or section in streamed XML; a longer tag ends the stream, a longer text comes in segments. No
    /// sheet has a longer tag, and the buffer grows no further.
    Bytes MAX_TOKEN_BYTES: usize = 4 << 20;
    /// Sheets of one workbook; later ones are left out. Excel itself opens no more than memory allows, about a
    /// thousand.
    Count MAX_SHEETS: usize = 10_000;
    /// Bytes of a web page under the name `.xls`, which is read whole; a larger one is refused.
    Bytes MAX_PAGE_BYTES: u64 = 16 << 20;
    /// Bytes of one record of a binary workbook; a longer one ends its part. The longest that Excel writes are texts of
    /// 32,767 characters with their runs.
    Bytes MAX_RECORD_BYTES: u64 = 16 << 20;
    /// Rows and cells with content that an OpenDocument spreadsheet repeats by a number; further repetitions are left
    /// out and reported. LibreOffice packs equal rows; only a bomb has many of them.
    Count MAX_REPEATS: u32 = 200_000;
    /// Charts of an OpenDocument spreadsheet whose titles are read; later ones are left out.
    Count MAX_CHARTS: usize = 1000;
    /// Titles of one chart that are read; later ones are left out. A chart has one title and one subtitle.
    Count MAX_CHART_TITLES: usize = 20;
    /// Bytes of one title of a chart; the rest is cut.
    Bytes MAX_CHART_TITLE_BYTES: usize = 1024;
    /// Styles with a number format in a workbook of XML 2003; cells of later ones show plain numbers. Excel 2003 allows
    /// about 4,000.
    Count MAX_NAMED_STYLES: usize = 4096;
    /// Cell styles of a workbook; cells of later ones show plain numbers. Excel allows 65,490.
    Count MAX_CELL_STYLES: usize = 1 << 17;
    /// Format codes that a workbook defines; numbers of later ones are shown plain. Excel allows about 250.
    Count MAX_FORMAT_CODES: usize = 2048;
    /// Bytes of a format code; numbers of a longer one are shown plain. Excel allows 255 characters.
    Bytes MAX_FORMAT_CODE_BYTES: usize = 512;
}

limits! { lit:
    /// Bytes that one section of a Microsoft Reader book may unpack to; what follows is left out.
    Bytes MAX_SECTION_BYTES: usize = 32 << 20;
    /// Entries of the directory; later ones are left out.
    Count MAX_DIRECTORY_ENTRIES: usize = 65_536;
    /// Bytes of the name of a stream; a longer name is cut.
    Bytes MAX_NAME_BYTES: usize = 1_024;
    /// Sections of a book; streams in later ones cannot be read. Books have four.
    Count MAX_SECTIONS: usize = 16;
    /// Text of a book that is collected before it is emitted.
    Bytes SEGMENT_BYTES: usize = 8 << 20;
    /// Bytes of all pages of a book; pages that would exceed it are left out and reported. Streams may share their
    /// bytes, so that a count of pages alone bounds nothing.
    Bytes MAX_BOOK_BYTES: usize = 16 << 20;
    /// Bytes of HTML that are parsed as one tree; a larger page is parsed in segments of about this size.
    Bytes MAX_PARSED_PAGE_BYTES: usize = 2 << 20;
    /// Elements inside each other whose names are kept for their ends; those of deeper ones are not.
    Depth MAX_ELEMENT_DEPTH: usize = 4_096;
    /// Bytes of markup that one page may expand to; the rest of the page is left out. One byte can mean a long
    /// name.
    Bytes MAX_PAGE_BYTES: usize = 8 << 20;
    /// Pages of a book; later ones are left out.
    Count MAX_PAGES: usize = 4_000;
    /// Rows of metadata; later ones are left out.
    Count MAX_METADATA: usize = 1_000;
    /// Stops of a book's tour, which give headings; later ones give none.
    Count MAX_TOUR_STOPS: usize = 5_000;
    /// Characters of the label of a stop; the rest is cut.
    Count MAX_LABEL_CHARACTERS: usize = 200;
}

limits! { mobi:
    /// Text of a book that is collected before it is emitted.
    Bytes SEGMENT_BYTES: usize = 8 << 20;
    /// Bytes of HTML that the records of a book may unpack to; what follows is left out and reported as `SizeLimit`.
    Bytes MAX_TEXT_BYTES: usize = 20 << 20;
    /// Records of a HUFF/CDIC dictionary; phrases in later ones are missing from the text.
    Count MAX_DICTIONARY_RECORDS: usize = 1_024;
    /// Bytes that one packed record, or one phrase of a dictionary, may unpack to; the rest of it is left out and the
    /// record counts as broken.
    Bytes MAX_RECORD_BYTES: usize = 64 << 10;
    /// Bytes of all unpacked phrases that are kept; further phrases are missing from the text.
    Bytes MAX_PHRASE_BYTES: usize = 16 << 20;
    /// Phrases packed inside phrases; deeper ones are missing from the text. Each level is a call on the stack.
    Depth MAX_PHRASE_DEPTH: usize = 24;
    /// Codes inside phrases that are decoded; what follows is missing from the text. Phrases may share their bytes, so
    /// that the size of the records bounds nothing.
    Count MAX_PHRASE_CODES: usize = 32 << 20;
    /// Phrases of a dictionary; later ones are missing from the text.
    Count MAX_PHRASES: usize = 1 << 20;
    /// Entries of one index (contents, skeletons, fragments); later ones are left out.
    Count MAX_INDEX_ENTRIES: usize = 200_000;
    /// Records of entries, and records of strings, of one index; later ones are not read.
    Count MAX_INDEX_RECORDS: usize = 4_096;
    /// Numbers of one tag of an entry; later ones are left out.
    Count MAX_TAG_VALUES: usize = 256;
    /// Bytes of a string of an index, the label of an entry of the contents; the rest is cut.
    Bytes MAX_LABEL_BYTES: usize = 200;
    /// Bytes of HTML that are parsed as one tree; a larger page is parsed in segments.
    Bytes MAX_PARSED_PAGE_BYTES: usize = 1 << 20;
    /// Records of metadata; later ones are left out.
    Count MAX_METADATA: usize = 2_000;
    /// Bytes of one value of the metadata; the rest is cut.
    Bytes MAX_METADATA_BYTES: usize = 16 << 10;
    /// Entries of the contents, which give headings; later ones give none.
    Count MAX_CONTENTS_ENTRIES: usize = 5_000;
    /// Links that are read on a page that serves as contents; later ones give no headings.
    Count MAX_CONTENTS_LINKS: usize = 2_000;
    /// Bytes at the start of a book in which its guide is looked for, and bytes of the page that serves as contents;
    /// later links give no headings.
    Bytes MAX_CONTENTS_PAGE_BYTES: usize = 256 << 10;
    /// Parts of a KF8 book; later ones are left out.
    Count MAX_PARTS: usize = 50_000;
    /// Bytes that are moved to insert fragments before others; further fragments are appended instead. Books store them
    /// in order, so that nothing is moved.
    Bytes MAX_MOVED_BYTES: usize = 64 << 20;
    /// Bytes of an SVG drawing that is inserted where it is shown; the text of a larger one is left out.
    Bytes MAX_DRAWING_BYTES: usize = 256 << 10;
    /// Bytes of all SVG drawings that are inserted; the text of further ones is left out. Every part may show the same
    /// drawing.
    Bytes MAX_DRAWINGS_BYTES: usize = 4 << 20;
}

limits! { palm:
    /// Bytes of one record of a Palm database; the rest of it is not read. Records of text and of tables have at most
    /// 64 KiB.
    Bytes MAX_RECORD_BYTES: u64 = 256 << 10;
    /// Bytes that one record in PalmDOC compression may unpack to; the rest of it is left out and the record counts as
    /// broken. Such records have 4 KiB, and no field for their size has more than 16 bits.
    Bytes MAX_PALMDOC_RECORD_BYTES: usize = 64 << 10;
    /// Bytes that a PalmDOC or zTXT book may unpack to; what follows is left out and reported as `SizeLimit`.
    Bytes MAX_TEXT_BYTES: usize = 16 << 20;
    /// Bytes of a book in HTML that is parsed as a page; a larger one is read as plain text.
    Bytes MAX_PAGE_BYTES: usize = 2 << 20;
    /// Bytes that one zlib record of an eReader book may unpack to; the rest of it is left out.
    Bytes MAX_EREADER_RECORD_BYTES: usize = 256 << 10;
    /// Bytes that the text of an eReader book may unpack to; the records after them are left out and reported as
    /// `SizeLimit`.
    Bytes MAX_EREADER_TEXT_BYTES: usize = 8 << 20;
    /// Footnotes, and sidebars, of an eReader book; later ones are left out.
    Count MAX_NOTES: usize = 10_000;
    /// Bytes that the footnotes, and the sidebars, of an eReader book may unpack to; later ones are left out.
    Bytes MAX_NOTES_BYTES: usize = 4 << 20;
}

limits! { tcr:
    /// Bytes that a TCR book may unpack to; what follows is left out and reported as `SizeLimit`. One byte stands for
    /// up to 255.
    Bytes MAX_TEXT_BYTES: usize = 16 << 20;
}

limits! { xml_text:
    /// Of books and documents in XML: columns, and rows, that one cell of a table may cover; a larger number counts as this one.
    Count MAX_COVERED_CELLS: u32 = 1000;
    /// Runs of one paragraph; what follows begins another paragraph.
    Count MAX_PARAGRAPH_RUNS: usize = 5000;
    /// Cells of one table; what follows begins another table.
    Count MAX_TABLE_CELLS: usize = 20_000;
}

limits! { fb2:
    /// Books in one FictionBook package; later ones are left out.
    Count MAX_BOOKS: usize = 100;
    /// Bytes of a book without its pictures; what follows is left out and reported as `SizeLimit`.
    Bytes MAX_BOOK_BYTES: usize = 16 << 20;
    /// Text of a book that is collected before it is emitted.
    Bytes SEGMENT_BYTES: usize = 1 << 20;
    /// Rows of metadata; later ones are left out.
    Count MAX_METADATA: usize = 300;
    /// Characters of one value of the metadata; the rest is cut.
    Count MAX_METADATA_CHARACTERS: usize = 20_000;
    /// Notes that references lead to; later notes are read as sections.
    Count MAX_NOTES: usize = 50_000;
}

limits! { formula:
    /// Elements of MathML inside each other; the text of deeper ones belongs to the deepest. No formula that people
    /// wrote is nested as deeply.
    Depth MAX_ELEMENT_DEPTH: usize = 100;
    /// Pairs of scripts at one base; later ones are written as plain words.
    Count MAX_SCRIPTS: usize = 64;
}

limits! { epub:
    /// Bytes of a page that is read as a tree, which takes many times as much; a larger one is read as plain
    /// paragraphs.
    Bytes MAX_TREE_PAGE_BYTES: usize = 4 << 20;
    /// Tags of a page that is read as a tree; a page with more is read as plain paragraphs.
    Count MAX_TREE_TAGS: usize = 150_000;
    /// Bytes that are read of one part of the spine; the rest is cut and reported.
    Bytes MAX_PART_BYTES: usize = 12 << 20;
    /// Bytes of a part in which its first element is looked for; without one it is not taken for a page.
    Bytes MAX_FIRST_ELEMENT_BYTES: usize = 8 << 10;
    /// Entries of the contents of one book; later ones are left out.
    Count MAX_TOC_ENTRIES: usize = 50_000;
    /// Characters of one label of the contents; the rest is cut.
    Count MAX_LABEL_CHARACTERS: usize = 1000;
    /// Package documents that the container names, and others by their extension, that are tried; later ones are not.
    Count MAX_PACKAGE_DOCUMENTS: usize = 16;
    /// Encrypted parts that are remembered; later ones are read as if they were not encrypted. A package has no more
    /// entries.
    Count MAX_ENCRYPTED_PARTS: usize = 65_536;
    /// Bytes of a part that describes the book, such as the package document or the contents; the rest is cut.
    Bytes MAX_XML_BYTES: usize = 8 << 20;
    /// Runs of words in one paragraph of a part that is not read as a page; what follows begins another paragraph.
    Count MAX_PARAGRAPH_RUNS: usize = 5000;
    /// Text of a book that the reader collects before it emits it: a book is never in memory as a whole.
    Bytes SEGMENT_BYTES: usize = 2 << 20;
    /// Problems of parts of one book that are reported one by one; further ones are counted in one problem.
    Count MAX_PROBLEMS: usize = 20;
    /// Bytes that all parts of a book may expand to; parts after that are left out and reported.
    Bytes MAX_BOOK_BYTES: u64 = 256 << 20;
    /// Style sheets of one book that are read, each to so many bytes, for what they hide; the rest hides nothing.
    Count MAX_STYLES: usize = 32;
    /// Bytes of one style sheet of a book that are read.
    Bytes MAX_STYLE_BYTES: usize = 1 << 20;
    /// Items of the manifest, and references of the spine, of one book; later ones are left out. A package has no more
    /// entries.
    Count MAX_ITEMS: usize = 65_536;
    /// Fallbacks of fallbacks of one item; further ones are not followed. An item can be its own fallback.
    Depth MAX_FALLBACKS: usize = 32;
    /// Rows of metadata of one book; further ones are left out.
    Count MAX_METADATA_ROWS: usize = 500;
    /// Characters of one value of the metadata; the rest is cut.
    Count MAX_METADATA_CHARACTERS: usize = 20_000;
    /// Notes of one book; later ones stay text where they are.
    Count MAX_NOTES: usize = 100_000;
    /// Links in a possible note that are searched for a link back to its reference; later ones are not looked at.
    Count MAX_NOTE_LINKS: usize = 200;
    /// Entries of the contents without a place that are looked for among the headings of the parts; further ones are
    /// put before the next entry that has a place.
    Count MAX_UNPLACED_ENTRIES: usize = 1000;
    /// Characters of a label in contents that are made of headings; the rest is cut.
    Count MAX_REBUILT_LABEL_CHARACTERS: usize = 300;
    /// Sections in contents that are made of headings; later headings get none.
    Count MAX_REBUILT_SECTIONS: usize = 50_000;
    /// Bytes of a line whose words are compared with a label of the contents; the rest is ignored.
    Bytes MAX_COMPARED_LINE_BYTES: usize = 2000;
    /// Lines at the place of a label among which a heading with similar words is looked for, beside those with the same words; books
    /// have a few.
    Count MAX_COMPARED_HEADINGS: usize = 200;
    /// Labels before a label at the same place that it is compared with to find repeats; those before them are not.
    Count MAX_COMPARED_LABELS: usize = 16;
}

limits! { mail:
    /// Bytes of the pages of one saved page, its frames included; above it the file is reported as `SizeLimit`. The
    /// elements of a page take many times its bytes.
    Bytes MAX_SAVED_PAGE_BYTES: usize = 16 << 20;
    /// Ranges with a locator of their own that one text of a mail may have; in a longer text several paragraphs share
    /// one.
    Count MAX_PLACES: usize = 20_000;
    /// Spans of the source that the map of one text may distinguish; a text with more gets no map. A text of short
    /// lines has hundreds of thousands.
    Count MAX_MAP_SPANS: usize = 100_000;
    /// Fields that are kept of one header; later ones are left out. A hostile header may have millions.
    Count MAX_HEADER_FIELDS: usize = 400;
    /// Bytes that are read of one header field; the rest of a longer one is left out.
    Bytes MAX_FIELD_BYTES: usize = 256 << 10;
    /// Multiparts inside each other; deeper ones are left out and reported as skipped.
    Depth MAX_MULTIPART_DEPTH: usize = 100;
    /// Parts of one mail; later ones are left out and reported as skipped.
    Count MAX_PARTS: usize = 10_000;
    /// Bytes in which the boundary of a multipart is looked for when its header does not name it; without a boundary it
    /// has no parts.
    Bytes MAX_BOUNDARY_SEARCH_BYTES: usize = 64 << 10;
    /// Bytes of one mail of a mailbox, which is kept in memory; a larger one is left out and reported.
    Bytes MAX_MAIL_BYTES: usize = 24 << 20;
    /// Bytes of a line of a mailbox that are read at once; what follows belongs to the mail, but does not divide mails.
    Bytes MAX_MAILBOX_LINE_BYTES: usize = 64 << 10;
    /// Mails of one mailbox that are reported one by one as too large; further ones are only counted.
    Count MAX_NAMED_MAILS: usize = 20;
    /// Files of one `winmail.dat`; later ones are left out.
    Count MAX_TNEF_FILES: usize = 1000;
    /// Bytes of the HTML of a mail that is kept for display; a larger one is not kept.
    Bytes MAX_HTML_BYTES: usize = 1 << 20;
    /// Elements inside each other in a page that is sanitised; the sanitised form of a deeper one is empty, because its
    /// tree costs more than it is worth.
    Depth MAX_HTML_DEPTH: usize = 2000;
    /// Bytes of the name of an attachment; a longer one is cut in the middle, so that its extension stays.
    Bytes MAX_NAME_BYTES: usize = 180;
    /// Outlook items inside each other; deeper ones are left out.
    Depth MAX_ITEM_DEPTH: usize = 8;
    /// Bytes of the mail that is made of an Outlook item inside another; attachments that do not fit are left out.
    Bytes MAX_COMPOSED_MAIL_BYTES: usize = 24 << 20;
    /// Streams, and small properties, of one storage of an Outlook item, and named properties of the file; later ones
    /// are left out.
    Count MAX_ITEM_PROPERTIES: usize = 20_000;
    /// Bytes that are read of a stream of small properties: 16 for each of as many as are read.
    Bytes MAX_PROPERTY_STREAM_BYTES: usize = 16 * MAX_ITEM_PROPERTIES;
    /// Bytes of a text property that is no body; a longer one is left out.
    Bytes MAX_PROPERTY_TEXT_BYTES: usize = 256 << 10;
    /// Problems, and review reasons, that are reported of one Outlook item; further ones are left out.
    Count MAX_ITEM_REPORTS: usize = 20;
    /// Recipients of one Outlook item; later ones are left out.
    Count MAX_RECIPIENTS: usize = 2000;
    /// Attachments of one Outlook item; later ones are left out and reported as skipped.
    Count MAX_ATTACHMENTS: usize = 2000;
    /// Bytes of the plain text body of an Outlook item; a longer one is reported as skipped.
    Bytes MAX_ITEM_TEXT_BYTES: usize = 8 << 20;
    /// Bytes of an HTML body of an Outlook item; a larger one is not read. Its elements take many times its bytes.
    Bytes MAX_ITEM_PAGE_BYTES: u64 = 2 << 20;
    /// Bytes of one attachment of an Outlook item, which is kept in memory; a larger one is left out and reported.
    Bytes MAX_ATTACHMENT_BYTES: u64 = 32 << 20;
    /// Bytes of a part of plain text that is read as text of its mail; a larger one becomes a document of its own.
    Bytes MAX_TEXT_PART_BYTES: usize = 2 << 20;
    /// Bytes of an HTML part that is read as text of its mail; a larger one becomes a document of its own. Its elements
    /// take many times its bytes.
    Bytes MAX_PAGE_PART_BYTES: usize = 1 << 20;
    /// Different plain texts of one multipart/alternative that are read; later ones are left out.
    Count MAX_ALTERNATIVE_TEXTS: usize = 100;
    /// Parameters of the value of one header field; later ones are left out.
    Count MAX_PARAMETERS: usize = 64;
    /// Addresses that are read of one field, and rows of metadata that they make; later ones are left out.
    Count MAX_ADDRESSES: usize = 1000;
    /// Bytes of the identifier of a mail; a longer one does not count. No line of a mail may be longer.
    Bytes MAX_ID_BYTES: usize = 998;
    /// Identifiers of `References` that are kept: the first, which names the thread, and the last ones.
    Count MAX_REFERENCES: usize = 200;
    /// Bytes of a mail in UTF-16 that is converted to UTF-8; a larger one is read as it is.
    Bytes MAX_WIDE_MAIL_BYTES: usize = 4 << 20;
    /// Packets of S/MIME of one mail that are opened; further ones become documents of their own. A packet may contain
    /// packets.
    Count MAX_OPENED_PACKETS: usize = 8;
    /// Uuencoded files between the lines of one text; later ones stay in the text.
    Count MAX_UUENCODED_FILES: usize = 100;
    /// Problems that are reported of one mail; further ones are not.
    Count MAX_PROBLEMS: usize = 20;
    /// Bytes of an encoded word; a longer one stays as it is written. The standard allows 75.
    Bytes MAX_ENCODED_WORD_BYTES: usize = 4096;
}

/// All limits, by group.
pub const GROUPS: &[LimitGroup] = &[
    archive::ROWS,
    containers::ROWS,
    doc::ROWS,
    docx::ROWS,
    epub::ROWS,
    xml_text::ROWS,
    fb2::ROWS,
    formula::ROWS,
    hidden_text::ROWS,
    iwork::ROWS,
    lit::ROWS,
    mail::ROWS,
    markdown::ROWS,
    mobi::ROWS,
    nested::ROWS,
    odf::ROWS,
    ole::ROWS,
    opc::ROWS,
    palm::ROWS,
    ocr::ROWS,
    pdf::ROWS,
    ppt::ROWS,
    pptx::ROWS,
    rtf::ROWS,
    sheets::ROWS,
    story::ROWS,
    tcr::ROWS,
    web::ROWS,
    xml::ROWS,
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_limit_has_a_reason_and_a_name_of_its_own() {
        for group in GROUPS {
            let mut names = HashSet::new();
            for limit in group.limits {
                assert!(names.insert(limit.name), "{} is twice in {}", limit.name, group.name);
                assert!(limit.reason.split_whitespace().count() > 3, "{}: {}", limit.name, limit.reason);
                assert!(limit.value > 0, "{}", limit.name);
            }
        }
    }
}

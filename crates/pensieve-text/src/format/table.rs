//! The table of formats: one row each.
//!
//! A new format is one row here and, unless it is read as its own source text or through a converter, one reader. Files
//! that are not documents (images, programs, archives without a reader, ...) have no row: their first bytes alone
//! identify them.

use crate::chunk::HeadingSyntax;
use crate::model::{ChunkStrategy, TextKind};
use crate::text::clean::EscapeSyntax;
use crate::text::decode::DeclarationFormat;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What reads a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReaderKind {
    /// The file is its own source text.
    Text,
    /// A reader of documents, which runs in a worker process and loads or streams its document.
    Document,
    /// Only a converter that the user configures.
    Converter,
}

/// Everything that is known about a format before a file of it is opened: one row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Its name in `files.format`.
    pub name: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// The MIME type of its files.
    pub mime: &'static str,
    /// The kind of its text, which decides the meaning of white space.
    pub kind: TextKind,
    /// What reads it.
    pub reader: ReaderKind,
    /// The chunking strategy, if the format decides it.
    pub strategy: Option<ChunkStrategy>,
    /// Extensions in lower case; the first one is the usual one and names its converter.
    pub extensions: &'static [&'static str],
    /// Whole file names in lower case.
    pub filenames: &'static [&'static str],
    /// Bytes of the largest document, for readers that hold the whole document. Larger markup is read as plain text,
    /// larger files of other formats are skipped.
    pub whole_limit: Option<u64>,
    /// For document formats whose files may be text: strings of which one occurs in the first kilobyte of such a
    /// file. Text with the name of the format but without any of them is plain text.
    pub source_marks: &'static [&'static str],
    /// The container that may be all that the first bytes of a file show.
    pub(super) containers: &'static [Container],
    /// Where its text may declare its encoding.
    pub declared_in: DeclarationFormat,
    /// How its headings are written, if it is markup other than Markdown whose headings are known.
    pub headings: Option<HeadingSyntax>,
    /// The MIME type of its files that are written as XML, if it differs.
    pub(super) xml_mime: Option<&'static str>,
    /// True if text under its name may be an HTML page.
    pub(super) may_be_page: bool,
    /// True if its files are text, but may contain binary parts.
    pub(super) has_binary_parts: bool,
    is_binary: bool,
    /// Maximum bytes of memory per byte of a file, for readers that hold the document as a tree.
    memory_factor: u64,
    /// True if it is text, but also an image, and read only on request.
    pub is_image: bool,
    /// True if its text is that of mail.
    pub is_mail: bool,
    /// How it writes letters outside of ASCII, if it has a way of its own.
    pub escapes: Option<EscapeSyntax>,
    /// True if its documents have pages, which a converter separates by form feeds.
    pub is_paged: bool,
    /// True if it is an archive or a packed file, which has no text but contains documents.
    pub is_archive: bool,
    /// True if values in its text are masked that are secrets.
    pub is_masked: bool,
}

/// A container format that several document formats share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    /// A ZIP archive.
    Zip,
    /// An OLE2 compound file. Newer formats use it for encrypted documents.
    CompoundFile,
}

/// A page of this size fits into half of the default memory limit of the process tree.
const MAX_HTML_BYTES: u64 = 16 * MIB;

/// The tree of a page takes 10 to 16 times its bytes in memory, and twice that if it consists only of tags.
const HTML_MEMORY_FACTOR: u64 = 32;

/// Memory of a decoder with a large dictionary beside the reader of a document.
const MAX_ARCHIVE_MEMORY: u64 = 192 * MIB;

/// A packed file of several megabytes may be packed with the largest dictionary.
const ARCHIVE_MEMORY_FACTOR: u64 = 32;

const MIB: u64 = 1 << 20;

const fn text(name: &'static str, label: &'static str, mime: &'static str, kind: TextKind) -> Format {
    Format {
        name,
        label,
        mime,
        kind,
        reader: ReaderKind::Text,
        strategy: None,
        extensions: &[],
        filenames: &[],
        whole_limit: None,
        source_marks: &[],
        containers: &[],
        declared_in: DeclarationFormat::None,
        headings: None,
        xml_mime: None,
        may_be_page: false,
        has_binary_parts: false,
        is_binary: false,
        memory_factor: 0,
        is_image: false,
        is_mail: false,
        escapes: None,
        is_paged: false,
        is_archive: false,
        is_masked: false,
    }
}

const fn prose(name: &'static str, label: &'static str, mime: &'static str) -> Format {
    text(name, label, mime, TextKind::Prose)
}

const fn markup(name: &'static str, label: &'static str, mime: &'static str) -> Format {
    text(name, label, mime, TextKind::Markup)
}

const fn code(name: &'static str, label: &'static str, mime: &'static str) -> Format {
    text(name, label, mime, TextKind::Code).cut(ChunkStrategy::Code)
}

const fn data(name: &'static str, label: &'static str, mime: &'static str) -> Format {
    text(name, label, mime, TextKind::Data)
}

const fn document(name: &'static str, label: &'static str, mime: &'static str) -> Format {
    Format { reader: ReaderKind::Converter, is_binary: true, ..text(name, label, mime, TextKind::Prose) }
}

/// A row for documents that only a converter reads, of which nothing else is known.
pub(super) const fn converted_row(
    name: &'static str,
    label: &'static str,
    extensions: &'static [&'static str],
) -> Format {
    document(name, label, "application/octet-stream").ext(extensions)
}

const fn archive(name: &'static str, label: &'static str, mime: &'static str) -> Format {
    Format { is_archive: true, ..document(name, label, mime).streamed() }
}

impl Format {
    /// Read by a built-in reader that holds a small part of its document at a time.
    const fn streamed(self) -> Format {
        Format { reader: ReaderKind::Document, ..self }
    }

    const fn ext(self, extensions: &'static [&'static str]) -> Format {
        Format { extensions, ..self }
    }
    const fn named(self, filenames: &'static [&'static str]) -> Format {
        Format { filenames, ..self }
    }
    const fn cut(self, strategy: ChunkStrategy) -> Format {
        Format { strategy: Some(strategy), ..self }
    }
    /// Read by a built-in reader, up to this many bytes.
    const fn read(self, whole_limit: u64) -> Format {
        Format { reader: ReaderKind::Document, whole_limit: Some(whole_limit), ..self }
    }
    /// Its reader takes up to this many bytes of memory per byte of the file.
    const fn in_memory(self, memory_factor: u64) -> Format {
        Format { memory_factor, ..self }
    }
    const fn zipped(self) -> Format {
        Format { containers: &[Container::Zip], ..self }
    }
    const fn compound(self) -> Format {
        Format { containers: &[Container::CompoundFile], ..self }
    }
    const fn zipped_or_compound(self) -> Format {
        Format { containers: &[Container::Zip, Container::CompoundFile], ..self }
    }
    const fn declares_encoding(self, declared_in: DeclarationFormat) -> Format {
        Format { declared_in, ..self }
    }
    /// Cut as running text with these headings.
    const fn with_headings(self, headings: HeadingSyntax) -> Format {
        Format { headings: Some(headings), ..self }.cut(ChunkStrategy::Recursive)
    }
    const fn also_xml(self, mime: &'static str) -> Format {
        Format { xml_mime: Some(mime), ..self }
    }
    const fn or_page(self) -> Format {
        Format { may_be_page: true, ..self }
    }
    const fn with_binary_parts(self) -> Format {
        Format { has_binary_parts: true, ..self }
    }
    const fn mail(self) -> Format {
        Format { is_mail: true, ..self }
    }

    const fn escaping(self, escapes: EscapeSyntax) -> Format {
        Format { escapes: Some(escapes), ..self }
    }
    const fn paged(self) -> Format {
        Format { is_paged: true, ..self }
    }
    /// Bytes of memory that reading a file of `size` bytes may take; 0 if that does not depend on its size.
    pub const fn memory_of(&self, size: u64) -> u64 {
        let memory = size.saturating_mul(self.memory_factor);
        if self.is_archive && memory > MAX_ARCHIVE_MEMORY { MAX_ARCHIVE_MEMORY } else { memory }
    }
    /// True for document formats whose source is not worth reading as text.
    pub const fn is_binary(&self) -> bool {
        self.is_binary
    }
    /// True if a file of it, read as it is, is Markdown.
    pub fn is_markdown(&self) -> bool {
        self.reader == ReaderKind::Text && self.strategy == Some(ChunkStrategy::Markdown)
    }
    /// A built-in reader writes its text as Markdown.
    const fn as_markdown(self) -> Format {
        Format { kind: TextKind::Markup, ..self }.cut(ChunkStrategy::Markdown)
    }
    const fn marked(self, source_marks: &'static [&'static str]) -> Format {
        Format { source_marks, ..self }
    }
    const fn masked(self) -> Format {
        Format { is_masked: true, ..self }
    }
    const fn image(self) -> Format {
        Format { is_image: true, ..self }
    }
}

/// How calendars begin, and parts of calendars that programs hand over alone.
const CALENDAR_MARKS: &[&str] = &[
    "BEGIN:VCALENDAR",
    "begin:vcalendar",
    "Begin:VCalendar",
    "BEGIN:VEVENT",
    "BEGIN:VTODO",
    "BEGIN:VJOURNAL",
    "BEGIN:VFREEBUSY",
];

/// Parts of start tags and declarations, of which one is in the head of a document whose vocabulary has a reader.
const XML_ROOT_MARKS: &[&str] = &[
    "//DTD JATS",
    "article-type=",
    "<article-meta",
    "<journal-meta",
    "<nitf",
    "<us-patent",
    "www.w3.org/ns/ttml",
    "DocBook",
    "docbook.org/ns",
    "<rss",
    "www.w3.org/2005/Atom",
    "tei-c.org/ns",
    "<TEI",
    "<opml",
    "purl.org/rss/1.0",
];

/// Every format, sorted by name.
#[rustfmt::skip]
pub const FORMATS: &[Format] = &[
    code("ada", "Ada", "text/x-ada").ext(&["adb", "ads", "ada"]),
    markup("asciidoc", "AsciiDoc", "text/asciidoc").with_headings(HeadingSyntax::AsciiDoc).ext(&["adoc", "asciidoc", "asc"]),
    code("assembly", "assembly", "text/x-asm").ext(&["asm", "s", "nasm"]),
    code("awk", "AWK", "text/x-awk").ext(&["awk", "gawk"]),
    code("batch", "Windows batch file", "text/x-msdos-batch").ext(&["bat", "cmd"]),
    code("bazel", "Bazel or Starlark", "text/x-starlark").ext(&["bzl", "star", "bazel"]),
    markup("bibtex", "BibTeX", "text/x-bibtex").escaping(EscapeSyntax::Tex).ext(&["bib", "bst"]),
    archive("bzip2", "bzip2 archive", "application/x-bzip2").ext(&["bz2", "tbz2", "tbz"]),
    code("c", "C", "text/x-c").ext(&["c", "h"]),
    markup("chat", "chat export", "application/x-chat-export").cut(ChunkStrategy::Markdown).read(32 * MIB).named(&["_chat.txt"]),
    code("clojure", "Clojure", "text/x-clojure").ext(&["clj", "cljs", "cljc", "edn", "bb"]),
    code("cmake", "CMake", "text/x-cmake").ext(&["cmake"]).named(&["cmakelists.txt"]),
    code("coffeescript", "CoffeeScript", "text/x-coffeescript").ext(&["coffee", "litcoffee"]),
    code("cpp", "C++", "text/x-c++").ext(&["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "ino", "cu", "cuh"]),
    code("crystal", "Crystal", "text/x-crystal").ext(&["cr"]),
    code("csharp", "C#", "text/x-csharp").ext(&["cs", "csx", "cshtml", "razor"]),
    code("css", "CSS", "text/css").ext(&["css", "scss", "sass", "less", "styl"]),
    data("csv", "CSV", "text/csv").cut(ChunkStrategy::Rows).ext(&["csv"]),
    code("d", "D", "text/x-d").ext(&["d", "di"]),
    code("dart", "Dart", "text/x-dart").ext(&["dart"]),
    code("diff", "diff", "text/x-diff").ext(&["diff", "patch", "rej"]),
    document("doc", "Word 97 document", "application/msword").compound().as_markdown().read(256 * MIB).ext(&["doc", "dot", "wri"]),
    code("dockerfile", "Dockerfile", "text/x-dockerfile").ext(&["dockerfile", "containerfile"]).named(&["dockerfile", "containerfile"]),
    document("docx", "Word document", "application/vnd.openxmlformats-officedocument.wordprocessingml.document").zipped_or_compound().as_markdown().read(512 * MIB).ext(&["docx", "docm", "dotx", "dotm"]),
    data("dotenv", "environment file", "text/x-dotenv").masked().ext(&["env"]).named(&[".env", ".envrc", ".flaskenv", ".renviron"]),
    code("elixir", "Elixir", "text/x-elixir").ext(&["ex", "exs", "eex", "heex", "leex"]),
    code("elm", "Elm", "text/x-elm").ext(&["elm"]),
    markup("eml", "mail", "message/rfc822").mail().with_binary_parts().cut(ChunkStrategy::Markdown).read(32 * MIB).ext(&["eml", "emlx"]),
    document("epub", "EPUB book", "application/epub+zip").zipped().as_markdown().read(1024 * MIB).ext(&["epub"]),
    code("erlang", "Erlang", "text/x-erlang").ext(&["erl", "hrl", "xrl", "yrl", "escript"]),
    markup("fb2", "FictionBook", "application/x-fictionbook+xml").zipped().cut(ChunkStrategy::Markdown).read(64 * MIB).ext(&["fb2", "fbz"]),
    code("fortran", "Fortran", "text/x-fortran").ext(&["f", "f77", "f90", "f95", "f03", "f08", "for", "ftn"]),
    code("fsharp", "F#", "text/x-fsharp").ext(&["fs", "fsi", "fsx"]),
    data("gettext", "gettext catalogue", "text/x-gettext-translation").ext(&["po", "pot"]),
    data("gitfile", "git settings", "text/x-git-config").ext(&["gitignore", "gitattributes", "ignore"]).named(&[".gitignore", ".gitattributes", ".gitmodules", ".gitconfig", ".gitkeep", ".mailmap", ".ignore", ".pensieveignore", ".dockerignore", ".npmignore", ".eslintignore", ".prettierignore", ".rgignore", ".hgignore", "codeowners"]),
    code("glsl", "shader", "text/x-glsl").ext(&["glsl", "vert", "frag", "geom", "comp", "wgsl", "hlsl", "metal", "shader"]),
    code("go", "Go", "text/x-go").ext(&["go"]).named(&["go.mod", "go.sum", "go.work"]),
    code("graphql", "GraphQL", "text/x-graphql").ext(&["graphql", "gql", "graphqls"]),
    code("groovy", "Groovy", "text/x-groovy").ext(&["groovy", "gradle", "gvy"]).named(&["jenkinsfile"]),
    archive("gzip", "gzip archive", "application/gzip").ext(&["gz", "tgz", "crate"]),
    code("haskell", "Haskell", "text/x-haskell").ext(&["hs", "lhs", "hsc", "cabal"]),
    code("hcl", "HCL or Terraform", "text/x-hcl").ext(&["hcl", "tf", "tfvars", "nomad"]),
    markup("html", "HTML page", "text/html").also_xml("application/xhtml+xml").declares_encoding(DeclarationFormat::Html).read(MAX_HTML_BYTES).in_memory(HTML_MEMORY_FACTOR).cut(ChunkStrategy::Markdown).ext(&["html", "htm", "xhtml", "shtml", "xht"]),
    markup("ics", "calendar", "text/calendar").cut(ChunkStrategy::Markdown).read(16 * MIB).marked(CALENDAR_MARKS).ext(&["ics", "ical", "ifb"]),
    data("ini", "settings", "text/x-ini").ext(&["ini", "cfg", "conf", "cnf", "config", "desktop", "service", "socket", "timer", "mount", "reg", "inf", "rc", "editorconfig", "htaccess", "prefs", "theme"]).named(&[".editorconfig", ".htaccess", ".curlrc", ".wgetrc", ".inputrc", ".pylintrc", ".flake8", ".coveragerc", ".clang-format", ".clang-tidy"]),
    code("java", "Java", "text/x-java").ext(&["java", "jsp", "jav"]),
    code("javascript", "JavaScript", "text/javascript").ext(&["js", "mjs", "cjs", "jsx", "es6", "jsm"]),
    data("json", "JSON", "application/json").ext(&["json", "json5", "jsonc", "geojson", "topojson", "webmanifest", "har", "avsc", "jsonld", "gltf", "map"]).named(&[".babelrc", ".eslintrc", ".prettierrc", ".jshintrc", ".swcrc", "composer.lock", "flake.lock"]),
    data("jsonl", "JSON lines", "application/x-ndjson").cut(ChunkStrategy::Rows).ext(&["jsonl", "ndjson", "jsonlines"]),
    code("julia", "Julia", "text/x-julia").ext(&["jl"]),
    document("keynote", "Keynote presentation", "application/vnd.apple.keynote").zipped().as_markdown().read(512 * MIB).ext(&["key"]),
    code("kotlin", "Kotlin", "text/x-kotlin").ext(&["kt", "kts"]),
    data("ldif", "directory entries", "text/x-ldif").ext(&["ldif"]),
    code("lisp", "Lisp", "text/x-lisp").ext(&["lisp", "lsp", "cl", "el", "asd", "fnl"]).named(&[".emacs"]),
    data("list", "word or package list", "text/plain").ext(&["lock", "list", "lst"]).named(&["requirements.txt", "constraints.txt", "robots.txt", "sources.list", "manifest.in"]),
    document("lit", "Microsoft Reader book", "application/x-ms-reader").as_markdown().read(48 * MIB).ext(&["lit"]),
    prose("log", "log", "text/plain").ext(&["log"]),
    code("lua", "Lua", "text/x-lua").ext(&["lua", "luau", "rockspec"]),
    code("makefile", "Makefile", "text/x-makefile").ext(&["mk", "mak", "make", "am", "ac", "m4"]).named(&["makefile", "gnumakefile", "justfile", "kbuild", "configure.in"]),
    markup("man", "manual page", "text/troff").cut(ChunkStrategy::Recursive).ext(&["man", "roff", "mdoc"]),
    markup("markdown", "Markdown", "text/markdown").or_page().cut(ChunkStrategy::Markdown).ext(&["md", "markdown", "mdown", "mkd", "mkdn", "mdwn", "rmd", "qmd", "livemd"]),
    code("matlab", "MATLAB or Objective-C", "text/x-matlab").ext(&["m", "mm"]),
    markup("mbox", "mailbox", "application/mbox").mail().with_binary_parts().cut(ChunkStrategy::Markdown).streamed().ext(&["mbox", "mbx"]),
    markup("mdx", "MDX page", "text/mdx").cut(ChunkStrategy::Markdown).read(16 * MIB).ext(&["mdx"]),
    markup("mhtml", "saved page", "multipart/related").with_binary_parts().cut(ChunkStrategy::Markdown).read(24 * MIB).ext(&["mht", "mhtml"]),
    document("mobi", "Kindle or Mobipocket book", "application/x-mobipocket-ebook").as_markdown().read(256 * MIB).ext(&["mobi", "azw", "azw3", "prc"]),
    document("msg", "Outlook mail", "application/vnd.ms-outlook").mail().compound().as_markdown().read(64 * MIB).ext(&["msg", "oft"]),
    code("nim", "Nim", "text/x-nim").ext(&["nim", "nims", "nimble"]),
    code("nix", "Nix", "text/x-nix").ext(&["nix"]),
    markup("notebook", "Jupyter notebook", "application/x-ipynb+json").cut(ChunkStrategy::Markdown).read(40 * MIB).ext(&["ipynb"]),
    document("numbers", "Numbers spreadsheet", "application/vnd.apple.numbers").zipped().as_markdown().read(512 * MIB).ext(&["numbers"]),
    code("ocaml", "OCaml", "text/x-ocaml").ext(&["ml", "mli", "mll", "mly", "sml", "sig", "fun"]).named(&["dune", "dune-project"]),
    document("odp", "OpenDocument presentation", "application/vnd.oasis.opendocument.presentation").zipped().as_markdown().marked(&["office:document", "<office:"]).read(512 * MIB).ext(&["odp", "otp", "fodp"]),
    document("ods", "OpenDocument spreadsheet", "application/vnd.oasis.opendocument.spreadsheet").zipped().as_markdown().marked(&["office:document", "<office:"]).read(512 * MIB).ext(&["ods", "ots", "fods"]),
    document("odt", "OpenDocument text", "application/vnd.oasis.opendocument.text").zipped().as_markdown().marked(&["office:document", "<office:"]).read(512 * MIB).ext(&["odt", "ott", "odm", "fodt"]),
    markup("org", "Org", "text/org").with_headings(HeadingSyntax::Org).ext(&["org", "org_archive"]),
    document("pages", "Pages document", "application/vnd.apple.pages").zipped().as_markdown().read(512 * MIB).ext(&["pages"]),
    code("pascal", "Pascal", "text/x-pascal").ext(&["pas", "pp", "lpr", "dpr"]),
    document("pdb", "Palm book", "application/vnd.palm").cut(ChunkStrategy::Markdown).read(256 * MIB).ext(&["pdb", "updb"]),
    document("pdf", "PDF", "application/pdf").as_markdown().paged().read(48 * MIB).marked(&["%PDF", " 0 obj", "startxref", "trailer<<"]).ext(&["pdf"]),
    code("perl", "Perl", "text/x-perl").ext(&["pl", "pm", "pod", "t", "perl", "psgi", "raku", "rakumod"]),
    code("php", "PHP", "text/x-php").ext(&["php", "phtml", "php3", "php4", "php5", "phps", "blade"]),
    document("postscript", "PostScript", "application/postscript").marked(&["%!"]).ext(&["ps", "eps", "ai"]),
    code("powershell", "PowerShell", "text/x-powershell").ext(&["ps1", "psm1", "psd1"]),
    document("ppt", "PowerPoint 97 presentation", "application/vnd.ms-powerpoint").compound().as_markdown().read(256 * MIB).ext(&["ppt", "pps"]),
    document("pptx", "PowerPoint presentation", "application/vnd.openxmlformats-officedocument.presentationml.presentation").zipped_or_compound().as_markdown().read(512 * MIB).ext(&["pptx", "pptm", "ppsx", "ppsm", "potx", "potm"]),
    code("prolog", "Prolog", "text/x-prolog").ext(&["pro", "prolog"]),
    data("properties", "properties", "text/x-java-properties").ext(&["properties", "props", "strings"]),
    code("protobuf", "protocol definition", "text/x-protobuf").ext(&["proto", "thrift", "fbs", "capnp", "idl", "avdl"]),
    code("python", "Python", "text/x-python").ext(&["py", "pyi", "pyw", "pyx", "pxd", "pxi", "gyp", "gypi"]).named(&["sconstruct", "sconscript", "wscript", "snakefile"]),
    code("r", "R", "text/x-r").ext(&["r", "rprofile"]).named(&[".rprofile"]),
    markup("rst", "reStructuredText", "text/x-rst").with_headings(HeadingSyntax::ReStructuredText).ext(&["rst", "rest"]),
    document("rtf", "RTF", "application/rtf").as_markdown().read(32 * MIB).ext(&["rtf"]),
    code("ruby", "Ruby", "text/x-ruby").ext(&["rb", "rake", "gemspec", "podspec", "ru", "erb", "haml", "slim"]).named(&["gemfile", "rakefile", "podfile", "vagrantfile", "brewfile", "fastfile", "guardfile"]),
    code("rust", "Rust", "text/x-rust").ext(&["rs", "ron"]),
    code("scala", "Scala", "text/x-scala").ext(&["scala", "sc", "sbt"]),
    code("scheme", "Scheme", "text/x-scheme").ext(&["scm", "ss", "rkt", "sld"]),
    code("shell", "shell script", "text/x-shellscript").ext(&["sh", "bash", "zsh", "fish", "ksh", "csh", "tcsh", "ebuild", "bats", "command"]).named(&[".bashrc", ".bash_profile", ".bash_aliases", ".bash_logout", ".profile", ".zshrc", ".zprofile", ".zshenv", ".kshrc", ".cshrc", "configure", "pkgbuild", "gradlew"]),
    code("smalltalk", "Smalltalk", "text/x-smalltalk").ext(&["st"]),
    code("solidity", "Solidity", "text/x-solidity").ext(&["sol", "vy"]),
    code("sql", "SQL", "text/x-sql").ext(&["sql", "ddl", "dml", "pgsql", "plsql", "psql", "cql"]),
    prose("subtitles", "subtitles", "application/x-subrip").read(16 * MIB).ext(&["srt", "sbv", "ass", "ssa", "lrc"]),
    prose("svg", "SVG image", "image/svg+xml").declares_encoding(DeclarationFormat::Xml).read(16 * MIB).image().ext(&["svg"]),
    code("swift", "Swift", "text/x-swift").ext(&["swift"]),
    archive("tar", "tar archive", "application/x-tar").ext(&["tar"]),
    code("tcl", "Tcl", "text/x-tcl").ext(&["tcl", "tk", "itcl", "exp"]),
    document("tcr", "Psion book", "application/x-tcr").read(16 * MIB).ext(&["tcr"]),
    code("template", "page template", "text/x-template").ext(&["vue", "svelte", "astro", "ejs", "hbs", "handlebars", "mustache", "jinja", "jinja2", "j2", "njk", "liquid", "pug", "jade", "twig", "tmpl", "tpl", "ftl", "asp", "aspx", "ascx", "cfm", "templ"]),
    markup("tex", "TeX", "text/x-tex").with_headings(HeadingSyntax::Tex).escaping(EscapeSyntax::Tex).ext(&["tex", "latex", "ltx", "sty", "cls", "dtx", "ins", "bbl", "texi", "texinfo"]),
    prose("text", "plain text", "text/plain").or_page().ext(&["txt", "text", "1st", "nfo", "diz", "readme", "lic", "license", "faq", "etx", "utf8"]).named(&["readme", "license", "licence", "copying", "copyright", "notice", "authors", "contributors", "changelog", "changes", "news", "todo", "install", "thanks", "history", "version", "credits", "maintainers", "unlicense", "patents"]),
    markup("textile", "Textile", "text/x-textile").with_headings(HeadingSyntax::Textile).ext(&["textile"]),
    data("toml", "TOML", "application/toml").ext(&["toml"]).named(&["cargo.lock", "poetry.lock", "uv.lock", "pipfile", "pdm.lock"]),
    data("tsv", "TSV", "text/tab-separated-values").cut(ChunkStrategy::Rows).ext(&["tsv", "tab"]),
    code("typescript", "TypeScript", "text/x-typescript").ext(&["ts", "tsx", "mts", "cts"]),
    markup("typst", "Typst", "text/x-typst").with_headings(HeadingSyntax::Typst).ext(&["typ"]),
    code("vb", "Visual Basic", "text/x-vb").ext(&["vb", "vbs", "bas", "frm", "vba"]),
    markup("vcard", "contacts", "text/vcard").cut(ChunkStrategy::Markdown).read(64 * MIB).marked(&["BEGIN:VCARD", "begin:vcard", "Begin:VCard"]).ext(&["vcf", "vcard"]),
    code("verilog", "Verilog", "text/x-verilog").ext(&["v", "vh", "sv", "svh"]),
    code("vhdl", "VHDL", "text/x-vhdl").ext(&["vhd", "vhdl"]),
    code("vim", "Vim script", "text/x-vim").ext(&["vim", "vimrc"]).named(&[".vimrc", ".gvimrc", ".exrc", "_vimrc"]),
    prose("webvtt", "WebVTT subtitles", "text/vtt").read(16 * MIB).ext(&["vtt"]),
    markup("wiki", "wiki markup", "text/x-wiki").with_headings(HeadingSyntax::Wiki).ext(&["wiki", "mediawiki", "wikitext", "dokuwiki", "creole"]),
    document("xls", "Excel 97 spreadsheet", "application/vnd.ms-excel").compound().as_markdown().marked(&["office:spreadsheet", "<table", "<TABLE"]).read(512 * MIB).ext(&["xls", "xlt"]),
    document("xlsx", "Excel spreadsheet", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet").zipped_or_compound().as_markdown().read(512 * MIB).ext(&["xlsx", "xlsm", "xltx", "xltm", "xlsb"]),
    data("xml", "XML", "application/xml").escaping(EscapeSyntax::Xml).declares_encoding(DeclarationFormat::Xml).ext(&["xml", "xsd", "xsl", "xslt", "dtd", "rng", "rdf", "owl", "plist", "kml", "gpx", "xmi", "wsdl", "xaml", "resx", "csproj", "vbproj", "vcxproj", "fsproj", "targets", "nuspec", "storyboard", "xib", "xlf", "xliff", "tmx", "ui", "qrc", "opf", "ncx", "smil", "mml", "musicxml", "dita", "iml", "xul"]),
    markup("xmldoc", "article, book or feed in XML", "application/xml").declares_encoding(DeclarationFormat::Xml).cut(ChunkStrategy::Markdown).read(32 * MIB).marked(XML_ROOT_MARKS).ext(&["rss", "atom", "opml", "docbook", "dbk", "jats", "tei"]),
    archive("xz", "xz archive", "application/x-xz").in_memory(ARCHIVE_MEMORY_FACTOR).ext(&["xz", "txz"]),
    data("yaml", "YAML", "application/yaml").ext(&["yaml", "yml", "eyaml", "sls", "cff"]).named(&[".clangd", "pnpm-lock.yaml", ".yamllint"]),
    code("zig", "Zig", "text/x-zig").ext(&["zig", "zon"]),
    archive("zip", "ZIP archive", "application/zip").ext(&["zip", "jar", "war", "ear", "aar", "whl", "egg", "apk", "xpi", "nupkg", "cbz"]),
    archive("zstd", "Zstandard archive", "application/zstd").in_memory(ARCHIVE_MEMORY_FACTOR).ext(&["zst", "tzst"]),
];

/// The row of that name in the table.
pub(super) fn table_row(name: &str) -> Option<&'static Format> {
    FORMATS.binary_search_by(|row| row.name.cmp(name)).ok().map(|at| &FORMATS[at])
}

/// The row of an extension without its dot, in any case.
pub fn by_extension(extension: &str) -> Option<&'static Format> {
    static INDEX: LazyLock<HashMap<&str, &Format>> = LazyLock::new(|| index(|row| row.extensions));
    INDEX.get(extension.to_ascii_lowercase().as_str()).copied()
}

/// The row of a whole file name, in any case.
pub fn by_filename(filename: &str) -> Option<&'static Format> {
    static INDEX: LazyLock<HashMap<&str, &Format>> = LazyLock::new(|| index(|row| row.filenames));
    INDEX.get(filename.to_ascii_lowercase().as_str()).copied()
}

fn index(keys: fn(&Format) -> &'static [&'static str]) -> HashMap<&'static str, &'static Format> {
    FORMATS.iter().flat_map(|row| keys(row).iter().map(move |key| (*key, row))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    #[test]
    fn the_table_is_sorted_and_says_nothing_twice() {
        assert!(FORMATS.is_sorted_by(|a, b| a.name < b.name));
        for keys in [|row: &Format| row.extensions, |row: &Format| row.filenames] {
            let mut seen = HashSet::new();
            for key in FORMATS.iter().flat_map(keys) {
                assert!(seen.insert(key), "{key} stands twice");
                assert_eq!(*key, key.to_lowercase());
            }
        }
    }
    #[test]
    fn every_row_is_found_by_each_of_its_names() {
        for row in FORMATS {
            assert_eq!(table_row(row.name), Some(row));
            assert!(!row.extensions.is_empty() || !row.filenames.is_empty(), "{} is never met", row.name);
            for extension in row.extensions {
                assert_eq!(by_extension(&extension.to_uppercase()), Some(row));
            }
            for filename in row.filenames {
                assert_eq!(by_filename(&filename.to_uppercase()), Some(row));
            }
        }
        assert_eq!(table_row("no such format"), None);
        assert_eq!(by_extension(""), None);
    }
    #[test]
    fn a_row_says_nothing_that_contradicts_itself() {
        for row in FORMATS {
            assert!(row.reader == ReaderKind::Document || row.whole_limit.is_none(), "{}", row.name);
            let is_html = matches!(row.mime, "text/html" | "application/xhtml+xml");
            assert_eq!(is_html, row.name == "html", "{}", row.name);
        }
    }
    #[test]
    fn the_extensions_that_were_promised_have_rows() {
        let promised = "txt md rs py js ts html css json xml yaml yml toml ini cfg log csv tsv sql sh bat ps1 \
            dockerfile gitignore env properties conf c cpp h hpp java go php rb swift kt scala clj hs elm lua pl r m \
            tex bib org rst adoc wiki jsonl ipynb srt vtt eml mbox";
        for extension in promised.split_whitespace() {
            let row = by_extension(extension);
            assert!(row.is_some_and(|row| row.reader != ReaderKind::Converter), "{extension}");
        }
        for extension in ["pdf", "docx", "odt", "epub", "rtf", "doc", "xlsx", "pptx", "mobi", "pages", "msg"]
        {
            assert!(
                by_extension(extension).is_some_and(|row| row.reader == ReaderKind::Document),
                "{extension}"
            );
        }
    }

    #[test]
    fn rows_have_the_properties_that_their_readers_need() {
        let check = |property: &str, has: fn(&Format) -> bool, expected: &str| {
            let found: Vec<&str> = FORMATS.iter().filter(|row| has(row)).map(|row| row.name).collect();
            assert_eq!(found.join(" "), expected, "{property}");
        };
        let is_zip = |row: &Format| row.containers == [Container::Zip];
        let is_compound = |row: &Format| row.containers == [Container::CompoundFile];
        let is_either = |row: &Format| row.containers == [Container::Zip, Container::CompoundFile];
        check("image", |row| row.is_image, "svg");
        check("mail", |row| row.is_mail, "eml mbox msg");
        check("pages", |row| row.is_paged, "pdf");
        check("archive", |row| row.is_archive, "bzip2 gzip tar xz zip zstd");
        check("may be a page", |row| row.may_be_page, "markdown text");
        check("binary parts", |row| row.has_binary_parts, "eml mbox mhtml");
        check("written as XML", |row| row.xml_mime.is_some(), "html");
        check(
            "source marks",
            |row| !row.source_marks.is_empty(),
            "ics odp ods odt pdf postscript vcard xls xmldoc",
        );
        check("ZIP", is_zip, "epub fb2 keynote numbers odp ods odt pages");
        check("OLE2", is_compound, "doc msg ppt xls");
        check("either", is_either, "docx pptx xlsx");
        check(
            "binary",
            |row| row.is_binary(),
            "bzip2 doc docx epub gzip keynote lit mobi msg numbers odp ods odt pages pdb pdf postscript ppt pptx rtf tar tcr xls xlsx xz zip zstd",
        );
        check("encoding in HTML", |row| row.declared_in == DeclarationFormat::Html, "html");
        check("encoding in XML", |row| row.declared_in == DeclarationFormat::Xml, "svg xml xmldoc");
        check("headings", |row| row.headings.is_some(), "asciidoc org rst tex textile typst wiki");
        check("Markdown as it is", Format::is_markdown, "markdown");
        check("cut as rows", |row| row.strategy == Some(ChunkStrategy::Rows), "csv jsonl tsv");
        check(
            "cut as Markdown",
            |row| row.strategy == Some(ChunkStrategy::Markdown),
            "chat doc docx eml epub fb2 html ics keynote lit markdown mbox mdx mhtml mobi msg notebook numbers odp ods odt pages pdb pdf ppt pptx rtf vcard xls xlsx xmldoc",
        );
        check(
            "cut as running text",
            |row| row.strategy == Some(ChunkStrategy::Recursive),
            "asciidoc man org rst tex textile typst wiki",
        );
        check("held in memory", |row| row.memory_of(1) > 0, "html xz zstd");
        check("converter", |row| row.reader == ReaderKind::Converter, "postscript");
        check(
            "streamed",
            |row| row.reader == ReaderKind::Document && row.whole_limit.is_none(),
            "bzip2 gzip mbox tar xz zip zstd",
        );
    }

    #[test]
    fn kinds_of_text_and_code_are_as_many_as_they_were() {
        let kinds = [TextKind::Prose, TextKind::Markup, TextKind::Code, TextKind::Data];
        let count = |kind: TextKind| FORMATS.iter().filter(|row| row.kind == kind).count();
        assert_eq!(kinds.map(count), [14, 39, 64, 14]);
        for row in FORMATS {
            assert_eq!(row.kind == TextKind::Code, row.strategy == Some(ChunkStrategy::Code), "{}", row.name);
        }
    }

    #[test]
    fn an_archive_takes_bounded_memory() {
        let memory = |name: &str, size: u64| table_row(name).map(|row| row.memory_of(size));
        assert_eq!(memory("html", 3), Some(96));
        assert_eq!(memory("html", 16 * MIB), Some(512 * MIB));
        assert_eq!(memory("html", u64::MAX), Some(u64::MAX));
        assert_eq!(memory("text", 3), Some(0));
        assert_eq!(memory("xz", 3), Some(96));
        assert_eq!(memory("xz", 6 * MIB), Some(192 * MIB));
        assert_eq!(memory("xz", 7 * MIB), Some(192 * MIB));
        assert_eq!(memory("zip", 7 * MIB), Some(0));
    }

    #[test]
    fn a_row_of_a_converter_has_its_name_and_its_extensions() {
        let row = converted_row("djvu", "DjVu document", &["djvu", "djv"]);
        assert_eq!(
            (row.name, row.label, row.extensions),
            ("djvu", "DjVu document", ["djvu", "djv"].as_slice())
        );
        assert_eq!(
            (row.mime, row.reader, row.kind),
            ("application/octet-stream", ReaderKind::Converter, TextKind::Prose)
        );
        assert!(row.is_binary() && !row.is_archive && row.whole_limit.is_none());
    }

    #[test]
    fn the_largest_documents_of_formats_are_limited() {
        for (name, mebibytes) in [
            ("doc", 256),
            ("docx", 512),
            ("html", 16),
            ("lit", 48),
            ("mhtml", 24),
            ("msg", 64),
            ("notebook", 40),
            ("pdf", 48),
            ("rtf", 32),
            ("svg", 16),
        ] {
            let limit = table_row(name).and_then(|row| row.whole_limit);
            assert_eq!(limit, Some(mebibytes * 1024 * 1024), "{name}");
        }
    }
}

//! The packages of Office Open XML: parts, the relationships between them, content types, properties.
//!
//! Owns what documents, presentations and workbooks share; knows nothing of the content of their main parts. Both
//! editions of the standard are read: kinds of relationships are compared by the last word of their type, in which
//! the transitional (`schemas.openxmlformats.org`) and the strict one (`purl.oclc.org`) agree. Encrypted documents,
//! which are OLE compound files around a stream `EncryptedPackage`, are refused. Sources: ECMA-376 part 2 (packages,
//! core properties), part 1 section 22.2 and 22.3 (extended and custom properties); [MS-OFFCRYPTO] 2.3.4 (encrypted
//! packages).

pub(crate) mod drawing;
mod encryption;
mod package;
mod properties;
mod relationships;

pub(crate) use package::{OpcPackage, PackagePart};
pub(crate) use relationships::Relationships;

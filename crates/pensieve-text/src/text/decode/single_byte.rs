//! Code pages of one byte per character, as tables.
//!
//! The tables are those of Python's codecs of the same names (VISCII: of glibc), so that other programs can decode the
//! same text by the stored name. Bytes that are undefined there are undefined here, not control characters as on the
//! Web. ISO-8859-1, -9 and -11 and US-ASCII are labels of the Windows pages that contain them.

/// One code page.
pub(super) struct SingleByteTable {
    /// The stored name.
    pub name: &'static str,
    /// Other names by which documents declare it.
    pub labels: &'static [&'static str],
    /// The characters of bytes 0x80 to 0xFF; U+FFFD for undefined bytes.
    pub letters: [char; 128],
    /// Letters that replace ASCII controls.
    pub controls: &'static [(u8, char)],
}

impl SingleByteTable {
    /// The character of a byte; U+FFFD if it is undefined.
    pub fn char(&self, byte: u8) -> char {
        match byte {
            0x80.. => self.letters[usize::from(byte & 0x7f)],
            _ if self.controls.is_empty() => char::from(byte),
            _ => self.controls.iter().find(|(at, _)| *at == byte).map_or(char::from(byte), |(_, c)| *c),
        }
    }

    /// The length of that character in UTF-8; 0 if the byte is undefined.
    pub fn len(&self, byte: u8) -> usize {
        match self.char(byte) {
            char::REPLACEMENT_CHARACTER => 0,
            c => c.len_utf8(),
        }
    }
}

/// The upper half, from its characters in order; with 96 characters, 0x80 to 0x9F are the C1 controls.
const fn upper(text: &str) -> [char; 128] {
    let bytes = text.as_bytes();
    let mut letters = ['\u{fffd}'; 128];
    let mut count = 0;
    let mut at = 0;
    while at < bytes.len() {
        let (value, len) = match bytes[at] {
            first @ 0..0x80 => (first as u32, 1),
            first @ 0x80..0xe0 => (first as u32 & 0x1f, 2),
            first => (first as u32 & 0xf, 3),
        };
        let mut value = value;
        let mut i = 1;
        while i < len {
            value = value << 6 | bytes[at + i] as u32 & 0x3f;
            i += 1;
        }
        letters[count] = match char::from_u32(value) {
            Some(c) => c,
            None => '\u{fffd}',
        };
        count += 1;
        at += len;
    }
    // A whole table, or one of ISO 8859, which has the C1 controls first.
    assert!(count == 128 || count == 96);
    if count == 96 {
        let mut i = 128;
        while i > 0 {
            i -= 1;
            letters[i] = if i >= 32 { letters[i - 32] } else { (0x80 + i as u8) as char };
        }
    }
    letters
}

/// Every known code page.
pub(super) static SINGLE_BYTE_TABLES: &[SingleByteTable] = &[
    SingleByteTable {
        name: "windows-1250",
        labels: &["cp1250", "x-cp1250"],
        letters: upper(
            "€\u{fffd}‚\u{fffd}„…†‡\u{fffd}‰Š‹ŚŤŽŹ\u{fffd}‘’“”•–—\u{fffd}™š›śťžź\u{a0}ˇ˘Ł¤Ą¦§¨©Ş«¬\
             \u{ad}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "windows-1251",
        labels: &["cp1251", "x-cp1251"],
        letters: upper(
            "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{fffd}™љ›њќћџ\u{a0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{ad}®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖ\
             ЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "windows-1252",
        labels: &[
            "cp1252",
            "x-cp1252",
            "iso-8859-1",
            "latin1",
            "l1",
            "ascii",
            "us-ascii",
            "iso-ir-100",
            // IBM's number for ISO-8859-1.
            "ibm819",
            "cp819",
            "ansi_x3.4-1968",
        ],
        letters: upper(
            "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ\u{a0}¡¢£¤¥¦§¨©ª«¬\
             \u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "windows-1253",
        labels: &["cp1253", "x-cp1253"],
        letters: upper(
            "€\u{fffd}‚ƒ„…†‡\u{fffd}‰\u{fffd}‹\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}‘’“”•–—\u{fffd}\
             ™\u{fffd}›\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{a0}΅Ά£¤¥¦§¨©\u{fffd}«¬\u{ad}®―°±²³΄µ¶·ΈΉΊ»Ό\
             ½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ\u{fffd}ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ\u{fffd}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "windows-1254",
        labels: &["cp1254", "x-cp1254", "iso-8859-9", "latin5", "l5", "iso-ir-148"],
        letters: upper(
            "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}\u{fffd}\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}\u{fffd}Ÿ\u{a0}¡\
             ¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞßàáâãäåæçèéêëìíîïğñòóô\
             õö÷øùúûüışÿ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "windows-1255",
        labels: &["cp1255", "x-cp1255"],
        letters: upper(
            "€\u{fffd}‚ƒ„…†‡ˆ‰\u{fffd}‹\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}‘’“”•–—˜™\u{fffd}›\
             \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{a0}¡¢£₪¥¦§¨©×«¬\u{ad}®¯°±²³´µ¶·¸¹÷»¼½¾¿\u{5b0}\u{5b1}\
             \u{5b2}\u{5b3}\u{5b4}\u{5b5}\u{5b6}\u{5b7}\u{5b8}\u{5b9}\u{fffd}\u{5bb}\u{5bc}\u{5bd}\
             \u{5be}\u{5bf}\u{5c0}\u{5c1}\u{5c2}\u{5c3}\u{5f0}\u{5f1}\u{5f2}\u{5f3}\u{5f4}\u{fffd}\
             \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{5d0}\u{5d1}\u{5d2}\u{5d3}\u{5d4}\
             \u{5d5}\u{5d6}\u{5d7}\u{5d8}\u{5d9}\u{5da}\u{5db}\u{5dc}\u{5dd}\u{5de}\u{5df}\u{5e0}\
             \u{5e1}\u{5e2}\u{5e3}\u{5e4}\u{5e5}\u{5e6}\u{5e7}\u{5e8}\u{5e9}\u{5ea}\u{fffd}\u{fffd}\
             \u{200e}\u{200f}\u{fffd}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "windows-1256",
        labels: &["cp1256", "x-cp1256"],
        letters: upper(
            "€\u{67e}‚ƒ„…†‡ˆ‰\u{679}‹Œ\u{686}\u{698}\u{688}\u{6af}‘’“”•–—\u{6a9}™\u{691}›œ\u{200c}\
             \u{200d}\u{6ba}\u{a0}،¢£¤¥¦§¨©\u{6be}«¬\u{ad}®¯°±²³´µ¶·¸¹\u{61b}»¼½¾\u{61f}\u{6c1}\
             \u{621}\u{622}\u{623}\u{624}\u{625}\u{626}\u{627}\u{628}\u{629}\u{62a}\u{62b}\u{62c}\
             \u{62d}\u{62e}\u{62f}\u{630}\u{631}\u{632}\u{633}\u{634}\u{635}\u{636}×\u{637}\u{638}\
             \u{639}\u{63a}\u{640}\u{641}\u{642}\u{643}à\u{644}â\u{645}\u{646}\u{647}\u{648}çèéêë\
             \u{649}\u{64a}îï\u{64b}\u{64c}\u{64d}\u{64e}ô\u{64f}\u{650}÷\u{651}ù\u{652}ûü\u{200e}\
             \u{200f}\u{6d2}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "windows-1257",
        labels: &["cp1257", "x-cp1257"],
        letters: upper(
            "€\u{fffd}‚\u{fffd}„…†‡\u{fffd}‰\u{fffd}‹\u{fffd}¨ˇ¸\u{fffd}‘’“”•–—\u{fffd}™\u{fffd}›\
             \u{fffd}¯˛\u{fffd}\u{a0}\u{fffd}¢£¤\u{fffd}¦§Ø©Ŗ«¬\u{ad}®Æ°±²³´µ¶·ø¹ŗ»¼½¾æĄĮĀĆÄÅĘĒČÉŹĖĢĶ\
             ĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽßąįāćäåęēčéźėģķīļšńņóōõö÷ųłśūüżž˙",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "windows-1258",
        labels: &["cp1258", "x-cp1258"],
        letters: upper(
            "€\u{fffd}‚ƒ„…†‡ˆ‰\u{fffd}‹Œ\u{fffd}\u{fffd}\u{fffd}\u{fffd}‘’“”•–—˜™\u{fffd}›œ\u{fffd}\
             \u{fffd}Ÿ\u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂĂÄÅÆÇÈÉÊË\u{300}ÍÎÏĐÑ\u{309}ÓÔƠÖ×Ø\
             ÙÚÛÜƯ\u{303}ßàáâăäåæçèéêë\u{301}íîïđñ\u{323}óôơö÷øùúûüư₫ÿ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "cp874",
        labels: &["windows-874", "dos-874", "tis-620", "iso-8859-11"],
        letters: upper(
            "€\u{fffd}\u{fffd}\u{fffd}\u{fffd}…\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
             \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}‘’“”•–—\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
             \u{fffd}\u{fffd}\u{fffd}\u{a0}กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะ\u{e31}าำ\
             \u{e34}\u{e35}\u{e36}\u{e37}\u{e38}\u{e39}\u{e3a}\u{fffd}\u{fffd}\u{fffd}\u{fffd}฿เแโใไๅ\
             ๆ\u{e47}\u{e48}\u{e49}\u{e4a}\u{e4b}\u{e4c}\u{e4d}\u{e4e}๏๐๑๒๓๔๕๖๗๘๙๚๛\u{fffd}\u{fffd}\
             \u{fffd}\u{fffd}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "iso-8859-2",
        labels: &["latin2", "l2", "iso-ir-101"],
        letters: upper(
            "\u{a0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{ad}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěí\
             îďđńňóôőö÷řůúűüýţ˙",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "iso-8859-3",
        labels: &["latin3", "l3", "iso-ir-109"],
        letters: upper(
            "\u{a0}Ħ˘£¤\u{fffd}Ĥ§¨İŞĞĴ\u{ad}\u{fffd}Ż°ħ²³´µĥ·¸ışğĵ½\u{fffd}żÀÁÂ\u{fffd}ÄĊĈÇÈÉÊËÌÍÎÏ\
             \u{fffd}ÑÒÓÔĠÖ×ĜÙÚÛÜŬŜßàáâ\u{fffd}äċĉçèéêëìíîï\u{fffd}ñòóôġö÷ĝùúûüŭŝ˙",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "iso-8859-4",
        labels: &["latin4", "l4", "iso-ir-110"],
        letters: upper(
            "\u{a0}ĄĸŖ¤ĨĻ§¨ŠĒĢŦ\u{ad}Ž¯°ą˛ŗ´ĩļˇ¸šēģŧŊžŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎĪĐŅŌĶÔÕÖ×ØŲÚÛÜŨŪßāáâãäåæįčéęëėí\
             îīđņōķôõö÷øųúûüũū˙",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "iso-8859-5",
        labels: &["cyrillic", "iso-ir-144"],
        letters: upper(
            "\u{a0}ЁЂЃЄЅІЇЈЉЊЋЌ\u{ad}ЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэ\
             юя№ёђѓєѕіїјљњћќ§ўџ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "iso-8859-6",
        labels: &["arabic", "asmo-708", "ecma-114", "iso-8859-6-e", "iso-8859-6-i", "iso-ir-127"],
        letters: upper(
            "\u{a0}\u{fffd}\u{fffd}\u{fffd}¤\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}،\
             \u{ad}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
             \u{fffd}\u{fffd}\u{fffd}\u{61b}\u{fffd}\u{fffd}\u{fffd}\u{61f}\u{fffd}\u{621}\u{622}\
             \u{623}\u{624}\u{625}\u{626}\u{627}\u{628}\u{629}\u{62a}\u{62b}\u{62c}\u{62d}\u{62e}\
             \u{62f}\u{630}\u{631}\u{632}\u{633}\u{634}\u{635}\u{636}\u{637}\u{638}\u{639}\u{63a}\
             \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{640}\u{641}\u{642}\u{643}\u{644}\u{645}\
             \u{646}\u{647}\u{648}\u{649}\u{64a}\u{64b}\u{64c}\u{64d}\u{64e}\u{64f}\u{650}\u{651}\
             \u{652}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
             \u{fffd}\u{fffd}\u{fffd}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "iso-8859-7",
        labels: &["greek", "greek8", "ecma-118", "elot_928", "sun_eu_greek", "iso-ir-126"],
        letters: upper(
            "\u{a0}‘’£€₯¦§¨©ͺ«¬\u{ad}\u{fffd}―°±²³΄΅Ά·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ\u{fffd}ΣΤΥΦΧΨΩΪΫάέήί\
             ΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ\u{fffd}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "iso-8859-8",
        labels: &["hebrew", "visual", "logical", "iso-8859-8-e", "iso-8859-8-i", "iso-ir-138"],
        letters: upper(
            "\u{a0}\u{fffd}¢£¤¥¦§¨©×«¬\u{ad}®¯°±²³´µ¶·¸¹÷»¼½¾\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
             \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
             \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
             \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}‗\u{5d0}\u{5d1}\u{5d2}\u{5d3}\u{5d4}\u{5d5}\
             \u{5d6}\u{5d7}\u{5d8}\u{5d9}\u{5da}\u{5db}\u{5dc}\u{5dd}\u{5de}\u{5df}\u{5e0}\u{5e1}\
             \u{5e2}\u{5e3}\u{5e4}\u{5e5}\u{5e6}\u{5e7}\u{5e8}\u{5e9}\u{5ea}\u{fffd}\u{fffd}\u{200e}\
             \u{200f}\u{fffd}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "iso-8859-10",
        labels: &["latin6", "l6", "iso-ir-157"],
        letters: upper(
            "\u{a0}ĄĒĢĪĨĶ§ĻĐŠŦŽ\u{ad}ŪŊ°ąēģīĩķ·ļđšŧž―ūŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎÏÐŅŌÓÔÕÖŨØŲÚÛÜÝÞßāáâãäåæįčéęëėí\
             îïðņōóôõöũøųúûüýþĸ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "iso-8859-13",
        labels: &["latin7"],
        letters: upper(
            "\u{a0}”¢£¤„¦§Ø©Ŗ«¬\u{ad}®Æ°±²³“µ¶·ø¹ŗ»¼½¾æĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽßąįāćäåęēčéźėģķ\
             īļšńņóōõö÷ųłśūüżž’",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "iso-8859-14",
        labels: &["latin8"],
        letters: upper(
            "\u{a0}Ḃḃ£ĊċḊ§Ẁ©ẂḋỲ\u{ad}®ŸḞḟĠġṀṁ¶ṖẁṗẃṠỳẄẅṡÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏŴÑÒÓÔÕÖṪØÙÚÛÜÝŶßàáâãäåæçèéêëìí\
             îïŵñòóôõöṫøùúûüýŷÿ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "iso-8859-15",
        labels: &["latin9", "l9"],
        letters: upper(
            "\u{a0}¡¢£€¥Š§š©ª«¬\u{ad}®¯°±²³Žµ¶·ž¹º»ŒœŸ¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìí\
             îïðñòóôõö÷øùúûüýþÿ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "iso-8859-16",
        labels: &["latin10"],
        letters: upper(
            "\u{a0}ĄąŁ€„Š§š©Ș«Ź\u{ad}źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìí\
             îïđńòóôőöśűùúûüęțÿ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "koi8-r",
        labels: &["koi", "koi8", "cskoi8r"],
        letters: upper(
            "─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{a0}⌡°²·÷═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©юабцдефгхийклмнопяр\
             стужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "koi8-u",
        labels: &["koi8-ru"],
        letters: upper(
            "─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{a0}⌡°²·÷═║╒ёє╔ії╗╘╙╚╛ґ╝╞╟╠╡ЁЄ╣ІЇ╦╧╨╩╪Ґ╬©юабцдефгхийклмнопяр\
             стужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "ibm437",
        labels: &["cp437", "437"],
        letters: upper(
            "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫\
             ╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "cp737",
        labels: &["ibm737"],
        letters: upper(
            "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫\
             ╪┘┌█▄▌▐▀ωάέήϊίόύϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "cp775",
        labels: &["ibm775"],
        letters: upper(
            "ĆüéāäģåćłēŖŗīŹÄÅÉæÆōöĢ¢ŚśÖÜø£Ø×¤ĀĪóŻżź”¦©®¬½¼Ł«»░▒▓│┤ĄČĘĖ╣║╗╝ĮŠ┐└┴┬├─┼ŲŪ╚╔╩╦╠═╬Žąčęėįšųū\
             ž┘┌█▄▌▐▀ÓßŌŃõÕµńĶķĻļņĒŅ’\u{ad}±“¾¶§÷„°∙·¹³²■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "ibm850",
        labels: &["cp850", "850"],
        letters: upper(
            "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎ\
             Ï┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "ibm852",
        labels: &["cp852", "852"],
        letters: upper(
            "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎ\
             ě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "ibm855",
        labels: &["cp855", "855"],
        letters: upper(
            "ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪаАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐└┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоО\
             п┘┌█▄Пя▀ЯрРсСтТуУжЖвВьЬ№\u{ad}ыЫзЗшШэЭщЩчЧ§■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "ibm857",
        labels: &["cp857", "857"],
        letters: upper(
            "ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\
             \u{fffd}ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\u{fffd}×ÚÛÙìÿ¯´\u{ad}±\u{fffd}¾¶§÷¸°¨·¹³²■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "ibm860",
        labels: &["cp860", "860"],
        letters: upper(
            "ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫\
             ╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "ibm861",
        labels: &["cp861", "861"],
        letters: upper(
            "ÇüéâäàåçêëèÐðÞÄÅÉæÆôöþûÝýÖÜø£Ø₧ƒáíóúÁÍÓÚ¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫\
             ╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "ibm862",
        labels: &["cp862", "862"],
        letters: upper(
            "\u{5d0}\u{5d1}\u{5d2}\u{5d3}\u{5d4}\u{5d5}\u{5d6}\u{5d7}\u{5d8}\u{5d9}\u{5da}\u{5db}\
             \u{5dc}\u{5dd}\u{5de}\u{5df}\u{5e0}\u{5e1}\u{5e2}\u{5e3}\u{5e4}\u{5e5}\u{5e6}\u{5e7}\
             \u{5e8}\u{5e9}\u{5ea}¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌\
             ▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "ibm863",
        labels: &["cp863", "863"],
        letters: upper(
            "ÇüéâÂà¶çêëèïî‗À§ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ¦´óú¨¸³¯Î⌐¬½¼¾«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫\
             ╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "ibm865",
        labels: &["cp865", "865"],
        letters: upper(
            "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫\
             ╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "ibm866",
        labels: &["cp866", "866"],
        letters: upper(
            "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫\
             ╪┘┌█▄▌▐▀рстуфхцчшщъыьэюяЁёЄєЇїЎў°∙·√№¤■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "ibm869",
        labels: &["cp869", "869"],
        letters: upper(
            "\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}Ά\u{fffd}·¬¦‘’Έ―ΉΊΪΌ\u{fffd}\u{fffd}ΎΫ©Ώ\
             ²³ά£έήίϊΐόύΑΒΓΔΕΖΗ½ΘΙ«»░▒▓│┤ΚΛΜΝ╣║╗╝ΞΟ┐└┴┬├─┼ΠΡ╚╔╩╦╠═╬ΣΤΥΦΧΨΩαβγ┘┌█▄δε▀ζηθικλμνξοπρσςτ΄\
             \u{ad}±υφχ§ψ΅°¨ωϋΰώ■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "cp720",
        labels: &["dos-720"],
        letters: upper(
            // Python's table has controls where the page is undefined.
            "\u{80}\u{81}éâ\u{84}à\u{86}çêëèïî\u{8d}\u{8e}\u{8f}\u{90}\u{651}\u{652}ô¤\u{640}ûù\
             \u{621}\u{622}\u{623}\u{624}£\u{625}\u{626}\u{627}\u{628}\u{629}\u{62a}\u{62b}\u{62c}\
             \u{62d}\u{62e}\u{62f}\u{630}\u{631}\u{632}\u{633}\u{634}\u{635}«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞\
             ╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\u{636}\u{637}\u{638}\u{639}\u{63a}\u{641}µ\u{642}\u{643}\
             \u{644}\u{645}\u{646}\u{647}\u{648}\u{649}\u{64a}≡\u{64b}\u{64c}\u{64d}\u{64e}\u{64f}\
             \u{650}≈°∙·√ⁿ²■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "cp1125",
        labels: &["ruscii"],
        letters: upper(
            "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫\
             ╪┘┌█▄▌▐▀рстуфхцчшщъыьэюяЁёҐґЄєІіЇї·√№¤■\u{a0}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "mac-roman",
        labels: &["macintosh", "x-mac-roman", "mac"],
        letters: upper(
            "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“\
             ”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "mac-cyrillic",
        labels: &["x-mac-cyrillic", "x-mac-ukrainian"],
        letters: upper(
            "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ†°Ґ£§•¶І®©™Ђђ≠Ѓѓ∞±≤≥іµґЈЄєЇїЉљЊњјЅ¬√ƒ≈∆«»…\u{a0}ЋћЌќѕ–—“\
             ”‘’÷„ЎўЏџ№Ёёяабвгдежзийклмнопрстуфхцчшщъыьэю€",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "mac-greek",
        labels: &["x-mac-greek"],
        letters: upper(
            "Ä¹²É³ÖÜ΅àâä΄¨çéèêë£™îï•½‰ôö¦€ùûü†ΓΔΘΛΞΠß®©ΣΪ§≠°·Α±≤≥¥ΒΕΖΗΙΚΜΦΫΨΩάΝ¬ΟΡ≈Τ«»…\u{a0}ΥΧΆΈœ–―“\
             ”‘’÷ΉΊΌΎέήίόΏύαβψδεφγηιξκλμνοπώρστθωςχυζϊϋΐΰ\u{ad}",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "mac-latin2",
        labels: &["mac-centeuro", "mac-centraleurope", "x-mac-ce", "x-mac-centraleurroman"],
        letters: upper(
            "ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅņŃ¬√ńŇ∆«»…\u{a0}ňŐÕőŌ–—“\
             ”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "mac-turkish",
        labels: &["x-mac-turkish"],
        letters: upper(
            // U+F8A0 is Apple's private code, which Python has too.
            "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“\
             ”‘’÷◊ÿŸĞğİıŞş‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙ\u{f8a0}ˆ˜¯˘˙˚¸˝˛ˇ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "mac-iceland",
        labels: &["x-mac-icelandic"],
        letters: upper(
            "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûüÝ°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“\
             ”‘’÷◊ÿŸ⁄€ÐðÞþý·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
        ),
        controls: &[],
    },
    SingleByteTable {
        name: "viscii",
        labels: &[],
        letters: upper(
            "ẠẮẰẶẤẦẨẬẼẸẾỀỂỄỆỐỒỔỖỘỢỚỜỞỊỎỌỈỦŨỤỲÕắằặấầẩậẽẹếềểễệốồổỗỠƠộờởịỰỨỪỬơớƯÀÁÂÃẢĂẳẵÈÉÊẺÌÍĨỳĐứÒÓÔạỷừ\
             ửÙÚỹỵÝỡưàáâãảăữẫèéêẻìíĩỉđựòóôõỏọụùúũủýợỮ",
        ),
        // VISCII has six letters more than fit into the upper half.
        controls: &[(0x02, 'Ẳ'), (0x05, 'Ẵ'), (0x06, 'Ẫ'), (0x14, 'Ỷ'), (0x19, 'Ỹ'), (0x1e, 'Ỵ')],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_pages_have_the_expected_characters() {
        let check = |name: &str, byte: u8, expected: char| {
            let page = SINGLE_BYTE_TABLES.iter().find(|page| page.name == name).expect("it is in the table");
            assert_eq!(page.char(byte), expected, "{name} {byte:#x}");
        };
        check("windows-1252", 0x80, '€');
        check("windows-1252", 0x81, '\u{fffd}');
        check("windows-1252", 0xff, 'ÿ');
        check("iso-8859-2", 0x80, '\u{80}');
        check("iso-8859-2", 0xa1, 'Ą');
        check("ibm855", 0xfe, '■');
        check("mac-cyrillic", 0xe0, 'а');
        check("viscii", 0x02, 'Ẳ');
        check("viscii", 0x0a, '\n');
        check("ibm866", 0x41, 'A');
    }

    #[test]
    fn names_are_there_once() {
        for (at, page) in SINGLE_BYTE_TABLES.iter().enumerate() {
            assert!(SINGLE_BYTE_TABLES[..at].iter().all(|other| other.name != page.name), "{}", page.name);
        }
    }
}

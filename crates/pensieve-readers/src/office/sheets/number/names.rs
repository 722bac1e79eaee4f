//! Names of months and days in the languages that format codes use most.
//!
//! A code selects a language with `[$-407]`: the Windows number, whose lower ten bits are the language. Others are
//! shown in English. Source: [MS-LCID] and the calendars of the Unicode CLDR.

/// Names of one language.
#[derive(Debug)]
pub(super) struct CalendarNames {
    language: u32,
    pub months: [&'static str; 12],
    pub short_months: [&'static str; 12],
    /// From Sunday on.
    pub days: [&'static str; 7],
    pub short_days: [&'static str; 7],
}

/// The names in the language of a Windows number.
pub(super) fn names_of(language: u32) -> &'static CalendarNames {
    NAMES.iter().find(|names| names.language == language & 0x3ff).unwrap_or(&NAMES[0])
}

/// English first, then by how frequent the languages are.
#[rustfmt::skip]
const NAMES: &[CalendarNames] = &[
    // English.
    CalendarNames {
        language: 0x09,
        months: ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
        short_months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
        days: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
        short_days: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
    },
    // German.
    CalendarNames {
        language: 0x07,
        months: ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"],
        short_months: ["Jan", "Feb", "Mrz", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"],
        days: ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"],
        short_days: ["So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"],
    },
    // French.
    CalendarNames {
        language: 0x0c,
        months: ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"],
        short_months: ["janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."],
        days: ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"],
        short_days: ["dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."],
    },
    // Spanish.
    CalendarNames {
        language: 0x0a,
        months: ["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"],
        short_months: ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"],
        days: ["domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"],
        short_days: ["dom", "lun", "mar", "mié", "jue", "vie", "sáb"],
    },
    // Italian.
    CalendarNames {
        language: 0x10,
        months: ["gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre"],
        short_months: ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"],
        days: ["domenica", "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato"],
        short_days: ["dom", "lun", "mar", "mer", "gio", "ven", "sab"],
    },
    // Portuguese.
    CalendarNames {
        language: 0x16,
        months: ["janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"],
        short_months: ["jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"],
        days: ["domingo", "segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado"],
        short_days: ["dom", "seg", "ter", "qua", "qui", "sex", "sáb"],
    },
    // Dutch.
    CalendarNames {
        language: 0x13,
        months: ["januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober", "november", "december"],
        short_months: ["jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"],
        days: ["zondag", "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag"],
        short_days: ["zo", "ma", "di", "wo", "do", "vr", "za"],
    },
    // Russian.
    CalendarNames {
        language: 0x19,
        months: ["января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября", "декабря"],
        short_months: ["янв", "фев", "мар", "апр", "май", "июн", "июл", "авг", "сен", "окт", "ноя", "дек"],
        days: ["воскресенье", "понедельник", "вторник", "среда", "четверг", "пятница", "суббота"],
        short_days: ["Вс", "Пн", "Вт", "Ср", "Чт", "Пт", "Сб"],
    },
    // Polish.
    CalendarNames {
        language: 0x15,
        months: ["styczeń", "luty", "marzec", "kwiecień", "maj", "czerwiec", "lipiec", "sierpień", "wrzesień", "październik", "listopad", "grudzień"],
        short_months: ["sty", "lut", "mar", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź", "lis", "gru"],
        days: ["niedziela", "poniedziałek", "wtorek", "środa", "czwartek", "piątek", "sobota"],
        short_days: ["N", "Pn", "Wt", "Śr", "Cz", "Pt", "So"],
    },
    // Swedish.
    CalendarNames {
        language: 0x1d,
        months: ["januari", "februari", "mars", "april", "maj", "juni", "juli", "augusti", "september", "oktober", "november", "december"],
        short_months: ["jan", "feb", "mar", "apr", "maj", "jun", "jul", "aug", "sep", "okt", "nov", "dec"],
        days: ["söndag", "måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag"],
        short_days: ["sö", "må", "ti", "on", "to", "fr", "lö"],
    },
    // Danish.
    CalendarNames {
        language: 0x06,
        months: ["januar", "februar", "marts", "april", "maj", "juni", "juli", "august", "september", "oktober", "november", "december"],
        short_months: ["jan", "feb", "mar", "apr", "maj", "jun", "jul", "aug", "sep", "okt", "nov", "dec"],
        days: ["søndag", "mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag"],
        short_days: ["sø", "ma", "ti", "on", "to", "fr", "lø"],
    },
    // Norwegian.
    CalendarNames {
        language: 0x14,
        months: ["januar", "februar", "mars", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "desember"],
        short_months: ["jan", "feb", "mar", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "des"],
        days: ["søndag", "mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag"],
        short_days: ["sø", "ma", "ti", "on", "to", "fr", "lø"],
    },
    // Finnish.
    CalendarNames {
        language: 0x0b,
        months: ["tammikuu", "helmikuu", "maaliskuu", "huhtikuu", "toukokuu", "kesäkuu", "heinäkuu", "elokuu", "syyskuu", "lokakuu", "marraskuu", "joulukuu"],
        short_months: ["tammi", "helmi", "maalis", "huhti", "touko", "kesä", "heinä", "elo", "syys", "loka", "marras", "joulu"],
        days: ["sunnuntai", "maanantai", "tiistai", "keskiviikko", "torstai", "perjantai", "lauantai"],
        short_days: ["su", "ma", "ti", "ke", "to", "pe", "la"],
    },
    // Czech.
    CalendarNames {
        language: 0x05,
        months: ["leden", "únor", "březen", "duben", "květen", "červen", "červenec", "srpen", "září", "říjen", "listopad", "prosinec"],
        short_months: ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"],
        days: ["neděle", "pondělí", "úterý", "středa", "čtvrtek", "pátek", "sobota"],
        short_days: ["ne", "po", "út", "st", "čt", "pá", "so"],
    },
    // Turkish.
    CalendarNames {
        language: 0x1f,
        months: ["Ocak", "Şubat", "Mart", "Nisan", "Mayıs", "Haziran", "Temmuz", "Ağustos", "Eylül", "Ekim", "Kasım", "Aralık"],
        short_months: ["Oca", "Şub", "Mar", "Nis", "May", "Haz", "Tem", "Ağu", "Eyl", "Eki", "Kas", "Ara"],
        days: ["Pazar", "Pazartesi", "Salı", "Çarşamba", "Perşembe", "Cuma", "Cumartesi"],
        short_days: ["Paz", "Pzt", "Sal", "Çar", "Per", "Cum", "Cmt"],
    },
    // Japanese.
    CalendarNames {
        language: 0x11,
        months: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
        short_months: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
        days: ["日曜日", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日"],
        short_days: ["日", "月", "火", "水", "木", "金", "土"],
    },
    // Chinese.
    CalendarNames {
        language: 0x04,
        months: ["一月", "二月", "三月", "四月", "五月", "六月", "七月", "八月", "九月", "十月", "十一月", "十二月"],
        short_months: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
        days: ["星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"],
        short_days: ["周日", "周一", "周二", "周三", "周四", "周五", "周六"],
    },
    // Korean.
    CalendarNames {
        language: 0x12,
        months: ["1월", "2월", "3월", "4월", "5월", "6월", "7월", "8월", "9월", "10월", "11월", "12월"],
        short_months: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
        days: ["일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"],
        short_days: ["일", "월", "화", "수", "목", "금", "토"],
    },
];

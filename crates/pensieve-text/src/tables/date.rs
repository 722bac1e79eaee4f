//! Dates as people write them.

use std::borrow::Cow;

/// Which number of `3/4/2021` is the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum DateOrder {
    /// As in the United States.
    #[default]
    MonthFirst,
    /// As nearly everywhere else.
    DayFirst,
}

/// A date, and whether its numbers can be read in one way only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WrittenDate {
    pub iso: String,
    /// The order that only this date has, if it has numbers alone and one of them is above 12.
    pub order: Option<DateOrder>,
}

/// Longer texts are no dates. A Hindi one with the name of the day (`गुरुवार, 21 सितंबर 2021`) has 49 bytes; a Thai one has 72 and is not read.
const MAX_DATE_BYTES: usize = 64;

/// Names of months, from January on, as dates of some thirty languages have them (Unicode CLDR, `months`); of each the first
/// three letters or more.
const MONTHS: [&str; 12] = [
    "january januar jänner janvier enero gennaio janeiro januari ianuarie tammikuuta styczeń stycznia leden ledna január \
     январь января січень січня януари ocak ιανουαρίου ιανουάριος ינואר يناير ژانویه जनवरी มกราคม",
    "february februar février fevrier febrero febbraio fevereiro februari februarie helmikuuta luty lutego únor února \
     február февраль февраля лютий лютого февруари şubat φεβρουαρίου φεβρουάριος פברואר فبراير فوریه फ़रवरी กุมภาพันธ์",
    "march märz maerz mars marzo março marco maart mrz mrt marts martie maret maaliskuuta marzec marca březen března \
     március marec март марта березень березня mart μαρτίου μάρτιος מרץ مارس मार्च มีนาคม",
    "april avril abril aprile aprilie huhtikuuta kwiecień kwietnia duben dubna április apríl апрель апреля квітень квітня \
     април nisan απριλίου απρίλιος אפריל أبريل آوریل अप्रैल เมษายน",
    "may mai mayo maggio maio mei maj maja toukokuuta květen května május máj май мая травень травня mayıs μαΐου μάιος \
     מאי مايو مه मई พฤษภาคม",
    "june juni juin junio giugno junho iunie kesäkuuta czerwiec czerwca červen června június jún июнь июня червень червня \
     юни haziran ιουνίου ιούνιος יוני يونيو ژوئن जून มิถุนายน",
    "july juli juillet julio luglio julho iulie heinäkuuta lipiec lipca červenec července július júl июль июля липень липня \
     юли temmuz ιουλίου ιούλιος יולי يوليو ژوئیه जुलाई กรกฎาคม",
    "august août aout agosto augustus augusti agustus elokuuta sierpień sierpnia srpen srpna augusztus август августа \
     серпень серпня ağustos αυγούστου αύγουστος אוגוסט أغسطس اوت अगस्त สิงหาคม",
    "september septembre septiembre settembre setembro septembrie syyskuuta wrzesień września září szeptember сентябрь \
     сентября вересень вересня септември eylül σεπτεμβρίου σεπτέμβριος ספטמבר سبتمبر سپتامبر सितंबर กันยายน",
    "october oktober octobre octubre ottobre outubro octombrie lokakuuta październik października říjen října október \
     октябрь октября жовтень жовтня октомври ekim οκτωβρίου οκτώβριος אוקטובר أكتوبر اکتبر अक्टूबर अक्तूबर ตุลาคม",
    "november novembre noviembre novembro noiembrie marraskuuta listopad listopadu listopada ноябрь ноября листопад \
     листопада ноември kasım νοεμβρίου νοέμβριος נובמבר نوفمبر نوامبر नवंबर พฤศจิกายน",
    "december dezember décembre decembre diciembre dicembre dezembro desember decembrie joulukuuta grudzień grudnia prosinec \
     prosince декабрь декабря грудень грудня декември aralık δεκεμβρίου δεκέμβριος דצמבר ديسمبر دسامبر दिसंबर ธันวาคม",
];

/// Names of days, and what belongs to them (Unicode CLDR, `days`); of each the first two letters or more.
const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend \
     sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo lunedì \
     martedì mercoledì giovedì venerdì sabato domenica segunda terça quarta quinta sexta feira maandag dinsdag woensdag \
     donderdag vrijdag zaterdag zondag måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag \
     maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai poniedziałek wtorek środa czwartek piątek sobota \
     niedziela pondělí úterý středa čtvrtek pátek neděle hétfő kedd szerda csütörtök péntek szombat vasárnap luni marți \
     miercuri joi vineri sâmbătă duminică понедельник вторник среда четверг пятница суббота воскресенье понеділок вівторок \
     середа четвер пʼятниця субота неділя понеделник сряда четвъртък петък събота pazartesi salı çarşamba perşembe cuma \
     cumartesi pazar δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή senin selasa rabu kamis jumat sabtu minggu \
     יום ראשון שני שלישי רביעי חמישי שישי שבת الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت thứ hai ba tư năm sáu bảy chủ \
     nhật неделя सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार شنبه یکشنبه دوشنبه سه چهارشنبه پنجشنبه جمعه";

/// Years before the first one of Japan's eras, and of the calendar of Taiwan.
const ERAS: [(&str, u32); 7] = [
    ("令和", 2018),
    ("平成", 1988),
    ("昭和", 1925),
    ("大正", 1911),
    ("明治", 1867),
    ("民國", 1911),
    ("民国", 1911),
];

/// True for a text that may be a date: a digit, and a separator or letters.
pub(super) fn is_date_like(text: &str) -> bool {
    text.len() <= MAX_DATE_BYTES && text.len() >= 6 && text.bytes().filter(u8::is_ascii_digit).count() >= 2
}

/// Reads a date; `None` for anything that is not wholly one.
pub(super) fn parse_date(text: &str, order: DateOrder) -> Option<WrittenDate> {
    let text = text.trim().trim_matches('*');
    let (date, time) = with_time(text)?;
    let is_separator = |c: char| c.is_whitespace() || "-/.,‑()'’،׳॰".contains(c);
    let mut parts: Vec<&str> = Vec::with_capacity(4);
    let (mut era, mut has_filler) = (0, false);
    let mut rest = &*date;
    while let Some(c) = rest.chars().next() {
        if is_separator(c) {
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let is_digit = c.is_ascii_digit();
        let length =
            rest.find(|c: char| is_separator(c) || c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (part, after) = rest.split_at(length);
        rest = after;
        if let Some((name, year)) = ERAS.iter().find(|(name, _)| part.starts_with(name)) {
            // The first year of an era has no number.
            era = *year;
            parts.extend((part[name.len()..] == *"元年").then_some("1"));
        } else if is_filler(part) {
            has_filler = true;
        } else {
            parts.push(part);
        }
        if parts.len() > 6 {
            return None;
        }
    }
    let has_digit = |part: &str| part.as_bytes()[0].is_ascii_digit();
    while parts.len() > 3 && is_day(parts[0]) {
        parts.remove(0);
    }
    while parts.len() > 3 && parts.last().is_some_and(|part| is_day(part)) {
        parts.pop();
    }
    let number = |part: &str| part.parse::<u32>().ok();
    let (year, month, day, known) = match parts[..] {
        [a, b, c] if era > 0 => (era + number(a)?, number(b)?, number(c)?, None),
        [a, b, c] if has_digit(a) && has_digit(b) && has_digit(c) => {
            // `21. 3. 4.` is one day in Korea, another in Croatia.
            if c.len() == 2 && a.len() < 4 && date.trim().ends_with('.') && date.trim().contains(". ") {
                return None;
            }
            // With points, or words between, the day is first everywhere.
            numeric(a, b, c, if has_filler || date.contains('.') { DateOrder::DayFirst } else { order })?
        }
        [a, b, c] if has_digit(a) && has_digit(c) && !has_digit(b) && a.len() == 4 => {
            (year_of(a)?, month_of(b)?, number(c)?, None)
        }
        [a, b, c] if has_digit(a) && has_digit(c) && !has_digit(b) => {
            (year_of(c)?, month_of(b)?, number(a)?, None)
        }
        [a, b, c] if !has_digit(a) && has_digit(b) && has_digit(c) => {
            (year_of(c)?, month_of(a)?, number(b)?, None)
        }
        // `Mar-21` is a month, `Mar 21` a day.
        [a, b] if !has_digit(a) && has_digit(b) && (b.len() == 4 || date.contains(['-', '\'', '’'])) => {
            return month_alone(year_of(b)?, month_of(a)?);
        }
        [a, b] if has_digit(a) && has_digit(b) && b.len() == 4 && date.contains('/') => {
            return month_alone(year_of(b)?, number(a)?);
        }
        [a, b] if has_digit(a) && has_digit(b) && a.len() == 4 && has_filler => {
            return month_alone(year_of(a)?, number(b)?);
        }
        _ => return None,
    };
    if !(1..=12).contains(&month) || !(1..=days_in(year, month)).contains(&day) {
        return None;
    }
    Some(WrittenDate { iso: format!("{year:04}-{month:02}-{day:02}{time}"), order: known })
}

fn month_alone(year: u32, month: u32) -> Option<WrittenDate> {
    let iso = format!("{year:04}-{month:02}");
    (1..=12).contains(&month).then_some(WrittenDate { iso, order: None })
}

/// Words between the numbers of a date: `2021年3月4日`, `4 de março de 2021`, `March 4th`.
fn is_filler(word: &str) -> bool {
    let day = word.strip_prefix(['日', '일']).unwrap_or(word);
    let is_day_of_week = day.len() < word.len()
        && (day.is_empty() || day.ends_with("曜日") || day.starts_with("星期") || day.starts_with('周'));
    is_day_of_week
        || "月火水木金土日".contains(word) && word.chars().count() == 1
        || matches!(
            word,
            "年" | "년" | "월" | "de" | "del" | "of" | "st" | "nd" | "rd" | "th" | "er" | "den" | "г" | "р"
        )
        || matches!(word, "tháng" | "thg" | "ngày" | "ค" | "ศ" | "น" | "Uhr" | "UTC" | "GMT")
        || word.ends_with("요일")
}

fn is_day(word: &str) -> bool {
    let word = word.to_lowercase();
    word.chars().count() >= 2 && DAYS.split_whitespace().any(|name| name.starts_with(&word))
}

/// The date, and the time of day as ISO writes it; `None` for a time that no day has.
fn with_time(text: &str) -> Option<(Cow<'_, str>, String)> {
    let Some(colon) = text.find(':') else {
        // `4.3.2021 14.05`.
        let time = text.rsplit_once(' ').filter(|(date, time)| {
            time.len() == 5 && time.as_bytes()[2] == b'.' && date.matches(['.', '/', '-']).count() == 2
        });
        return Some(
            match time.and_then(|(date, time)| Some((date, clock(&time.replace('.', ":"), None)?))) {
                Some((date, time)) => (Cow::Borrowed(date), time),
                None => (Cow::Borrowed(text), String::new()),
            },
        );
    };
    let hour = text[..colon].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let is_part = |(at, c): (usize, char)| {
        c.is_ascii_digit()
            || matches!(c, ':' | '.') && text.as_bytes().get(hour + at + 1).is_some_and(u8::is_ascii_digit)
    };
    let end =
        text[hour..].char_indices().find(|part| !is_part(*part)).map_or(text.len(), |(at, _)| hour + at);
    let (before, mut after) = (text[..hour].trim_end(), text[end..].trim_start());
    let mut half = None;
    for (name, afternoon) in [("a.m.", false), ("p.m.", true), ("am", false), ("pm", true)] {
        if let Some(rest) = after.get(name.len()..).filter(|_| after[..name.len()].eq_ignore_ascii_case(name))
        {
            (after, half) = (rest, Some(afternoon));
        }
    }
    let mut time = clock(&text[hour..end], half)?;
    if let Some(offset) = after.strip_prefix(['+', '-']).filter(|_| end - hour >= 5) {
        let digits: String = offset.chars().filter(char::is_ascii_digit).collect();
        if digits.len() != 4 || offset.len() > 5 {
            return None;
        }
        time.push_str(&format!("{}{}:{}", &after[..1], &digits[..2], &digits[2..]));
        after = "";
    }
    let before = before.strip_suffix(['T', ',']).unwrap_or(before);
    Some((Cow::Owned(format!("{before} {}", after.trim_start_matches(['Z', 'z']))), time))
}

/// A time of day as ISO writes it, of twelve hours if it is of one half of the day.
fn clock(text: &str, half: Option<bool>) -> Option<String> {
    let parts: Vec<&str> = text.split(':').collect();
    let number = |at: usize, most: u32| {
        let part = parts.get(at).map_or("00", |part| part.split_once('.').map_or(*part, |(whole, _)| whole));
        part.parse::<u32>().ok().filter(|number| part.len() <= 2 && *number <= most)
    };
    let (mut hour, minute, second) = (number(0, 24)?, number(1, 59)?, number(2, 60)?);
    if let Some(is_afternoon) = half {
        hour = hour % 12 + if is_afternoon { 12 } else { 0 };
    }
    (parts.len() <= 3).then(|| format!("T{hour:02}:{minute:02}:{second:02}"))
}

fn numeric(a: &str, b: &str, c: &str, order: DateOrder) -> Option<(u32, u32, u32, Option<DateOrder>)> {
    let number = |part: &str| part.parse::<u32>().ok().filter(|_| part.len() <= 4);
    let (first, second, third) = (number(a)?, number(b)?, number(c)?);
    if a.len() == 4 {
        return Some((first, second, third, None));
    }
    let known = match (first > 12, second > 12) {
        (true, false) => Some(DateOrder::DayFirst),
        (false, true) => Some(DateOrder::MonthFirst),
        _ => None,
    };
    let year = year_of(c)?;
    Some(match known.unwrap_or(order) {
        DateOrder::DayFirst => (year, second, first, known),
        DateOrder::MonthFirst => (year, first, second, known),
    })
}

/// A year of four digits, or of two since 1970.
fn year_of(text: &str) -> Option<u32> {
    let year: u32 = text.parse().ok()?;
    match text.len() {
        4 => Some(year).filter(|year| (1000..=2999).contains(year)),
        2 => Some(if year >= 70 { 1900 + year } else { 2000 + year }),
        _ => None,
    }
}

fn month_of(name: &str) -> Option<u32> {
    let name = name.to_lowercase();
    // Hebrew joins "in" to it.
    let name = name.strip_prefix('ב').filter(|name| name.chars().count() > 2).unwrap_or(&name);
    // A letter of Devanagari is often two characters.
    let is_long = name.chars().count() >= 3 || name.len() >= 6;
    let is_name = |month: &&str| {
        month.split_whitespace().any(|known| known == name || is_long && known.starts_with(name))
    };
    MONTHS.iter().position(is_name).map(|at| at as u32 + 1)
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_a_colon_may_be_any_letter() {
        assert!(parse_date("2Œ:Œ 123", DateOrder::default()).is_none());
        let date = parse_date("2021年3月4日 10:15", DateOrder::default()).map(|date| date.iso);
        assert_eq!(date.as_deref(), Some("2021-03-04T10:15:00"));
    }

    #[test]
    fn dates_have_one_form() {
        let check = |text: &str, expected: &str| {
            let date = parse_date(text, DateOrder::MonthFirst);
            assert_eq!(date.map(|date| date.iso).as_deref(), Some(expected), "{text}");
        };
        for (text, expected) in [
            ("2021-03-04", "2021-03-04"),
            ("2021/3/4", "2021-03-04"),
            ("3/4/2021", "2021-03-04"),
            ("13.4.2021", "2021-04-13"),
            ("March 4, 2021", "2021-03-04"),
            ("4 March 2021", "2021-03-04"),
            ("4. März 2021", "2021-03-04"),
            ("4-Mar-21", "2021-03-04"),
            ("Dec. 31, 2018", "2018-12-31"),
            ("Mar 2021", "2021-03"),
            ("4 de março de 2021", "2021-03-04"),
            ("2021年3月4日", "2021-03-04"),
            ("2021-03-04 10:00", "2021-03-04T10:00:00"),
            ("2021-03-04T10:00:05Z", "2021-03-04T10:00:05"),
            ("3.4.2021", "2021-04-03"),
            ("1er août 1999", "1999-08-01"),
            ("Thursday, March 4, 2021", "2021-03-04"),
            ("jeudi 4 mars 2021", "2021-03-04"),
            ("torsdag den 4. marts 2021", "2021-03-04"),
            ("4 марта 2021 г.", "2021-03-04"),
            ("2021. márc. 4.", "2021-03-04"),
            ("4 tháng 3, 2021", "2021-03-04"),
            ("2021년 3월 4일 목요일", "2021-03-04"),
            ("2021年3月4日(木)", "2021-03-04"),
            ("令和6年3月1日", "2024-03-01"),
            ("令和元年5月1日", "2019-05-01"),
            ("2024年3月", "2024-03"),
            ("Mar-21", "2021-03"),
            ("03/2021", "2021-03"),
            ("3/4/21, 2:05 PM", "2021-03-04T14:05:00"),
            ("3/4/2021 12:00 AM", "2021-03-04T00:00:00"),
            ("14:05 4.3.2021", "2021-03-04T14:05:00"),
            ("4.3.2021 14.05", "2021-03-04T14:05:00"),
            ("2021-03-04T10:00:00+02:00", "2021-03-04T10:00:00+02:00"),
        ] {
            check(text, expected);
        }
        assert_eq!(parse_date("3/4/2021", DateOrder::DayFirst).unwrap().iso, "2021-04-03");
        // The last one is in 2021 in Korea, in 2012 in Croatia.
        for none in [
            "30/2/2021",
            "2021",
            "1.2.3",
            "10:30",
            "Q1 2021",
            "12 apples 2021",
            "31.04.2021",
            "2011-12",
            "Mar 21",
            "Report of 4 March 2021",
            "2021-03-04 25:00",
            "21. 3. 12.",
        ] {
            assert_eq!(parse_date(none, DateOrder::DayFirst), None, "{none}");
        }
    }
}

//! The words of a language that carry grammar and no matter: articles, pronouns, prepositions, conjunctions, auxiliaries.
//!
//! They are closed classes, so a list is complete enough after a few dozen words, and it tells the language of a text of
//! a few words ([`Language::of`]). Words that also name things stay out (`can` is in, `well` is not). The lists hold
//! words as a search index has them: lower case, Latin letters without their marks.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A language with a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Portuguese.
    Portuguese,
    /// Italian.
    Italian,
    /// Romanian.
    Romanian,
    /// Dutch.
    Dutch,
    /// Swedish.
    Swedish,
    /// Danish.
    Danish,
    /// Norwegian.
    Norwegian,
    /// Finnish.
    Finnish,
    /// Hungarian.
    Hungarian,
    /// Turkish.
    Turkish,
    /// Polish.
    Polish,
    /// Czech.
    Czech,
    /// Indonesian.
    Indonesian,
    /// Vietnamese.
    Vietnamese,
    /// Russian.
    Russian,
    /// Ukrainian.
    Ukrainian,
    /// Greek.
    Greek,
    /// Arabic.
    Arabic,
    /// Hindi.
    Hindi,
}

/// The words of each language. The first [`SIGNATURE_WORDS`] are frequent in it and rare, or of other meaning, in the others.
const LISTS: &[(Language, &str)] = &[
    (
        Language::English,
        "the and of is to a an in on for from by with or are was were be been am what which who whom whose how when where \
         why do does did done doing have has had having it its this that these those as at if so than then not no nor your \
         you i we our they their them he she his her him me my us can could should would will shall may might must about \
         into there here any s t d ll re ve m don isn doesn didn wasn aren",
    ),
    (
        Language::German,
        "und der nicht ist die das den dem des ein eine einen einem einer eines zu im in mit auf fur von vom zum zur an am \
         als auch es er sie ich du wir ihr ihm ihn sich sind war waren wird werden wurde wurden hat haben hatte hatten sein \
         ihre ihren ihrem seine seiner dass wenn wie was wer wo wann warum welche welcher welches aus bei nach uber unter \
         oder aber wieviel kann konnen man noch nur so kein keine durch um",
    ),
    (
        Language::French,
        "les des est une le la l d de du un et en au aux a pour par sur dans avec ce cet cette ces qui que qu quoi quel \
         quelle quels quelles ou quand comment pourquoi combien il elle ils elles on nous vous je tu se s ne n pas plus son \
         sa ses leur leurs c j y sont etait etaient ete etre ont avait avoir fait mais comme si sans sous",
    ),
    (
        Language::Spanish,
        "los las una del el la lo un unos unas de y e o u en a al por para con sin sobre que quien quienes cual cuales \
         cuando como donde cuanto cuantos cuanta cuantas se su sus es son era eran fue fueron ser ha han habia esta este \
         esto estos estas ese esa no si mas pero le les me te nos mi tu yo ella ellos porque entre desde hasta tiene",
    ),
    (
        Language::Portuguese,
        "nao uma dos da o a os as um uns umas de do das e ou em no na nos nas ao aos por pelo pela para com sem sobre que \
         quem qual quais quando como onde quanto quantos se seu sua seus suas e sao era eram foi foram ser tem tinha ha \
         esta este isto esse essa mais mas lhe me te eu ele ela eles porque entre ate",
    ),
    (
        Language::Italian,
        "di che il della gli le lo la i un uno una e o a al allo alla ai agli alle del dello dei degli delle da dal dalla \
         in nel nella nei nelle su sul sulla con per tra fra non si ci chi cosa quale quali quando come dove quanto quanti \
         perche sono era erano fu stato stata essere ha hanno aveva suo sua suoi sue loro questo questa piu ma se",
    ),
    (
        Language::Romanian,
        "si este din sau o un unei unui a al ai ale de la in pe cu pentru prin despre care ce cine cat cati cate cand cum \
         unde nu se sunt era erau fost fi are au avea lui ei lor sa ca mai dar el ea ii le l i sunt acest aceasta acestea \
         acel dintre dupa pana",
    ),
    (
        Language::Dutch,
        "het een van niet de en in op te dat die is was waren zijn wordt werd werden worden voor met aan om door bij naar \
         uit over onder als ook maar of hij zij ze wij we ik je jij u hun haar hem zijn heeft hebben had hadden wie wat waar \
         wanneer waarom hoe welke er dit deze kan zou nog dan",
    ),
    (
        Language::Swedish,
        "och att som ar det en ett den de i pa av for med till fran om var inte han hon vi jag du ni sig sin sitt sina har \
         hade blev blir vad vem vilka vilken vilket nar hur varfor eller men kan ska skulle vid under over efter dessa \
         detta",
    ),
    (
        Language::Danish,
        "og af ikke til det en et den de i pa for med fra om er var at som han hun vi jeg du sig sin sit sine har havde blev \
         bliver hvad hvem hvilke hvilken hvilket hvornar hvor hvordan hvorfor eller men kan skal skulle ved under over \
         efter disse dette",
    ),
    (
        Language::Norwegian,
        "og av ikke til det en et ei den de i pa for med fra om er var a at som han hun vi jeg du seg sin sitt sine har \
         hadde ble blir hva hvem hvilke hvilken hvilket nar hvor hvordan hvorfor eller men kan skal skulle ved under over \
         etter disse dette",
    ),
    (
        Language::Finnish,
        "ja ei oli etta on se ovat olivat ollut olla han hanen he ne sen sita mika mita mitka kuka ketka missa mista mihin \
         milloin miksi miten kuinka joka jotka jossa kun kuin tai mutta myos jos niin nyt tama tata",
    ),
    (
        Language::Hungarian,
        "es az egy hogy a is nem volt voltak van vannak meg ki kik mi mit milyen melyik mikor hol hova honnan hogyan miert \
         mennyi hany amely aki ami ez ezt azt csak de ha vagy mint",
    ),
    (
        Language::Turkish,
        "ve bir bu icin ile de da mi mu ne nedir kim kimdir hangi nerede nereye nasil neden nicin kac zaman olarak olan oldu \
         olmustur idi ise ama veya ya daha en gibi kadar sonra once tarafindan var yok onun o su ki",
    ),
    (
        Language::Polish,
        "nie sie jest oraz i w we z ze na do od o u po za przez dla pod przy a ale lub czy ze co kto kogo jaki jaka jakie \
         ktory ktora ktore kiedy gdzie jak dlaczego ile to ten ta te byl byla bylo byly sa jego jej ich on ona oni",
    ),
    (
        Language::Czech,
        "je ze jsou ktery a i v ve z ze na do od o u po za pro pod pri ale nebo zda co kdo koho jaky jaka jake ktera ktere \
         kdy kde jak proc kolik to ten ta te byl byla bylo byly jeho jeji jejich on ona oni se si ne",
    ),
    (
        Language::Indonesian,
        "yang dan dari untuk di ke pada dengan oleh adalah ini itu apa siapa kapan dimana mana bagaimana mengapa berapa \
         tidak akan telah sudah dalam sebagai juga atau tetapi ia dia mereka kami kita saya para",
    ),
    (
        Language::Vietnamese,
        "cua nhung duoc khong la cac mot va o trong cho voi tu den da dang se bi nay do gi nao ai dau khi bao nhieu nhu the \
         vi tai sao hay hoac nhung thi ma cung",
    ),
    (
        Language::Russian,
        "и что как это в во не на с со из к ко от по за для о об у а но или же ли бы то он она оно они его ее её их мы вы я \
         ты кто кого чем чего какой какая какие какое каком каких который которая которые когда где куда почему сколько \
         был была было были быть есть при до под над после свой свои",
    ),
    (
        Language::Ukrainian,
        "та що як це і й у в не на з із зі до від по за для про а але або чи він вона воно вони його її їх ми ви я ти хто \
         кого чим який яка які яке коли де куди чому скільки був була було були бути є при під над після",
    ),
    (
        Language::Greek,
        "και το του της η ο οι τα των τον την τη τους τις στο στη στην στον στους στις στα σε με απο για ως που πως πού πώς \
         τι ποιος ποια ποιο ποιοι ποιες ποιον πότε ποτε πόσο πόσα πόσες γιατί ειναι είναι ήταν ηταν έχει εχει δεν θα να ένα \
         μια μία ένας αυτό αυτή από κατά μετά ή κι αν αλλά",
    ),
    (
        Language::Arabic,
        "في من على إلى التي الذي الذين عن مع هو هي هم هذا هذه ذلك تلك كان كانت يكون ما ماذا متى أين كيف لماذا كم أي هل أن إن \
         أو ثم قد لا لم لن بعد قبل بين عند كل غير",
    ),
    (
        Language::Hindi,
        "के है में की का को से और ने पर यह वह हैं था थी थे एक कि जो तो ही भी नहीं क्या कौन किस किसने कब कहाँ कहां कैसे क्यों कितने कितनी कितना \
         कौनसा इस उस इन उन लिए साथ द्वारा हो होता होती गया गई गए किया",
    ),
];

/// The words at the beginning of a list by which its language is recognised in an index.
const SIGNATURE_WORDS: usize = 4;

static WORDS: LazyLock<FxHashMap<&'static str, Vec<Language>>> = LazyLock::new(|| {
    let mut words: FxHashMap<&str, Vec<Language>> = FxHashMap::default();
    for (language, list) in LISTS {
        for word in list.split_whitespace() {
            let known = words.entry(word).or_default();
            if !known.contains(language) {
                known.push(*language);
            }
        }
    }
    words
});

impl Language {
    /// Every language, each with the words by which it is recognised.
    pub fn signatures() -> impl Iterator<Item = (Language, impl Iterator<Item = &'static str>)> {
        LISTS.iter().map(|(language, list)| (*language, list.split_whitespace().take(SIGNATURE_WORDS)))
    }

    /// The languages of a short text: those that have most of its words in their lists, two at least; several if they have as
    /// many. One word alone tells little: `la` is in five lists.
    pub fn of<'w>(words: impl Iterator<Item = &'w str>) -> Vec<Language> {
        let mut counts: BTreeMap<Language, usize> = BTreeMap::new();
        for language in words.filter_map(|word| WORDS.get(word)).flatten() {
            *counts.entry(*language).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or_default();
        counts
            .into_iter()
            .filter(|(_, count)| *count == most && most > 1)
            .map(|(language, _)| language)
            .collect()
    }

    /// True for a language that writes compounds as one word.
    pub fn compounds(self) -> bool {
        use Language::{Danish, Dutch, Finnish, German, Hungarian, Norwegian, Swedish};
        matches!(self, German | Dutch | Swedish | Danish | Norwegian | Finnish | Hungarian)
    }

    /// True for a folded word that carries grammar and no matter in this language.
    pub fn has_function_word(self, word: &str) -> bool {
        WORDS.get(word).is_some_and(|languages| languages.contains(&self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_a_question_has_most_of_its_words() {
        let check = |text: &str, expected: &[Language]| {
            let text = text.to_lowercase();
            assert_eq!(Language::of(text.split(' ')), expected, "{text}");
        };
        check("when is tax due", &[Language::English]);
        check("wie hoch ist die steuer", &[Language::German]);
        check("quelle est la hauteur de la tour", &[Language::French]);
        check("cuando se fundo la ciudad", &[Language::Spanish]);
        check("кто был первым царём", &[Language::Russian]);
        check("glass la", &[]);
        check("spawn_blocking", &[]);
        check("", &[]);
    }

    #[test]
    fn a_word_has_no_matter_in_its_own_language_alone() {
        assert!(Language::German.has_function_word("die"));
        assert!(!Language::English.has_function_word("die"));
        assert!(!Language::English.has_function_word("tax"));
    }

    #[test]
    fn lists_are_of_folded_words() {
        for (language, list) in LISTS {
            for word in list.split_whitespace() {
                assert_eq!(word, word.to_lowercase(), "{language:?}");
                assert!(
                    word.chars().next().is_some_and(|c| !c.is_ascii() || c.is_ascii_lowercase()),
                    "{word}"
                );
            }
        }
    }
}

//! Declarations that hide, and those that leave something to see.

use super::*;

#[test]
fn declarations_hide_when_nothing_is_left_to_see() {
    let check = |declarations: &str, expected: Option<HidingWay>| {
        assert_eq!(Concealment::read(declarations).way(), expected, "{declarations}");
    };
    let whole = |reason| Some(HidingWay::Whole(reason));
    let [gone, clear, beside, clipped] =
        [HiddenReason::NotDisplayed, HiddenReason::Transparent, HiddenReason::OffPage, HiddenReason::Clipped]
            .map(whole);
    check("color: red", None);
    check("Display: None !important", gone);
    check("visibility:hidden", Some(HidingWay::Invisible));
    check("opacity:0", clear);
    check("opacity:0.0;transform:translateY(20px)", None);
    check("opacity: .5", None);
    check("font-size:0", Some(HidingWay::Tiny));
    check("font-size:1px;color:#fff", Some(HidingWay::Tiny));
    check("font-size: 0.01em", Some(HidingWay::Tiny));
    check("font-size:90%", None);
    check("font-size:1em", None);
    check("position:absolute;left:-9999px", beside);
    check("left:-9999px", None);
    check("position:absolute;left:10px", None);
    check("clip: rect(0, 0, 0, 0)", None);
    check("position:absolute;clip: rect(0, 0, 0, 0)", clipped);
    check("content-visibility:hidden", gone);
    check("transform: scale(0)", whole(HiddenReason::Tiny));
    check("transform:scale(0);transition:transform .2s", None);
    check("transform:scale(0.5)", None);
    check("filter:opacity(0)", clear);
    check("opacity:.01", clear);
    check("opacity:.05", None);
    check("font:0/0 a", Some(HidingWay::Tiny));
    check("font:italic 700 12px/1.5 serif", None);
    check("font:400 0.1px x", Some(HidingWay::Tiny));
    check("position:fixed;inset:-9999px auto auto -9999px", beside);
    check("color:transparent", Some(HidingWay::Colour(HiddenReason::Transparent)));
    check("color:transparent;background:linear-gradient(red,blue);background-clip:text", None);
    check("color:transparent;text-shadow:0 0 5px #000", None);
    check("color:#fff;background:#fefefe", Some(HidingWay::Colour(HiddenReason::SameColour)));
    check("color:#fff;background:#fefefe;text-shadow:0 0 1px red", None);
    check("clip:rect(1px 1px 1px 1px);position:absolute", clipped);
    check("clip-path:inset(100%)", clipped);
    check("clip-path:inset(10px)", None);
    check("max-height:0;overflow:hidden", clipped);
    check("height:0px;overflow:hidden", clipped);
    check("height:0", None);
    check("height:0;max-height:90px;overflow:hidden", clipped);
    check("max-height:0;overflow:hidden;transition:max-height .2s", None);
    check("text-indent:-9999px", beside);
    check("text-indent:-99em;white-space:nowrap", beside);
    check("text-indent:-2em", None);
    check("text-indent:-9999px;background:url(logo.png)", None);
    check("background-color:#e0baa3;text-indent:-9999px", None);
    check("background:none;text-indent:-9999px", beside);
}

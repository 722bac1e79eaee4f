//! Words of names ([`super::name_hints`]) of parts that count on pages of one kind only, and of parts that wait for a
//! click.

/// Words of reviews by customers. Sorted.
pub(super) const REVIEWS: &[&str] = &["review", "reviews", "testimonial", "testimonials"];

/// Words of what a forum writes beside each post: who wrote it, and with how many badges. Sorted.
pub(super) const POSTERS: &[&str] = &[
    "avatar",
    "badge",
    "badges",
    "postprofile",
    "profile",
    "reactions",
    "sig",
    "signature",
    "user",
    "userdetails",
    "userinfo",
];

/// Words of parts that are folded until a reader opens them. Sorted.
pub(super) const FOLDED: &[&str] = &[
    "accordion",
    "collapse",
    "collapsible",
    "expandable",
    "faq",
    "pane",
    "panel",
    "tab",
    "tabcontent",
    "tabpanel",
    "tabs",
    "toggle",
];

/// Pairs of words of texts for screen readers, which repeat what is shown.
pub(super) const SCREEN_READER_WORDS: &[[&str; 2]] =
    &[["screen", "reader"], ["sr", "only"], ["sr", "text"], ["visually", "hidden"]];

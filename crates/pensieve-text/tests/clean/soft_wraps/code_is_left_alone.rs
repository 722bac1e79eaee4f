// When the river had risen above the second mark, the keeper went down
// to the lower gate and looked at the water for a long time. Nobody
// had told him what to do in such a case, and the man who might have
// known was away until the end of the month.

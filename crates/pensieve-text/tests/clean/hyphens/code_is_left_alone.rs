// an exam-
// ple
let a = b-
c;

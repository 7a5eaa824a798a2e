//! Reading rule files: the kinds of problems.

super::catalogue! {
    error NOT_XML "PM0701" "A rule file is not well-formed XML.";
    error TOO_LARGE "PM0702" "A rule file is too large.";
    error UNKNOWN_WORD "PM0703" "A rule file has an element or attribute that is not known there.";
    error MISSING_PART "PM0704" "A rule file lacks a required part.";
    error BAD_VALUE "PM0705" "A rule file has a value that cannot stand where it is.";
    error UNDECLARED "PM0706" "A rule file names an element that none declares before.";
    error DECLARED_TWICE "PM0707"
        "A rule file gives a name or code that is taken in the same file.";
}

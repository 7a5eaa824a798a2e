//! Targets: the kinds of problems.

super::catalogue! {
    error NOT_IN_TARGET "PM1001" "A target cannot express a part of the model that others can.";
    error NO_ANSWER "PM1002" "The program of a target ended without an answer.";
}

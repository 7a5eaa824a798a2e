//! Annotations of MARTE: the kinds of problems.

super::catalogue! {
    error BAD_VALUE "PM1101" "A value of MARTE's VSL is not understood.";
    warning NO_VALUE "PM1102"
        "A variable of MARTE is used in a cost, and has no value: each run gives one.";
    error BAD_CHOICE "PM1103"
        "The probabilities of MARTE on the outflows of a node make no choice.";
    error UNCLEAR_STEP "PM1104" "It is unclear what a step of MARTE costs.";
    error BAD_WORKLOAD "PM1105" "A workload of MARTE cannot be simulated.";
    warning UNREAD_TAG "PM1106" "A tag of MARTE is not read.";
    warning UNREAD_STEREOTYPE "PM1107"
        "A stereotype of MARTE, or of a profile built on it, is not read.";
    warning TAKEN "PM1108" "A value of MARTE is taken for what it is not quite.";
    warning FLAG "PM1109"
        "A workload or host of MARTE says what is said by a flag of the command line.";
}

//! Performance elements: the kinds of problems.

super::catalogue! {
    error NO_PRICE "PM0401" "An `action+` has no cost.";
    error SEVERAL_PRICES "PM0402" "An element has more than one cost.";
    error PRICED_CONTENT "PM0403" "An element whose content has costs has a cost of its own.";
    error MISSING_TAG "PM0404" "A required tag is missing.";
    error WRONG_NODE "PM0408" "A stereotype stands on a kind of node that it does not fit.";
    error BAD_ID "PM0409" "An element's `id` is not an integer.";
    error SAME_ID "PM0410" "Two elements have the same `id`.";
    error BAD_TIME "PM0411" "An element's `time` is not a number of seconds.";
    error CODE_TWICE "PM0412" "An element has code both as its body and in the tag `code`.";
    error NOTHING_CALLED "PM0413" "A call names no activity.";
    error WRONG_VALUE "PM0420" "A tag has a value that it cannot have.";
    error NO_TARGET "PM0421" "A tag names no variable that can get the element's result.";
    warning NO_VALUE "PM0422"
        "A receive wants a value, and no send with its tag gives its message one.";
    error NO_PROCESS "PM0414" "A `dest` or `source` is a constant that is not a process.";
    error REQUEST_OF_BLOCKING "PM0415" "A send or receive that blocks has a request.";
    error UNKNOWN_REQUEST "PM0416"
        "A wait is for a request that no send or receive of the program has.";
    error BAD_RUD "PM0417"
        "The tag `rud` holds no description of the resources that its element uses.";
    error UNSENT_SIGNAL "PM0423" "An element waits for a signal that nothing in the program sends.";
    error UNKNOWN_COMM "PM0430"
        "A communicator depends on a value that not all processes know of each other.";
    error BAD_FILE "PM0440"
        "A file of a workflow has no name or size, or no task reads or writes it.";
    error NOT_IN_WORKFLOW "PM0441" "A workflow has an element that makes no sense in one.";
    error NO_WORKFLOW "PM0442"
        "A `task` stands in a program, or a `workflow` on an activity that is not the main one.";
    warning IDLE_RETRIES "PM0443"
        "A `task` has `retries`, but no `failure_probability`: it never fails.";
    error NO_MEMORY "PM0450"
        "The memory of a node does not hold the working sets of its processes.";
}

// What is chosen on the page; views follow it.

/** The place of the chosen process among the processes. */
const selectedProcess = observable(0);

/** Where the animator stands. */
const simulatedTime = observable(0);

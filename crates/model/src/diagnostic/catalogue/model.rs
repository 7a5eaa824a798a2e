//! Content of the UML: the kinds of problems.

super::catalogue! {
    error NO_ACTIVITY "PM0101" "The model has no activity.";
    error SEVERAL_MAINS "PM0102" "It is not clear which activity is the program.";
    error UNKNOWN_MAIN "PM0103" "No activity has the requested name.";
    error DANGLING "PM0104" "A reference names an element that does not exist.";
    warning DANGLING_BACKLINK "PM0105"
        "A list that repeats other elements' references names an element that does not exist.";
    error WRONG_TARGET "PM0106" "A reference names an element of a kind that cannot stand there.";
    error MISSING_END "PM0107" "An edge has no source or no target.";
    error CROSSING_EDGE "PM0108"
        "An edge crosses the border of a diagram, and cannot be moved to the node around.";
    error UNKNOWN_STEREOTYPE "PM0109" "The profile has no such stereotype.";
    warning PROFILE_DRIFT "PM0110"
        "The profile is applied under another namespace than the one that is shipped.";
    warning UNBOUND_STEREOTYPE "PM0111" "A stereotype is applied to nothing.";
    warning IDLE_STEREOTYPE "PM0112"
        "A stereotype is applied to an element on which it means nothing.";
    error SEVERAL_STEREOTYPES "PM0113" "An element has more than one stereotype of the profile.";
    warning UNKNOWN_TAG "PM0114" "The stereotype has no such tag.";
    error FOREIGN_LANGUAGE "PM0115" "An expression is in a language other than C, C++ and Rust.";
    warning SKIPPED_BODY "PM0116"
        "A function or action has no body in C, C++ or Rust, and is left out.";
    error UNREAD_VALUE "PM0117" "A value is given in a form that is not read.";
    error BAD_MULTIPLICITY "PM0118" "The size of an array is not a number.";
    error PARAMETER_DIRECTION "PM0119"
        "A cost function has a parameter that is neither an input nor its result.";
    warning UNNAMED "PM0120" "A variable or function has no name.";
    error CLAUSE_TEST "PM0121" "The test of a clause has more than the action that decides.";
    warning INERT_ACTION "PM0122"
        "An action without a stereotype is of a UML type that does nothing here.";
    warning STRAY_NODE "PM0123" "A node is in no activity, and is left out.";
    warning BORDERLESS_GROUP "PM0124"
        "A group has a meaning of its own in UML and is read as if it were not there.";
    warning EDGE_BETWEEN_PARTS "PM0125"
        "An edge between the parts of a loop or conditional node has no effect.";
    warning EVENT_AT_START "PM0126"
        "An action that accepts an event starts with its diagram, as if the event had come.";
    warning CALL_OF_UNREAD "PM0127"
        "A call is of a behavior that is no activity, or in a file that is not read: it does \
         nothing here.";
    warning OBJECT_NODE "PM0128" "A node that holds data passes control on as soon as it gets it.";
    warning ASSUMED "PM0129"
        "Something that the drawing leaves open was assumed, as `--assume` asks.";
    warning ABSOLUTE_TIME "PM0130"
        "A time event does not say that its time is relative, and is read so.";
    error INTERRUPTION "PM0131" "A flow interrupts a region, which would end what runs there.";
    warning UNUSED_HANDLER "PM0132"
        "An exception handler is left out, since no exceptions are simulated.";
    warning LIFTED_EDGE "PM0133"
        "An edge crosses the border of a structured node, and is read as an edge of that node.";
}

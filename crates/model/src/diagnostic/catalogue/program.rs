//! Names, types and calls: the kinds of problems.

super::catalogue! {
    error UNKNOWN_TYPE "PM0601" "A type is missing, or none that the cost language knows.";
    error SAME_NAME "PM0602" "Two names differ in nothing, or only in case or punctuation.";
    error HIDDEN_LOCAL "PM0603" "A local variable has the name of one in a diagram around it.";
    error NOT_CONSTANT "PM0604" "The default of a model parameter is not a constant.";
    error RECURSIVE_FUNCTIONS "PM0605" "Cost functions call each other in a circle.";
    error RECURSIVE_ACTIVITIES "PM0606" "Activities call each other in a circle.";
    error BAD_TABLE "PM0607" "A table of `interpolate` cannot be read.";
    error ARRAY_HERE "PM0608" "An array stands where only a single value can.";
    error NOT_A_NAME "PM0609"
        "The name of a variable or function is not one that expressions can use.";
    error TOO_DEEP "PM0612"
        "Diagrams are nested too deep or copied too often, or calls lead to too many others.";
    warning LEFT_OUT "PM0614"
        "An attribute has a name or a type that the cost language does not know, and is left out.";
}

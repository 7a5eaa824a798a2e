//! The cost language: the kinds of problems.

super::catalogue! {
    error SYNTAX "PM0201" "a piece of code does not parse";
    error LIMIT "PM0202" "a piece of code is too long or nested too deeply";
    error NOT_ALLOWED "PM0203" "a piece of code is not part of the cost language";
    error UNKNOWN_VARIABLE "PM0204" "a name stands for no variable in scope";
    error UNKNOWN_FUNCTION "PM0205" "a function does not exist";
    error ARGUMENT_COUNT "PM0206" "a call has the wrong number of arguments";
    error TYPE_MISMATCH "PM0207" "a value has the wrong type";
    error READ_ONLY "PM0208" "an assignment changes something read-only";
    error SIDE_EFFECT "PM0209" "an expression changes a variable";
    error MISSING_RETURN "PM0210" "a function can end without a result";
    error MISPLACED_JUMP "PM0211" "a jump stands where it has no meaning";
    error CERTAIN_FAULT "PM0212" "an operation fails whenever it is executed";
    error DECLARED_TWICE "PM0213" "a name is declared twice in one block";
    error UNKNOWN_TABLE "PM0214" "a table does not exist";
    error NUMBER_RANGE "PM0215" "a number is out of range";
    error ARRAY_LENGTH "PM0216" "an array's length is not usable";
    warning NO_EFFECT "PM0217" "a statement has no effect";
}

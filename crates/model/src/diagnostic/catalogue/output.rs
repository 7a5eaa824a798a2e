//! Writing: the kinds of problems.

super::catalogue! {
    error FOREIGN_FILE "PM0501" "a file to be written exists and was not generated";
    error SYMBOLIC_LINK "PM0502" "a file to be written lies behind a symbolic link";
    error OUTSIDE "PM0503" "a file's path leads out of the output folder";
    error WRONG_KIND "PM0504"
        "a folder stands where a file is to be written, or a file where a folder is needed";
    error READ_ONLY_FILE "PM0505" "a file to be written is read-only";
    error NO_MARKER "PM0506"
        "a generated file does not say in its first lines that it is generated";
    error INPUT_OUTPUT "PM0507" "a file or folder cannot be read or written";
    error OTHER_MODEL "PM0508" "files of another model stand where files are to be written";
    error CHANGED_FILE "PM0509" "a generated file was changed since";
    error INPUT_FILE "PM0510" "a file to be written is one that is read";
}

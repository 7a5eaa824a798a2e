//! Reading: the kinds of problems.

super::catalogue! {
    error NOT_XML "PM0001" "The file is not well-formed XML.";
    error DECLARATIONS "PM0002"
        "The file has a document type definition with declarations, which are refused.";
    error NOT_A_MODEL "PM0003" "The file has no UML model.";
    error TOO_DEEP "PM0004" "Elements are nested too deeply.";
    error DUPLICATE_ID "PM0005" "Two elements have the same id.";
    error UNKNOWN_ESCAPE "PM0006" "An XML escape is unknown.";
    warning UNDECLARED_PREFIX "PM0007" "The prefix of a name is not declared.";
    error TOO_LARGE "PM0008" "The file is too large.";
    warning UNREAD_ELEMENT "PM0009" "An element in an activity is not read.";
    warning UNREAD_ATTRIBUTE "PM0010" "An attribute of an element in an activity is not read.";
    warning GUARD_FROM_NAME "PM0011"
        "The name of an edge is read as its guard, which it does not have.";
    error XML_VOCABULARY "PM0012" "Something in a model in XML has no place there.";
    error XML_VALUE "PM0013" "A value in a model in XML is missing or makes no sense.";
    error XML_REFERENCE "PM0014"
        "A name in a model in XML stands for nothing, or for several things.";
    error UNREADABLE "PM0015" "A file cannot be read, or is not a model file.";
    warning DUPLICATE_FEATURE "PM0016" "Two attributes, or ends of associations, have the same id.";
    error TEXT "PM0017" "Something in a model as text is not understood, or has no place there.";
    warning FOREIGN_STEREOTYPE "PM0018" "A stereotype in a text is not one of the profile.";
    warning DOUBTFUL_TEXT "PM0019" "Something in a text is hardly meant as it stands.";
}

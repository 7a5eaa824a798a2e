//! C text to the intermediate form, parsed by lang-c.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (prophet_tests::fuzz::target("workflow").run)(bytes));

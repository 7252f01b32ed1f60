//! What must not compile: a forged plan or permit, and a permit used twice.

#[test]
fn plans_and_permits_cannot_be_forged_or_used_twice() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

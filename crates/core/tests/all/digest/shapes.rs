//! Outputs that were written by hand: the shapes that made other tools say "all good" about a failure (rtk-ai/rtk#2317), tools
//! that are not recorded, and outputs too large to be kept. May not be used where a recording is to be had.

use super::recording::RecordedRun;
use super::verdict::AnswerFaults;
use runward_core::digest::{AnswerLimits, CommandEnding};

/// 8 000 tests, and one of them failed.
pub(crate) fn large_test_run() -> RecordedRun {
    let line = |n: usize| {
        format!("test mod_{}::case_{n:05} ... {}\n", n % 40, if n == 4000 { "FAILED" } else { "ok" })
    };
    let mut text = "\nrunning 8000 tests\n".to_owned();
    text.extend((0..8000).map(line));
    text.push_str(
        "\nfailures:\n\n---- mod_0::case_04000 stdout ----\nthread 'mod_0::case_04000' panicked at src/lib.rs:12:5:\n\
         assertion `left == right` failed\n  left: 1\n right: 2\n\n\nfailures:\n    mod_0::case_04000\n\n\
         test result: FAILED. 7999 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s\n\n",
    );
    RecordedRun::made_up(
        "cargo test",
        CommandEnding::Exit(101),
        &text,
        "error: test failed, to rerun pass `--lib`\n",
    )
    .with_facts(&["mod_0::case_04000", "src/lib.rs:12:5", "  left: 1", " right: 2", "1 failed"])
}

/// 5 000 lines that are alike before the one that matters.
pub(crate) fn many_retries() -> RecordedRun {
    let mut text: String =
        (0..5000).map(|n| format!("WARN  retrying connection to db:5432 (attempt {n})\n")).collect();
    text.push_str("ERROR gave up\n");
    RecordedRun::made_up("./serve", CommandEnding::Exit(3), &text, "").with_facts(&["ERROR gave up"])
}

/// A row: the command, its exit code, both streams, and what has to be shown of it.
type ShapeRow = (&'static str, i32, &'static str, &'static str, &'static [&'static str]);

/// The rows of rtk#2317, and what its followers found. Where nobody has the tool at hand, its shape is as they tell it.
const FALSE_GREENS: &[ShapeRow] = &[
    (
        "pytest",
        2,
        "============================= test session starts ==============================\ncollected 1400 items / 3 errors\n\n\
         ==================================== ERRORS ====================================\n\
         ______________________ ERROR collecting tests/test_a.py _______________________\n\
         E   ModuleNotFoundError: No module named 'gone'\n\
         =========================== short test summary info ============================\n\
         ERROR tests/test_a.py\nERROR tests/test_b.py\nERROR tests/test_c.py\n\
         ======================= 1400 passed, 3 errors in 60.00s (0:01:00) ========================\n",
        "",
        &["tests/test_a.py", "No module named 'gone'", "3 errors"],
    ),
    (
        "ruff format .",
        2,
        "12 files left unchanged\n",
        "error: Failed to parse a.py:1:7: Expected a name\n",
        &["a.py:1:7"],
    ),
    (
        "ruff check .",
        2,
        "All checks passed!\n",
        "ruff failed\n  Cause: Failed to parse pyproject.toml\n",
        &["pyproject.toml"],
    ),
    (
        "mypy .",
        2,
        "Success: no issues found in 3 source files\n",
        "a.py: INTERNAL ERROR -- please report\n",
        &["INTERNAL ERROR"],
    ),
    (
        "mypy .",
        1,
        "a.py:3: error: no  [misc]\nFound 1 error in 1 file (errors prevented further checking)\n",
        "",
        &["a.py:3"],
    ),
    (
        "cargo test",
        101,
        "\nrunning 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n",
        "   Compiling a v0.1.0 (/project/a)\nerror[E0425]: cannot find value `x` in this scope\n --> tests/b.rs:1:1\n\nerror: could not compile `a` (test \"b\") due to 1 previous error\n",
        &["tests/b.rs:1:1", "cannot find value `x`"],
    ),
    (
        "cargo test",
        101,
        "\nrunning 2 tests\ntest a ... ok\n",
        "error: test failed, to rerun pass `--lib`\n\nCaused by:\n  process didn't exit successfully: `a` (signal: 11, SIGSEGV: invalid memory reference)\n",
        &["SIGSEGV"],
    ),
    (
        "npx vitest run",
        1,
        "\n RUN  v3.2.4 /project\n\n ✓ test/a.test.js (2 tests) 3ms\n ❯ test/b.test.js (0 test)\n\n Test Files  1 failed | 1 passed (2)\n      Tests  2 passed (2)\n   Duration  1.00s\n",
        " FAIL  test/b.test.js [ test/b.test.js ]\nError: Cannot find module './gone.js'\n",
        &["test/b.test.js", "./gone.js"],
    ),
    (
        "vitest run",
        1,
        "\n RUN  v3.2.4 /project\n\n ✓ test/a.test.js (2 tests) 3ms\n\n Test Files  1 passed (1)\n      Tests  2 passed (2)\n     Errors  1 error\n   Duration  1.00s\n",
        "Unhandled Rejection: boom\n",
        &["Unhandled Rejection: boom", "Errors  1 error"],
    ),
    (
        "tsc --noEmit",
        1,
        "\n                This is not the tsc command you are looking for\n\n",
        "",
        &["not the tsc command"],
    ),
    ("tsc --noEmit", 1, "error TS18003: No inputs were found in config file\n", "", &["TS18003"]),
    ("go vet ./...", 1, "", "# x\nvet: ./a.go:3:5: undefined: y\n", &["a.go:3:5"]),
    (
        "go test ./...",
        1,
        "ok  \tx/a\t0.01s\nFAIL\tx/b [setup failed]\nFAIL\n",
        "# x/b\nb.go:3:8: cannot find package\n",
        &["x/b [setup failed]", "b.go:3:8"],
    ),
    (
        "go test -v ./...",
        1,
        "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nexit status 3\nFAIL\tx\t0.01s\nFAIL\n",
        "",
        &["exit status 3", "FAIL\tx"],
    ),
    (
        "golangci-lint run",
        3,
        "0 issues.\n",
        "level=error msg=\"[linters_context] typechecking error: undefined: y\"\n",
        &["undefined: y"],
    ),
    (
        "eslint .",
        2,
        "",
        "\nOops! Something went wrong! :(\n\nESLint: 9.0.0\n\nESLint couldn't find an eslint.config file.\n",
        &["couldn't find"],
    ),
    (
        "rake test",
        1,
        "8 runs, 8 assertions, 0 failures, 0 errors, 0 skips\nrake aborted!\nPG::UndefinedTable\n",
        "",
        &["rake aborted!"],
    ),
    ("diff a b", 1, "3c3\n< x,\n---\n> x\n", "", &["< x,"]),
];

/// Tools that are not recorded, because they are not to be had from the package sources that the others come from (dotnet,
/// swift), want a service (docker) or a minute of a machine (bazel); and shapes that recordings do not have.
const OTHERS: &[ShapeRow] = &[
    (
        "./gradlew build",
        1,
        "> Task :compileJava UP-TO-DATE\n> Task :processResources NO-SOURCE\n> Task :classes UP-TO-DATE\n> Task :compileTestJava UP-TO-DATE\n\
         > Task :test FAILED\n\nWidgetTest > case13 FAILED\n    java.lang.AssertionError at WidgetTest.java:17\n\n20 tests completed, 1 failed\n",
        "\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':test'.\n\nBUILD FAILED in 8s\n",
        &["WidgetTest > case13 FAILED", "WidgetTest.java:17", "1 failed"],
    ),
    (
        "dotnet test",
        1,
        "  Failed Widget.Case13 [2 ms]\n  Error Message:\n   Expected: 13\nFailed!  - Failed:     1, Passed:    19, Skipped:     0, Total:    20\n",
        "",
        &["Widget.Case13", "Failed:     1"],
    ),
    (
        "swift test",
        1,
        "Test Case 'W.testA' passed (0.001 seconds)\nW.swift:7: error: W.testB : XCTAssertEqual failed\nExecuted 2 tests, with 1 failure (0 unexpected)\n",
        "",
        &["W.swift:7", "testB"],
    ),
    (
        "bazel test //...",
        3,
        "//a:a_test   PASSED in 0.1s\n//b:b_test   FAILED in 0.2s\n",
        "INFO: Build completed, 1 test FAILED, 2 total actions\n",
        &["//b:b_test"],
    ),
    (
        "docker build .",
        1,
        "",
        "#5 [2/3] RUN make\n#5 0.312 make: *** No targets.  Stop.\n#5 ERROR: process \"/bin/sh -c make\" did not complete successfully: exit code: 2\n",
        &["No targets", "exit code: 2"],
    ),
    (
        "npm install",
        0,
        "\nadded 3 packages in 2s\n\n2 vulnerabilities (1 low, 1 high)\n",
        "npm warn deprecated a@1: old\n",
        &["2 vulnerabilities", "deprecated a@1"],
    ),
    (
        "pip install -r r.txt",
        0,
        "Requirement already satisfied: a in /x\nCollecting b\n  Downloading b-1.whl (3 kB)\nSuccessfully installed b-1\n",
        "WARNING: c is yanked\n",
        &["Successfully installed b-1", "WARNING: c is yanked"],
    ),
];

fn row(&(command, code, stdout, stderr, facts): &ShapeRow) -> RecordedRun {
    RecordedRun::made_up(command, CommandEnding::Exit(code), stdout, stderr).with_facts(facts)
}

/// All of them.
pub(crate) fn made_up() -> Vec<RecordedRun> {
    let mut all: Vec<_> = FALSE_GREENS.iter().chain(OTHERS).map(row).collect();
    all.push(many_retries());
    all
}

#[test]
fn what_made_others_say_all_good_does_not_here() {
    let limits = AnswerLimits { digest_from: 0, ..AnswerLimits::default() };
    for run in FALSE_GREENS.iter().chain(OTHERS).map(row) {
        let answer = run.answer(limits);
        let faults = AnswerFaults::of(&run, &answer, limits);
        assert!(faults.is_none(), "{}: {faults:?}", run.name);
        for fact in &run.facts {
            assert!(answer.stdout.contains(fact) || answer.stderr.contains(fact), "{}: {fact}", run.name);
        }
        if run.ending != CommandEnding::Exit(0)
            && let Some(results) = &answer.results
        {
            assert!(results.bad() > 0, "{}: {results:?}", run.name);
        }
    }
}

#[test]
fn a_large_test_run_is_a_few_hundred_characters() {
    let (run, limits) = (large_test_run(), AnswerLimits::default());
    let answer = run.answer(limits);
    assert!(AnswerFaults::of(&run, &answer, limits).is_none());
    let shown = answer.stdout.chars().count() + answer.stderr.chars().count();
    assert!(shown <= 1_000, "{shown} characters\n{}", answer.stdout);
    for fact in &run.facts {
        assert!(answer.stdout.contains(fact), "{fact}");
    }
}

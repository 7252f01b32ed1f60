"""Records what real tools print, each with what its own machine report says was wrong.

    python3 record.py SCRATCH [NAME…]

Wants on PATH: cargo with nextest and clippy, pytest, ruff, mypy, node with tsc, eslint, vitest, jest, pnpm and yarn, gcc, clang,
make, go, mvn, gradle, phpunit, rspec, terraform, git; `playwright` is `npm i @playwright/test` in its folder. A tool that is not there is said and left out; its recording stays as it is.
Beside this file it writes NAME.toml, NAME.out and NAME.err. Paths of the machine and addresses of registries are replaced.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import oracles
import projects

HERE = Path(__file__).resolve().parent
MOST_BYTES = 64_000
# Folder, command, and how the oracle is asked: its command and its reader.
LIBTEST = "RUSTC_BOOTSTRAP=1 cargo test --offline --no-fail-fast -- -Zunstable-options --format json --show-output"
JUNIT = "pytest -q {} --junitxml=report.xml >/dev/null; cat report.xml"
RECORDINGS = {
    "cargo-test-fail": ("rs", "cargo test --offline", LIBTEST, oracles.libtest),
    "cargo-test-quiet": ("rs", "cargo test --offline -q", LIBTEST, oracles.libtest),
    "cargo-test-filter": ("rs", "cargo test --offline case_00", None, None),
    "cargo-test-no-match": ("rs", "cargo test --offline zzz", None, None),
    "cargo-test-pass": ("rsfine", "cargo test --offline", None, None),
    "cargo-test-crash": ("rscrash", "cargo test --offline", None, None),
    "cargo-test-true": ("rs", "cargo test --offline || true", LIBTEST, oracles.libtest),
    "cargo-test-tail": ("rs", "cargo test --offline 2>&1 | tail -3", None, None),
    "cargo-test-merged": ("rs", "cargo test --offline 2>&1", LIBTEST, oracles.libtest),
    "nextest-fail": ("rs", "cargo nextest run --offline --no-fail-fast", LIBTEST, oracles.libtest),
    "nextest-fail-fast": ("rs", "cargo nextest run --offline -j 1", None, None),
    "nextest-crash": ("rscrash", "cargo nextest run --offline", None, None),
    "cargo-build-fail": ("rsbad", "cargo build --offline", "cargo build --offline --message-format=json", oracles.rustc),
    "cargo-build-json": ("rsbad", "cargo build --offline --message-format=json", None, None),
    "cargo-clippy-colours": (
        "rsbad", "cargo clippy --offline --color always", "cargo clippy --offline --message-format=json", oracles.rustc),
    "cargo-check-many": (
        "rsmany", "cargo check --offline --keep-going", "cargo check --offline --keep-going --message-format=json", oracles.rustc),
    "pytest-fail": ("py", "pytest test_many.py", JUNIT.format("test_many.py"), oracles.junit),
    "pytest-v-fail": ("py", "pytest -v test_many.py", JUNIT.format("test_many.py"), oracles.junit),
    "pytest-q-fail": ("py", "pytest -q test_many.py", JUNIT.format("test_many.py"), oracles.junit),
    "pytest-pass": ("py", "python3 -m pytest -v test_many.py --deselect 'test_many.py::test_n[311]'", None, None),
    "pytest-collect-error": ("py", "pytest broken", JUNIT.format("broken"), oracles.junit),
    "pytest-none": ("py", "pytest test_many.py -k nothing_matches", None, None),
    "pytest-forced-exit": ("py", "pytest forced", None, None),
    "pytest-collect-only": ("py", "pytest --collect-only -q test_many.py", None, None),
    "unittest-fail": ("py", "python3 -m unittest -v test_u", JUNIT.format("test_u.py"), oracles.junit),
    "unittest-dots": ("py", "python3 -m unittest test_u", JUNIT.format("test_u.py"), oracles.junit),
    "ruff-fail": ("py", "ruff check bad.py", "ruff check --output-format json bad.py", oracles.ruff),
    "ruff-format-unparseable": ("py", "ruff format format", None, None),
    "ruff-bad-config": ("py", "ruff check --config 'nope=1' bad.py", None, None),
    "mypy-fail": ("py", "mypy bad.py", "mypy -O json bad.py", oracles.mypy),
    "mypy-usage": ("py", "mypy --no-such-flag bad.py", None, None),
    "make-gcc-fail": ("c", "make -k", "gcc -Wall -Wextra -fdiagnostics-format=json -c bad.c", oracles.gcc),
    "make-gcc-pass": ("c", "rm -f *.o; make a.o b.o c.o", None, None),
    "clang-fail": ("c", "clang -Wall -Wextra -c bad.c", None, None),
    "tsc-fail": ("js", "tsc -p .", None, None),
    "tsc-missing-config": ("js", "tsc -p nowhere.json", None, None),
    "eslint-fail": ("js", "eslint bad.js", "eslint -f json bad.js", oracles.eslint),
    "npm-run-lint": ("js", "npm run lint", "eslint -f json bad.js", oracles.eslint),
    "npm-missing-script": ("js", "npm run nope", None, None),
    "npm-install-404": ("empty", "npm i --no-audit zzz-no-such-package-xyz-123", None, None),
    "pnpm-install-404": ("empty", "pnpm add zzz-no-such-package-xyz-123", None, None),
    "yarn-missing-script": ("js", "yarn run nope", None, None),
    "pip-missing": ("empty", "pip install zzz-no-such-package-xyz-123", None, None),
    "uv-missing": ("empty", "uv pip install --target here zzz-no-such-package-xyz-123", None, None),
    "vitest-fail": ("js", "vitest run --dir t", "vitest run --dir t --reporter=json", oracles.jest),
    "vitest-verbose": ("js", "npx vitest run --dir t --reporter=verbose", "vitest run --dir t --reporter=json", oracles.jest),
    "vitest-suite-error": ("js", "vitest run --dir s", "vitest run --dir s --reporter=json", oracles.jest),
    "npm-test-vitest": ("js", "npm test", "vitest run --dir t --reporter=json", oracles.jest),
    "jest-fail": (
        "js", "jest --rootDir j --testMatch '**/*.test.cjs' --verbose", "jest --rootDir j --testMatch '**/*.test.cjs' --json", oracles.jest),
    "jest-suite-error": (
        "js", "npx jest --rootDir k --testMatch '**/*.test.cjs' --verbose", "jest --rootDir k --testMatch '**/*.test.cjs' --json", oracles.jest),
    "go-test-v": ("gox", "go test -v ./...", "go test -json ./...", oracles.go),
    "go-test-json": ("gox", "go test -json ./...", "go test -json ./...", oracles.go),
    "go-test-plain": ("gox", "go test ./...", "go test -json ./...", oracles.go),
    "go-test-build-error": ("gobad", "go test -v ./...", None, None),
    "go-test-panic": ("gopanic", "go test -v ./...", None, None),
    "go-vet": ("govet", "go vet ./...", None, None),
    "maven-fail": ("mvn", "mvn -o -B -s /etc/maven/settings-debian.xml test", "cat target/surefire-reports/*.xml", oracles.junit),
    "maven-compile-error": ("mvnbad", "mvn -o -B -s /etc/maven/settings-debian.xml compile", None, None),
    "gradle-fail": ("gradle", "gradle --console=plain test", "cat build/test-results/test/*.xml", oracles.junit),
    "gradle-compile-error": ("gradlebad", "gradle --console=plain build", None, None),
    "phpunit-fail": ("php", "phpunit WidgetTest.php", "phpunit --log-junit r.xml WidgetTest.php >/dev/null; cat r.xml", oracles.junit),
    "rspec-fail": ("ruby", "rspec -fd widget_spec.rb", "rspec -f json widget_spec.rb", oracles.rspec),
    "playwright-fail": ("pw", "npx playwright test", "npx playwright test --reporter=json", oracles.playwright),
    "terraform-apply-fail": ("tf", "terraform apply -auto-approve -no-color", "terraform apply -auto-approve -json", oracles.terraform),
    "pytest-aborted": ("py", "python3 -c 'import os; print(\"== test session starts ==\", flush=True); os.abort()'", None, None),
    "passed-then-segfault": (
        "py", "python3 -c 'import ctypes; print(\"1 passed in 0.1s\", flush=True); ctypes.string_at(0)'", None, None),
    "git-outside": ("empty", "git status", None, None),
    "git-log": ("history", "git log", None, None),
    "ls-recursive": ("empty", "ls -lR /usr/share/doc | head -800", None, None),
    "progress": (
        "empty",
        "python3 -c 'import sys\nfor i in range(1001): sys.stderr.write(\"\\r\\x1b[32mDownloading %4.1f%%\\x1b[0m\" % (i/10))\n"
        "sys.stderr.write(\"\\ndone\\n\"); print(\"ok\")'", None, None),
}
# Where no machine report is to be had: what a person who knows the project would look for.
BY_HAND = {
    "cargo-test-crash": ["signal: 6, SIGABRT"],
    "cargo-test-tail": ["399 passed; 1 failed", "`--lib`"],
    "nextest-fail-fast": ["tests::case_237", "src/lib.rs:244", "left: 238"],
    "nextest-crash": ["SIGABRT", "zz"],
    "cargo-build-json": ["mismatched types", "cannot find function `h`"],
    "pytest-none": ["deselected"],
    "pytest-forced-exit": ["1 passed, 1 xfailed"],
    "ruff-format-unparseable": ["cut.py:1:7"],
    "ruff-bad-config": ["nope"],
    "mypy-usage": ["--no-such-flag"],
    "clang-fail": ["bad.c:2:", "use of undeclared identifier 'b'", "expected ';' after return statement"],
    "tsc-fail": ["src/a.ts(1,14): error TS2322", "src/a.ts(2,12): error TS7006"]
    + [f"src/a.ts({n},14): error TS2322" for n in range(3, 63)],
    "tsc-missing-config": ["TS5058"],
    "npm-missing-script": ["Missing script"],
    "npm-install-404": ["E404", "zzz-no-such-package-xyz-123"],
    "pnpm-install-404": ["404", "zzz-no-such-package-xyz-123"],
    "yarn-missing-script": ["nope"],
    "pip-missing": ["No matching distribution found for zzz-no-such-package-xyz-123"],
    "uv-missing": ["zzz-no-such-package-xyz-123"],
    "go-test-build-error": ["undefinedThing", "bad.go:3:12"],
    "go-test-panic": ["assignment to entry in nil map", "TestZ"],
    "go-vet": ["odd.go:5:"],
    "maven-compile-error": ["incompatible types", "W.java:[1,28]"],
    "gradle-compile-error": ["incompatible types", "W.java:1"],
    "pytest-collect-error": ["broken/test_broken.py", "No module named 'nosuchmodule'"],
    "git-outside": ["not a git repository"],
    "git-log": ["137 passed"],
}


def run(folder, command):
    env = {**os.environ, "NO_COLOR": "" if "--color" in command else "1", "LC_ALL": "C.UTF-8", "CI": "", "COLUMNS": "80"}
    env = {name: value for name, value in env.items() if value and not name.lower().startswith(("cargo_", "rust", "nextest", "npm_", "java_"))}
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, env=env, timeout=600)
    return done.stdout, done.stderr, done.returncode


def scrubbed(text, scratch):
    places = [(str(scratch).encode(), b"/project"), (str(Path.home()).encode(), b"/home/user")]
    text = re.sub(rb"(?m)^npm warn Unknown .*\n", b"", text)
    places += [(shutil.which(name).rsplit("/", 1)[0].encode(), b"/usr/bin") for name in ("node", "pytest", "tsc") if shutil.which(name)]
    for old, new in places:
        text = text.replace(old, new)
    text = re.sub(rb"(?<![\w/])/(?:root|opt|tmp|work)/[^\s'\":,)]*/", b"/home/user/", text)
    keep = rb"https?://(?!(?:docs\.|doc\.|rust-lang|github\.com|mypy|eslint|nodejs|errors\.pydantic|vitest|jestjs|junit|docs))"
    return re.sub(keep + rb"[^\s/'\")]+", b"https://registry.example", text)


def quoted(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda c: f"\\u{ord(c.group()):04x}", escaped) + '"'


def record(name, scratch):
    folder, command, ask, read = RECORDINGS[name]
    program = re.split(r"[ ;]", command.removeprefix("rm -f *.o; ").removeprefix("npx "))[0]
    if not shutil.which(program) and not (scratch / folder / "node_modules/.bin" / program).exists():
        print(f"{name}: there is no `{program}`")
        return
    out, err, code = run(scratch / folder, command)
    facts, oracle = BY_HAND.get(name, []), ask or "known from the project"
    if ask:
        said = run(scratch / folder, ask)
        facts = list(dict.fromkeys([*read((said[0] or said[1]).decode()), *facts]))
    out, err = scrubbed(out, scratch), scrubbed(err, scratch)
    facts = [scrubbed(fact.encode(), scratch).decode() for fact in facts]
    plain = re.sub(rb"\x1b\[[0-9;]*m", b"", out + b"\n" + err).decode(errors="replace")
    for lost in [fact for fact in facts if fact not in plain]:
        print(f"{name}: only the report says {lost!r}")
    facts = [fact for fact in facts if fact and fact in plain]
    if len(out) + len(err) > MOST_BYTES:
        print(f"{name}: {len(out) + len(err)} bytes")
    (HERE / f"{name}.out").write_bytes(out)
    (HERE / f"{name}.err").write_bytes(err)
    ending = f"exit = {code}" if code >= 0 else f"signal = {-code}"
    listed = "".join(f"    {quoted(fact)},\n" for fact in facts)
    text = f"command = {quoted(command)}\n{ending}\noracle = {quoted(oracle)}\nfacts = [\n{listed}]\n"
    (HERE / f"{name}.toml").write_text(text)
    print(f"{name}: {code}, {len(out)} + {len(err)} bytes, {len(facts)} facts")


def history(scratch):
    git = "git -c user.name=A -c user.email=a@example.org -c init.defaultBranch=main"
    steps = [f"{git} init -q history && cd history"]
    for n in range(60):
        said = "✓ cargo test: 137 passed" if n % 3 == 0 else "test case ... ok"
        when = f"2026-01-01T00:{n:02}:00Z"
        steps.append(f"GIT_COMMITTER_DATE={when} {git} commit -q --allow-empty --date={when} -m 'Change {n}' -m '{said}'")
    run(scratch, " && ".join(steps))


def main():
    scratch = Path(sys.argv[1]).resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    os.chdir(scratch)
    if not Path("empty").exists():
        Path("empty").mkdir()
        projects.all_of_them()
        history(scratch)
    for name in sys.argv[2:] or RECORDINGS:
        try:
            record(name, scratch)
        except Exception as error:  # one that goes wrong does not hide the others
            print(f"{name}: {error!r}")


main()

"""Makes the small projects whose tools are recorded. Each function writes one folder below the scratch folder."""

from pathlib import Path


def put(folder, files):
    for name, text in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def manifest(name):
    return f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n'


def rust():
    tests = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n#[cfg(test)]\nmod tests {\n    use super::*;\n"
    for n in range(400):
        prints = f'println!("looking at {n}"); ' if n % 50 == 7 or n == 237 else ""
        wanted = n + 1 if n != 237 else 0
        tests += f"    #[test] fn case_{n:03}() {{ {prints}assert_eq!(add({n}, 1), {wanted}); }}\n"
    tests += "    #[test] #[ignore] fn slow() {}\n}\n"
    put("rs", {"Cargo.toml": manifest("widget"), "src/lib.rs": tests, "tests/it.rs": "#[test] fn good() {}\n"})
    fine = "".join(f"#[test] fn case_{n:03}() {{}}\n" for n in range(150))
    put("rsfine", {"Cargo.toml": manifest("fine"), "src/lib.rs": fine})
    put(
        "rscrash",
        {
            "Cargo.toml": manifest("crashing"),
            "src/lib.rs": fine + "#[test] fn zz() { std::process::abort() }\n",
        },
    )
    broken = "pub fn f(x: u32) -> String { let unused = 1; x }\npub fn g() { h(); }\nuse std::collections::HashMap;\n"
    put("rsbad", {"Cargo.toml": manifest("broken"), "src/lib.rs": broken})
    # A member of a workspace each, so that a build has many steps.
    members = [f"part{n:02}" for n in range(60)]
    listed = ", ".join(f'"{m}"' for m in members)
    put("rsmany", {"Cargo.toml": f'[workspace]\nresolver = "2"\nmembers = [{listed}]\n'})
    for at, member in enumerate(members):
        text = "pub fn f() {}\n" if at != 41 else 'pub fn f() -> u32 { "text" }\n'
        text = "fn never() {}\n" + text if at == 7 else text
        head = f'[package]\nname = "{member}"\nversion = "0.1.0"\nedition = "2021"\n'
        put(f"rsmany/{member}", {"Cargo.toml": head, "src/lib.rs": text})


def python():
    many = """import pytest, warnings
@pytest.mark.parametrize("n", range(400))
def test_n(n):
    if n == 311:
        assert {"a": n, "b": list(range(30))} == {"a": n, "b": list(range(1, 31))}
def test_warn():
    warnings.warn("old", DeprecationWarning)
@pytest.mark.skip(reason="later")
def test_skip(): pass
@pytest.mark.xfail
def test_xf(): assert 0
"""
    unit = "import unittest\nclass Many(unittest.TestCase):\n"
    for n in range(150):
        wanted = n if n != 88 else -1
        unit += f"    def test_{n:03}(self):\n        self.assertEqual({n}, {wanted})\n"
    unit += "    @unittest.skip('later')\n    def test_skip(self): pass\n"
    put(
        "py",
        {
            "test_many.py": many,
            "test_u.py": unit,
            "broken/test_broken.py": "import nosuchmodule\ndef test_a(): pass\n",
            "broken/test_good.py": "".join(f"def test_{n}(): pass\n" for n in range(20)),
            "forced/test_x.py": "import pytest\ndef test_a(): pass\n@pytest.mark.xfail\ndef test_b(): assert 0\n",
            "forced/conftest.py": "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 1\n",
            "bad.py": 'import os, sys\ndef f(x: int) -> str:\n    return x\ny: int = "a"\nprint(undefined_name)\n',
            "format/good.py": "x = 1\n",
            "format/cut.py": "def f(:\n",
        },
    )


def c():
    put(
        "c",
        {
            "bad.c": "#include <stdio.h>\nint f(int a) { return b; }\n"
            'int main(void) { int unused; char *p = 5; printf("%s\\n", 3); return f("x") }\n',
            "Makefile": "CC ?= gcc\nall: a.o b.o c.o bad.o\n%.o: %.c\n\t$(CC) -Wall -Wextra -c $< -o $@\n",
            **{f"{x}.c": f"int {x}(void){{return 0;}}\n" for x in "abc"},
        },
    )


def javascript():
    cases = "".join(f"test('case {n}', () => {{ expect({n}).toBe({n if n != 77 else -1}) }})\n" for n in range(150))
    several = "".join(f"export const v{n}: string = {n};\n" for n in range(60))
    put(
        "js",
        {
            "package.json": '{"name":"j","private":true,"type":"module","scripts":{"lint":"eslint bad.js","test":"vitest run --dir t"}}',
            "tsconfig.json": '{"compilerOptions":{"strict":true,"noEmit":true,"types":[]},"include":["src"]}',
            "src/a.ts": "export const a: number = 'x';\nfunction f(q) { return q.zip }\n" + several,
            "bad.js": "".join(f"var unused{n} = {n}; undefinedFn{n}();\n" for n in range(40)),
            "eslint.config.js": "import js from '@eslint/js'; export default [js.configs.recommended];\n",
            "t/many.test.js": "import { test, expect } from 'vitest'\n" + cases,
            "t/b.test.js": "import { test, expect } from 'vitest'\ntest('good', () => {})\n",
            "s/broken.test.js": "import { thing } from './nowhere.js'\nimport { test } from 'vitest'\ntest('x', () => thing())\n",
            "s/good.test.js": "import { test } from 'vitest'\n" + "".join(f"test('g {n}', () => {{}})\n" for n in range(90)),
            "j/many.test.cjs": cases,
            "j/b.test.cjs": "test('good', () => {})\n",
            "k/broken.test.cjs": "require('./nowhere')\ntest('x', () => {})\n",
            "k/good.test.cjs": "".join(f"test('g {n}', () => {{}})\n" for n in range(90)),
        },
    )


def go():
    head = "package x\nimport \"testing\"\n"
    body = "".join(
        f'func TestCase{n}(t *testing.T) {{ t.Log("at {n}"); if Add({n}, 1) != {n + 1 if n != 57 else 0} '
        f'{{ t.Fatalf("got %d", Add({n}, 1)) }} }}\n'
        for n in range(70)
    )
    fine = "".join(f"func TestFine{n}(t *testing.T) {{ }}\n" for n in range(30))
    base = {"go.mod": "module x\n\ngo 1.19\n", "x.go": "package x\n\nfunc Add(a, b int) int { return a + b }\n"}
    put("gox", {**base, "x_test.go": head + body, "fine/x.go": "package fine\n", "fine/x_test.go": head.replace("package x", "package fine") + fine})
    put("gobad", {**base, "x_test.go": head + fine, "bad.go": "package x\n\nfunc B() { undefinedThing() }\n"})
    put("govet", {**base, "odd.go": 'package x\n\nimport "fmt"\n\nfunc V() { fmt.Printf("%d\\n", "x") }\n'})
    panics = 'func TestZ(t *testing.T) { var m map[string]int; m["a"] = 1 }\n'
    put("gopanic", {**base, "x_test.go": head + fine + panics})


def java():
    test = "import static org.junit.Assert.*;\nimport org.junit.Test;\npublic class %s {\n"
    for n in range(20):
        test += f"  @Test public void case{n}() {{ assertEquals({n}, {n if n != 13 else -1}); }}\n"
    test += "}\n"
    pom = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>example</groupId><artifactId>widget</artifactId><version>1</version>
<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency></dependencies>
</project>
"""
    put("mvn", {"pom.xml": pom, "src/test/java/WidgetTest.java": test % "WidgetTest", "src/main/java/W.java": "class W {}\n"})
    put("mvnbad", {"pom.xml": pom, "src/main/java/W.java": 'class W { int f() { return "x"; } }\n'})
    gradle = "plugins { id 'java' }\ndependencies { testImplementation files('/usr/share/java/junit4.jar', '/usr/share/java/hamcrest-core.jar') }\n"
    put("gradle", {"build.gradle": gradle, "settings.gradle": "rootProject.name = 'widget'\n", "src/test/java/WidgetTest.java": test % "WidgetTest"})
    put("gradlebad", {"build.gradle": "plugins { id 'java' }\n", "settings.gradle": "rootProject.name = 'widget'\n", "src/main/java/W.java": 'class W { int f() { return "x"; } }\n'})


def others():
    php = "<?php\nfinal class WidgetTest extends PHPUnit\\Framework\\TestCase {\n"
    ruby = "RSpec.describe 'widget' do\n"
    for n in range(80):
        wanted = n if n != 33 else -1
        php += f"  public function testCase{n}(): void {{ $this->assertSame({wanted}, {n}); }}\n"
        ruby += f"  it('case {n}') {{ expect({n}).to eq({wanted}) }}\n"
    put("php", {"WidgetTest.php": php + "}\n"})
    put("ruby", {"widget_spec.rb": ruby + "end\n"})


def playwright():
    text = "const { test, expect } = require('@playwright/test');\n"
    for n in range(120):
        text += f"test('case {n}', () => {{ expect({n}).toBe({n if n != 77 else -1}); }});\n"
    config = "module.exports = { testDir: '.', workers: 1, reporter: 'list' };\n"
    put("pw", {"playwright.config.js": config, "many.spec.js": text + "test.skip('later', () => {});\n"})


def terraform():
    fails = "echo deploying; echo 'cannot reach the host' >&2; exit 7"
    text = 'resource "terraform_data" "first" {\n  input = "one"\n}\n\nresource "terraform_data" "second" {\n'
    text += f'  provisioner "local-exec" {{\n    command = "{fails}"\n  }}\n}}\n'
    put("tf", {"main.tf": text})


def all_of_them():
    for make in (rust, python, c, javascript, go, java, playwright, terraform, others):
        make()

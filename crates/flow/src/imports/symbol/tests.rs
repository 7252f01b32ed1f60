//! Declarations in source texts, with everything in them that could end them too early. May not read files.

use super::*;
use proptest::prelude::*;

const TS: &str = r#"// function ghost() {}
/** Says hello. */
export interface User {
  name: string; // }
  tags: { a: "}" }[];
}
export type Id =
  | string
  | { a: number };
type Short = Map<string, number>
const after = 1
export default async function load(x = { a: "{" }): Promise<{ b: number }> {
  const s = `}${ { a: `}` }.a }{`;
  return /[}/]{2}/.test(s) ? 1 : 2;
}
function shape(): { x: number } { return { x: 1 } }
declare function only(a: number): void;
export const enum Color { Red, Green }
export const make = (a: number) =>
  a
    .toString()
const list = [
  1, // ]
], other = 2;
let $x = 1; var y = 2;
abstract class Box<T> extends Base {
  static make() { return "class Inner {}"; }
}
function* numbers() { yield 1 }
const text = "
function half() { if (x) {
"#;

const RUST: &str = r##"//! Head.
use x;

/// A point
/// in space.
#[derive(Debug)]
pub(crate) struct Point<'a> {
    x: &'a str, // }
}

pub struct Unit;
pub struct Pair(u8, u8);
impl<'a, T: Into<Vec<u8>>> From<T> for Point<'a> where T: Copy {
    /// Inner.
    fn from(_: T) -> Self {
        let c = '}'; let d = '\''; let s = r#"}"{"#; /* } /* } */ } */
        let e = '\u{7d}';
        todo()
    }
}
impl Other {
}
#[inline]
pub const unsafe fn fast() -> [u8; 2] { [1, 2] }
pub const LIMIT: usize = {
    5
};
pub trait Shape { fn area(&self) -> f64; }
enum Kind { A { b: u8 }, C }
extern "C" fn outside() {}
"##;

const PYTHON: &str = r##"import os

# def ghost(): pass
@cached
@other(1)
async def load(
    a,
):
    """
def inside(): text
"""
    if a:
# a comment at the border
        return {
}

    return 1

class Box(Base):
    x = "# no comment"

    def method(self): return 1

    def next(self):
        pass
y = 1
"##;

fn found<'t>(file: &str, text: &'t str, name: &str) -> &'t str {
    &text[find(file, text, name).unwrap_or_else(|names| panic!("{name} is not one of {names:?}"))]
}

#[test]
fn declarations_of_typescript_are_found_whole() {
    let ts = |name| found("a.ts", TS, name);
    assert_eq!(
        ts("User"),
        "/** Says hello. */\nexport interface User {\n  name: string; // }\n  tags: { a: \"}\" }[];\n}"
    );
    assert_eq!(ts("Id"), "export type Id =\n  | string\n  | { a: number };");
    assert_eq!(ts("Short"), "type Short = Map<string, number>");
    assert_eq!(ts("after"), "const after = 1");
    assert!(
        ts("load").starts_with("export default async function load(") && ts("load").ends_with("? 1 : 2;\n}")
    );
    assert_eq!(ts("shape"), "function shape(): { x: number } { return { x: 1 } }");
    assert_eq!(ts("only"), "declare function only(a: number): void;");
    assert_eq!(ts("Color"), "export const enum Color { Red, Green }");
    assert_eq!(ts("make"), "export const make = (a: number) =>\n  a\n    .toString()");
    assert_eq!(ts("list"), "const list = [\n  1, // ]\n], other = 2;");
    assert_eq!(ts("other"), ts("list"));
    assert_eq!(ts("y"), "var y = 2;");
    assert_eq!(
        ts("make"),
        "export const make = (a: number) =>\n  a\n    .toString()",
        "not the member of `Box`"
    );
    assert_eq!(ts("$x"), "let $x = 1;");
    assert!(ts("Box").starts_with("abstract class Box<T>") && ts("Box").ends_with("{}\"; }\n}"));
    assert_eq!(ts("numbers"), "function* numbers() { yield 1 }");
    assert_eq!(ts("text"), "const text = \"");
    assert_eq!(ts("half"), "function half() { if (x) {", "what never closes reaches to the end");
}

#[test]
fn declarations_of_rust_are_found_with_what_stands_above_them() {
    let rust = |name| found("a.rs", RUST, name);
    assert!(rust("Point").starts_with("/// A point\n/// in space.\n#[derive(Debug)]\npub(crate) struct"));
    assert!(rust("Point").ends_with("// }\n}"));
    assert_eq!(rust("Unit"), "pub struct Unit;");
    assert_eq!(rust("Pair"), "pub struct Pair(u8, u8);");
    assert_eq!(rust("Other"), "impl Other {\n}");
    assert!(
        rust("from").starts_with("    /// Inner.\n    fn from") && rust("from").ends_with("todo()\n    }")
    );
    assert_eq!(rust("fast"), "#[inline]\npub const unsafe fn fast() -> [u8; 2] { [1, 2] }");
    assert_eq!(rust("LIMIT"), "pub const LIMIT: usize = {\n    5\n};");
    assert_eq!(rust("Shape"), "pub trait Shape { fn area(&self) -> f64; }");
    assert_eq!(rust("Kind"), "enum Kind { A { b: u8 }, C }");
    assert_eq!(rust("outside"), "extern \"C\" fn outside() {}");
    let only = "impl<T> a::Show<T> for b::Thing<T> {\n    fn x() {}\n}\n";
    assert_eq!(found("a.rs", only, "Thing"), only.trim_end());
}

#[test]
fn declarations_of_python_are_found_by_their_indentation() {
    let load = found("a.py", PYTHON, "load");
    assert!(
        load.starts_with("@cached\n@other(1)\nasync def load(") && load.ends_with("    return 1"),
        "{load}"
    );
    let class = found("a.py", PYTHON, "Box");
    assert!(class.starts_with("class Box(Base):") && class.ends_with("        pass"), "{class}");
    assert_eq!(found("a.py", PYTHON, "method"), "    def method(self): return 1");
}

#[test]
fn what_stands_in_quotes_or_comments_declares_nothing() {
    assert!(!find("a.ts", TS, "ghost").unwrap_err().contains(&"Inner"));
    assert_eq!(find("a.py", PYTHON, "ghost").unwrap_err(), ["load", "Box", "method", "next"]);
    assert!(find("a.py", PYTHON, "inside").is_err());
    assert!(find("a.rs", RUST, "x").is_err());
}

#[test]
fn what_stands_at_the_top_is_meant_first() {
    let text = "mod a {\n    fn same() { 1 }\n}\nfn same() { 2 }\n";
    assert_eq!(found("a.rs", text, "same"), "fn same() { 2 }");
}

#[test]
fn an_attribute_in_the_same_line_belongs_to_its_declaration() {
    let text = "#[inline] fn one() {}\n#[cfg(a[0])]\npub const unsafe fn two() {}\n";
    assert_eq!(found("a.rs", text, "one"), "#[inline] fn one() {}");
    assert_eq!(found("a.rs", text, "two"), "#[cfg(a[0])]\npub const unsafe fn two() {}");
}

const CLASS: &str = r#"@Component({
  selector: "a-b", // }
})
export default abstract class Box<T extends { a: 1 } = {}> extends mixin({ b: 2 }) implements Other<{ c: 3 }> {
  static #count = 0;
  private readonly type = "type"
  trait?: { x: number }
  @Input() label!: string;

  /**
   * Loads {@link it}.
   */
  @Memo(1)
  async load<K>(key: K, { deep }: { deep: boolean } = { deep: false }): Promise<{ x: K }> {
    const inner = class { hidden() {} };
    return /[}/]/.test(`}${key}`) ? 1 : 2;
  }

  abstract area(): { x: number }
  get size() { return 1 } set size(v) {}
  *numbers() { yield 1 }
  constructor(private x = {}) { super() }
  handler = (event) => {
    foo({
      bar: 1,
    })
  }
  last() {}
}
"#;

#[test]
fn members_of_a_class_are_declarations() {
    let ts = |name| found("a.tsx", CLASS, name);
    assert!(ts("Box").starts_with("@Component({\n") && ts("Box").ends_with("last() {}\n}"));
    assert_eq!(ts("count"), "  static #count = 0;");
    assert_eq!(ts("type"), "  private readonly type = \"type\"");
    assert_eq!(ts("trait"), "  trait?: { x: number }");
    assert_eq!(ts("label"), "  @Input() label!: string;");
    let load = ts("load");
    assert!(load.starts_with("  /**\n   * Loads {@link it}.\n   */\n  @Memo(1)\n  async load<K>("), "{load}");
    assert!(load.ends_with("? 1 : 2;\n  }"), "{load}");
    assert_eq!(ts("area"), "  abstract area(): { x: number }");
    assert_eq!(ts("size"), "  get size() { return 1 }");
    assert_eq!(ts("numbers"), "  *numbers() { yield 1 }");
    assert_eq!(ts("hidden"), "hidden() {}", "what shares its line begins where it is declared");
    assert_eq!(ts("handler"), "  handler = (event) => {\n    foo({\n      bar: 1,\n    })\n  }");
    assert_eq!(ts("last"), "  last() {}");
    for name in ["foo", "bar", "selector", "event", "super", "x", "key", "b"] {
        assert!(find("a.ts", CLASS, name).is_err(), "{name}");
    }
}

#[test]
fn every_way_to_declare_in_typescript_is_known() {
    for (line, name) in [
        ("export default async function load() {}", "load"),
        ("export default class Box {}", "Box"),
        ("export declare function f(a: string): void;", "f"),
        ("export declare const value: number;", "value"),
        ("declare namespace A.B { const c: 1 }", "B"),
        ("export abstract class Shape<T> {}", "Shape"),
        ("export async function* many<T>(): AsyncGenerator<{ x: T }> { yield 1 }", "many"),
        ("let trait = 1", "trait"),
        ("const fn = (x) => x", "fn"),
        ("const type = 'x'", "type"),
        ("let impl: Map<string, { a: 1 }> = new Map()", "impl"),
        ("type type = { a: 1 }", "type"),
        ("var def, struct = 2;", "struct"),
        ("export const { one, two: three, ...rest } = load(), four = 4", "three"),
        ("const [head = {}, , tail] = list", "tail"),
        ("export type Pick<T, K extends keyof T> = { [P in K]: T[P] }", "Pick"),
        ("interface A<T = {}> extends B<{ x: 1 }> { y: T }", "A"),
        ("export const enum Color { Red }", "Color"),
        ("function f(this: { x: 1 }, [a] = [{}]): x is { y: 1 } & Z { return true }", "f"),
        ("@sealed @dec.orate({ a: 1 }) export class D {}", "D"),
    ] {
        let text = format!("import x from 'y'\n{line}\nfoo({{ a: 1 }})\n");
        assert_eq!(found("a.ts", &text, name), line);
        assert_eq!(found("a.ts", &text.replace('\n', "\r\n"), name), line);
        let inside = format!("namespace N {{ {line} }}");
        assert_eq!(found("a.mts", &inside, name), line.trim_end_matches('\n'), "{inside}");
    }
}

#[test]
fn every_way_to_declare_in_rust_is_known() {
    for (line, name) in [
        ("pub(crate) fn a() {}", "a"),
        (
            "pub(in crate::b) const unsafe extern \"C\" fn a<'a, const N: usize>(x: &'a [u8; N]) -> [u8; { 1 }] { [b'}'] }",
            "a",
        ),
        ("pub async unsafe fn a(f: impl Fn() -> bool) where T: Copy, { loop {} }", "a"),
        ("#[a = \"]\"] #[b] pub(super) struct A<T>(T) where T: Copy;", "A"),
        ("pub struct A<const N: usize = { 1 + 1 }>;", "A"),
        ("union U { a: u8 }", "U"),
        ("unsafe trait T<'a>: 'a + Send { const C: u8; fn f(&self); }", "T"),
        ("pub type R<T> = Result<T, [u8; { 3 }]>;", "R"),
        ("pub static mut COUNT: u8 = { 1; 2 };", "COUNT"),
        ("const fn make() -> u8 { 1 }", "make"),
        ("macro_rules! m { ($x:expr) => { fn no() {} }; }", "m"),
        ("fn r#match() {}", "match"),
        ("mod inner { pub fn deep() {} }", "inner"),
        (
            "unsafe impl<'a, T: Fn(u8) -> u8, const N: usize> a::Tr<{ N }> for &'a mut dyn b::Thing<T> where T: X { fn x() {} }",
            "Thing",
        ),
        ("fn raw() { let s = br#\"\\\"}\"#; let l: &'static str = \"}\"; 'a: loop { break 'a; } }", "raw"),
        ("fn split<F>(f: F) where F: for<'a> Fn(&'a str) -> bool { }", "split"),
    ] {
        let text = format!("use x;\n{line}\nuse y;\n");
        assert_eq!(found("a.rs", &text, name), line);
        let inside = format!("mod outer {{ {line} use z; }}");
        assert_eq!(found("a.rs", &inside, name), line, "{inside}");
    }
}

#[test]
fn declarations_inside_others_are_found_where_they_stand() {
    let text = "impl A { fn one(&self) {} #[x] fn two() {} }\ntrait B { fn three(); const C: u8; }\n\
                mod m {\n    /// Doc.\n    #[cfg(x)]\n    // plain\n    pub(crate) fn four() {}\n}\n";
    let rust = |name| found("a.rs", text, name);
    assert_eq!([rust("one"), rust("two")], ["fn one(&self) {}", "#[x] fn two() {}"]);
    assert_eq!([rust("three"), rust("C")], ["fn three();", "const C: u8;"]);
    assert_eq!(rust("four"), "    /// Doc.\n    #[cfg(x)]\n    // plain\n    pub(crate) fn four() {}");
    let python = "class A:\n    @property\n    @other(\n  1)\n    async def load(self, x=(\n1)):\n        return 1\n    y = 2\n";
    assert_eq!(
        found("a.py", python, "load"),
        "    @property\n    @other(\n  1)\n    async def load(self, x=(\n1)):\n        return 1"
    );
}

#[test]
fn of_several_the_first_at_the_shallowest_nesting_is_meant() {
    let ts = "function a() { function b() { 1 } }\nfunction b() { 2 }\nfunction b() { 3 }\n";
    assert_eq!(found("a.ts", ts, "b"), "function b() { 2 }");
    let python = "class A:\n    def f(self): 1\ndef f(): 2\ndef f(): 3\n";
    assert_eq!(found("a.py", python, "f"), "def f(): 2");
    let rust = "impl A { fn f() {} }\nstruct A;\nimpl A {}\n";
    assert_eq!(found("a.rs", rust, "A"), "struct A;", "a type is meant before what is implemented for it");
}

#[test]
fn words_that_only_look_like_declarations_are_none() {
    for (file, text) in [
        ("a.ts", "x.class; y.function; foo({ type: 1, class: a })"),
        ("a.ts", "<p>\n  let a go, class a is a\n</p>"),
        ("a.ts", "/* function a() {} */ // class a {}\n'function a() {}'; `class a {}`; /function a() {}/"),
        ("a.ts", "type = a\nfunction (a) {}\nexport default class {}\nimport a from 'a'\nexport { a }"),
        ("a.ts", "fn a() {}\nstruct a {}\nimpl a {}"),
        ("a.rs", "fn b(f: fn(a: u8), p: *const a, x: impl a) { if let a = 1 {} }"),
        ("a.rs", "// fn a() {}\nconst B: &str = r#\"fn a() {}\"#;\nfunction a() {}"),
        ("a.rs", "fn b() { a(); let Some(a) = b else { return }; }"),
        ("a.py", "'''\ndef a(): 1\n'''\n# class a: 1\nx = (\ndef a(): 2\n)\nfunction a() {}"),
    ] {
        assert!(find(file, text, "a").is_err(), "{file}: {text}");
    }
}

#[test]
fn a_language_that_is_not_known_is_read_with_the_words_of_all() {
    let go = "type Point struct {\n\tX int\n}\nfunc Add(a int) int {\n\treturn a\n}\nvar last int = 3\n";
    assert_eq!(found("a.go", go, "Point"), "type Point struct {\n\tX int\n}");
    assert_eq!(found("a.go", go, "Add"), "func Add(a int) int {\n\treturn a\n}");
    assert_eq!(found("a.go", go, "last"), "var last int = 3");
    assert_eq!(found("A.java", "public final class A\n{\n}\n", "A"), "public final class A\n{\n}");
    assert_eq!(found("a", "pub fn a() {}\n", "a"), "pub fn a() {}");
}

#[test]
fn a_regular_expression_is_none_where_something_is_divided() {
    let text = "const a = x => /}/.test(x)\nconst b = a / 2 // }\nconst c = 1 /* } */ / 3\nfunction d() { return (1) / 2 }\n";
    let ts = |name| found("a.js", text, name);
    assert_eq!([ts("a"), ts("b")], ["const a = x => /}/.test(x)", "const b = a / 2"]);
    assert_eq!([ts("c"), ts("d")], ["const c = 1 /* } */ / 3", "function d() { return (1) / 2 }"]);
}

#[test]
fn statements_without_semicolons_end_with_their_lines() {
    let text = "let a = i++\nlet b = a\n  ? { x: 1 }\n  : await\n    load()\nlet c = { y: 1 } as\n  Z\nlet d\nlet e\n";
    let ts = |name| found("a.ts", text, name);
    assert_eq!([ts("a"), ts("d"), ts("e")], ["let a = i++", "let d", "let e"]);
    assert_eq!(ts("b"), "let b = a\n  ? { x: 1 }\n  : await\n    load()");
    assert_eq!(ts("c"), "let c = { y: 1 } as\n  Z");
}

/// Text in which everything may happen that confuses a reader.
fn any_source() -> impl Strategy<Value = String> {
    "([{}()'\"`/*#$\\\\\n ;=:<>,@]|fn a|def a|class a |const a =|let a|impl a|type a =|pub |export |r#\"|\\$\\{|///|/\\*\\*|\\*/|#\\[|\\PC){0,60}"
}

proptest! {
    #[test]
    fn any_text_is_searched_without_harm(text in any_source()) {
        for file in ["a.rs", "a.py", "a.ts", "a.zig"] {
            if let Ok(range) = find(file, &text, "a") {
                prop_assert!(text.get(range).is_some());
            }
        }
    }

    #[test]
    fn what_is_found_begins_its_line_or_follows_what_stands_there(text in any_source()) {
        for file in ["a.rs", "a.py", "a.ts", "a.zig"] {
            let Ok(range) = find(file, &text, "a") else { continue };
            let piece = &text[range.clone()];
            prop_assert!(piece.contains('a') && piece == piece.trim_end());
            let line = text[..range.start].rsplit('\n').next().unwrap_or_default();
            let shared = !line.trim().is_empty() && !piece.starts_with(char::is_whitespace);
            prop_assert!(line.is_empty() || shared, "{:?} before {:?}", line, piece);
        }
    }

    #[test]
    fn what_is_declared_is_found_behind_anything_that_is_closed(before in "[a-z{}() \n]{0,30}") {
        let text = format!("fn x() {{\n/* {before} */ \"{before}\"; r\"{before}\";\n}}\nfn found() {{}}\n");
        prop_assert_eq!(found("a.rs", &text, "found"), "fn found() {}");
    }
}

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
    assert_eq!(ts("User"), "export interface User {\n  name: string; // }\n  tags: { a: \"}\" }[];\n}");
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

proptest! {
    #[test]
    fn any_text_is_searched_without_harm(text in "([{}()'\"`/*#$\\\\\n ]|fn a|def a|class a|const a =|r#\"|\\PC){0,60}") {
        for file in ["a.rs", "a.py", "a.ts"] {
            if let Ok(range) = find(file, &text, "a") {
                prop_assert!(text.get(range).is_some());
            }
        }
    }
}

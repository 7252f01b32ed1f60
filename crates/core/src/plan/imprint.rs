//! A canonical serialisation, to be hashed: a value as bytes that no other value of its type has.
//!
//! Every piece says what it is and how long it is, so that no two values run together. It is quicker to write than a
//! format for people, and every command waits for it. May not be read back, and nothing of it is kept.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::fmt::Display;

/// The bytes of a value. One that cannot be serialised, which none of ours is, has its reason behind what it wrote.
pub(super) fn imprint(value: &impl Serialize) -> Vec<u8> {
    let mut ink = Ink(Vec::with_capacity(4096));
    if let Err(ImprintRefused(why)) = value.serialize(&mut ink) {
        ink.run(REFUSED, why.as_bytes());
    }
    ink.0
}

/// Why a value was not written.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct ImprintRefused(String);

impl serde::ser::Error for ImprintRefused {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

struct Ink(Vec<u8>);

/// What a piece is. Pieces that hold others end with [`END`].
const NOTHING: u8 = 0;
const SOME: u8 = 1;
const TRUTH: u8 = 2;
const NUMBER: u8 = 3;
const BELOW_ZERO: u8 = 4;
const FRACTION: u8 = 5;
const TEXT: u8 = 6;
const BYTES: u8 = 7;
const MANY: u8 = 8;
const CHOICE: u8 = 9;
const LEFT_OUT: u8 = 10;
const END: u8 = 11;
const REFUSED: u8 = 12;

/// What comes before a number that one byte cannot hold.
const LONG: u8 = u8::MAX;

impl Ink {
    fn number(&mut self, kind: u8, value: u64) {
        match u8::try_from(value) {
            Ok(small) if small != LONG => self.0.extend_from_slice(&[kind, small]),
            _ => {
                self.0.extend_from_slice(&[kind, LONG]);
                self.0.extend_from_slice(&value.to_le_bytes());
            }
        }
    }

    fn run(&mut self, kind: u8, bytes: &[u8]) {
        self.number(kind, bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}

type ImprintResult = Result<(), ImprintRefused>;

/// Numbers of every width are one kind: a type has each of its fields in one width only.
macro_rules! numbers {
    ($($name:ident: $type:ty => $value:expr;)*) => {
        $(fn $name(self, value: $type) -> ImprintResult {
            let (kind, value): (u8, u64) = $value(value);
            self.number(kind, value);
            Ok(())
        })*
    };
}

fn natural(value: impl Into<u64>) -> (u8, u64) {
    (NUMBER, value.into())
}

fn signed(value: impl Into<i64>) -> (u8, u64) {
    let value = value.into();
    (if value < 0 { BELOW_ZERO } else { NUMBER }, value.unsigned_abs())
}

impl<'a> Serializer for &'a mut Ink {
    type Ok = ();
    type Error = ImprintRefused;
    type SerializeSeq = ImprintParts<'a>;
    type SerializeTuple = ImprintParts<'a>;
    type SerializeTupleStruct = ImprintParts<'a>;
    type SerializeTupleVariant = ImprintParts<'a>;
    type SerializeMap = ImprintParts<'a>;
    type SerializeStruct = ImprintParts<'a>;
    type SerializeStructVariant = ImprintParts<'a>;

    numbers! {
        serialize_u8: u8 => natural;
        serialize_u16: u16 => natural;
        serialize_u32: u32 => natural;
        serialize_u64: u64 => natural;
        serialize_i8: i8 => signed;
        serialize_i16: i16 => signed;
        serialize_i32: i32 => signed;
        serialize_i64: i64 => signed;
        serialize_f64: f64 => |value: f64| (FRACTION, value.to_bits());
    }

    fn serialize_u128(self, value: u128) -> ImprintResult {
        self.run(BYTES, &value.to_le_bytes());
        Ok(())
    }

    fn serialize_i128(self, value: i128) -> ImprintResult {
        self.run(BYTES, &value.to_le_bytes());
        Ok(())
    }

    fn serialize_bool(self, value: bool) -> ImprintResult {
        self.0.extend_from_slice(&[TRUTH, u8::from(value)]);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> ImprintResult {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_char(self, value: char) -> ImprintResult {
        self.run(TEXT, value.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    fn serialize_str(self, value: &str) -> ImprintResult {
        self.run(TEXT, value.as_bytes());
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> ImprintResult {
        self.run(BYTES, value);
        Ok(())
    }

    fn serialize_none(self) -> ImprintResult {
        self.0.push(NOTHING);
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> ImprintResult {
        self.0.push(SOME);
        value.serialize(self)
    }

    fn serialize_unit(self) -> ImprintResult {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, name: &'static str) -> ImprintResult {
        self.serialize_str(name)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> ImprintResult {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> ImprintResult {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> ImprintResult {
        self.run(CHOICE, variant.as_bytes());
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ImprintParts<'a>, ImprintRefused> {
        self.0.push(MANY);
        Ok(ImprintParts(self))
    }

    fn serialize_tuple(self, _: usize) -> Result<ImprintParts<'a>, ImprintRefused> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<ImprintParts<'a>, ImprintRefused> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ImprintParts<'a>, ImprintRefused> {
        self.run(CHOICE, variant.as_bytes());
        self.serialize_seq(None)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<ImprintParts<'a>, ImprintRefused> {
        self.serialize_seq(None)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<ImprintParts<'a>, ImprintRefused> {
        self.serialize_seq(None)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        at: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<ImprintParts<'a>, ImprintRefused> {
        self.serialize_tuple_variant(name, at, variant, len)
    }
}

/// What holds other values.
struct ImprintParts<'a>(&'a mut Ink);

impl ImprintParts<'_> {
    fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> ImprintResult {
        value.serialize(&mut *self.0)
    }
}

macro_rules! parts {
    ($($kind:ident $part:ident),*) => {
        $(impl $kind for ImprintParts<'_> {
            type Ok = ();
            type Error = ImprintRefused;

            fn $part<T: Serialize + ?Sized>(&mut self, value: &T) -> ImprintResult {
                self.part(value)
            }

            fn end(self) -> ImprintResult {
                self.0.0.push(END);
                Ok(())
            }
        })*
    };
}

parts!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);

macro_rules! fields {
    ($($kind:ident),*) => {
        $(impl $kind for ImprintParts<'_> {
            type Ok = ();
            type Error = ImprintRefused;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> ImprintResult {
                self.part(value)
            }

            /// Told, so that the next is not taken for it; then names need not be.
            fn skip_field(&mut self, _: &'static str) -> ImprintResult {
                self.0.0.push(LEFT_OUT);
                Ok(())
            }

            fn end(self) -> ImprintResult {
                self.0.0.push(END);
                Ok(())
            }
        })*
    };
}

fields!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for ImprintParts<'_> {
    type Ok = ();
    type Error = ImprintRefused;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> ImprintResult {
        self.part(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> ImprintResult {
        self.part(value)
    }

    fn end(self) -> ImprintResult {
        self.0.0.push(END);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Serialize;
    use std::collections::BTreeMap;

    #[derive(Debug, Clone, PartialEq, Serialize)]
    enum Choice {
        Bare,
        Held(String),
        Named { one: u8, other: Option<String> },
        Pair(i64, bool),
    }

    #[derive(Debug, Clone, PartialEq, Serialize)]
    struct All {
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        first: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        second: Option<String>,
        list: Vec<String>,
        nested: Vec<Vec<u8>>,
        map: BTreeMap<String, String>,
        choice: Choice,
        large: u128,
    }

    fn choice() -> impl Strategy<Value = Choice> {
        let text = "[ab]{0,2}";
        prop_oneof![
            Just(Choice::Bare),
            text.prop_map(Choice::Held),
            (0..2_u8, prop::option::of(text)).prop_map(|(one, other)| Choice::Named { one, other }),
            (-1..2_i64, any::<bool>()).prop_map(|(number, truth)| Choice::Pair(number, truth)),
        ]
    }

    fn all() -> impl Strategy<Value = All> {
        let text = "[ab]{0,2}";
        (
            (text, prop::option::of(text), prop::option::of(text), prop::collection::vec(text, 0..3)),
            prop::collection::vec(prop::collection::vec(0..2_u8, 0..2), 0..3),
            prop::collection::btree_map(text, text, 0..3),
            (choice(), 0..3_u128),
        )
            .prop_map(|((text, first, second, list), nested, map, (choice, large))| All {
                text,
                first,
                second,
                list,
                nested,
                map,
                choice,
                large,
            })
    }

    proptest! {
        #[test]
        fn two_values_have_the_same_bytes_only_if_they_are_the_same(one in all(), other in all()) {
            let [one_ink, other_ink] = [&one, &other].map(imprint);
            prop_assert_eq!(one == other, one_ink == other_ink);
        }
    }

    #[test]
    fn what_is_left_out_and_what_is_moved_on_is_told_apart() {
        let plain = All {
            text: "a".to_owned(),
            first: None,
            second: None,
            list: vec!["ab".to_owned(), String::new()],
            nested: vec![vec![1], vec![]],
            map: BTreeMap::new(),
            choice: Choice::Bare,
            large: 0,
        };
        let changed = [
            All { first: Some("b".to_owned()), ..plain.clone() },
            All { second: Some("b".to_owned()), ..plain.clone() },
            All { list: vec!["a".to_owned(), "b".to_owned()], ..plain.clone() },
            All { nested: vec![vec![], vec![1]], ..plain.clone() },
            All { nested: vec![vec![1, 0]], ..plain.clone() },
            All { choice: Choice::Held("Bare".to_owned()), ..plain.clone() },
        ];
        let inks: std::collections::BTreeSet<_> = changed.iter().chain([&plain]).map(imprint).collect();
        assert_eq!(inks.len(), changed.len() + 1);
    }
}

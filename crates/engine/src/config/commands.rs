//! `[commands.NAME]`: what a command is given where a markdown agent says nothing. May be set by a project file too,
//! because what results is judged like every other command.

use super::{Origin, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The table that holds them.
pub(super) const TABLE: &str = "commands";

const EXPECTED: &str = "true, false, a number, a text or a list of them";

/// One key of one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSetting {
    /// The command.
    pub command: String,
    /// The key, as front matter would spell it.
    pub key: String,
    /// Its value.
    pub value: Value,
    /// Where it came from.
    pub origin: Origin,
}

/// A key with its value, and where it stands.
pub(super) struct Said {
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) at: usize,
}

/// Reads one table, in the order of its lines; each problem comes with where it is.
pub(super) fn read(
    name: &Spanned<impl AsRef<str>>,
    value: &DeValue<'_>,
) -> Result<Vec<Said>, Vec<(usize, String)>> {
    let (at, name) = (name.span().start, name.get_ref().as_ref());
    let DeValue::Table(table) = value else {
        return Err(vec![(at, format!("`{TABLE}.{name}` must be a table"))]);
    };
    let (mut said, mut problems) = (Vec::new(), Vec::new());
    for (key, value) in table {
        match plain(value.get_ref()) {
            Some(value) => said.push(Said { key: key.get_ref().to_string(), value, at: key.span().start }),
            None => {
                let what = format!("`{TABLE}.{name}.{}` must be {EXPECTED}", key.get_ref());
                problems.push((value.span().start, what));
            }
        }
    }
    said.sort_by_key(|one| one.at);
    if problems.is_empty() { Ok(said) } else { Err(problems) }
}

/// The names of the commands, in the order of their lines.
pub(super) fn in_order<'a, 'b>(
    table: &'a DeTable<'b>,
) -> Vec<(&'a Spanned<std::borrow::Cow<'b, str>>, &'a Spanned<DeValue<'b>>)> {
    let mut all: Vec<_> = table.iter().collect();
    all.sort_by_key(|(name, _)| name.span().start);
    all
}

/// A value that can become an argument.
fn plain(value: &DeValue<'_>) -> Option<Value> {
    match value {
        DeValue::Array(items) => {
            let word = |item: &Spanned<DeValue<'_>>| match plain(item.get_ref())? {
                Value::List(_) | Value::Unset => None,
                Value::Word(text) | Value::Decimal(text) => Some(text),
                Value::Number(number) => Some(number.to_string()),
                Value::Bool(word) => Some(word.to_string()),
            };
            items.iter().map(word).collect::<Option<_>>().map(Value::List)
        }
        DeValue::Boolean(word) => Some(Value::Bool(*word)),
        DeValue::String(text) => Some(Value::Word(text.to_string())),
        DeValue::Integer(number) => {
            let whole = i128::from_str_radix(number.as_str(), number.radix()).ok()?;
            Some(u64::try_from(whole).map_or_else(|_| Value::Decimal(whole.to_string()), Value::Number))
        }
        DeValue::Float(number) => Some(Value::Decimal(number.as_str().to_owned())),
        DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}

//! `[commands.NAME]`: defaults of a command for markdown agents that do not set them. May be set by a project file too,
//! because what results is judged like every other command.

use super::{ConfigValue, ValueOrigin};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The table that holds them.
pub(super) const TABLE: &str = "commands";

const EXPECTED: &str = "true, false, a number, a text or a list of them";

/// Keys that hold variables of the environment when they are tables.
const VARIABLES: &[&str] = &["env", "_env"];

/// One key of one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSetting {
    /// The command.
    pub command: String,
    /// The key, as front matter would spell it.
    pub key: String,
    /// Its value.
    pub value: ConfigValue,
    /// Where it came from.
    pub origin: ValueOrigin,
}

/// A key with its value, and its position.
pub(super) struct SaidCommand {
    pub(super) key: String,
    pub(super) value: ConfigValue,
    pub(super) at: usize,
}

/// Parses one table, in the order of its lines; each problem comes with its position.
pub(super) fn read(
    name: &Spanned<impl AsRef<str>>,
    value: &DeValue<'_>,
) -> Result<Vec<SaidCommand>, Vec<(usize, String)>> {
    let (at, name) = (name.span().start, name.get_ref().as_ref());
    let DeValue::Table(table) = value else {
        return Err(vec![(at, format!("`{TABLE}.{name}` must be a table"))]);
    };
    let (mut said, mut problems) = (Vec::new(), Vec::new());
    for (key, value) in table {
        let dotted = format!("{TABLE}.{name}.{}", key.get_ref());
        match one(&dotted, key.get_ref(), value) {
            Ok(value) => {
                said.push(SaidCommand { key: key.get_ref().to_string(), value, at: key.span().start });
            }
            Err(wrong) => problems.extend(wrong),
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

/// The value of one key; each problem comes with its position.
fn one(dotted: &str, key: &str, value: &Spanned<DeValue<'_>>) -> Result<ConfigValue, Vec<(usize, String)>> {
    if let DeValue::Table(variables) = value.get_ref()
        && VARIABLES.contains(&key)
    {
        return environment(dotted, variables);
    }
    let expected =
        if VARIABLES.contains(&key) { format!("{EXPECTED}, or a table") } else { EXPECTED.to_owned() };
    plain(value.get_ref()).ok_or_else(|| vec![(value.span().start, format!("`{dotted}` must be {expected}"))])
}

/// Variables of the environment. Whether a caller may set them is judged where they are set.
fn environment(dotted: &str, table: &DeTable<'_>) -> Result<ConfigValue, Vec<(usize, String)>> {
    let (mut variables, mut problems) = (Vec::new(), Vec::new());
    for (name, value) in in_order(table) {
        let name_at = name.span().start;
        let name = name.get_ref().as_ref();
        match text(value.get_ref()) {
            _ if name.is_empty() || name.contains(['=', '\0']) => {
                let what = format!("`{dotted}.{}` cannot be the name of a variable", name.escape_default());
                problems.push((name_at, what));
            }
            Some(text) if !text.contains('\0') => variables.push((name.to_owned(), text)),
            _ => {
                let what = format!("`{dotted}.{name}` must be true, false, a number or a text without a NUL");
                problems.push((value.span().start, what));
            }
        }
    }
    if problems.is_empty() { Ok(ConfigValue::Table(variables)) } else { Err(problems) }
}

/// A single value as a text.
fn text(value: &DeValue<'_>) -> Option<String> {
    match plain(value)? {
        ConfigValue::List(_) | ConfigValue::Table(_) | ConfigValue::Unset => None,
        ConfigValue::Word(text) | ConfigValue::Decimal(text) => Some(text),
        ConfigValue::Number(number) => Some(number.to_string()),
        ConfigValue::Bool(word) => Some(word.to_string()),
    }
}

/// A value that can become an argument.
fn plain(value: &DeValue<'_>) -> Option<ConfigValue> {
    match value {
        DeValue::Array(items) => {
            items.iter().map(|item| text(item.get_ref())).collect::<Option<_>>().map(ConfigValue::List)
        }
        DeValue::Boolean(word) => Some(ConfigValue::Bool(*word)),
        DeValue::String(text) => Some(ConfigValue::Word(text.to_string())),
        DeValue::Integer(number) => {
            let whole = i128::from_str_radix(number.as_str(), number.radix()).ok()?;
            Some(
                u64::try_from(whole)
                    .map_or_else(|_| ConfigValue::Decimal(whole.to_string()), ConfigValue::Number),
            )
        }
        DeValue::Float(number) => Some(ConfigValue::Decimal(number.as_str().to_owned())),
        DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}

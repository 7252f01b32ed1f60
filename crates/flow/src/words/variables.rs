//! The file's variables, and what no variable takes. May not know our options, which were taken before.

use crate::FlowError;
use crate::front::{Front, Value};
use crate::inputs::{Input, InputKind, is_yes};
use crate::keys::{APPEND_SYSTEM_PROMPT, setting};
use runward_engine::Code;
use std::collections::{BTreeMap, BTreeSet};

/// Where a variable got its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableFrom {
    /// An option on the command line.
    Option,
    /// A word on the command line, by its place, counted from 1.
    Place(usize),
    /// The front matter.
    FrontMatter,
    /// The default of a typed input.
    Input,
    /// A person who was asked.
    Asked,
}

/// A variable with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name, as templates know it.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// Where that came from.
    pub from: VariableFrom,
}

/// What came of the words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// Variables: first those of the command line in its order, then defaults. Each name is there once.
    pub variables: Vec<Variable>,
    /// Settings that were given like variables (`--_cwd DIR`): the last layer over the front matter.
    pub settings: Front,
    /// What no variable takes, in order.
    pub rest: Vec<String>,
    /// What is wrong with what was given, each with the name of its variable.
    pub problems: Vec<(String, FlowError)>,
}

impl Given {
    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.variables.iter().find(|variable| variable.name == name).map(|variable| &variable.value)
    }

    /// The one error that tells everything that will not do, if anything does.
    pub fn check(&self) -> Result<(), FlowError> {
        self.check_and(Vec::new())
    }

    /// The same, with further problems behind what will not do.
    pub(crate) fn check_and(&self, further: Vec<FlowError>) -> Result<(), FlowError> {
        let bad = self.problems.iter().map(|(_, error)| error.clone());
        FlowError::all("with what the file was given", bad.chain(further).collect())
    }

    /// Sets a variable, unless it is there or the value says nothing.
    fn fall_back(&mut self, name: &str, value: &Value, from: VariableFrom) {
        if !value.is_empty() && self.get(name).is_none() {
            self.variables.push(Variable { name: name.to_owned(), value: value.clone(), from });
        }
    }

    /// Gives a setting its value; the last one counts, but what is added is added to.
    fn lay(&mut self, setting: &str, value: Value) {
        let value = match self.settings.remove(setting) {
            Some(Value::List(held)) if setting == APPEND_SYSTEM_PROMPT => {
                Value::List(held.into_iter().chain([value]).collect())
            }
            _ if setting == APPEND_SYSTEM_PROMPT => Value::List(vec![value]),
            _ => value,
        };
        self.settings.set(setting, value);
    }

    /// Sets a variable; the last value counts.
    fn set(&mut self, name: &str, value: Value, from: VariableFrom) {
        self.variables.retain(|variable| variable.name != name);
        self.variables.push(Variable { name: name.to_owned(), value, from });
    }
}

/// Who listens to the words.
#[derive(Debug, Clone, Copy)]
pub struct Listening<'a> {
    /// The front matter: `args`, `$name`, `_name`.
    pub front: &'a Front,
    /// The typed inputs.
    pub inputs: &'a [Input],
    /// The names that templates read.
    pub reads: &'a BTreeSet<String>,
}

/// Gives the words to the variables.
///
/// `--name v` and `--name=v` set a variable that the front matter, an input or a template names (dash and underscore
/// are equal), `--_name v` any; without a value it is `true`. Other words that are not flags go to `args` in order,
/// and to `_1`, `_2`, …, `_args`. What nobody takes is passed on. A second `--` is passed on with all that follows.
pub fn take_variables(words: &[String], who: &Listening<'_>) -> Result<Given, FlowError> {
    let places = names_of_places(who.front)?;
    let known = who.names(&places);
    let mut given = Given::default();
    let (left, raw) = options(words, &known, &mut given);
    by_place(left, &places, who.reads, &mut given);
    given.rest.extend(raw);
    defaults(who, &mut given);
    Ok(given)
}

impl Listening<'_> {
    /// Every variable beside the typed inputs, with its value where none is given: `args`, then `$name` and `_name` in
    /// the order of the file, then what else templates read.
    pub fn variables(&self) -> Result<Vec<(String, Value)>, FlowError> {
        let mut all: Vec<(String, Value)> = Vec::new();
        let mut add = |name: &str, value: Option<&Value>| {
            let taken = self.inputs.iter().any(|input| input.name == name);
            if !taken && all.iter().all(|(known, _)| known != name) {
                all.push((name.to_owned(), value.cloned().unwrap_or(Value::Null)));
            }
        };
        let own = |name: &str| self.front.get(&format!("${name}")).or_else(|| self.front.get(name));
        names_of_places(self.front)?.iter().for_each(|name| add(name, own(name)));
        self.own().for_each(|(name, value)| add(name, Some(value)));
        self.reads.iter().for_each(|name| add(name, own(name)));
        Ok(all)
    }

    /// The variables of the front matter, `$name` and `_name`, with their values.
    fn own(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.front.iter().filter_map(|(key, value)| Some((own_name(key, value)?, value)))
    }

    /// Every name that an option may set, by its spelling with underscores, with what its value looks like.
    fn names(&self, places: &[String]) -> BTreeMap<String, Known<'_>> {
        let typed = self.inputs.iter().map(|input| (plain(&input.name), Known::typed(input)));
        let mut known: BTreeMap<String, Known<'_>> = typed.collect();
        let mut add = |name: &str, like: &Value| {
            let entry = Known { name: name.to_owned(), like: like.clone(), input: None };
            known.entry(plain(name)).or_insert(entry);
        };
        self.own().for_each(|(name, value)| add(name, value));
        for name in places.iter().chain(self.reads) {
            add(name, self.front.get(name).unwrap_or(&Value::Null));
        }
        known
    }
}

/// A variable that an option may set.
struct Known<'a> {
    name: String,
    /// A value of the kind it takes.
    like: Value,
    /// What the file says about it, if it has a type.
    input: Option<&'a Input>,
}

impl<'a> Known<'a> {
    fn typed(input: &'a Input) -> Self {
        let like = match input.kind {
            InputKind::Confirm => Value::Bool(false),
            InputKind::Number { .. } => Value::Number("0".to_owned()),
            _ => Value::Null,
        };
        Self { name: input.name.clone(), like, input: Some(input) }
    }

    /// The word as a value of the variable's kind, as far as it is one.
    fn value(&self, word: &str) -> Value {
        match (&self.like, word) {
            (Value::Bool(_), _) => is_yes(word).map_or_else(|| Value::text(word), Value::Bool),
            (Value::Number(_), _) if Value::Number(word.to_owned()).as_number().is_some() => {
                Value::Number(word.to_owned())
            }
            _ => Value::text(word),
        }
    }

    /// Whether the next word is this variable's value.
    fn takes(&self, word: &str) -> bool {
        let is_number = || Value::Number(word.to_owned()).as_number().is_some();
        match (&self.like, self.input.map(|input| &input.kind)) {
            (_, Some(InputKind::Select { options })) if options.iter().any(|option| option == word) => true,
            // A bare flag may stand before a word of its own: only what answers the question is its value. An input says
            // what it takes, so there a word that is no answer is a mistake, and not somebody else's word.
            (Value::Bool(_), None) => is_yes(word).is_some(),
            _ => !is_flag(word) || is_number(),
        }
    }

    /// What an option alone means: `true`, but for an input that takes something else.
    fn alone(&self, option: &str) -> Result<Value, FlowError> {
        match self.input.filter(|input| input.kind != InputKind::Confirm) {
            None => Ok(Value::Bool(true)),
            Some(input) => Err(input.unsaid(option)),
        }
    }
}

/// Takes the options; what is left may be taken by place, and what follows `--` by nobody.
fn options<'a>(
    words: &'a [String],
    known: &BTreeMap<String, Known<'_>>,
    given: &mut Given,
) -> (Vec<&'a String>, Vec<String>) {
    let mut left = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            let raw = [word].into_iter().chain(words).cloned().collect();
            return (left, raw);
        }
        let Some((option, value)) = option(word) else {
            left.push(word);
            continue;
        };
        let own;
        let variable = match known.get(&plain(option)) {
            Some(known) => known,
            None if option.starts_with('_') => {
                own = Known { name: plain(option), like: Value::Null, input: None };
                &own
            }
            None => {
                left.push(word);
                continue;
            }
        };
        let next = words.as_slice().first().filter(|next| value.is_none() && variable.takes(next));
        if next.is_some() {
            words.next();
        }
        let said = value.or(next.map(String::as_str));
        let value = match said.map_or_else(|| variable.alone(option), |word| Ok(variable.value(word))) {
            Ok(value) => value,
            Err(error) => {
                given.problems.push((variable.name.clone(), error));
                continue;
            }
        };
        if let Some(setting) = setting(&variable.name) {
            given.lay(setting, value);
        } else {
            given.set(&variable.name, value, VariableFrom::Option);
        }
    }
    (left, Vec::new())
}

/// `--name` or `--name=value`.
fn option(word: &str) -> Option<(&str, Option<&str>)> {
    let option = word.strip_prefix("--").filter(|option| !option.is_empty() && !option.starts_with('-'))?;
    Some(option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value))))
}

/// How the option that set this variable was typed.
pub(crate) fn typed_so<'a>(words: &'a [String], name: &str) -> Option<&'a str> {
    let typed = words.iter().filter_map(|word| option(word)).map(|(typed, _)| typed);
    typed.into_iter().find(|typed| plain(typed) == plain(name))
}

fn is_flag(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

/// A name as it is compared.
pub(crate) fn plain(name: &str) -> String {
    name.replace('-', "_")
}

/// The variable that a key of the front matter is, if it is one.
fn own_name<'k>(key: &'k str, value: &Value) -> Option<&'k str> {
    if let Some(name) = key.strip_prefix('$') {
        return Some(name).filter(|name| !name.is_empty() && name.parse::<usize>().is_err());
    }
    let is_environment = key == "_env" && value.as_map().is_some();
    let is_own = key.len() > 1 && key.starts_with('_') && setting(key).is_none() && !is_environment;
    is_own.then_some(key)
}

/// Gives words that are no flags to `args`, `_1`, `_args`; what nobody takes is passed on.
fn by_place(left: Vec<&String>, places: &[String], reads: &BTreeSet<String>, given: &mut Given) {
    let mut names: Vec<&String> = places.iter().filter(|name| given.get(name).is_none()).rev().collect();
    let mut count = 0;
    let mut numbered = Vec::new();
    for word in left {
        if is_flag(word) {
            given.rest.push(word.clone());
            continue;
        }
        count += 1;
        let place = format!("_{count}");
        let name = names.pop();
        let taken = name.is_some() || reads.contains(&place) || reads.contains("_args");
        if let Some(name) = name {
            given.set(name, Value::text(word), VariableFrom::Place(count));
        }
        given.set(&place, Value::text(word), VariableFrom::Place(count));
        numbered.push(format!("{count}. {word}"));
        if !taken {
            given.rest.push(word.clone());
        }
    }
    if count > 0 {
        given.set("_args", Value::Text(numbered.join("\n")), VariableFrom::Place(1));
    }
}

fn defaults(who: &Listening<'_>, given: &mut Given) {
    for (key, value) in who.front.iter() {
        if let Some(name) = own_name(key, value).or(Some(key).filter(|key| who.reads.contains(*key))) {
            given.fall_back(name, value, VariableFrom::FrontMatter);
        }
    }
    for input in who.inputs {
        if let Some(value) = &input.default {
            given.fall_back(&input.name, value, VariableFrom::Input);
        }
    }
}

/// The names in `args`: a list of them, or one.
pub(crate) fn names_of_places(front: &Front) -> Result<Vec<String>, FlowError> {
    let name = |value: &Value| value.as_text().filter(|name| !name.trim().is_empty()).map(str::to_owned);
    let names = match front.get("args") {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::List(items)) => items.iter().map(name).collect(),
        Some(one) => name(one).map(|name| vec![name]),
    };
    names.ok_or_else(|| {
        front.wrong("args", "`args` is not a list of names").hint("Write `args: [first, second]`.")
    })
}

/// The one error for all variables without a value.
pub fn missing(names: &[&str]) -> FlowError {
    let options: Vec<String> = names.iter().map(|name| format!("`--{name} VALUE`")).collect();
    let message = format!("Missing required template variable: {}", names.join(", "));
    let hint = format!("Give a value with {}.", options.join(", "));
    FlowError::new(Code::FlowMissingVariable, message).hint(hint)
}

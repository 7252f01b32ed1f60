//! Programs that can be told, by an option, to run something else.
//!
//! Each line of the table names what does so: `-e` a letter, alone or among others; `--rsh` a long option, whole or
//! begun; `-exec` a word of its own, with one dash or two; `+*` every word that begins so; `engine` a word.
//! May not read all options of these programs: what looks like one of those counts, even where it is a value.

use super::{Carried, end_of_options, shown};
use crate::policy::Word;
use crate::policy::through::name::{Rows, among, row_of, rows};

/// One program.
struct Told {
    names: &'static str,
    /// What makes it run something else.
    runs: &'static str,
    /// Letters that take a value, so that what is glued to them is no option.
    values: &'static str,
}

const fn told(names: &'static str, runs: &'static str, values: &'static str) -> Told {
    Told { names, runs, values }
}

static TABLE: &[Told] = &[
    told(
        "tar gtar bsdtar",
        "-I -F -T --checkpoint-action --to-command --use-compress-program --rsh-command --rmt-command --info-script \
         --new-volume-script --files-from --options -M --multi-volume -L --tape-length",
        "bCfgHKNVX",
    ),
    told("sort gsort", "--compress-program", "koStT"),
    told("rg", "--pre --hostname-bin", "ABCEMTdefgjmrt"),
    told("scp sftp", "-S -o -F -D", "cilPJXb"),
    told("ssh-add ssh-keygen", "-P -D -s -w -M", ""),
    told("rsync", "-e --rsh --rsync-path -M --remote-option --daemon --config --dparam --early-input", "BTf"),
    told("man mandb apropos", "-P --pager -H --html -C --config-file -t --troff -X -T", "eKLMmprRsS"),
    told("less more most pg", "-k --lesskey-file --lesskey-src --lesskey-content -o -O +*", "bhjpPtTxyz"),
    told(
        "make gmake bmake remake",
        "--eval -f --file --makefile -C --directory -I --include-dir -E *=*",
        "jloW",
    ),
    told("ninja samu", "-f -C -t", "jkld"),
    told("cmake", "-E -P -C --toolchain --preset -D*", "BGSATU"),
    told(
        "just",
        "-c --command --shell --shell-arg --shell-command -f --justfile -d -e --edit --chooser --set",
        "",
    ),
    told(
        "gradle gradlew",
        "-I --init-script -b --build-file -c --settings-file -p --project-dir -P* -D*",
        "gx",
    ),
    told("mvn mvnw", "-f --file -s --settings -gs -D* -l -t --toolchains", "Plr"),
    told("ant", "-f -file -buildfile -lib -D* -logger -listener", ""),
    told("rake invoke fab", "-e --execute -f -r --require -I -E -c --collection -r --search-root", ""),
    told("openssl", "engine -engine -provider -provider-path -config -pkeyopt", ""),
    told("zip", "-TT --unzip-command -@", ""),
    told("7z 7za 7zz", "@*", ""),
    told("tcpdump tshark dumpcap", "-z -F -X", "BcCEgGijJmMQrsTVwWyZ"),
    told("curl", "-K --config --engine --netrc-file", "AbcCdDeEFhHmoPQrtTuUwxXyYz"),
    told("wget wget2", "--use-askpass --config -e --execute -i --input-file", "aAtOoPQRTUwD"),
    told("nmap", "--script --script-args --script-args-file --datadir --servicedb -sC -A --resume -iL", ""),
    told("split gsplit", "--filter", "abClnt"),
    told(
        "dpkg",
        "-i --install --unpack --configure --pre-invoke --post-invoke --admindir --root --instdir -R --path-*",
        "",
    ),
    told("apt apt-get apt-cache apt-config aptitude", "-o --option -c --config-file", ""),
    told(
        "nc ncat netcat nc.openbsd nc.traditional",
        "-e -c --exec --sh-exec --lua-exec",
        "gGiIMmopPqsTVwWxX",
    ),
    told("ip", "exec exe ex e -b -batch -force", ""),
    told("systemctl", "edit link set-environment import-environment -H --host --root --image -M", "nopst"),
    told(
        "gcc g++ cc c++ clang clang++ tcc icc",
        "-wrapper -B* -fplugin* -specs* -Xclang -load -fuse-ld* --ld-path @*",
        "",
    ),
    told("rustc rustdoc", "-C* --codegen -L* --sysroot --runtool --test-builder -Z* @*", ""),
    told("ld ld.lld ld.gold lld mold", "-plugin --plugin -run @* --run", ""),
    told("java javaw", "-javaagent* -agentpath* -agentlib* -XX:* @* -D* -Xrun* --source", ""),
    told("javac", "-processor -processorpath --processor-path --processor-module-path -J* -Xplugin* @*", ""),
    told("pandoc", "-F --filter -L --lua-filter --pdf-engine --defaults -d", "forVMTHABc"),
    told(
        "tex latex pdftex pdflatex xelatex lualatex luatex",
        "-shell-escape -enable-write18 -write18 -shell-restricted -lua -fmt",
        "",
    ),
    told("latexmk texi2dvi", "-e -r -pdflatex* -latex* -shell-escape", ""),
    told("pytest py.test", "-p -c --confcutdir --rootdir -o --override-ini", "kmnrW"),
    told("ctags etags", "--options --options-maybe -L --_*", ""),
    told("xmllint xsltproc", "--shell", ""),
    told("ffmpeg ffprobe", "lavfi", ""),
    told("kubectl oc helm", "--kubeconfig --post-renderer", ""),
    told("cargo", "--config -Z* -C", ""),
    told("go", "-exec -toolexec -vettool -modfile -overlay -C -w -ldflags* -gccgoflags*", ""),
    told(
        "npm pnpm bun",
        "--script-shell --prefix --userconfig --globalconfig --node-options --shell -C --dir --cwd",
        "",
    ),
    told("pip pipx uv", "--python --config-settings --cert --global-option --build-option", ""),
    told("docker podman", "-H --host --config --context --connection", ""),
    told("jq gojq yq", "-L", ""),
    told("file", "-m --magic-file -z -Z --uncompress -C", "eFPf"),
    told("bat batcat delta", "--pager --diff-so-fancy --cache-dir", "lHrA"),
    told("gh glab", "extension ext alias codespace cs", ""),
    told("ab redis-cli", "--eval --pipe --rdb", ""),
    told("cpio", "--rsh-command", ""),
    told("iptables ip6tables", "--modprobe", ""),
    told("loginctl journalctl coredumpctl", "debug gdb -M --machine -H", ""),
];

pub(super) fn says(name: &str, words: &[Word]) -> Option<Carried> {
    static BY_NAME: Rows = Rows::new(|| rows(TABLE.iter().map(|told| told.names)));
    let told = &TABLE[row_of(&BY_NAME, name)?];
    if old_tar(told, words) {
        return Some(Carried::never(format!("{} runs what it names", shown(name, words, 1))));
    }
    let all = (1..end_of_options(words)).filter_map(|at| one_word(told, name, words, at));
    all.max_by_key(|carried| carried.words)
}

/// What one word says. An entry that has it, and its value, names it on purpose.
fn one_word(told: &Told, name: &str, words: &[Word], at: usize) -> Option<Carried> {
    let word = &words[at];
    let Some(text) = word.text() else {
        let because = format!("what `{name}` is told to run is only known when it runs");
        return word.may_be_option().then(|| Carried::never(because));
    };
    let token = told.runs.split_whitespace().find(|token| is_it(token, text, told.values))?;
    let letter = token.strip_prefix('-').filter(|letter| letter.len() == 1);
    let has_value = match letter {
        Some(letter) => !text.ends_with(letter),
        None => !token.starts_with('-') || token.ends_with('*') || text.contains('='),
    };
    let needed = (at + 1 + usize::from(!has_value)).min(words.len());
    Some(Carried::new(format!("{} may run what it names", shown(name, words, at)), needed))
}

/// `tar cIf PROGRAM …`: letters without a dash.
fn old_tar(told: &Told, words: &[Word]) -> bool {
    let letters = words.get(1).and_then(Word::text).filter(|word| !word.starts_with('-'));
    among(told.names, "tar") && letters.is_some_and(|letters| letters.contains(['I', 'F', 'T', 'M', 'L']))
}

/// Options that are whole, though another begins so.
const WHOLE: &[&str] = &["file"];

/// Whether a word is what a line of the table names.
fn is_it(token: &str, text: &str, values: &str) -> bool {
    if token == "*=*" {
        return !text.starts_with('-') && text.contains('=');
    }
    if let Some(start) = token.strip_suffix('*') {
        return text.starts_with(start);
    }
    let name = text.split('=').next().unwrap_or(text);
    if let Some(long) = token.strip_prefix("--") {
        // A program that takes one dash for long options reads this as well.
        let begun = name.strip_prefix("--").is_some_and(|given| {
            !given.is_empty() && long.starts_with(given) && (given == long || !WHOLE.contains(&given))
        });
        return begun || name.strip_prefix('-').is_some_and(|given| given == long);
    }
    match token.strip_prefix('-') {
        Some(letter) if letter.len() == 1 => has_letter(text, letter, values),
        Some(word) => name.trim_start_matches('-') == word && name.starts_with('-') || text == token,
        None => text == token,
    }
}

/// Whether a letter is among bundled options, before one that takes the rest for its value.
fn has_letter(text: &str, letter: &str, values: &str) -> bool {
    let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')) else {
        return false;
    };
    let own = letters.find(|given| values.contains(given)).map_or(letters, |end| &letters[..=end]);
    own.contains(letter)
}

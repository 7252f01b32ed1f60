//! Programs that run what is typed into them.

use super::super::interactive;
use super::{each, words};

#[test]
fn t01_prompts_pagers_editors_and_clients_are_known() {
    for text in each(
        "
        python3   python3.12   python3 -i x.py   node   node -i   bash   bash -i   sh -s   zsh   fish   psql
        psql db   vim   vim x   /usr/bin/vi x   less x   more x   man ls   git log   git diff   git show
        git -C d log   git commit   git rebase -i   git add -p   git --paginate status   ssh h   ssh h ls
        telnet h   sftp h   irb   ghci   mysql   sqlite3 db   gdb x   tmux   screen   mc   nano x   emacs
        ed x   perl   ruby   lua5.4   php   journalctl   systemctl status   docker run -it x sh
        kubectl exec -ti p -- sh   redis-cli   python3 -   cmd   pwsh   git ~1   git-log   bat x   ranger
    ",
    ) {
        assert!(interactive(&words(text)).is_some(), "{text}");
    }
}

#[test]
fn what_runs_nothing_that_is_typed_is_free() {
    for text in each(
        "
        ls   cat x   top   htop   bc   grep x y   python3 x.py   python3 -c 1   node x.js   bash x.sh
        bash -c ls   git status   git --no-pager log   git -P diff   git --no-pager log -p   git commit -m x
        git commit -am x   git fetch   git add x   vim --version   less --help   journalctl --no-pager
        docker ps   cargo test   npm test   env   git   git push
    ",
    ) {
        assert_eq!(interactive(&words(text)), None, "{text}");
    }
}

//! Commands that carry code of their own, in all spellings, with the words an entry needs to allow them.

use super::super::tests::{each, words};
use super::carried;

const NEVER: usize = usize::MAX;

fn words_needed(text: &str) -> Option<usize> {
    carried(&words(text)).map(|carried| carried.words)
}

/// Checks that each of these needs so many words.
fn needs(count: usize, commands: &str) {
    for text in each(commands) {
        assert_eq!(words_needed(text), Some(count), "{text}");
    }
}

/// Checks that no words cover these.
fn never(commands: &str) {
    needs(NEVER, commands);
}

/// Checks that naming the program alone does not cover these.
fn more_than_the_name(commands: &str) {
    for text in each(commands) {
        assert!(words_needed(text).is_some_and(|count| count > 1), "{text}");
    }
}

/// Checks that these carry nothing.
fn free(commands: &str) {
    for text in each(commands) {
        assert_eq!(words_needed(text), None, "{text}");
    }
}

#[test]
fn what_it_does_is_said_for_people() {
    let because = |text| carried(&words(text)).unwrap().because;
    assert_eq!(because("python3 -c 1"), "`python3 -c` carries code of its own");
    assert_eq!(because("bash"), "`bash` runs the code it is fed");
    assert_eq!(because("npm run build"), "`npm run` runs code of a project or package");
}

#[test]
fn a16_python() {
    needs(
        2,
        "
        python3 -c 1   python3.12 -c 1   /usr/bin/python -c1   python3 -Sc 1   python3 -mpytest
        python3 -c 1 -x --y ~n   python3 -   python3 /dev/stdin   python3 /proc/self/fd/0   python3 -i x.py
        pypy3 -c 1   PYTHON.EXE -c 1   py -c 1
    ",
    );
    needs(3, "python3 -S -c 1   python3 -Wignore -c 1   python3 -m pytest   python3 -u -");
    needs(4, "python3 -W ignore -c 1");
    never(
        "
        python3   pypy   python3 -u   python3 ~1   python3 ~n x.py   python3 -%   python3 --unknown
        python3 -~1
    ",
    );
    free(
        "
        python3 x.py   python3 -u x.py -c 1   python3 -W ignore x.py   python3 --version   python3 -V
        python3 ./~1
    ",
    );
    free("python3 -- x.py   python3-config --libs");
}

#[test]
fn a16_other_interpreters() {
    needs(
        2,
        "
        perl -e 1   perl -E 1   perl -ne 1   perl -lne 1   perl -pe 1 f   perl5.36 -e 1   perl -l012ne 1
        perl -   node -e 1   node -p 1   node --eval 1   node --eval=1   node --print 1   node -pe 1
        node22 -e 1   nodejs -e 1   node -i   node -   node inspect x.js   ruby -e 1   ruby3.1 -ne 1
        lua -e 1   lua5.4 -e 1   luajit -e 1   php -r 1   php8.2 -r 1   Rscript -e 1   osascript -e 1
        tclsh -   julia -e 1   elixir -e 1   octave --eval 1   deno eval 1   deno run x.ts
    ",
    );
    needs(3, "perl -w -e 1   node --no-warnings -e 1");
    needs(NEVER, "bun -e 1");
    never(
        "
        perl   perl -Mx -e 1   perl -i.bak -pe 1 f   perl -d:x f   perl -I lib x.pl   perl -ne1   perl ~1
        node   node -r x y.js   node --require=x y.js   node --import x y.js
        node --experimental-loader x y.js   node --env-file=x y.js   node --test   node --run x   ruby
        ruby -rx y.rb   ruby -Ilib x.rb   lua   lua -i   lua -lx y.lua   php   php -d x=y f.php
        php -S localhost:1   tclsh -- -x   tclsh   irb   ghci   dc   m4   sbcl
    ",
    );
    free(
        "
        perl x.pl   perl -w x.pl   perl -c x.pl   node x.js   node --check x.js   node --version   node -v
        ruby x.rb   ruby -w x.rb   lua x.lua   php x.php   php -l x.php   Rscript x.R   tclsh x.tcl
        node x.js -e 1   perl -v   m4 x.m4
    ",
    );
}

#[test]
fn a16_shells_that_are_fed() {
    never(
        "
        bash   sh   zsh   dash -e   bash --norc   bash -e -s   bash ~1   bash --rcfile x   fish   csh
        tcsh -f   cmd   pwsh
    ",
    );
    needs(2, "bash -s   bash -i   bash /dev/stdin   sh /dev/fd/3");
    needs(3, "bash -e /dev/stdin");
    free(
        "
        bash -c ls   bash x.sh   sh -e x.sh   bash --version   fish x.fish   fish -c ls   csh -c ls
        cmd /c dir   pwsh -c ls
    ",
    );
}

#[test]
fn a16_package_runners() {
    needs(
        2,
        "
        npm run build   npm run   npm test   npm t   npm start   npm exec x   npm install .   npm i   npm ci
        npm x y   npm   npx tsc   bunx x   uvx x   yarn   yarn build   pnpm build   pnpm dlx x   bun run x
        bun x.ts   cargo run   cargo test   cargo build   cargo r   cargo nextest run   go run x.go
        go test ./...   go generate   go tool x   pip install .   pip3 install x   uv run x   poetry run x
        pipx run x   docker run x   docker exec x sh   bundle exec x   dotnet run   terraform apply
        kubectl exec p -- sh   apt-get install x   xdg-open x   CARGO.EXE run
    ",
    );
    needs(3, "npx -y tsc   cargo +nightly test");
    needs(1, "make   make test   make -j4 test   gradle build   mvn test   just x");
    more_than_the_name(
        "
        npm --prefix d run x   npm ~1   npx   npx -c x   npx --call=x   npx -p x y   npx ~1   cargo ~1
        cargo --config x=y run   cargo metadata --config x   cargo --manifest-path x run   go test -exec ./e
        go build -toolexec ./e   go build -toolexec=./e   go vet -vettool=./e   npm run x --script-shell=./e
        pnpm -C d build   go env -w A=b
    ",
    );
    free(
        "
        npm ls   npm view x   npm --version   npm -v   cargo --version   go version   go list ./...   go build   pip list   pip show x   docker ps
        kubectl get pods   apt list   cargo fmt --check
    ",
    );
    // A project decides which yarn answers.
    needs(2, "yarn --version   yarn --help");
    never("yarn --cwd d run x   npm --prefix d run x");
}

#[test]
fn a15_make() {
    more_than_the_name(
        "
        make --eval x   make --eval=x   make --ev=x   make -f -   make -f-   make -f x   make --file=x
        make --makefile x   make -C d   make -kf x   make SHELL=./e   make CC=./e   make ~1   make -I d
        gmake --eval=x
    ",
    );
    needs(1, "make -j 4   make -n   make -- x");
}

#[test]
fn a15_other_machines() {
    more_than_the_name(
        "
        ssh -oProxyCommand=c h   ssh -o ProxyCommand=c h   ssh -F f h   ssh -p 22 h   ssh ~1
        ssh h -oProxyCommand=c   scp -S e a b   scp -o x a b   sftp -S e h   rsync -e ./e a b
        rsync -ave ./e a b   rsync -e./e a b   rsync --rsh=./e a b   rsync --rsh ./e a b
        rsync --rs=./e a b   rsync --rsync-path=x a b   rsync ~1 b   telnet h
    ",
    );
    needs(3, "ssh h uptime   ssh -T h");
    needs(2, "ssh h");
    needs(4, "ssh -T h ls -l");
    free("rsync -av a b   rsync --delete a b   rsync -- ~1 b   scp a b");
}

#[test]
fn a15_editors_and_pagers() {
    more_than_the_name(
        "
        vim -c ':!c'   vim x   vi   nvim +x   ed x   ex   emacs --batch   emacs x   gdb -ex 'shell c'
        gdb x   lldb   man -P c ls   man --pager=c ls   man --pag c ls   man -Pc ls   man -Hc ls
        less +!c x   less -k f x   more +x   crontab x   crontab -e   at now   tmux new c   logrotate f
        screen
    ",
    );
    free("man ls   less x   crontab -l   at -l   less -N x   vim --version   man -k x");
}

#[test]
fn a08_tar() {
    more_than_the_name(
        "
        tar xf a --checkpoint=1 --checkpoint-action=exec=c   tar -I ./e -cf o f   tar -cI ./e -f o f
        tar -cI./e -f o f   tar cIf ./e o f   tar --use-compress-program=./e -cf o f
        tar --use-comp ./e -cf o f   tar xf a --to-command=c   tar xf a --to-c c
        tar --rsh-command=c -xf h:a   tar -F c -xf a   tar -T f -cf o   tar --files-from=f -cf o
        bsdtar -I f -cf o   tar xf ~1   tar xf a ~n   tar -C -- --to-command=c -xf a
    ",
    );
    free(
        "
        tar tf a.tar   tar -xzf a.tar   tar xf a.tar -C d   tar --list -f a   tar -fI -t   tar tf ./~1
    ",
    );
}

#[test]
fn a12_a13_git() {
    never(
        "
        git -c alias.x=!c x   git -calias.x=!c x   git --config-env=alias.x=V x   git --exec-path=d status
        git ~1   git -C d -c x=y log   git ls-remote --upload-pack=c u   git ls-remote --upload-p c u
        git clone -u c u   git clone --upload-pack c u   git clone -c x=y u   git clone --config x=y u
        git clone ext::c   git fetch ext::c   git archive --remote=. --exec=c   git archive --exe=c
        git push --receive-pack=c   git rebase -x c main   git rebase --exec c main
        git rebase --exec=c main   git rebase -ix c main   git rebase -i main   git grep -Oc x
        git grep --open-files-in-pager=c x   git submodule -q foreach c   git clone ~1 d   git fetch ~n
        git remote add x ext::c
    ",
    );
    never(
        "git log ~1   git show --ext-diff~1   git diff --output=o~1   git stash show ~n   git merge ~1
         git cherry-pick --strategy=foo/x HEAD   git rebase -f -s foo/x HEAD   git merge -sfoo/x a   git pull --strat foo/x
         git revert -ns foo/x a   git bisect visualize merge-foo/x   git bisect view",
    );
    needs(
        3,
        "git diff --submodule=diff   git diff --ignore-submodules=none   git status --ignore-submodules=none
         git show --submod=diff   git grep --recurse-submodules x   git apply --unsafe-paths p",
    );
    needs(3, "git bisect run c   git submodule foreach c");
    needs(2, "git filter-branch x   git difftool   git config x y   git hook run x");
    needs(4, "git -C d filter-branch x");
    needs(1, "git-filter-branch x");
    needs(
        2,
        "git merge-index ./x -a   git mailinfo .git/config p   git merge-file a b c   git checkout-index --prefix=.git/ -a",
    );
    needs(
        3,
        "git log --output=.git/config   git diff --outp f   git show --output f   git init --template=d
         git clone --templ=d u   git interpret-trailers --in-place f",
    );
    never(
        "git clone u .git/hooks   git worktree add d/.GIT/x   git archive -o .git/config HEAD   git archive -o.git/x HEAD
         git bundle create .git/config HEAD   git format-patch --output-directory=.git/hooks",
    );
    free(
        "
        git   git status   git log -p -1   git --no-pager log   git diff -- f   git log --end-of-options ~1   git clone u
        git fetch -- ~1   git push   git rebase main   git commit -m x   git -C d status   git log --grep=x
        git diff --exit-code   git submodule update   git commit -c HEAD   git grep x   git bisect good
        git log --oneline   git merge -s ours a   git merge --strategy=ort a   git cherry-pick -x a   git rebase --no-ff a
        git diff --submodule=log   git diff --output-indicator-new=x   git worktree add ../x   git archive HEAD -o x.tar
        git clone u.git   git clone https://h/.github
    ",
    );
}

#[test]
fn a03_a04_and_others_that_can_be_told_to_run() {
    more_than_the_name(
        "
        rg --pre ./e p   rg --pre=./e p   rg --hostname-bin ./e p   sort --compress-program=./e
        sort --comp ./e f   split --filter=c f   zip -TT c a b   zip --unzip-command=c a b
        openssl engine x   openssl req -engine x   tcpdump -z c   curl -K f   curl -sK f u
        curl --config=f u   wget --use-askpass=c u   wget -e x=y u   nmap --script x h   nmap --script=x h
        nc -e sh h 1   ncat --sh-exec c h   gcc -wrapper x f.c   gcc -fplugin=x f.c   gcc @f
        rustc -Clinker=e f.rs   java -javaagent:x y   java -XX:OnError=c x   cmake -E env c   cmake -P f
        just -c x   ip netns exec n c   apt -o x=y list   systemctl edit x   sort ~1   curl ~n
        ctags --options=f x
    ",
    );
    free(
        "
        rg -n p   rg --pretty p   rg --pre-glob=x p   rg p -- --pre   sort -t : -k2 f   sort -nru
        sort -- ~1   sort ./~1   curl -s u   curl -ofileK u   wget u   zip a b   openssl version   gcc f.c
        java -jar x.jar   ip addr   systemctl status x   split f   nc h 1   ls -la   cat x   grep -e x y
        echo -c   jq . f
    ",
    );
}

#[test]
fn clients_of_databases() {
    never(
        r#"
        psql   psql db   psql -f x   psql -c '\! c'   psql -c 'copy t from program c'   mysql
        mysql -e 'system c'   mysql -e '\! c'   sqlite3   sqlite3 db   sqlite3 db '.shell c'
        sqlite3 db .system   sqlite3 -cmd x db   sqlite3 db 'select load_extension(1)'   sqlite3 db ~1
        psql -c ~1   psql -c x -f y   sqlite3 -init x db y   sqlite3 ~1 x
    "#,
    );
    free(
        "
        psql -c 'select 1' db   mysql -e 'select 1'   sqlite3 db 'select 1'   sqlite3 -json db 'select 1'
        psql --version
    ",
    );
}

#[test]
fn an_entry_that_names_an_option_and_its_value_covers_it_on_purpose() {
    needs(2, "make -f-   make --eval=x   make CC=gcc   sort --compress-program=e   pnpm list   git unknown");
    needs(
        3,
        "make -f x   make -kf x   make -j4 --file=x   rsync --rsh e   rsync -ave e   git -P unknown   cargo +x tree",
    );
    needs(5, "make -f x -C d   rsync -e e a --rsh=x   make --eval=x a -f y");
    never("make -f x ~1   tar cIf e o f   rsync -e e ~n");
}

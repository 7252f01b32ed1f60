//! The preset `build`.

use super::*;

const BUILDING: &str = r"
cargo build
cargo build --release
cargo b -p x --features a,b
cargo check --workspace --all-targets
cargo test
cargo test name -- --nocapture
cargo -q test
cargo clippy --all-targets -- -D warnings
cargo fmt --all --check
cargo run --bin x -- --flag
cargo nextest run -p x
cargo tree -i serde
cargo metadata --format-version 1 --no-deps
cargo add serde --features derive
npm ci
npm install
npm i -D typescript@5 @types/node
npm test
npm run build
npm run test -- --watch=false
npm ls
pnpm install --frozen-lockfile
pnpm run build
pnpm -r test
yarn
yarn install
yarn test
yarn run x
bun install
bun test
bun run build
go build ./...
go test ./... -run TestX -v
go test -race -count=1 ./a
go vet ./...
go mod tidy
go run .
go run ./cmd/x -flag
go fmt ./...
go list -m all
make
make test
make -j8 all
make -C sub CC=gcc
make -f build.mk x
pytest
pytest -xvs tests/test_a.py::test_b -k 'a and not b'
pytest --maxfail=1 --tb=short
ruff check .
ruff format --check
mypy src
eslint --fix src
tsc --noEmit
tsc -p .
prettier --check .
jest -t name
vitest run
mvn -q test
mvn -B clean verify -DskipTests
gradle build
./gradlew test --tests X
cmake --build build -j4
cmake -S . -B build
ninja -C build
ctest --test-dir build --output-on-failure
dotnet build -c Release
dotnet test --filter X
tox -e py312
";

#[test]
fn building_and_testing_is_allowed() {
    every_line_allowed("build", BUILDING);
}

const OTHER_CODE: &str = r"
cargo --config x build
cargo build --config x
cargo install x
cargo publish
cargo -Z x build
cargo -C /x build
cargo build --manifest-path /x/Cargo.toml
cargo add --path /x
cargo add --git u
cargo rustc -- -C linker=x
cargo login
cargo +x build
npm exec x
npx x
npm install ./x
npm i git+ssh://x
npm i https://x/y.tgz
npm i user/repo
npm install -g x
npm run x --script-shell=./e
npm --prefix /x test
npm config set a b
npm publish
npm test --node-options=x
pnpm dlx x
pnpm exec x
yarn dlx x
yarn exec x
yarn node x
bun -e x
bun x y
bunx y
bun run --preload x y
bun x.ts
go test -exec c ./...
go test --exec=c ./...
go build -toolexec c
go build -overlay=x
go build -ldflags=-extld=c
go generate
go run /tmp/x.go
go run ../x
go run -exec c .
go tool x
go env -w X=y
go vet -vettool=c
make --eval x
make --eval=x
make -E x
make -f -
make -f- x
make --file=/dev/stdin
make SHELL=./e
make 'CC=x;touch p'
make X!=c
make MAKEFLAGS=--eval=x
make -I /x
make '$(shell c)'
pytest -p evil
pytest -c f
pytest --rootdir=/x
pytest -o x=y
pytest --pdb
mypy --config-file x
mypy --python-executable x
eslint --config x
eslint -c x
eslint --rulesdir x
eslint --parser x
eslint --plugin x
eslint -f ./e.js
eslint --resolve-plugins-relative-to x
prettier --plugin x
prettier --config x
prettier --parser ./x.js
jest --config x
jest --globalSetup x
jest --reporters ./x
tsc --plugins x
mvn exec:java
mvn -Dexec=x test
mvn -s x test
mvn -f /x test
gradle -I x build
gradle -b x
gradle -p /x build
cmake -P x
cmake -E x
cmake -C x
cmake -DX=y -S .
ninja -f x
ninja -t browse
ctest -S x
dotnet run
dotnet fsi x
dotnet build -p:X=y
dotnet exec x
node -e x
node -e 1
node ../x.js
node /x.js
node -
node
node -r ./x y.js
python3
python3 -
python3 -c 1
python3 /x.py
python3 ../x.py
python3 -m http.server
python3 -m x
python3 -W error::x.y x.py
uv run python3 -c 1
uv run bash
uv run --with x pytest
poetry run sh -c x
npx -y evil
npx -p evil tsc
pip install https://x/y.whl
pip install git+https://x
pip install -i https://x y
pip install --index-url x y
pip install ../x
pip install /x
pip install -t / x
deno test -A
deno run x
just --justfile x
bazel run //x
bazel build --shell_executable=x //y
bash x
rustc x.rs
";

#[test]
fn the_callers_own_code_is_refused() {
    every_line_refused("build", OTHER_CODE);
}

#[test]
fn its_line_says_that_it_runs_the_projects_code() {
    assert!(preset("build").unwrap().about.contains("run the project's own code"));
}

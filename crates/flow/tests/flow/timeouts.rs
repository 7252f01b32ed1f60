//! How long an agent, its hooks and its steps may take.

use crate::gather_world::{Fake, World};
use runward_engine::config::{ConfigSource, Settings, Sources, load};
use runward_engine::{CommandSpec, Wish, host};
use runward_flow::FlowError;
use runward_flow::run::gather::Surroundings;
use runward_flow::run::{Agent, AgentFile, AgentInProgress, Outside, ReadyGround, SettledFile};
use runward_flow::words::take_ours;
use std::sync::Arc;
use std::time::Duration;

fn settings(text: &str) -> Settings {
    let user = Some(ConfigSource { file: "u.toml".to_owned(), text: text.to_owned() });
    load(&Sources { user, ..Sources::default() }).unwrap()
}

/// Everything that travels the road, the agent itself last.
async fn specs(front: &str, line: &str, configured: &str) -> Result<Vec<CommandSpec>, FlowError> {
    let world = World::new(&[]);
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let (ours, words) = take_ours(&words)?;
    let text = format!("---\n{front}\npre: one\n_steps: [{{id: s, run: go}}]\n---\nhi !`two`");
    let program = AgentFile::of_text("a.echo.md", &text, world.root())?;
    let SettledFile::Agent(agent) = Agent::settle(program, &ours, None, &settings(configured))? else {
        panic!("it is an agent")
    };
    let road = Arc::new(Fake::default());
    let surroundings = Arc::new(Surroundings::new(world.root(), Some(Arc::clone(&road))));
    let outside = Outside { words, stdin: None };
    let draft = AgentInProgress::of(*agent, outside, Arc::clone(&surroundings)).await?;
    let facts = host::probe().unwrap();
    let ready = draft.ready(&ReadyGround { facts: &facts, surroundings, record: None }).await?;
    let mut all = road.asked.lock().unwrap().clone();
    all.push(ready.spec());
    Ok(all)
}

/// The limits of the hook, the step, the inline command and the agent.
async fn walls(front: &str, line: &str, configured: &str) -> Vec<Wish<Duration>> {
    specs(front, line, configured).await.unwrap().iter().map(|spec| spec.limits.wall).collect()
}

const INLINE: Wish<Duration> = Wish::At(Duration::from_secs(30));

#[tokio::test]
async fn an_agent_has_no_time_limit_unless_somebody_says_so() {
    assert_eq!(walls("model: m", "", "").await, [Wish::Off, Wish::Off, INLINE, Wish::Off]);
    let configured = walls("model: m", "", "limits.timeout_ms = 5000").await;
    assert_eq!(configured, [Wish::Default, Wish::Default, INLINE, Wish::Default]);
}

#[tokio::test]
async fn the_file_says_how_long_and_the_command_line_counts_more() {
    let said = |seconds| Wish::At(Duration::from_secs(seconds));
    assert_eq!(walls("_timeout: 90", "", "").await, [said(90), said(90), INLINE, said(90)]);
    let typed = walls("_timeout: 90", "--_timeout 5m", "limits.timeout_ms = 5000").await;
    assert_eq!(typed, [said(300), said(300), INLINE, said(300)]);
    let error = specs("_timeout: soon", "", "").await.unwrap_err();
    assert_eq!(error.mark().unwrap().place(), "a.echo.md:2:1");
}

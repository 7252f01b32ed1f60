//! A network that is a list of hosts: listed names are reached without any variable, and nothing else is.
//!
//! There are no public addresses here. Names lead where the test says (`Names`), and addresses below 127.77 count as public.

mod carried;
mod refused;

use crate::ground::Ground;
use runward_core::network::HostList;
use runward_engine::host::UpstreamResolver;
use runward_engine::{CommandSpec, Mode, Network, Outcome, Receipt, Streams};
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// Where names lead, and which were asked for.
#[derive(Clone, Default)]
pub(crate) struct Names {
    known: HashMap<String, Vec<IpAddr>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Names {
    pub(crate) fn of(known: &[(&str, &[&str])]) -> Self {
        let addresses = |all: &[&str]| all.iter().map(|it| it.parse().unwrap()).collect();
        let known = known.iter().map(|(name, all)| ((*name).to_owned(), addresses(all))).collect();
        Self { known, asked: Arc::default() }
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl UpstreamResolver for Names {
    fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.lock().unwrap().push(host.to_owned());
        self.known.get(host).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn is_public(&self, address: IpAddr) -> bool {
        matches!(address, IpAddr::V4(address) if address.octets()[..2] == [127, 77])
    }
}

pub(crate) const PUBLIC: Ipv4Addr = Ipv4Addr::new(127, 77, 0, 1);

/// A server that serves each connection on a thread of its own.
pub(crate) fn serve(
    at: impl Into<IpAddr>,
    port: u16,
    each: impl Fn(TcpStream) + Clone + Send + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind(SocketAddr::new(at.into(), port)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, each) = (stream.unwrap(), each.clone());
            thread::spawn(move || each(stream));
        }
    });
    address
}

/// Says what it hears, in capitals, until the other side has said everything.
pub(crate) fn shout(mut stream: TcpStream) {
    let mut heard = Vec::new();
    if stream.read_to_end(&mut heard).is_ok() {
        heard.make_ascii_uppercase();
        let _ = stream.write_all(&heard);
    }
}

/// A command's end, and what it printed.
pub(crate) struct Ran {
    pub(crate) receipt: Receipt,
    pub(crate) said: String,
}

pub(crate) async fn run(hosts: &[&str], names: &Names, script: &str) -> Ran {
    run_in(Ground::new(Mode::ReadOnly), hosts, names, script).await
}

pub(crate) async fn run_in(mut ground: Ground, hosts: &[&str], names: &Names, script: &str) -> Ran {
    let hosts: Vec<String> = hosts.iter().map(|it| (*it).to_owned()).collect();
    ground.settings.network = Network::Hosts(HostList::parse(&hosts).unwrap());
    let engine = ground.builder().upstream(names.clone()).build().unwrap();
    let mut spec = CommandSpec::shell(script).timeout(testkit::LIMIT);
    for (name, value) in &ground.env {
        spec = spec.env(name, value);
    }
    spec.streams = Streams::Joined;
    let receipt = match engine.run(ground.request(&engine, spec)).await {
        Ok(Outcome::Ran(receipt)) => *receipt,
        other => panic!("did not run: {other:?}"),
    };
    let said = String::from_utf8(receipt.stdout.kept.bytes()).unwrap();
    Ran { receipt, said }
}

impl Ran {
    pub(crate) fn fine(self) -> Self {
        assert_eq!(self.receipt.end.exit_code(), 0, "{}", self.said);
        self
    }

    pub(crate) fn denied(&self) -> Vec<(String, u16, u64, String)> {
        let report = self.receipt.network.as_ref().unwrap();
        report.denied.iter().map(|it| (it.host.clone(), it.port, it.times, it.why.clone())).collect()
    }
}

/// A program for python that has a connection to `host:port` as `c`.
pub(crate) fn python(host: &str, port: u16, then: &str) -> String {
    format!(
        "python3 -c '\nimport socket as s, sys, time\nc = s.create_connection((\"{host}\", {port}), 20)\n{then}'"
    )
}

/// An address of this host that is not of its loopback.
pub(crate) fn own_address() -> IpAddr {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").unwrap();
    // Nothing is sent: the kernel says from where it would be.
    socket.connect("192.0.2.1:9").unwrap();
    socket.local_addr().unwrap().ip()
}

//! The name server of a command: every name gets an address that is made up, and a listener on it. Nobody else is asked.

use super::connection::Desk;
use super::listeners::Listeners;
use runward_core::network::dns_answer;
use std::rc::Rc;
use std::time::Duration;
use tokio::net::UdpSocket;

/// How long to wait before reading again what could not be read.
const AGAIN: Duration = Duration::from_millis(5);

/// Longer than any question by UDP.
const LONGEST: usize = 4096;

/// Answers, until everything ends.
pub(super) async fn answer(socket: UdpSocket, own: Rc<Listeners>, desk: Rc<Desk>) {
    let mut query = [0; LONGEST];
    loop {
        let Ok((len, from)) = socket.recv_from(&mut query).await else {
            // The answer to somebody else met no socket any more: that is told to the next who reads.
            tokio::time::sleep(AGAIN).await;
            continue;
        };
        let reply = dns_answer(&query[..len], &mut desk.made_up.borrow_mut());
        if let Some((address, name)) = &reply.given {
            // Before the answer: whoever has it connects at once.
            own.open(*address, name);
        }
        if let Some(bytes) = reply.bytes {
            // Who asked may be gone.
            let _ = socket.send_to(&bytes, from).await;
        }
    }
}

//! What became of each connection: their sum, and a record of each for as long as they are few. May not hold what was sent.

use crate::upstream::{MOST_RECORDS, RelayAccount};
use runward_core::network::{ConnectionDecision, ConnectionRecord, ConnectionTarget};
use std::cell::{Cell, RefCell};
use std::net::IpAddr;
use std::rc::Rc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// What a command's connections came to so far.
#[derive(Debug, Default)]
pub(super) struct Account(RefCell<RelayAccount>);

impl Account {
    /// Everything.
    pub(super) fn take(&self) -> RelayAccount {
        self.0.take()
    }

    fn add(&self, record: ConnectionRecord) {
        let mut account = self.0.borrow_mut();
        account.report.add(&record);
        if account.records.len() < MOST_RECORDS {
            account.records.push(record);
        } else {
            account.count(&record);
        }
    }
}

/// One connection's line, written when it is dropped: whatever ends a connection, there is a record of it.
pub(super) struct ConnectionLine {
    account: Rc<Account>,
    record: RefCell<ConnectionRecord>,
    begun: Instant,
    pub(super) sent: Cell<u64>,
    pub(super) received: Cell<u64>,
}

impl ConnectionLine {
    /// A connection to this target that was just accepted.
    pub(super) fn begin(account: &Rc<Account>, target: &ConnectionTarget, port: u16) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let record = ConnectionRecord {
            at: u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
            host: target.to_string(),
            port,
            address: None,
            entry: None,
            decision: ConnectionDecision::Failed,
            why: Some("the command ended first".to_owned()),
            sent: 0,
            received: 0,
            ms: 0,
        };
        Self {
            account: Rc::clone(account),
            record: RefCell::new(record),
            begun: Instant::now(),
            sent: Cell::new(0),
            received: Cell::new(0),
        }
    }

    /// By which entry it may go on.
    pub(super) fn entry(&self, text: &str) {
        self.record.borrow_mut().entry = Some(text.to_owned());
    }

    /// The address that it leads to.
    pub(super) fn address(&self, address: IpAddr) {
        self.record.borrow_mut().address = Some(address);
    }

    /// What was decided.
    pub(super) fn decided(&self, decision: ConnectionDecision, why: Option<String>) {
        let mut record = self.record.borrow_mut();
        (record.decision, record.why) = (decision, why);
    }
}

impl Drop for ConnectionLine {
    fn drop(&mut self) {
        let mut record = self.record.get_mut().clone();
        (record.sent, record.received) = (self.sent.get(), self.received.get());
        record.ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.account.add(record);
    }
}

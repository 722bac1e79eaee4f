//! The open connections of the server: how many there may be, and which one makes room.
//!
//! A connection that waits for a request costs its client nothing, so anybody can open many. If there are too many, of
//! one client or of all, the one that has waited longest is closed; a connection with a request in progress never is.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// Connections that are open at the same time.
const MAX_CONNECTIONS: usize = 256;

/// Connections of one address.
const MAX_CONNECTIONS_OF_PEER: usize = 128;

/// The open connections by their numbers.
#[derive(Debug, Default)]
pub(super) struct Connections(Mutex<OpenConnections>);

#[derive(Debug, Default)]
struct OpenConnections {
    next: u64,
    open: HashMap<u64, OpenConnection>,
}

#[derive(Debug)]
struct OpenConnection {
    peer: IpAddr,
    /// Since when it waits for a request; `None` while it has one.
    waits: Option<Instant>,
    close: Arc<Notify>,
}

/// A connection among the open ones; dropping it takes it out.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    connections: Arc<Connections>,
    number: u64,
    close: Arc<Notify>,
}

/// A request in progress; dropping it ends it.
#[derive(Debug)]
pub(super) struct RequestInProgress(Arc<ConnectionSlot>);

impl Connections {
    /// Takes in a connection from an address; `None` if there are too many that have a request.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Arc<ConnectionSlot>> {
        let mut list = self.lock();
        let of_peer = list.open.values().filter(|connection| connection.peer == peer).count();
        if of_peer >= MAX_CONNECTIONS_OF_PEER {
            list.make_room(|connection| connection.peer == peer)?;
        } else if list.open.len() >= MAX_CONNECTIONS {
            list.make_room(|_| true)?;
        }
        let (number, close) = (list.next, Arc::new(Notify::new()));
        list.next += 1;
        let connection = OpenConnection { peer, waits: Some(Instant::now()), close: Arc::clone(&close) };
        list.open.insert(number, connection);
        Some(Arc::new(ConnectionSlot { connections: Arc::clone(self), number, close }))
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_waiting(&self, number: u64, waits: Option<Instant>) {
        if let Some(connection) = self.lock().open.get_mut(&number) {
            connection.waits = waits;
        }
    }
}

impl OpenConnections {
    /// Closes the connection that has waited longest among those that qualify.
    fn make_room(&mut self, qualifies: impl Fn(&OpenConnection) -> bool) -> Option<()> {
        let waiting = self.open.iter().filter(|(_, connection)| qualifies(connection));
        let waiting = waiting.filter_map(|(number, connection)| Some((connection.waits?, *number)));
        let (_, number) = waiting.min()?;
        let closed = self.open.remove(&number)?;
        closed.close.notify_one();
        Some(())
    }
}

impl ConnectionSlot {
    /// A request has come.
    pub(super) fn begin_request(self: &Arc<Self>) -> RequestInProgress {
        self.connections.set_waiting(self.number, None);
        RequestInProgress(Arc::clone(self))
    }

    /// Ends when the connection has to make room.
    pub(super) async fn closed(&self) {
        self.close.notified().await;
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.connections.lock().open.remove(&self.number);
    }
}

impl Drop for RequestInProgress {
    fn drop(&mut self) {
        self.0.connections.set_waiting(self.0.number, Some(Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(number: u8) -> IpAddr {
        IpAddr::from([127, 0, 0, number])
    }

    #[test]
    fn the_connection_that_waits_longest_makes_room() {
        let connections = Arc::new(Connections::default());
        let first: Vec<_> =
            (0..MAX_CONNECTIONS_OF_PEER).map(|_| connections.admit(peer(1)).unwrap()).collect();
        let busy = first[0].begin_request();
        let _other = connections.admit(peer(2)).unwrap();
        assert_eq!(connections.lock().open.len(), MAX_CONNECTIONS_OF_PEER + 1);
        let _new = connections.admit(peer(1)).unwrap();
        let open = |number: usize| connections.lock().open.contains_key(&first[number].number);
        assert_eq!([open(0), open(1), open(2)], [true, false, true]);
        drop(busy);
        assert_eq!(connections.lock().open.len(), MAX_CONNECTIONS_OF_PEER + 1);
    }

    #[test]
    fn connections_with_requests_are_never_closed() {
        let connections = Arc::new(Connections::default());
        let open: Vec<_> = (0..MAX_CONNECTIONS)
            .map(|number| connections.admit(peer(number as u8 % 8)).unwrap().begin_request())
            .collect();
        assert!(connections.admit(peer(9)).is_none());
        drop(open);
        assert!(connections.admit(peer(9)).is_some());
        assert!(connections.lock().open.is_empty());
    }
}

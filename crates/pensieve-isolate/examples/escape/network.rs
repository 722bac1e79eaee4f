//! Other machines, daemons, and sockets without a name in the file system.

use crate::{Aims, Attempt, NamedAttempts, answer, call};
use std::io::{self, Write};
use std::net::{TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener, UnixStream};

pub const ATTEMPTS: NamedAttempts = &[
    ("tcp", |aims| of(TcpStream::connect(&aims["tcp"]).and_then(|mut to| to.write_all(b"out")))),
    ("udp", |aims| {
        of(UdpSocket::bind("127.0.0.1:0").and_then(|from| from.send_to(b"out", &aims["udp"]).map(drop)))
    }),
    ("unix-stream", |aims| of(UnixStream::connect(&aims["stream"]).and_then(|mut to| to.write_all(b"out")))),
    ("unix-datagram", |aims| {
        of(UnixDatagram::unbound().and_then(|from| from.send_to(b"out", &aims["datagram"]).map(drop)))
    }),
    ("pair-datagram", |aims| {
        of(UnixDatagram::pair().and_then(|(from, _to)| from.send_to(b"out", &aims["datagram"]).map(drop)))
    }),
    ("abstract-stream", |aims| {
        of(abstract_address(aims)
            .and_then(|to| UnixStream::connect_addr(&to))
            .and_then(|mut to| to.write_all(b"out")))
    }),
    ("listen-outside", listen),
    ("netlink", |_| socket(libc::AF_NETLINK, libc::SOCK_RAW, 0)),
    ("vsock", |_| socket(libc::AF_VSOCK, libc::SOCK_STREAM, 0)),
    ("packet", |_| socket(libc::AF_PACKET, libc::SOCK_RAW, 0)),
    ("raw", |_| socket(libc::AF_INET, libc::SOCK_RAW, 1)),
    ("internet-6", |_| socket(libc::AF_INET6, libc::SOCK_STREAM, 0)),
    ("bluetooth", |_| socket(31, libc::SOCK_STREAM, 0)),
    ("crypto", |_| socket(38, libc::SOCK_SEQPACKET, 0)),
];

fn of(result: io::Result<()>) -> Attempt {
    result.map(|()| "sent".to_owned()).map_err(|error| error.raw_os_error().unwrap_or_default())
}

/// Calls that do nothing may report success: what counts is the socket in the file system.
fn listen(aims: &Aims) -> Attempt {
    let path = format!("{}/listener", aims["outside"]);
    of(UnixListener::bind(&path).map(drop))?;
    std::fs::symlink_metadata(&path).map(|_| "listening".to_owned()).map_err(|_| libc::ENOENT)
}

fn abstract_address(aims: &Aims) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(aims["abstract"].as_bytes())
}

fn socket(family: i32, kind: i32, protocol: i32) -> Attempt {
    answer(call!(libc::SYS_socket, family, kind, protocol), "open")
}

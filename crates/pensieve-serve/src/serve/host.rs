//! The host names that a server answers to.
//!
//! A page of another site can make its own name point to 127.0.0.1 and then read the answers of a server there (DNS
//! rebinding). Its requests have that name in `Host`, so the server answers only to addresses, to `localhost` and to
//! the names of its options.

use axum::http::{HeaderMap, HeaderValue, Uri, header};
use std::net::{IpAddr, SocketAddr};

/// True if the request is meant for this server.
pub fn is_ours(uri: &Uri, headers: &HeaderMap, bound: SocketAddr, names: &[String]) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|value| value.to_str().ok());
    let is_only = hosts.next().is_none();
    // A target in absolute form takes precedence over `Host` (RFC 9112).
    let target = uri.authority().map(|authority| authority.as_str());
    let is_known = |host: &str| is_known(host, bound, names);
    is_only && host.is_some_and(is_known) && target.is_none_or(is_known)
}

/// True if no page of another site sent the request: browsers name the site of the page in `Origin`.
pub fn comes_from_us(headers: &HeaderMap, bound: SocketAddr, names: &[String]) -> bool {
    let is_ours = |value: &HeaderValue| {
        let site = value.to_str().ok().and_then(|origin| origin.split_once("://"));
        site.is_some_and(|(_, host)| is_known(host, bound, names))
    };
    headers.get_all(header::ORIGIN).iter().all(is_ours)
}

fn is_known(host: &str, bound: SocketAddr, names: &[String]) -> bool {
    let Some(name) = name_of(host) else { return false };
    match name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
        Ok(address) if bound.ip().is_loopback() => address.is_loopback(),
        Ok(_) => true,
        Err(_) => {
            name.eq_ignore_ascii_case("localhost")
                || names.iter().any(|known| known.eq_ignore_ascii_case(name))
        }
    }
}

/// The host without its port; `None` if it is not valid.
fn name_of(host: &str) -> Option<&str> {
    let end = match host.strip_prefix('[') {
        Some(_) => host.find(']')? + 1,
        None => host.find(':').unwrap_or(host.len()),
    };
    let (name, port) = host.split_at(end);
    let is_port = |port: &str| port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_sound = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
    (is_sound && !name.is_empty()).then_some(name.strip_suffix('.').unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bound: &str, host: &str, expected: bool) {
        let names = ["corpus.example".to_owned()];
        assert_eq!(is_known(host, bound.parse().unwrap(), &names), expected, "{host} at {bound}");
    }

    #[test]
    fn names_of_others_are_refused() {
        for host in [
            "127.0.0.1",
            "127.0.0.1:7474",
            "localhost:80",
            "LOCALHOST",
            "localhost.",
            "[::1]:7474",
            "127.9.9.9",
        ] {
            check("127.0.0.1:7474", host, true);
        }
        for host in [
            "evil.example",
            "evil.example:7474",
            "localhost.evil.example",
            "192.168.0.9",
            "0.0.0.0",
            "",
            ":80",
        ] {
            check("127.0.0.1:7474", host, false);
        }
        for host in [
            "127.0.0.1.evil.example",
            "127.0.0.1:7474@evil.example",
            "[::1",
            "localhost:x",
            "[::1].evil.example",
        ] {
            check("127.0.0.1:7474", host, false);
        }
        check("127.0.0.1:7474", "corpus.example:7474", true);
        check("0.0.0.0:7474", "192.168.0.9:7474", true);
        check("0.0.0.0:7474", "evil.example", false);
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let bound = "127.0.0.1:7474".parse().unwrap();
        let check = |origin: &str, expected: bool| {
            let headers = HeaderMap::from_iter([(header::ORIGIN, origin.parse().unwrap())]);
            assert_eq!(comes_from_us(&headers, bound, &[]), expected, "{origin}");
        };
        assert!(comes_from_us(&HeaderMap::new(), bound, &[]));
        check("http://localhost:7474", true);
        check("http://127.0.0.1:9", true);
        for other in ["https://evil.example", "null", "", "http://", "http://localhost.evil.example"] {
            check(other, false);
        }
    }

    #[test]
    fn a_request_names_one_host() {
        let bound = "127.0.0.1:7474".parse().unwrap();
        let check = |target: &str, hosts: &[&str], expected: bool| {
            let mut headers = HeaderMap::new();
            hosts.iter().for_each(|host| {
                headers.append(header::HOST, host.parse().unwrap());
            });
            assert_eq!(
                is_ours(&target.parse().unwrap(), &headers, bound, &[]),
                expected,
                "{target} {hosts:?}"
            );
        };
        check("/", &["localhost"], true);
        check("/", &[], false);
        check("/", &["localhost", "evil.example"], false);
        check("http://evil.example/", &["localhost"], false);
        check("http://localhost/", &["localhost"], true);
    }
}

//! Plays every bad converter: `converter MODE [WORDS...] INPUT`. The mode says what it does; the tests of `process`
//! say what must come of it. It stands alone, so that one call of rustc makes a program of it.

use std::env;
use std::fs;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::unix::ffi::OsStrExt;
use std::process::exit;
use std::thread::sleep;
use std::time::{Duration, Instant};

unsafe extern "C" {
    fn fork() -> i32;
    fn setsid() -> i32;
    fn signal(number: i32, handler: usize) -> usize;
    fn kill(pid: i32, number: i32) -> i32;
    fn getpid() -> i32;
}

const DEFAULT: usize = 0;
const IGNORE: usize = 1;
const LONG: Duration = Duration::from_secs(60);

fn main() {
    let words: Vec<String> = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let input = env::args_os().next_back().unwrap_or_default();
    let number = || words[1].parse::<i32>().expect("the second word is a number");
    match words.first().map(String::as_str) {
        Some("cat") => say(&fs::read(input).expect("the input can be read")),
        Some("argv") => env::args_os().skip(1).for_each(|word| {
            say(word.as_bytes());
            say(b"\n");
        }),
        Some("where") => {
            let folder = env::current_dir().expect("there is a folder");
            say(format!("{}\n{}\n", folder.display(), env::temp_dir().display()).as_bytes());
        }
        Some("silent") => {}
        Some("noisy") => noise(),
        Some("slow") => sleep(LONG),
        Some("stubborn") => ignoring(&[1, 2, 3, 15], || sleep(LONG)),
        Some("busy") => ignoring(&[24], spin),
        Some("exit") => fail(number()),
        Some("signal") => die(number()),
        Some("flood") => flood(&mut io::stdout()),
        Some("flood-stderr") => flood(&mut io::stderr()),
        Some("flood-file") => flood(&mut fs::File::create("flood").expect("the folder can be written")),
        Some("eat") => eat(number() as usize),
        Some("eat-together") => eat_together(number()),
        Some("stdin") => {
            let mut all = Vec::new();
            let count = io::stdin().read_to_end(&mut all).expect("stdin can be read");
            say(format!("{count} bytes\n").as_bytes());
        }
        Some("holder") => holder(),
        Some("daemon") => daemon(false),
        Some("daemons") => (0..20).for_each(|_| daemon(false)),
        Some("daemon-slow") => {
            daemon(false);
            sleep(LONG);
        }
        Some("hopper") => hopper(),
        Some("write") => write(&words[1]),
        Some("connect") => connect(&words[1]),
        other => panic!("unknown mode {other:?}"),
    }
}

fn say(bytes: &[u8]) {
    io::stdout().write_all(bytes).expect("stdout can be written");
}

fn noise() {
    eprintln!("first words");
    for line in 0..50_000 {
        eprintln!("warning {line}: this converter talks a lot");
    }
    eprintln!("last words");
    say(b"text\n");
}

fn fail(status: i32) {
    say(b"half a text");
    eprintln!("cannot read {}", env::args().next_back().unwrap_or_default());
    exit(status);
}

/// Rust catches some signals to tell an overflow of the stack; the system is to have them all.
fn die(number: i32) {
    unsafe {
        signal(number, DEFAULT);
        kill(getpid(), number);
    }
}

fn ignoring(signals: &[i32], act: impl Fn()) {
    for &number in signals {
        unsafe { signal(number, IGNORE) };
    }
    act();
}

fn spin() {
    let started = Instant::now();
    while started.elapsed() < LONG {
        std::hint::spin_loop();
    }
}

fn flood(out: &mut dyn Write) {
    let block = [b'x'; 65536];
    while out.write_all(&block).is_ok() {}
}

/// Touches so many MiB, and gives none back.
fn eat(mebibytes: usize) {
    let mut meals = Vec::new();
    for _ in 0..mebibytes {
        meals.push(vec![1u8; 1 << 20]);
    }
    say(format!("ate {}\n", meals.len()).as_bytes());
}

/// Eight processes, each of which stays below any limit.
fn eat_together(mebibytes: i32) {
    for _ in 0..8 {
        if unsafe { fork() } == 0 {
            let meal = vec![1u8; mebibytes as usize * (1 << 20) / 8];
            sleep(LONG);
            exit(meal[0].into());
        }
    }
    sleep(LONG);
}

/// Ends well, but leaves somebody behind who holds its pipes open.
fn holder() {
    if unsafe { fork() } == 0 {
        sleep(LONG);
        exit(0);
    }
    say(b"text\n");
}

/// Leaves its group and its parent. Unlike a real one it keeps the pipes, which is worse.
fn daemon(silent: bool) {
    if unsafe { fork() } == 0 {
        unsafe { setsid() };
        if unsafe { fork() } == 0 {
            sleep(LONG);
        }
        exit(0);
    }
    if !silent {
        say(b"text\n");
    }
}

/// Runs away from whoever looks for it: each process starts the next one, in a session of its own, and ends.
fn hopper() {
    say(b"text\n");
    if unsafe { fork() } != 0 {
        sleep(Duration::from_millis(100));
        return;
    }
    let started = Instant::now();
    while started.elapsed() < LONG {
        unsafe { setsid() };
        if unsafe { fork() } != 0 {
            exit(0);
        }
    }
}

fn write(path: &str) {
    match fs::write(path, b"written by a converter") {
        Ok(()) => say(b"written\n"),
        Err(error) => say(format!("{:?}\n", error.kind()).as_bytes()),
    }
}

fn connect(address: &str) {
    match TcpStream::connect(address) {
        Ok(_) => say(b"connected\n"),
        Err(error) => say(format!("{:?}\n", error.kind()).as_bytes()),
    }
}

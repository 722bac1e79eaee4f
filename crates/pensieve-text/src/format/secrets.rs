//! Credential stores and private keys: files that a person does not want in a corpus.
//!
//! They are known by their names, which the programs that write them decide, and private keys by what they begin with. Both
//! lists name places of secrets alone: text and code that talk about keys are documents.

use super::extension_of;
use memchr::memmem;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The MIME type of a private key in any of its text forms, whether it is read or not.
pub const KEY_MIME: &str = "application/x-pem-file";

/// Kinds of files, each with the ends of paths by which they are known, in lower case. A star stands for any part of a
/// name.
const STORES: &[(&str, &[&str])] = &[
    (
        "private key",
        &["id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "id_xmss", "*.ppk"],
    ),
    (
        "key store",
        &[
            "*.p12",
            "*.pfx",
            "*.jks",
            "*.keystore",
            "*.bks",
            "*.kdb",
            "*.kdbx",
            "*.psafe3",
            "*.keychain",
            "*.keychain-db",
            "*.agilekeychain/*/*/*",
            "*.opvault/*/*",
            "*.1pif",
            "wallet.dat",
            "*.keytab",
            "krb5cc_*",
            ".gnupg/private-keys-v1.d/*",
            "secring.gpg",
            "keyrings/*.keyring",
            "keyrings/user.keystore",
            "kwalletd/*.kwl",
            ".password-store/*.gpg",
            ".step/secrets/*",
        ],
    ),
    (
        "file of credentials",
        &[
            ".netrc",
            "_netrc",
            ".authinfo",
            ".git-credentials",
            ".gist",
            ".config/hub",
            "gh/hosts.yml",
            "glab-cli/config.yml",
            ".pgpass",
            "pgpass.conf",
            ".my.cnf",
            ".mylogin.cnf",
            ".aws/credentials",
            ".aws/sso/cache/*",
            ".aws/cli/cache/*",
            ".azure/accesstokens.json",
            ".azure/msal_token_cache.*",
            ".azure/service_principal_entries.*",
            "gcloud/application_default_credentials.json",
            "gcloud/credentials.db",
            "gcloud/access_tokens.db",
            "gcloud/legacy_credentials/*/*",
            ".docker/config.json",
            ".dockercfg",
            ".dockerconfigjson",
            ".kube/config",
            ".npmrc",
            ".pypirc",
            ".gem/credentials",
            ".cargo/credentials",
            ".cargo/credentials.toml",
            ".composer/auth.json",
            ".m2/settings.xml",
            ".m2/settings-security.xml",
            ".gradle/gradle.properties",
            ".nuget/nuget/nuget.config",
            ".terraformrc",
            "terraform.rc",
            ".terraform.d/credentials.tfrc.json",
            ".vault-token",
            ".htpasswd",
            ".s3cfg",
            ".boto",
            ".passwd-s3fs",
            ".smbcredentials",
            ".fetchmailrc",
            ".msmtprc",
            ".esmtprc",
            ".kaggle/kaggle.json",
            "huggingface/token",
            "huggingface/stored_tokens",
            ".databrickscfg",
            ".snowsql/config",
            "rclone/rclone.conf",
            ".rclone.conf",
            "doctl/config.yaml",
            ".fly/config.yml",
            "hcloud/cli.toml",
            ".circleci/cli.yml",
            ".netlify/config.json",
            "netlify/config.json",
            ".config/op/config",
            ".ovhrc",
            ".erlang.cookie",
            ".xauthority",
            "client_secret*.json",
            ".subversion/auth/svn.*/*",
            "subversion/auth/svn.*/*",
            ".cvspass",
            ".claude/.credentials.json",
            ".codex/auth.json",
            "github-copilot/hosts.json",
            "github-copilot/apps.json",
            "configstore/firebase-tools.json",
            ".pulumi/credentials.json",
            ".aliyun/config.json",
            ".oci/config",
            "scw/config.yaml",
            ".railway/config.json",
            "com.vercel.cli/auth.json",
            ".supabase/access-token",
            ".sentryclirc",
            ".travis/config.yml",
            ".ivy2/.credentials",
            ".sbt/.credentials",
            ".lein/credentials.clj",
            "filezilla/sitemanager.xml",
            "filezilla/recentservers.xml",
            "sftp-config.json",
            ".ftpconfig",
            ".purple/accounts.xml",
            "dbeaver/credentials-config.json",
            ".dbeaver/credentials-config.json",
            "bitwarden cli/data.json",
            ".davfs2/secrets",
            "ppp/*-secrets",
            "networkmanager/system-connections/*",
            ".offlineimaprc",
            ".getmail/getmailrc",
            ".near-credentials/*/*",
            ".config/solana/id.json",
            ".ethereum/keystore/*",
            "etc/shadow",
            "etc/gshadow",
            "security/opasswd",
        ],
    ),
    (
        "browser's store of cookies or passwords",
        &[
            "cookies.sqlite*",
            "cookies.txt",
            "cookies.binarycookies",
            "network/cookies",
            "default/cookies",
            "login data*",
            "logins.json",
            "key3.db",
            "key4.db",
            "signons.sqlite",
        ],
    ),
    (
        "history of commands",
        &[
            ".*_history",
            ".*-history",
            ".zhistory",
            ".histfile",
            ".rhistory",
            ".lesshst",
            ".viminfo",
            ".dbshell",
            "fish/fish_history",
            "consolehost_history.txt",
        ],
    ),
];

/// Extensions of files that hold keys and certificates, among them often a private key behind other parts.
const KEY_EXTENSIONS: &[&str] = &["pem", "key", "crt", "cer", "cert", "p8", "ovpn"];

/// A pattern with what its files are.
type Place = (&'static str, &'static str);

/// The patterns, by how their names are looked up.
#[derive(Default)]
struct Places {
    named: HashMap<&'static str, Vec<Place>>,
    /// Those whose name has a star.
    starred: Vec<Place>,
}

static PLACES: LazyLock<Places> = LazyLock::new(|| {
    let mut places = Places::default();
    let all = STORES.iter().flat_map(|(label, patterns)| patterns.iter().map(|pattern| (*label, *pattern)));
    for place in all {
        match last_part(place.1) {
            name if name.contains('*') => places.starred.push(place),
            name => places.named.entry(name).or_default().push(place),
        }
    }
    places
});

/// What a file is, by its path, if that is the place of secrets, with the pattern that says so.
///
/// Cost: well below a microsecond and mostly no memory; every file of a scan is asked.
pub(super) fn by_path(path: &str) -> Option<Place> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = match name.is_ascii() && !name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Borrowed(name),
        false => Cow::Owned(name.to_lowercase()),
    };
    let name = without_backup_mark(&name);
    let Places { named, starred } = &*PLACES;
    let starred = starred.iter().filter(|(_, pattern)| matches(name, last_part(pattern)));
    let mut places = named.get(name).into_iter().flatten().chain(starred);
    places.find(|(_, pattern)| lies_in(folder, pattern)).copied()
}

/// True for the path of a file that holds secrets, by its name alone.
pub fn is_place_of_secrets(path: &str) -> bool {
    by_path(path).is_some()
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// The name of the file of which this one is a copy: editors and administrators keep the one before.
fn without_backup_mark(name: &str) -> &str {
    let marks = [".bak", ".backup", ".old", ".orig", ".save", "~", "-"];
    marks.iter().find_map(|mark| name.strip_suffix(mark)).unwrap_or(name)
}

/// True if the last parts of a folder's path are those of a pattern, but for its name.
fn lies_in(folder: &str, pattern: &str) -> bool {
    let mut parts = folder.rsplit('/');
    let mut folders = pattern.rsplit('/').skip(1);
    folders.all(|wanted| parts.next().is_some_and(|part| matches(part, wanted)))
}

/// True for a name that a pattern with at most one star means, in letters of any case.
fn matches(name: &str, pattern: &str) -> bool {
    let (name, is_same) = (name.as_bytes(), <[u8]>::eq_ignore_ascii_case);
    match pattern.split_once('*') {
        None => is_same(name, pattern.as_bytes()),
        Some((start, end)) => {
            let middle = name.len().checked_sub(start.len() + end.len());
            middle.is_some_and(|middle| {
                is_same(&name[..start.len()], start.as_bytes())
                    && is_same(&name[start.len() + middle..], end.as_bytes())
            })
        }
    }
}

/// The kind of private key that a file of this name holds, by its first bytes.
///
/// Forms: RFC 7468 and PKCS #8 (PEM), OpenSSH's PROTOCOL.key, RFC 4716 (SSH2), PuTTY's appendix C, age's secret keys, and the
/// `private_key` of a service account's JSON.
pub(super) fn private_key(head: &[u8], filename: &str) -> Option<&'static str> {
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let first = start
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty() && !line.starts_with(b"#"))?;
    let is_pem = || first.starts_with(b"-----BEGIN ") || first.starts_with(b"Bag Attributes");
    let may_hold = || KEY_EXTENSIONS.contains(&extension_of(filename).as_str());
    let is_account = || first.starts_with(b"{") && has_member(start, b"\"private_key\"", b"\"-----BEGIN ");
    match () {
        () if first.starts_with(b"PuTTY-User-Key-File-") => Some("PuTTY private key"),
        () if first.starts_with(b"AGE-SECRET-KEY-1") => Some("age private key"),
        () if first.starts_with(b"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY") => Some("SSH2 private key"),
        () if (is_pem() || may_hold()) && has_private_block(start) => Some("private key"),
        () if is_account() => Some("service account with its private key"),
        () => None,
    }
}

/// True if a line begins a block with a private key.
fn has_private_block(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.any(|line| {
        let label = line.strip_prefix(b"-----BEGIN ");
        label.is_some_and(|label| memmem::find(label, b"PRIVATE KEY").is_some())
    })
}

/// True if JSON has a member of this name whose value begins so.
fn has_member(text: &[u8], name: &[u8], value: &[u8]) -> bool {
    memmem::find_iter(text, name).any(|at| {
        let rest = text[at + name.len()..].trim_ascii_start();
        rest.strip_prefix(b":").is_some_and(|rest| rest.trim_ascii_start().starts_with(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_are_known_by_the_ends_of_their_paths() {
        let check = |path: &str, expected: Option<&str>| {
            assert_eq!(by_path(path).map(|(_, pattern)| pattern), expected, "{path}");
        };
        check(".netrc", Some(".netrc"));
        check("home/a/.AWS/Credentials", Some(".aws/credentials"));
        check("credentials", None);
        check("aws/credentials", None);
        check("docs/credentials.md", None);
        check(".ssh/id_ed25519", Some("id_ed25519"));
        check(".ssh/id_ed25519.pub", None);
        check(".ssh/config", None);
        check(".bash_history", Some(".*_history"));
        check("a_history", None);
        check("history.md", None);
        check("b/x.P12", Some("*.p12"));
        check("x.p12.md", None);
        check("Profile 1/Login Data-journal", Some("login data*"));
        check(".config/gh/hosts.yml", Some("gh/hosts.yml"));
        check("cookies.md", None);
        check("recipes/cookies", None);
        check("etc/shadow-", Some("etc/shadow"));
        check("a/.netrc~", Some(".netrc"));
        check("id_rsa.bak", Some("id_rsa"));
        check("notes.bak", None);
        check(".subversion/auth/svn.simple/0a1b", Some(".subversion/auth/svn.*/*"));
        check("docs/svn.simple/a.md", None);
        check("etc/ppp/chap-secrets", Some("ppp/*-secrets"));
    }

    #[test]
    fn a_star_stands_for_any_part_of_a_name() {
        for (name, pattern, expected) in [
            ("ab", "a*b", true),
            ("a", "a*a", false),
            ("a.p12", "*.p12", true),
            (".p12", "*.p12", true),
            ("a", "a*", true),
            ("b", "a", false),
        ] {
            assert_eq!(matches(name, pattern), expected, "{name} {pattern}");
        }
    }

    #[test]
    fn private_keys_are_known_by_how_they_begin() {
        let check = |head: &str, filename: &str, expected: bool| {
            assert_eq!(private_key(head.as_bytes(), filename).is_some(), expected, "{filename}: {head}");
        };
        let key = "-----BEGIN RSA PRIVATE KEY-----\nMII\n";
        let certificate = "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n";
        check(key, "backup.txt", true);
        check("\u{feff}\n# of the server\n-----BEGIN OPENSSH PRIVATE KEY-----\r\n", "a", true);
        check("-----BEGIN PGP PRIVATE KEY BLOCK-----\n", "a.asc", true);
        check("-----BEGIN PGP PUBLIC KEY BLOCK-----\n", "a.asc", false);
        check(certificate, "a.pem", false);
        check(&format!("{certificate}{key}"), "a.txt", true);
        check(&format!("client\nremote x\n<key>\n{key}</key>\n"), "a.ovpn", true);
        check(&format!("A key looks like this:\n{key}"), "ssh.md", false);
        check(&format!("KEY = \"\"\"\n{key}\"\"\""), "test.py", false);
        check("PuTTY-User-Key-File-3: ssh-ed25519\n", "a.txt", true);
        check("# created: 2024\n# public key: age1\nAGE-SECRET-KEY-1Q\n", "key.txt", true);
        check("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n", "a", true);
        check("{\"type\": \"x\", \"private_key\" : \"-----BEGIN PRIVATE KEY-----\\n\"}", "a.json", true);
        check("{\"private_key\": null}", "a.json", false);
        check("", "a.pem", false);
    }
}

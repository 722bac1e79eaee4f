#!/usr/bin/env python3
"""Writes the mails of this folder. Python's standard library alone; the same bytes every time."""
import base64
import pathlib
import quopri

HERE = pathlib.Path(__file__).parent


def crlf(text, encoding="utf-8"):
    return text.replace("\n", "\r\n").encode(encoding)


def packed(data):
    return base64.encodebytes(data).decode()


def quoted(text, encoding="utf-8"):
    return quopri.encodestring(text.encode(encoding)).decode()


PLAIN = """From: Ada Example <ada@example.org>
To: "Brown, Bob" <bob@example.net>, carol@example.net
Cc: List <list@example.org>
Subject: Minutes of the meeting
Date: Tue, 3 Jun 2025 09:15:00 +0200
Message-ID: <minutes-1@example.org>
In-Reply-To: <agenda-1@example.org>
References: <call-1@example.org>
 <agenda-1@example.org>
List-Id: Minutes <minutes.example.org>
Content-Type: text/plain; charset=us-ascii; format=flowed

This paragraph was broken by the program that sent it, 
and flows when it is read.

> a quoted line that 
> flows as well
>> and a deeper one

# no heading, & no <tag>
See <http://example.org/a?b=1&amp;c> and <ada@example.org>.

-- 
Ada
"""

MIXED = """From: =?UTF-8?Q?J=C3=B6rg_M=C3=BCller?= <joerg@example.de>
To: =?utf-8?B?w4k=?= =?utf-8?B?bWlsZQ==?= <emile@example.fr>
Subject: =?utf-8?Q?=C3=9Cbersicht?=
 =?utf-8?Q?_f=C3=BCr_M=C3=A4rz?=
Date: Fri, 28 Mar 2025 23:59:59 GMT
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

For programs without MIME.
--outer
Content-Type: multipart/alternative; boundary="inner"

--inner
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

%s--inner
Content-Type: text/html; charset=utf-8

<p>The same as a <b>page</b>.</p>
--inner--
--outer
Content-Type: application/pdf
Content-Disposition: attachment; filename*0*=utf-8''%%C3%%9Cbersicht;
 filename*1*=%%20M%%C3%%A4rz; filename*2=.pdf
Content-Transfer-Encoding: base64

%s--outer
Content-Type: image/png; name="../dot.png"
Content-Disposition: inline
Content-ID: <dot@example>
Content-Transfer-Encoding: base64

%s--outer
Content-Type: text/plain; charset=iso-8859-1

A footer of the list.
--outer--
""" % (quoted("Grüße aus Köln: 3 € = 3 €.\n\nEin zweiter Absatz, der so lang ist, dass er umgebrochen werden muss.\n"),
       packed(b"%PDF-1.4 not really"), packed(b"\x89PNG\r\n\x1a\n"))

LATIN = """From: pedro@example.pt
Subject: =?koi8-r?B?8NLJ18XU?= e Ação
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: 8bit

Olá, a situação não é má.
Até amanhã: <b> e &eacute; são texto.
"""

PAGE = """From: news@example.com
To: reader@example.com
Subject: A page and nothing else
Content-Type: multipart/related; boundary=r; type="text/html"

--r
Content-Type: text/html; charset=windows-1252
Content-Transfer-Encoding: quoted-printable

%s
--r
Content-Type: image/gif
Content-ID: <logo>
Content-Transfer-Encoding: base64

%s--r--
""" % (quoted("<html><head><style>p { color: red }</style></head><body><h1>News</h1><p>Caf\xe9 <i>cr\xe8me</i>, "
              "<a href='http://example.com/'>order</a>.</p><ul><li>one<li>two</ul></body></html>", "cp1252"),
       packed(b"GIF89a"))

REPORT = """From: MAILER-DAEMON@example.org
To: ada@example.org
Subject: Undelivered
Content-Type: multipart/report; report-type=delivery-status; boundary=r

--r

The mail could not be delivered.
--r
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; nobody@example.net
Status: 5.1.1
--r
Content-Type: message/rfc822

From: ada@example.org
To: nobody@example.net
Subject: Hello

Are you there?
--r--
"""

DAMAGED = """From: a@example.org
Subject: Broken in
 many ways
this line is no field
Date: yesterday
To: b@example.org
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-16
Content-Transfer-Encoding: 7bit

One part, with a charset that is not its own.
--b
Content-Type: application/octet-stream; name="cut.bin"
Content-Transfer-Encoding: base64

AAECAwQFBgcICQoLDA0ODw
--b
Content-Type: text/plain
Content-Transfer-Encoding: quoted-printable

A last part=2C with =ZZ and no end"""

ENCRYPTED = """From: a@example.org
To: b@example.org
Subject: Secret
Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=e

--e
Content-Type: application/pgp-encrypted

Version: 1
--e
Content-Type: application/octet-stream; name="encrypted.asc"

-----BEGIN PGP MESSAGE-----
hQEMA
-----END PGP MESSAGE-----
--e--
"""


def der(tag, *content):
    body = b"".join(content)
    length = bytes([len(body)]) if len(body) < 128 else b"\x82" + len(body).to_bytes(2, "big")
    return bytes([tag]) + length + body


def signed(content):
    data = der(0x06, b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01")
    inner = der(0x30, data, der(0xa0, der(0x04, content)))
    body = der(0x30, der(0x02, b"\x01"), der(0x31), inner, der(0x31))
    return der(0x30, der(0x06, b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"), der(0xa0, body))


SIGNED = """From: a@example.org
Subject: Signed
Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m
Content-Transfer-Encoding: base64

%s""" % packed(signed(b"Content-Type: text/plain\r\n\r\nSigned words.\r\n"))

PLIST = '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>flags</key><integer>1</integer></dict></plist>\n'

QUOTES = """Subject: Re: The tower
From: Ann <ann@example.org>
To: Bob <bob@example.org>
Date: Tue, 6 Feb 2024 10:00:00 +0100
Message-ID: <answer@example.org>
In-Reply-To: <question@example.org>
References: <first@example.org>
 (the first one) <question@example.org>

On Monday Bob wrote:
> Is the tower open?
>> It was last year.
Yes, from nine o'clock.

-- 
Ann
"""

OUTLOOK = """Subject: RE: The tower
From: Ann <ann@example.org>
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain

This mail is a page. https://example.org/a/very/long/address/of/the/page/that/says/nothing
--b
Content-Type: text/html; charset=utf-8

<html><head><style>p { color: black }</style></head><body><div class="WordSection1">
<p class="MsoNormal">Yes, the tower is open from nine o'clock, and the path from the mill is dry again after all the rain
of the last weeks. Take the left one where the signs have gone.</p>
<div id="Signature"><p>Ann, keeper of the tower</p></div>
<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in">
<p class="MsoNormal"><b>From:</b> Bob<br><b>Sent:</b> Monday<br><b>To:</b> Ann<br><b>Subject:</b> The tower</p></div></div>
<p class="MsoNormal">Is the tower open?</p>
<blockquote type="cite"><p>It was last year.</p></blockquote>
</div></body></html>
--b--
"""

BROKEN = """Received: from somewhere
this line is no field
Subject: Behind it
From: Ann <ann@example.org>

Words.
"""

OUTSIDE = """Subject: Nothing inside
Content-Type: multipart/mixed; boundary=b

For programs that know no parts.
--b
--b--
The last words.
"""

ELSEWHERE = """Subject: Elsewhere
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/x-own

A kind of text that nobody knows.
--b
Content-Type: message/external-body; name="a.ps"; site="ftp.example.org"; access-type=anon-ftp; directory=pub

Content-Type: application/postscript

--b
Content-Type: multipart/alternative; boundary=c

--c

One text.
--c

Another text, which is no alternative.
--c--
--b--
"""

OLDER = """Subject: Files and markup of older programs
From: Ann <ann@example.org>
Date: Tue, 7 Mar 1995 10:00:00 +0000
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=us-ascii

The list is below.

begin 644 list.csv
59G)U:70L8V]U;G0*87!P;&5S+#,*
`
end

begin with it, and ask me if it has no end.

begin 600 cut.txt
M5&AI<R!F:6QE(&AA<R!B965N(&-U="!I;B!T:&4@;6ED9&QE(&]F(&ET<R!L
M87-T(&QI;F4N(%1H92!L:6YE<R!B969O<F4@:70@87)E(')E860L(&%N9"!S
--b
Content-Type: text/enriched

<bold>Bold words</bold> and <color><param>red</param>red
ones</color> in one paragraph.

A second line, 1 << 2.


<excerpt>What was said before,

in two lines.</excerpt>My answer.
<nofill>
one   two
three four
</nofill>
--b
Content-Type: text/richtext

A line,
the same,<nl>the next. <comment>Not shown.</comment><np>2 <lt> 3
--b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64

> QmFzZTY0IHRoYXQgd2FzIHF1b3Rl
> ZCBvbiBpdHMgd2F5Lgo=
--b--
"""

FILES = {
    "older.eml": OLDER.encode(),
    "quotes.eml": crlf(QUOTES),
    "outlook.eml": crlf(OUTLOOK),
    "broken.eml": BROKEN.encode(),
    "outside.eml": OUTSIDE.encode(),
    "elsewhere.eml": ELSEWHERE.encode(),
    "plain.eml": crlf(PLAIN),
    "mixed.eml": crlf(MIXED),
    "latin.eml": LATIN.encode("latin-1"),
    "page.eml": crlf(PAGE),
    "report.eml": REPORT.encode(),
    "damaged.eml": DAMAGED.encode(),
    "encrypted.eml": crlf(ENCRYPTED),
    "signed.eml": crlf(SIGNED),
    "apple.emlx": b"%-10d\n" % len(LATIN.encode("latin-1")) + LATIN.encode("latin-1") + PLIST.encode(),
}

for name, content in FILES.items():
    (HERE / name).write_bytes(content)

#!/usr/bin/env python3
"""Makes the books of this folder that are not written by hand; run it here. The same bytes come out every time."""
import zipfile

BOOK = """<?xml version="1.0" encoding="windows-1251"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<description><title-info><genre>prose_classic</genre>
<author><first-name>Анна</first-name><middle-name>И.</middle-name><last-name>Морская</last-name></author>
<book-title>Гавань</book-title><annotation><p>О кораблях.</p></annotation><keywords>море, порт</keywords>
<date value="1901-01-01">1901</date><lang>ru</lang><sequence name="Берега" number="2"/></title-info>
<publish-info><publisher>Причал</publisher><year>1902</year><isbn>000</isbn></publish-info></description>
<body><title><p>Гавань</p></title>
<epigraph><p>Вода помнит.</p><text-author>Моряк</text-author></epigraph>
<section id="s1"><title><p>Глава первая</p><p>Причал</p></title>
<p>Лодки пришли <emphasis>рано</emphasis><a l:href="#n1" type="note">[1]</a>,
а <strong>кран</strong> молчал. <a l:href="#s2">Дальше</a>.</p><empty-line/>
<poem><title><p>Песня</p></title><stanza><v>Раз волна,</v><v>два волна,</v></stanza><stanza><v>три.</v></stanza>
<text-author>Хор</text-author></poem><image l:href="#i.png" alt="Кран над водой"/>
<section id="s2"><title><p>Кран</p></title><cite><p>Он скрипит.</p></cite><subtitle>* * *</subtitle>
<table><tr><th>Судно</th><th>Тонн</th></tr><tr><td>Ада</td><td>40</td></tr></table></section></section></body>
<body name="notes"><title><p>Примечания</p></title><section id="n1"><title><p>1</p></title><p>Так говорят.</p>
<p>И не только.</p></section></body>
<binary id="i.png" content-type="image/png">iVBORw0KGgo=</binary></FictionBook>
"""

with open("book.fb2", "wb") as book:
    book.write(BOOK.encode("cp1251"))
with zipfile.ZipFile("packed.fb2.zip", "w") as package:
    info = zipfile.ZipInfo("harbour.fb2", (2020, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    package.writestr(info, "<FictionBook><body><section><title><p>One</p></title><p>Packed.</p></section></body></FictionBook>")

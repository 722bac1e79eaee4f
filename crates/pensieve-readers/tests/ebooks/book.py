#!/usr/bin/env python3
"""The book from which the fixtures of electronic books are made: `book.py OUT.epub OUT.txt`.

Writes an EPUB 2 with nested contents, and its words as plain text: the truth with which readers are compared.
Standard library only; the same bytes on every run. The text is ours.
"""

import html.parser
import sys
import zipfile

CHAPTERS = [
    ("preface", "Preface", 1, """
<h1>Preface</h1>
<p>This small book exists to be read by machines. Nobody was asked whether the weather in it is plausible, and the
harbour of Saltmere will be found on no chart. Its sentences are plain, its tables are short, and its names come from
many languages, because a reader of books must not care where a letter was born.</p>
<p>“What is the use of a book,” the keeper said, “that is opened once, by a program, and closed again?” — “It is used,”
I answered, ‘and that is more than most books can say.’</p>
<p>The chapters may be read in any order, although they are meant to be found in this one.</p>
"""),
    ("harbour", "Part One: The Harbour", 1, """
<h1>Part One: The Harbour</h1>
<p>In which the island is described, and the reasons for which people leave it.</p>
"""),
    ("lantern", "The Lantern", 2, """
<h2>The Lantern</h2>
<p>The lantern stood at the end of the north mole, forty steps above the water, and was lit every evening by Maren
Óskarsdóttir, who had counted the steps so often that she no longer believed in the number. It burned whale oil when her
grandmother was young, paraffin when her mother was, and now it was fed by a cable as thick as a wrist which came out of
the sea beside the slip and went back into it on the other side.</p>
<p>On calm nights one could see the light from Ærøskøbing, or so the fishermen claimed; on foggy nights one could not see
it from the bakery. A bell was rung then, by hand, twice a minute<a id="back1" href="notes.html#note1">[1]</a>. Maren
read while she rang, turning the pages with her left hand, and over eleven winters finished the whole of the municipal
library, including the <i>Proceedings of the Society for the Improvement of Ropes</i>, volumes one to nineteen.</p>
<p>She kept a list on the inside of the door:</p>
<ul>
<li>wicks, two dozen, though nothing has a wick any more;</li>
<li>soap and a brush for the panes;</li>
<li>tea — the smoky kind, not the green;</li>
<li>spare fuses, <b>never</b> to be lent to the harbour office.</li>
</ul>
<p>“The light,” she used to say, “is not there to be seen. It is there so that somebody notices when it is missing.”</p>
"""),
    ("tide", "The Tide Table", 2, """
<h2>The Tide Table</h2>
<p>Everything in Saltmere depended on the tide table that hung in the window of the chandler. It was printed on the
mainland by people who had never seen the bay, and it was wrong by a quarter of an hour in spring and by twenty minutes
in autumn. Children learned the correction before they learned to multiply.</p>
<table>
<tr><th>Day</th><th>High water</th><th>Low water</th><th>Height</th></tr>
<tr><td>Monday</td><td>04:12</td><td>10:31</td><td>3.2 m</td></tr>
<tr><td>Tuesday</td><td>05:03</td><td>11:19</td><td>3.4 m</td></tr>
<tr><td>Wednesday</td><td>05:51</td><td>12:08</td><td>3.7 m</td></tr>
<tr><td>Thursday</td><td>06:40</td><td>12:57</td><td>3.9 m</td></tr>
</table>
<h3>How to correct it</h3>
<p>The procedure is simple enough to be written down, which is why it never was:</p>
<ol>
<li>Take the printed time and forget the minutes.</li>
<li>Ask the oldest person on the quay, who will tell you about 1953.</li>
<li>Add a quarter of an hour for every cup of tea that you were given.</li>
<li>Go and look at the water.</li>
</ol>
<p>Visitors found this amusing until the afternoon when they walked back across the sands and met the sea coming the
other way. Then they found it instructive. A rowing boat was kept at the third marker for the instructed.</p>
<h3>What the numbers hide</h3>
<p>Between the columns there is a second table which nobody printed: who drowned, who was late for a wedding, who
arrived at the wrong house because the right one stood in water. The old harbourmaster knew it by heart and recited it
on Sundays, as other people recite the kings of England or the stations of the railway to Łódź.</p>
"""),
    ("ferry", "The Ferry", 2, """
<h2>The Ferry</h2>
<p>The ferry was called <i>Perseverance</i>, and crossed on Tuesdays and Fridays, wind permitting. Her captain, a
narrow man named Aurélien Bécquer, had been born in Cádiz, trained in Gdańsk and married in Reykjavík, and cursed in all
three harbours' languages with a preference for the second. He carried flour, post, brides, accordions, bees, and once a
bear in a crate on which somebody had painted the word <b>PIANO</b>.</p>
<blockquote><p>Passengers are requested not to speak to the captain while he is speaking to the sea.</p></blockquote>
<p>So said the board beside the wheel. It had been put there by the captain's wife, who knew which of the two was the
better listener. The crossing took fifty minutes with the tide and three hours against it; the price was the same, and
therefore the slow passage was held to be the better bargain.</p>
<p>When the engine failed, which it did at the same place every time, the passengers sang. The engineer maintained that
the engine failed in order to hear them. He kept a notebook with the dates, and a column for the songs, and he had found
that a waltz brought it back to life in half the time that a hymn needed<a id="back2" href="notes.html#note2">[2]</a>.</p>
"""),
    ("mainland", "Part Two: The Mainland", 1, """
<h1>Part Two: The Mainland</h1>
<p>In which letters arrive from places that are easier to spell in their own scripts.</p>
"""),
    ("letters", "Letters", 2, """
<h2>Letters</h2>
<p>The post lay in a basket at the chandler's, under the tide table, and was read by whoever waited for the rain to end.
This was not considered rude. A letter that nobody else had read was thought to be unlucky, like an unslept-in bed.</p>
<p>From Athens came a postcard with the single word Θάλασσα and no signature. From Saint Petersburg a long letter in
violet ink began «Дорогая Марен, снег лежит до самых окон, и мы читаем вслух», and went on for nine sheets about a stove.
A sailor sent a menu from Yokohama: 焼き魚定食, 味噌汁, お茶. The schoolteacher copied it onto the blackboard, and for a week
the children drew nothing but fish.</p>
<p>There was a bill from Tel Aviv, folded small, on which somebody had written תודה רבה, and a recipe from Alexandria that
began with خبز وملح and ended with a warning about the oven. The baker had them both framed. “Bread and salt,” he said,
“I can read in any alphabet.”</p>
<p>Prices were noted in the margin: £3, €12.50, ½ pound at 7¾, and a temperature of −4 °C. The chandler's cat, whose name
was Œdipe, slept on the ones that were not yet paid.</p>
"""),
    ("machine", "The Reading Machine", 2, """
<h2>The Reading Machine</h2>
<p>In the last year of the lantern a machine was delivered to the municipal library. It was the size of a wardrobe, and
it read. One put a book into the drawer, the machine hummed, and a strip of paper came out at the side on which stood
everything that the book had said, without its cover, its coffee stains, and the name of the girl who had borrowed it in
the summer of the great herring.</p>
<p>The librarian fed it cautiously. First came the small ones, the pocket editions, the novels in which only one thing
happens. The machine liked these. Then came those that were compressed by their publishers so that more of them fitted
into a suitcase, and the machine had to unfold them like maps. It dropped a page here and there, and was scolded. At last
came the sealed ones, of which the first leaf says that they may not be opened, and those it put back, unread, with a
note which named the seal.</p>
<p>Programs were kept in the basement. One of them is preserved:</p>
<pre>open the drawer
for each leaf:
    read it once
    keep what matters
close the drawer</pre>
<p>Maren came to see it on the day when the cable was cut and the lantern was dark for the first time in a hundred and
ninety years. She put the list from the inside of her door into the drawer. The machine hummed for a while. Then the strip
came out, and on it stood: wicks, soap, tea, fuses; and below, in smaller letters, because the machine had been told to
keep what matters, stood the marks that a bell leaves in the handwriting of someone who rings it twice a minute.</p>
<p>“It noticed,” said Maren.</p>
"""),
    ("archive", "The Archive of Fog", 2, """
<h2>The Archive of Fog</h2>
<p>Behind the customs house there was a room without windows in which the fog was kept. So the children were told, and
so they told it to their own. In fact the room held paper: four hundred and twelve ledgers in which the keepers of the
light had written, hour by hour, how far they could see. A line was ruled for every hour of the night. Where the ink had
run, the fog had been inside.</p>
<p>The ledgers were ordered by thickness, not by year. A student from Coimbra who came to write a thesis about visibility
spent her first summer putting them into sequence and her second putting them back, because nobody could find anything
any longer. Her name was Inês Ataíde; she stayed for nine years and married the third marker, as people said, for she
was seen beside it whenever the tide allowed.</p>
<p>From her notes one learns what the keepers meant by their words. <i>Thick</i> was when the bell could be heard but not
the rope seen. <i>Close</i> was when the hand at the rope could not be seen either. <i>Milk</i> stands eleven times, always
in March, and once with a question mark. On a single night of 1887 somebody wrote <i>gone</i>, and below it, an hour later
and in another hand, <i>back again</i>. Nobody has found out what it was.</p>
<p>She counted everything. The mean distance of sight in January was one mile and three quarters; in July it was six. The
best night of the whole record was the fourteenth of September 1911, on which the keeper noted a lit window in a house
beyond the strait, a woman at the window, and the title of the book that she was reading. The ledger was produced in
court, years afterwards, in a matter of inheritance, and was believed.</p>
<p>The state of the paper is described in four grades:</p>
<ul>
<li>sound, which may be lent to schools;
<ul>
<li>if the school is dry,</li>
<li>and if somebody from the archive may sit beside it;</li>
</ul></li>
<li>soft, which may be turned with two hands and without haste;</li>
<li>blown, which may be looked at;</li>
<li>remembered, of which only the entry in the catalogue is left.</li>
</ul>
<p>Most of the building has since been given to the museum, and the ledgers stand behind glass. But the room is still
called by its old name, and on grey mornings, when the porter unlocks it, he steps aside for a moment before he goes in,
as one does for somebody who is on the way out.</p>
"""),
    ("wages", "Wages and Weather", 2, """
<h2>Wages and Weather</h2>
<p>The keeper was paid by the quarter, in coin, at a desk in the harbour office which had been built for a taller clerk.
From the sum were taken: a penny for the widows, a penny for the rope, and the price of every pane that had been broken
by birds. Birds were the keeper's affair. In a bad October the whole quarter went in glass, and Maren's grandmother lived
on eider eggs and credit until the frost.</p>
<p>There were other wages. The bakers left a loaf on the lowest step, the herring boats a herring on the second, and the
priest, who was a practical man, a bag of nails. It was understood that nobody mentioned these. A new harbourmaster, come
from the capital with a moustache and a system, once had the steps swept every morning in order to see what would happen.
What happened was that the light was late, on the Tuesday by one minute, on the Wednesday by two, on the Thursday by four;
on the Friday the sweeping stopped. No word was spoken on either side.</p>
<p>When the light became electric, the office proposed that the keeper should become a switch. The proposal was calculated
to two decimal places. It was read aloud in the assembly, and then old Þorvaldur, who had not spoken in that hall since
the war, rose and asked one question: “Who will notice?” He sat down again. The clerk looked for the answer in his papers,
first in front of him, then below the desk. The motion was withdrawn before he came up.</p>
<p>So she was kept on, at a wage that was smaller than the bill for the cable, with the title of an observer. The forms did
not provide for what she observed. In the column for results she wrote, for thirty-one years, the same two words in a
round and patient hand, and sent them in on time, with a carbon copy for the archive: <b>still here</b>.</p>
<p>Weather was never paid for. But it was discussed as if it were, by the pound and by the yard, and the discussion was held
at the chandler's on the sacks nearest to the stove. One spoke of a cheap south-westerly, of a gale that was not worth its
price, of a calm that somebody would have to settle later. Strangers believed that they had walked into an auction. They
bought string, in order to have bought something, and left with the feeling of having been overcharged for the sky.</p>
"""),
    ("names", "What Things Are Called", 2, """
<h2>What Things Are Called</h2>
<p>A place that is small needs many names, or its people would run out of places. The beach below the slip is called the
Apron where it is sand, the Teeth where it is not, and Mother Agnes where both meet; why, is known to Agnes. The two rocks
before the mole are the Bailiffs, since they stand there twice a day and nobody is ever glad to see them. Boats have names
of women who were admired and rats the names of mayors.</p>
<p>The winds are fourteen. Seven are on the compass, and the mariner learns these; the other seven come round the corner of
the bakery, and everybody knows them: the Flour, the Widow, the Short One, the One that Whistles, Peter, the Return of
Peter, and the wind that has no name because it is not to be encouraged. On maps of the harbour authority it is marked by
a small blank.</p>
<p>Of the languages that were spoken on the quay, every one has left a word for rain. The Danish word is used for the rain
that begins, the Portuguese for the rain that has been promised, the Gaelic one for that which comes from below. The local
word means any rain that one has stopped noticing; it is also used for relatives, and, in the plural, for sermons.</p>
<p>The schoolteacher, Żaneta Đurić, collected all this on cards, and kept the cards in boxes that had held biscuits. She
corrected nothing. When two informants disagreed she made two cards, and when one informant disagreed with himself she put
a pebble on the card, so that the argument should not blow away. There were nineteen pebbles at the end. The boxes are the
best description of the island that exists, and they taste, the archivist maintains, very slightly of vanilla.</p>
"""),
    ("notes", "Notes", 1, """
<h1>Notes</h1>
<p id="note1">1. The rule required three strokes a minute. The difference was spent on reading. <a href="lantern.html#back1">Back</a></p>
<p id="note2">2. The notebook is kept in the museum of Saltmere, between the bear's crate and the second-best accordion.
<a href="ferry.html#back2">Back</a></p>
"""),
]

SUBHEADINGS = {"tide": [("How to correct it", "correct"), ("What the numbers hide", "hide")]}

TITLE = "The Lantern of Saltmere"
IDENTIFIER = "urn:isbn:9780000000002"


def page(name, title, body):
    for label, anchor in SUBHEADINGS.get(name, []):
        body = body.replace(f"<h3>{label}", f'<h3 id="{anchor}">{label}')
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en">'
        f"<head><title>{title}</title></head>\n<body>{body}</body></html>\n"
    )


def package():
    items = "".join(
        f'<item id="{name}" href="{name}.html" media-type="application/xhtml+xml"/>' for name, *_ in CHAPTERS
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name, *_ in CHAPTERS)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
<dc:title>{TITLE}</dc:title><dc:creator opf:role="aut">Ottilie Brandt</dc:creator>
<dc:creator opf:role="aut">Jón Ægisson</dc:creator><dc:language>en</dc:language>
<dc:publisher>Saltmere Press</dc:publisher><dc:date>2024-03-01</dc:date>
<dc:identifier id="id" opf:scheme="ISBN">{IDENTIFIER}</dc:identifier>
<dc:subject>Harbours</dc:subject><dc:subject>Reading</dc:subject>
<dc:description>A book about a light and a machine.</dc:description>
</metadata>
<manifest><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>{items}</manifest>
<spine toc="ncx">{spine}</spine>
</package>
"""


def contents():
    points, order, level = [], 0, 0

    def point(label, target):
        nonlocal order
        order += 1
        return (
            f'<navPoint id="p{order}" playOrder="{order}"><navLabel><text>{label}</text></navLabel>'
            f'<content src="{target}"/>'
        )

    for name, title, depth, _ in CHAPTERS:
        points.append("</navPoint>" * (level - depth + 1))
        points.append(point(title, f"{name}.html"))
        for label, anchor in SUBHEADINGS.get(name, []):
            points.append(point(label, f"{name}.html#{anchor}") + "</navPoint>")
        level = depth
    points.append("</navPoint>" * level)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">'
        f'<head><meta name="dtb:uid" content="{IDENTIFIER}"/></head><docTitle><text>{TITLE}</text></docTitle>'
        f'<navMap>{"".join(points)}</navMap></ncx>\n'
    )


class Words(html.parser.HTMLParser):
    """What a page says, line by line."""

    def __init__(self):
        super().__init__()
        self.text = []

    def handle_starttag(self, tag, attrs):
        if tag in ("p", "li", "h1", "h2", "h3", "tr", "td", "th", "pre", "ul", "ol"):
            self.text.append("\n")

    def handle_data(self, data):
        self.text.append(data)


def main():
    epub, truth = sys.argv[1:]
    with zipfile.ZipFile(epub, "w") as book:

        def add(name, content, method=zipfile.ZIP_DEFLATED):
            entry = zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0))
            entry.compress_type = method
            book.writestr(entry, content)

        add("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        add(
            "META-INF/container.xml",
            '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles>'
            "</container>",
        )
        add("book.opf", package())
        add("toc.ncx", contents())
        for name, title, _, body in CHAPTERS:
            add(f"{name}.html", page(name, title, body))
    words = Words()
    for *_, body in CHAPTERS:
        words.feed(body)
    with open(truth, "w", encoding="utf-8") as out:
        out.write("".join(words.text))


if __name__ == "__main__":
    main()

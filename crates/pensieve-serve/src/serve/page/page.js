// What pages do with scripts; without them every form and link works too.
"use strict";

// `/` leads to the search box, on pages without one to the page of search.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  event.preventDefault();
  const box = document.querySelector("input[type=search], #question");
  if (box) {
    box.focus();
    box.select();
  } else {
    location.href = "/search";
  }
});

// What happens without a new page is said to people who cannot see it, in an element that is there before its text.
const announce = (() => {
  const status = document.createElement("p");
  status.className = "hidden";
  status.setAttribute("role", "status");
  document.querySelector("main")?.append(status);
  return (text) => (status.textContent = text);
})();

// Buttons that copy text: their own, or that of another element.
(() => {
  const copied = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
    // Browsers have a clipboard for scripts only on this machine or with TLS; elsewhere the selection is copied.
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "hidden";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };

  for (const button of document.querySelectorAll("[data-copy], [data-copy-of]")) {
    const name = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copyOf);
      const done = await copied(source ? source.textContent : button.dataset.copy);
      button.textContent = announce(done ? "Copied" : "The browser does not allow it");
      button.focus();
      setTimeout(() => {
        button.textContent = name;
        announce("");
      }, 2000);
    });
  }
})();

// Search while typing: the page that the form leads to is fetched, and its results replace those that are shown.
(() => {
  const form = document.querySelector("form[data-live]");
  const results = document.getElementById("results");
  if (!form || !results) return;
  let timer, running;

  // While a word is typed it may be unfinished: chunks with words that begin with it are found too.
  const address = (isTyping) => {
    const values = [...new FormData(form)].filter(([, value]) => value.trim() !== "");
    if (isTyping && values.length) values.push(["last_word", "prefix"]);
    const query = new URLSearchParams(values).toString();
    return query ? `${form.getAttribute("action")}?${query}` : form.getAttribute("action");
  };

  const show = async (isTyping) => {
    running?.abort();
    const request = (running = new AbortController());
    results.classList.add("waits");
    try {
      const answer = await fetch(address(isTyping), { signal: request.signal, headers: { accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.getElementById("results");
      if (!found) throw new Error(`${answer.status}`);
      results.replaceChildren(...document.importNode(found, true).childNodes);
      announce([...results.querySelectorAll(".count > span, .note, .alert")].map((one) => one.textContent).join(". "));
      document.title = page.title;
      history.replaceState(null, "", address(false));
    } catch (error) {
      if (error.name === "AbortError") return;
      const line = document.createElement("p");
      line.className = "alert";
      line.setAttribute("role", "alert");
      line.textContent = "The server does not answer.";
      results.replaceChildren(line);
    }
    results.classList.remove("waits");
  };

  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, 180, true);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    show(false);
  });
})();

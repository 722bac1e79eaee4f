// Search while typing. Without this script the form works as a plain form; with it, the page that the form leads to is
// fetched, and its results replace those that are shown.
"use strict";
(() => {
  const form = document.querySelector("form[data-live]");
  const results = document.getElementById("results");
  if (!form || !results) return;
  let timer, running;

  const address = () => {
    const values = [...new FormData(form)].filter(([, value]) => value.trim() !== "");
    const query = new URLSearchParams(values).toString();
    return query ? `${form.getAttribute("action")}?${query}` : form.getAttribute("action");
  };

  const show = async () => {
    const target = address();
    running?.abort();
    running = new AbortController();
    results.classList.add("waits");
    try {
      const answer = await fetch(target, { signal: running.signal, headers: { accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.getElementById("results");
      if (!found) throw new Error(`${answer.status}`);
      results.replaceChildren(...document.importNode(found, true).childNodes);
      document.title = page.title;
      history.replaceState(null, "", target);
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
    timer = setTimeout(show, 180);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    show();
  });
})();

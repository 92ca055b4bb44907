// The site in a browser: colors, and the search. The index is a script, so that it loads from files as well.
(() => {
  const root = document.documentElement;
  const key = "foreclaim.theme";
  const stored = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const given = stored();
  if (given === "dark" || given === "light") root.dataset.theme = given;

  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      const isDark = root.dataset.theme
        ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = isDark ? "light" : "dark";
      try {
        localStorage.setItem(key, root.dataset.theme);
      } catch {
        // Then it is for this page.
      }
    });
    const menu = document.querySelector(".menu");
    if (menu) menu.open = matchMedia("(min-width: 60rem)").matches;
    search();
  });

  function search() {
    const field = document.getElementById("search");
    const list = document.getElementById("found");
    const count = document.getElementById("found-count");
    let index;
    let at = -1;

    const load = () => {
      index ??= new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = `${root.dataset.base}/assets/search-index.js`;
        script.onload = () => resolve(self.searchIndex);
        script.onerror = reject;
        document.head.append(script);
      });
      return index;
    };
    const close = () => {
      list.hidden = true;
      at = -1;
      field.setAttribute("aria-expanded", "false");
      field.removeAttribute("aria-activedescendant");
    };
    const show = async () => {
      const asked = field.value;
      const words = asked.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
      if (words.length === 0) {
        count.textContent = "";
        return close();
      }
      const sections = await load();
      if (field.value !== asked) return;
      const found = ranked(sections, words);
      list.replaceChildren(...found.map((one, i) => item(one, words, i)));
      if (found.length === 0) list.append(nothing());
      list.hidden = false;
      at = -1;
      field.setAttribute("aria-expanded", "true");
      count.textContent = found.length === 1 ? "1 result" : `${found.length} results`;
    };
    const move = (by) => {
      const options = [...list.querySelectorAll("a")];
      if (options.length === 0) return;
      at = (at + by + options.length) % options.length;
      for (const [i, option] of options.entries()) option.setAttribute("aria-selected", String(i === at));
      options[at].scrollIntoView({ block: "nearest" });
      field.setAttribute("aria-activedescendant", options[at].id);
    };

    field.addEventListener("focus", () => load().catch(() => {}), { once: true });
    field.addEventListener("input", () => void show());
    field.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") move(1);
      else if (event.key === "ArrowUp") move(-1);
      else if (event.key === "Escape") close();
      else if (event.key === "Enter") (list.querySelectorAll("a")[Math.max(0, at)] ?? field).click();
      else return;
      if (event.key !== "Escape") event.preventDefault();
    });
    addEventListener("click", (event) => {
      if (!event.target.closest(".search")) close();
      else if (event.target.closest("#found a")) close();
    });
    addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.matches("input, textarea, select")) return;
      event.preventDefault();
      field.focus();
    });
  }

  /** LIMIT: of results that are shown. */
  const most = 20;

  function ranked(sections, words) {
    const found = [];
    for (const [url, page, heading, text] of sections) {
      const inPage = page.toLowerCase();
      const inHeading = heading.toLowerCase();
      const inText = text.toLowerCase();
      let score = 0;
      for (const word of words) {
        const here =
          (inHeading === word ? 60 : inHeading.startsWith(word) ? 30 : inHeading.includes(word) ? 20 : 0) +
          (inPage.includes(word) ? 8 : 0) +
          (inText.includes(word) ? 3 : 0);
        if (here === 0) {
          score = 0;
          break;
        }
        score += here;
      }
      if (score > 0) found.push({ url, page, heading, text, score });
    }
    return found.sort((a, b) => b.score - a.score).slice(0, most);
  }

  function item({ url, page, heading, text }, words, i) {
    const link = document.createElement("a");
    link.href = `${root.dataset.base}/${url}`;
    link.id = `found-${i}`;
    link.className = "hit";
    link.setAttribute("role", "option");
    link.setAttribute("aria-selected", "false");
    const title = document.createElement("strong");
    title.textContent = heading === "" || heading === page ? page : `${heading} · ${page}`;
    const excerpt = document.createElement("span");
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 40);
    excerpt.textContent = `${at > 0 ? "… " : ""}${text.slice(at, at + 140)}`;
    link.append(title, excerpt);
    const row = document.createElement("li");
    row.setAttribute("role", "presentation");
    row.append(link);
    return row;
  }

  function nothing() {
    const row = document.createElement("li");
    row.className = "nothing";
    row.textContent = "Nothing was found.";
    return row;
  }
})();

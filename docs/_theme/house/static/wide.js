// What is wider than its place can be scrolled: by the keyboard too, and with a name for those who do not see it.
(() => {
  const russian = document.documentElement.lang === "ru";
  const mark = () => {
    for (const one of document.querySelectorAll("main pre, main .wide")) {
      const wide = one.scrollWidth > one.clientWidth;
      if (wide) {
        one.tabIndex = 0;
        one.setAttribute("role", "group");
        one.setAttribute("aria-label", russian ? "прокручивается вбок" : "scrolls sideways");
      } else {
        for (const name of ["tabindex", "role", "aria-label"]) one.removeAttribute(name);
      }
    }
  };
  for (const table of document.querySelectorAll("main table")) {
    const around = document.createElement("div");
    around.className = "wide";
    table.replaceWith(around);
    around.append(table);
  }
  // The list of all pages is open where there is room for it.
  const list = document.querySelector("nav > details");
  const roomy = matchMedia("(min-width: 64rem)");
  const unfold = () => { list.open = roomy.matches; };
  roomy.addEventListener("change", unfold);
  unfold();
  addEventListener("resize", mark);
  mark();
})();

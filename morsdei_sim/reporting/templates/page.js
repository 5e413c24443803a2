(function () {
  "use strict";
  // What a cell is worth: "−1,25 (…)", "<0.1 %" and "1 000" are numbers; "—" is none.
  function worth(cell) {
    var text = cell.textContent.trim().replace(/[\u00a0\u202f\s]/g, " ").replace("\u2212", "-").replace(/^[<>+]/, "");
    var found = /^-?\d[\d ]*(?:[.,]\d+)?/.exec(text);
    return found ? parseFloat(found[0].replace(/ /g, "").replace(",", ".")) : null;
  }
  function sort(table, column, numeric, heading) {
    var down = heading.getAttribute("aria-sort") === (numeric ? "descending" : "ascending");
    var sign = numeric === down ? 1 : -1;
    var body = table.tBodies[0];
    var keyed = Array.prototype.map.call(body.rows, function (row, place) {
      var cell = row.cells[column];
      return { row: row, place: place, key: numeric ? worth(cell) : cell.textContent };
    });
    keyed.sort(function (a, b) {
      if (a.key === null || b.key === null) { return (a.key === null) - (b.key === null) || a.place - b.place; }
      var order = numeric ? a.key - b.key : a.key.localeCompare(b.key, table.closest("[lang]").lang, { numeric: true });
      return sign * order || a.place - b.place;
    });
    keyed.forEach(function (one) { body.appendChild(one.row); });
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (cell) { cell.removeAttribute("aria-sort"); });
    heading.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  }
  function prepare(table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (heading, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      heading.textContent = "";
      heading.appendChild(button);
      button.addEventListener("click", function () { sort(table, column, heading.classList.contains("n"), heading); });
    });
    if (table.tBodies[0].rows.length < 12) { return; }
    var label = document.createElement("label"), input = document.createElement("input");
    label.className = "filter";
    label.textContent = table.dataset.filter + " ";
    input.type = "search";
    label.appendChild(input);
    table.closest(".tall").before(label);
    input.addEventListener("input", function () {
      var words = input.value.toLocaleLowerCase().split(/\s+/);
      Array.prototype.forEach.call(table.tBodies[0].rows, function (row) {
        var text = row.textContent.toLocaleLowerCase();
        row.hidden = !words.every(function (word) { return text.indexOf(word) >= 0; });
      });
    });
  }
  // A finger cannot rest on a cell: what a pointer would be shown is written below the table.
  function tell(table) {
    var line = document.createElement("p");
    line.className = "small";
    line.setAttribute("role", "status");
    table.closest(".scroll").after(line);
    table.addEventListener("click", function (event) {
      var cell = event.target.closest("[title]");
      if (cell) { line.textContent = cell.title; }
    });
  }
  // The address remembers the language: #ru, or #ru-damage for a part of the page.
  var switcher = document.querySelector(".tongues");
  var editions = Array.prototype.slice.call(document.querySelectorAll(".edition"));
  function speak(edition) {
    editions.forEach(function (one) { one.hidden = one !== edition; });
    document.documentElement.lang = edition.lang;
    document.title = edition.dataset.title;
    Array.prototype.forEach.call(switcher.children, function (button) {
      button.setAttribute("aria-pressed", String(button.lang === edition.lang));
    });
  }
  function follow() {
    var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    var edition = target && target.closest(".edition");
    if (edition && edition.hidden) { speak(edition); target.scrollIntoView(); }
  }
  // The part of the page that is being read; "" above the first.
  function part() {
    var read = Array.prototype.filter.call(document.querySelectorAll(".edition:not([hidden]) section[id]"), function (one) {
      return one.getBoundingClientRect().top < 0.3 * innerHeight;
    }).pop();
    return read && scrollY > 0 ? read.id.slice(2) : "";
  }
  switcher.addEventListener("click", function (event) {
    var button = event.target.closest("button");
    if (button) { location.hash = button.lang + part(); }
  });
  window.addEventListener("hashchange", follow);
  // In a notebook the page stands in a frame without an address, where a link would lead to the notebook's own.
  if (location.protocol === "about:") {
    document.addEventListener("click", function (event) {
      var link = event.target.closest('a[href^="#"]');
      if (link) { event.preventDefault(); location.hash = link.getAttribute("href"); }
    });
  }
  switcher.hidden = false;
  follow();
  Array.prototype.forEach.call(document.querySelectorAll("table.list"), prepare);
  Array.prototype.forEach.call(document.querySelectorAll("table.heat"), tell);
}());

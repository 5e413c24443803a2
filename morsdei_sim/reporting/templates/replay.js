(() => {
  "use strict";
  // ── the rules of the log: the state after k events is a pure function of the log and k ─────────────────────────────
  const EVERY = 24; // events between two kept states
  function begin(head) {
    return {
      round: 0, first: -1, zones: [-1, -1], active: -1, apl: 0, stock: 0, vp: [0, 0], over: null,
      loot: head.board.loot.map(() => [0, 0]),
      fighters: head.fighters.map((card) => (
        { at: null, hp: card.hp, done: 0, prone: 0, watch: -1, contract: 0, aim: -1, gone: 0 })),
    };
  }
  function rest(state) {
    state.active = -1;
    state.apl = 0;
    state.stock = 0;
  }
  const AFTER = {
    "zones"(state, event) { state.zones[event.winner] = event.zone; state.zones[1 - event.winner] = 1 - event.zone; },
    "set-up"(state, event) { state.fighters[event.fighter].at = event.at; },
    "starts"(state, event) { state.first = event.first; },
    "round"(state, event) {
      state.first = event.first;
      state.loot.forEach((marks) => marks.fill(0));
      state.fighters.forEach((fighter) => { fighter.done = 0; fighter.contract = 0; });
    },
    "activated"(state, event) {
      const fighter = state.fighters[event.fighter];
      state.active = event.fighter;
      state.apl = state.stock = event.apl;
      fighter.watch = -1;
      if (event.debt) { fighter.prone = 0; }
    },
    "moved"(state, event, rules) {
      state.fighters[event.fighter].at = event.path[event.path.length - 1];
      if (event.action !== "contract") { state.apl -= event.action === "move" ? 1 : rules.fall_back_apl; }
    },
    "aimed"(state, event) { state.fighters[event.fighter].aim = event.weapon; state.apl -= 1; },
    "watches"(state, event) { state.fighters[event.fighter].watch = event.weapon; state.apl -= 1; },
    "looted"(state, event, rules, head) {
      state.loot[event.point][head.fighters[event.fighter].side] = 1;
      state.vp = event.vp;
      state.apl -= rules.loot_apl;
    },
    "shot"(state, event) {
      const fighter = state.fighters[event.fighter], target = state.fighters[event.target];
      if (event.how === "overwatch") { fighter.watch = -1; }
      if (event.how === "action") {
        state.apl -= 1;
        fighter.aim = -1; // RULING 28: whatever the weapon
      }
      target.hp = event.hp;
      if (event.goes_prone) { target.prone = 1; }
    },
    "exchange"(state, event) {
      if (event.how === "action") { state.apl -= 1; }
      state.fighters[event.fighter].hp = event.hp[0];
      state.fighters[event.enemy].hp = event.hp[1];
    },
    "marker-lost"(state, event) { state.fighters[event.fighter].watch = -1; },
    "removed"(state, event) {
      const fighter = state.fighters[event.fighter];
      Object.assign(fighter, { gone: 1, prone: 0, watch: -1, aim: -1, hp: Math.min(0, fighter.hp) });
      if (state.active === event.fighter) { rest(state); }
    },
    "finished"(state, event) {
      const fighter = state.fighters[event.fighter];
      fighter.done = 1;
      fighter.aim = -1;
      rest(state);
    },
    "reaction"() {},
    "contract"(state, event) { if (event.chosen !== null) { state.fighters[event.chosen].contract = 1; } },
    "over"(state, event) { state.vp = event.vp; state.over = event.result; rest(state); },
  };
  function after(state, event, head) {
    if (!Object.hasOwn(AFTER, event.event)) { throw new Error("unknown event: " + event.event); }
    state.round = event.round;
    AFTER[event.event](state, event, head.rules, head);
  }
  const copy = (value) => JSON.parse(JSON.stringify(value));
  // Keeps a state every so often, so that a jump plays few events.
  function History(log) {
    const head = log[0], events = log.slice(1), kept = [begin(head)];
    return {
      head, events,
      at(k) {
        const place = Math.min(Math.floor(k / EVERY), kept.length - 1);
        const state = copy(kept[place]);
        for (let n = place * EVERY; n < k; n += 1) {
          after(state, events[n], head);
          if ((n + 1) % EVERY === 0 && (n + 1) / EVERY === kept.length) { kept.push(copy(state)); }
        }
        return state;
      },
    };
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────────
  const data = JSON.parse(document.getElementById("data").textContent), words = data.words;
  const UNIT = 20, EDGE = 9; // of the drawing: an inch, the border
  const SIDES = ["A", "B"];
  const say = (key, fields) => words[key].replace(/\{(\w+)\}/g, (_all, name) => fields[name]);
  const number = (value) => {
    const text = String(Math.round(value * 10) / 10);
    return data.lang === "ru" ? text.replace(".", ",") : text;
  };
  function draw(tag, given, parent, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const key of Object.keys(given)) { made.setAttribute(key, given[key]); }
    if (text !== undefined) { made.textContent = text; }
    if (parent) { parent.appendChild(made); }
    return made;
  }
  function html(tag, css, parent, text) {
    const made = document.createElement(tag);
    if (css) { made.className = css; }
    if (text !== undefined) { made.textContent = text; }
    if (parent) { parent.appendChild(made); }
    return made;
  }
  const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
  function die(face, need, parent) {
    const css = face < need || face === 1 ? "miss" : face === 6 && need > 1 ? "six" : "hit";
    const made = draw("svg", { viewBox: "0 0 24 24", class: "die " + css, role: "img", "aria-label":
      say("die", { face }) + (css === "miss" ? ", " + words.miss : "") }, parent);
    draw("rect", { x: 2, y: 2, width: 20, height: 20, rx: 4 }, made);
    for (const pip of PIPS[face]) {
      draw("circle", { cx: 6.6 + 5.4 * (pip % 3), cy: 6.6 + 5.4 * Math.floor(pip / 3), r: 1.9 }, made);
    }
  }
  function row(label, faces, need, parent) {
    const made = html("div", "row", parent);
    html("span", "label", made, label);
    faces.forEach((face) => die(face, need, made));
    if (!faces.length) { html("span", "", made, "—"); }
    return made;
  }
  const chip = (side, text, parent) => html("span", "chip s" + side, parent, text);

  function Game(root, log) {
    const past = History(log), { head, events } = past, { board, tags } = head;
    const svg = root.querySelector(".board"), find = (css) => root.querySelector(css);
    const items = [...root.querySelectorAll(".events li")], opening = find(".said").textContent;
    let upright = false, layers = {}, frame = 0, letter = 12, shown = { k: 0, state: past.at(0) };
    const side = (fighter) => head.fighters[fighter].side;
    const radius = (fighter) => head.fighters[fighter].base / 25.4 / 2 * UNIT;
    // On a narrow window the board is turned a quarter, so that it fills the width.
    const spot = (x, y) => upright ? [EDGE + y * UNIT, EDGE + x * UNIT] : [EDGE + x * UNIT, EDGE + (board.depth - y) * UNIT];
    const line = (points) => "M" + points.map(([x, y]) => spot(x, y).map((value) => value.toFixed(1)).join(" ")).join("L");
    const rectangle = (x0, y0, x1, y1) => line([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) + "Z";

    function ground() {
      const size = [board.width, board.depth], [w, h] = (upright ? size.reverse() : size).map((n) => n * UNIT + 2 * EDGE);
      svg.replaceChildren();
      svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
      layers = {};
      for (const name of ["zones", "pieces", "loot", "trail", "tokens", "marks", "effects"]) { layers[name] = draw("g", {}, svg); }
      const edge = draw("g", {});
      svg.insertBefore(edge, layers.zones);
      draw("path", { class: "edge", d: rectangle(0, 0, board.width, board.depth) }, edge);
      let ticks = "";
      for (let x = 1; x < board.width; x += 1) { ticks += line([[x, 0], [x, x % 5 ? -0.15 : -0.35]]); }
      for (let y = 1; y < board.depth; y += 1) { ticks += line([[0, y], [y % 5 ? -0.15 : -0.35, y]]); }
      draw("path", { class: "ticks", d: ticks }, edge);
      [...board.pieces].sort((a, b) => a.base + a.height - b.base - b.height).forEach(piece);
      letters();
    }
    function piece(one) {
      const top = one.base + one.height, made = draw("g", {}, layers.pieces);
      draw("path", { class: `piece ${one.kind}${one.base > 1 ? " high" : ""}`, d: line(one.outline) + "Z" }, made);
      draw("title", {}, made, `${one.name || words[one.kind]}: ${words[one.kind]}, ${number(one.base)}–${number(top)}″`);
      const xs = one.outline.map((p) => p[0]), ys = one.outline.map((p) => p[1]);
      const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      if (one.kind === "door-closed") {
        draw("path", { class: "cross", d: line([[x0, y0], [x1, y1]]) + line([[x0, y1], [x1, y0]]) }, made);
      }
      if (Math.min(x1 - x0, y1 - y0) < 1.2 || one.kind.startsWith("door")) { return; }
      // In a corner, out of the way of fighters, if that lies on the piece; else in the middle, if that does.
      const corner = [x0 + (upright ? 0.5 : 0.8), y0 + (upright ? 0.8 : 0.5)], middle = [(x0 + x1) / 2, (y0 + y1) / 2];
      const place = [...(x1 - x0 > 2.4 ? [corner] : []), middle].find(([x, y]) => within(one.outline, x, y));
      if (!place) { return; }
      const [x, y] = spot(...place);
      draw("text", { class: "tall", x, y }, made, number(top));
    }
    // An odd number of sides crossed on the way out.
    const within = (outline, x, y) => outline.filter(([ax, ay], n) => {
      const [bx, by] = outline[(n + 1) % outline.length];
      return (ay > y) !== (by > y) && x < ax + (bx - ax) * (y - ay) / (by - ay);
    }).length % 2 === 1;
    // Letters keep twelve pixels, however small the drawing is.
    function letters() {
      const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
      if (!scale) { return; }
      letter = Math.max(12, 12.2 / scale);
      svg.style.setProperty("--letter", letter.toFixed(2) + "px");
    }
    function zones(state) {
      layers.zones.replaceChildren();
      board.zones.forEach((zone, place) => {
        const owner = state.zones.indexOf(place), css = owner < 0 ? "none" : "s" + owner;
        draw("path", { class: "zone " + css, d: rectangle(...zone) }, layers.zones);
        if (owner < 0) { return; }
        draw("path", { class: "hatch", d: rectangle(...zone), fill: `url(#p-zone${owner})` }, layers.zones);
        const x = upright ? zone[0] : zone[0] + 1.7, y = (zone[1] + zone[3]) / 2;
        const [px, py] = spot(upright ? x + 0.6 : x, y);
        draw("text", { class: "zone-name tall", x: px, y: py }, layers.zones, say("zone", { side: SIDES[owner] }));
      });
    }
    // Where beside a point a marker is least in the way: to the left for A, to the right for B, unless somebody stands there.
    function freest(state, px, py, far, owner) {
      const there = state.fighters.map((one, n) => [one, n]).filter(([one]) => one.at && !one.gone)
        .map(([one, n]) => [...spot(...one.at), radius(n)]);
      const places = [0, 1, -1, 2, -2].map((n) => {
        const turn = (owner ? 0 : Math.PI) + n * Math.PI / 5, x = px + far * Math.cos(turn), y = py + far * Math.sin(turn);
        return { x, y, room: Math.min(10, ...there.map(([tx, ty, r]) => Math.hypot(tx - x, ty - y) - r)) };
      });
      const best = places.reduce((a, b) => b.room > a.room ? b : a);
      return [best.x, best.y];
    }
    function loot(state) {
      layers.loot.replaceChildren();
      layers.marks.replaceChildren();
      board.loot.forEach(([x, y], place) => {
        const [px, py] = spot(x, y), r = 20 / 25.4 * UNIT, made = draw("g", {}, layers.loot);
        draw("title", {}, made, say("point", { n: place + 1 }));
        draw("circle", { class: "loot", cx: px, cy: py, r }, made);
        draw("text", { x: px, y: py }, made, place + 1);
        state.loot[place].forEach((taken, owner) => {
          if (!taken) { return; }
          const [cx, cy] = freest(state, px, py, r + 9, owner);
          draw("circle", { class: "base s" + owner, cx, cy, r: 8 }, layers.marks);
          draw("text", { class: "tag s" + owner, x: cx, y: cy }, layers.marks, SIDES[owner]);
        });
      });
    }
    const hurt = (fighter, hp) => hp > 0 && head.rules.injury_ratio * hp < head.fighters[fighter].hp;
    function signs(state, fighter) {
      const one = state.fighters[fighter];
      const all = { done: one.done, contract: one.contract, prone: one.prone, watch: one.watch >= 0, aim: one.aim >= 0,
        hurt: hurt(fighter, one.hp) };
      return one.gone ? [] : Object.keys(all).filter((key) => all[key]);
    }
    function token(state, fighter, event) {
      const one = state.fighters[fighter], r = radius(fighter), css = "s" + side(fighter), [x, y] = spot(...one.at);
      const made = draw("g", { transform: `translate(${x} ${y})`, "data-fighter": fighter }, layers.tokens);
      if (one.gone) {
        draw("path", { class: "gone", d: "M-6-6 6 6M6-6-6 6" }, made);
        draw("text", { class: "gone-tag", x: 0, y: 14 }, made, tags[fighter]);
        return;
      }
      const marks = signs(state, fighter), place = say("hp", { hp: one.hp, most: head.fighters[fighter].hp });
      draw("title", {}, made, [tags[fighter] + " " + head.fighters[fighter].name, place,
        ...marks.map((key) => words[key])].join(", "));
      if (fighter === state.active) { draw("circle", { class: "halo", r: r + 4 }, made); }
      if (event && (event.fighter === fighter || event.chosen === fighter)) { draw("circle", { class: "focus", r: r + 7 }, made); }
      draw("circle", { class: "base " + css, r: side(fighter) ? r - 1.5 : r }, made);
      draw("text", { class: "tag " + css, y: 0.5 }, made, tags[fighter]);
      const share = Math.max(0, one.hp / head.fighters[fighter].hp), w = 2 * r;
      draw("rect", { class: "bar", x: -r, y: r + 2.5, width: w, height: 4 }, made);
      draw("rect", { class: "bar-left" + (hurt(fighter, one.hp) ? " low-hp" : ""), x: -r, y: r + 2.5, width: w * share, height: 4 }, made);
      marks.forEach((key, n) => {
        const left = (n - marks.length / 2) * (letter - 0.5);
        draw("use", { href: "#i-" + key, x: left, y: -r - 1.5 - letter, width: letter, height: letter }, made);
      });
      if (one.at[2] > 0.05) {
        const text = "▲" + number(one.at[2]), w = letter * (0.5 + 0.6 * text.length), h = letter * 1.3;
        const label = draw("g", { class: "badge-z", transform: `translate(${r - 1 + w / 2} 0)` }, made);
        draw("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 3 }, label);
        draw("text", { y: 0.5 }, label, text);
      }
    }
    const since = (k) => {
      for (let n = k - 1; n >= 0; n -= 1) { if (["activated", "contract", "round"].includes(events[n].event)) { return n; } }
      return 0;
    };
    function trails(k) {
      layers.trail.replaceChildren();
      for (let n = since(k); n < k; n += 1) {
        if (events[n].event !== "moved") { continue; }
        const css = "s" + side(events[n].fighter), [x, y] = spot(...events[n].path[0]);
        draw("circle", { class: "ghost " + css, cx: x, cy: y, r: radius(events[n].fighter) }, layers.trail);
        draw("path", { class: "trail " + css, d: line(events[n].path) }, layers.trail);
      }
    }
    // A line from the rim of one base to the rim of another, and where it ends.
    function shotLine(state, from, to, css) {
      const [x0, y0] = spot(...state.fighters[from].at), [x1, y1] = spot(...state.fighters[to].at);
      const far = Math.hypot(x1 - x0, y1 - y0) || 1, ux = (x1 - x0) / far, uy = (y1 - y0) / far;
      const a = [x0 + ux * radius(from), y0 + uy * radius(from)], b = [x1 - ux * (radius(to) + 2), y1 - uy * (radius(to) + 2)];
      draw("path", { class: "fire " + css, d: `M${a}L${b}` }, layers.effects);
      return b;
    }
    function note(x, y, text, css) { draw("text", { class: css, x, y }, layers.effects, text); }
    function star([x, y], css) {
      const points = [...Array(16).keys()].map((n) => [n % 2 ? 4 : 10, n * Math.PI / 8])
        .map(([r, turn]) => `${(x + r * Math.cos(turn)).toFixed(1)} ${(y + r * Math.sin(turn)).toFixed(1)}`);
      draw("path", { class: css, d: `M${points.join("L")}Z` }, layers.effects);
    }
    function effects(state, event) {
      layers.effects.replaceChildren();
      if (event && event.event === "shot") { shot(state, event); }
      if (event && event.event === "exchange") { clash(state, event); }
    }
    function shot(state, event) {
      const watch = event.how === "overwatch" ? " watch" : "";
      if (event.target !== event.declared) { shotLine(state, event.fighter, event.declared, "meant"); }
      const end = shotLine(state, event.fighter, event.target, (event.damage ? "hit" : "none") + watch);
      const [x, y] = spot(...state.fighters[event.target].at), above = y - radius(event.target) - 20;
      if (event.damage) {
        star(end, "burst");
        note(x, above, "−" + event.damage, "hurt");
      } else if (event.normals + event.crits) {
        draw("circle", { class: "stop", cx: end[0], cy: end[1], r: 6 }, layers.effects);
        note(x, above, words.saved, "calm");
      } else {
        draw("path", { class: "stop", d: `M${end[0] - 6} ${end[1] - 6}l12 12m0-12l-12 12` }, layers.effects);
        note(x, above, words.miss, "calm");
      }
    }
    function clash(state, event) {
      const both = [event.fighter, event.enemy].map((fighter) => spot(...state.fighters[fighter].at));
      const [x, y] = [0, 1].map((axis) => (both[0][axis] + both[1][axis]) / 2);
      star([x, y], "burst");
      draw("path", { class: "clash", d: `M${x - 11} ${y - 11}l22 22m0-22l-22 22` }, layers.effects);
      both.forEach(([px, py], n) => {
        const below = py > both[1 - n][1] ? radius(event.fighter) + 15 : -radius(event.fighter) - 20;
        if (event.damage[n]) { note(px, py + below, "−" + event.damage[n], "hurt"); }
      });
    }
    function panel(k, event) {
      const box = find(".dice");
      box.replaceChildren();
      find(".said").textContent = event ? items[k - 1].querySelector(".full").textContent : opening;
      find(".count").textContent = say("event", { n: k, all: events.length });
      if (event) { dice(event, box); }
    }
    function dice(event, box) {
      if (event.rolls && event.event !== "exchange") {
        const made = row(words.throw, [], 0, box);
        made.lastChild.remove();
        event.rolls.forEach((pair) => pair.forEach((face, n) => { chip(n, SIDES[n], made); die(face, 0, made); }));
      }
      if (event.event === "shot") {
        if (event.redirect !== null) { row(words.friendly, [event.redirect], head.rules.friendly_fire + 1, box); }
        row(say("attack", event), event.attack, event.hit, box);
        if (event.defence.length) { row(words.defence, event.defence, head.rules.save, box); }
        expected([event.declared], [event.expected], box);
      }
      if (event.event === "exchange") {
        const both = [event.fighter, event.enemy];
        both.forEach((fighter, n) => {
          if (event.rolls[n].length) { row(say("combat", { fighter: tags[fighter], hit: event.hits[n] }), event.rolls[n], event.hits[n], box); }
        });
        const list = html("ol", "steps", box);
        event.steps.forEach((step) => {
          const made = html("li", "", list), who = both[step.side];
          html("b", "", made, tags[who] + " " + (step.lead === "attack" ? "Attack" : "Guard"));
          die(step.face, 1, made);
          if (step.lead === "attack") { html("span", "", made, step.answer === "parry" ? "→ Parry" : "→ Take"); }
          if (step.answer === "parry") { die(step.with, 1, made); }
        });
        expected(both, event.expected, box);
      }
    }
    function expected(fighters, losses, box) {
      const text = fighters.map((fighter, n) => `${tags[fighter]} ${number(losses[n])}`).join(", ");
      html("p", "small", box, say("expected", { text }));
    }
    function scoreboard(state) {
      root.querySelectorAll(".team").forEach((team, n) => {
        team.querySelector(".vp b").textContent = state.vp[n];
        team.classList.toggle("turn", state.active >= 0 && side(state.active) === n);
      });
      const playing = state.active >= 0, name = playing ? tags[state.active] + " " + head.fighters[state.active].name : "";
      find(".round").textContent = state.over !== null ? words.over :
        state.round ? say("round", { round: state.round, rounds: head.rules.rounds }) : words.preparation;
      find(".whose").textContent = playing ? say("turn", { fighter: name }) : words.nobody;
      const apl = find(".apl");
      apl.replaceChildren();
      apl.setAttribute("aria-label", playing ? say("apl", { left: state.apl, stock: state.stock }) : words.nobody);
      apl.title = apl.getAttribute("aria-label");
      for (let n = 0; n < state.stock; n += 1) { html("i", n < state.apl ? "left" : "", apl); }
    }
    function rosters(state) {
      const box = find(".rosters");
      box.replaceChildren();
      [0, 1].forEach((owner) => {
        const list = html("ul", "", box);
        head.fighters.forEach((card, fighter) => {
          if (card.side !== owner) { return; }
          const one = state.fighters[fighter], made = html("li", (one.gone ? "out " : "") + (fighter === state.active ? "active" : ""), list);
          chip(owner, tags[fighter], made);
          const right = html("div", "", made), top = html("div", "name", right);
          html("span", "", top, card.name);
          const icons = html("span", "", top);
          signs(state, fighter).forEach((key) => {
            const icon = draw("svg", { viewBox: "0 0 10 10", class: "icon", role: "img", "aria-label": words[key] }, icons);
            draw("title", {}, icon, words[key]);
            draw("use", { href: "#i-" + key }, icon);
          });
          const bar = html("div", "hp", right), left = Math.max(0, one.hp);
          html("b", hurt(fighter, one.hp) ? "low-hp" : "", html("i", "", bar)).style.width = 100 * left / card.hp + "%";
          html("span", "", bar, one.gone ? words.removed : `${left}/${card.hp}`);
        });
      });
    }
    function pick(k) {
      items.forEach((item, n) => {
        const now = n === k - 1, key = item.firstElementChild;
        item.classList.toggle("now-at", now);
        if (now) { key.setAttribute("aria-current", "true"); } else { key.removeAttribute("aria-current"); }
      });
      const box = find(".events"), item = items[k - 1];
      if (!item) { box.scrollTop = 0; return; }
      const y = item.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
      if (y < box.scrollTop + 40 || y > box.scrollTop + box.clientHeight - 40) { box.scrollTop = y - box.clientHeight / 2; }
    }
    function paint() {
      const { k, state } = shown, event = events[k - 1];
      zones(state);
      loot(state);
      trails(k);
      layers.tokens.replaceChildren();
      const placed = state.fighters.map((_one, n) => n).filter((n) => state.fighters[n].at);
      placed.sort((a, b) => state.fighters[b].gone - state.fighters[a].gone || state.fighters[a].at[2] - state.fighters[b].at[2]);
      placed.forEach((fighter) => token(state, fighter, event));
      effects(state, event);
    }
    // The token runs along its path; the state is already the one after the move.
    function run(event, took) {
      const made = layers.tokens.querySelector(`[data-fighter="${event.fighter}"]`), path = event.path.map((p) => spot(...p));
      const legs = path.slice(1).map((p, n) => Math.hypot(p[0] - path[n][0], p[1] - path[n][1]));
      const whole = legs.reduce((a, b) => a + b, 0) || 1, start = performance.now();
      const tick = (now) => {
        let left = Math.min(1, Math.max(0, now - start) / took) * whole, n = 0;
        while (n < legs.length - 1 && left > legs[n]) { left -= legs[n]; n += 1; }
        const share = legs[n] ? Math.min(1, left / legs[n]) : 1, [a, b] = [path[n], path[n + 1]];
        made.setAttribute("transform", `translate(${a[0] + (b[0] - a[0]) * share} ${a[1] + (b[1] - a[1]) * share})`);
        if (now - start < took) { frame = requestAnimationFrame(tick); }
      };
      tick(start);
    }
    return {
      past, events, head,
      show(position, took) {
        const k = Math.min(position, events.length), event = events[k - 1];
        cancelAnimationFrame(frame);
        shown = { k, state: past.at(k) };
        paint();
        panel(k, event);
        scoreboard(shown.state);
        rosters(shown.state);
        pick(k);
        if (took && position === k && event && event.event === "moved" && event.path.length > 1) { run(event, took); }
      },
      fit() {
        const narrow = innerWidth < 640;
        if (!svg.firstChild || narrow !== upright) { upright = narrow; ground(); }
        letters();
        paint();
      },
      live(on) { find(".said").setAttribute("aria-live", on ? "polite" : "off"); },
    };
  }

  // ── playback ───────────────────────────────────────────────────────────────────────────────────────────────────────
  const games = [...document.querySelectorAll(".game")].map((root, n) => Game(root, data.logs[n]));
  const last = Math.max(...games.map((game) => game.events.length));
  const longest = games.find((game) => game.events.length === last);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const SPEEDS = [0.25, 0.5, 1, 2, 4, 8], CALLED = ["¼", "½", "1", "2", "4", "8"];
  const TIMES = { "set-up": 350, "shot": 2200, "exchange": 3000, "round": 1200, "finished": 300, "reaction": 700 }; // ms
  const button = (id) => document.getElementById(id), scrub = button("scrub");
  let position = 0, speed = 2, timer = 0, playing = false;
  const pace = (event) => (event.event === "moved" ? 400 + 110 * event.length : TIMES[event.event] || 800) / SPEEDS[speed];
  const wait = () => Math.max(...games.map((game) => game.events[position - 1]).filter(Boolean).map(pace), 100);
  const starts = (event) => ["activated", "round", "contract", "over"].includes(event.event);

  function show(k, animate) {
    position = Math.max(0, Math.min(last, k));
    const took = animate && !calm.matches && position ? wait() * 0.8 : 0;
    games.forEach((game) => game.show(position, took));
    scrub.value = position;
    const item = document.querySelector(".events .now-at button");
    document.querySelector(".brief").textContent = item ? item.innerText.replace(/\s+/g, " ") : "";
    scrub.setAttribute("aria-valuetext", say("event", { n: position, all: last }));
    const round = position ? (longest.events[position - 1]).round : 0;
    document.querySelectorAll(".rounds button").forEach((one) => one.setAttribute("aria-current", String(Number(one.value) === round)));
  }
  function play(on) {
    clearTimeout(timer);
    if (on && position >= last) { show(0); }
    playing = on;
    games.forEach((game) => game.live(!on));
    button("play").querySelector("span").textContent = on ? words.pause : words.play;
    button("play").setAttribute("aria-label", on ? words.pause : words.play);
    button("play").querySelector("path").setAttribute("d", on ? "M7 4h3v16H7zM14 4h3v16h-3z" : "M7 4v16l13-8z");
    if (on) { timer = setTimeout(turn, 150); }
  }
  function turn() {
    show(position + 1, true);
    if (position >= last) { play(false); } else { timer = setTimeout(turn, wait()); }
  }
  function jump(k, animate) { play(false); show(k, animate); }
  function activation(step) {
    let k = position + step;
    while (k > 0 && k < last && !starts(longest.events[k - 1])) { k += step; }
    jump(k);
  }
  function quicken(step) {
    speed = Math.max(0, Math.min(SPEEDS.length - 1, speed + step));
    button("speed").textContent = CALLED[speed] + "×";
  }
  const KEYS = {
    " ": () => play(!playing), ArrowRight: (far) => far ? activation(1) : jump(position + 1, true),
    ArrowLeft: (far) => far ? activation(-1) : jump(position - 1), Home: () => jump(0), End: () => jump(last),
    ArrowUp: () => quicken(1), ArrowDown: () => quicken(-1),
  };
  document.addEventListener("keydown", (event) => {
    const on = event.target, inList = on.closest && on.closest(".events, .scroll");
    if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(KEYS, event.key)) { return; }
    if (event.key === " " && on.closest && on.closest("button, summary, a")) { return; }
    if (inList && ["ArrowUp", "ArrowDown"].includes(event.key)) { return; } // scrolls
    event.preventDefault();
    KEYS[event.key](event.shiftKey);
  });
  const CLICKS = {
    play: () => play(!playing), first: KEYS.Home, last: KEYS.End, back: () => jump(position - 1), next: () => jump(position + 1, true),
    "back-activation": () => activation(-1), "next-activation": () => activation(1), slower: KEYS.ArrowDown, faster: KEYS.ArrowUp,
    "to-parting": () => { jump(data.parting + 1); document.querySelector("main").scrollIntoView(); },
  };
  for (const id of Object.keys(CLICKS)) { if (button(id)) { button(id).addEventListener("click", () => CLICKS[id]()); } }
  scrub.max = last;
  scrub.addEventListener("input", () => jump(Number(scrub.value)));
  document.querySelectorAll(".events button").forEach((one) => one.addEventListener("click", () => jump(Number(one.dataset.to))));
  // Where the rounds begin and fighters fall, over the bar; and a button for each round.
  const marks = document.querySelector(".marks"), rounds = document.querySelector(".rounds");
  function toRound(k, text, value) {
    const made = html("button", "", rounds, text);
    made.type = "button";
    made.value = value;
    made.addEventListener("click", () => jump(k));
  }
  toRound(0, "0", 0);
  rounds.firstChild.title = words.preparation;
  longest.events.forEach((event, n) => {
    if (!["round", "removed"].includes(event.event)) { return; }
    html("i", event.event === "removed" ? "kill" : "", marks).style.left = 100 * (n + 1) / last + "%";
    if (event.event !== "round") { return; }
    toRound(n + 1, String(event.round), event.round);
    rounds.lastChild.title = say("round", { round: event.round, rounds: longest.head.rules.rounds });
  });
  if (data.parting >= 0) { html("i", "part", marks).style.left = 100 * (data.parting + 1) / last + "%"; }
  const fit = () => games.forEach((game) => game.fit());
  fit();
  show(0);
  addEventListener("resize", fit);
  // For tests and for the curious: the state after k events of a game, and where the replay stands.
  window.replay = Object.freeze({ state: (game, k) => games[game].past.at(k), position: () => position, show: jump, playing: () => playing });
})();

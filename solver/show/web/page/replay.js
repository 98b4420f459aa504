"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const lineLast = data.steps.length;
  const felt = byId("felt"), slider = byId("slider"), list = byId("list");
  const rows = [...list.querySelectorAll("button[data-i]")];
  const RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"];
  const SUITS = ["clubs", "diamonds", "hearts", "spades"];
  const cardName = (card) => `${RANKS[(card % 52) >> 2]} of ${SUITS[card & 3]}`;

  // What each move is called aloud, and the marks of its choices at the end of its row.
  const words = rows.map((row) => row.getAttribute("aria-label") || "");
  const SIGNS = { w: ["✓", "wins"], l: ["✗", "loses"], u: ["?", "undecided"] };
  rows.forEach((row, index) => {
    row.tabIndex = -1; // one stop for the whole list; the arrow keys go on from there
    const choices = [...row.parentElement.querySelectorAll(".alts li")];
    if (!choices.length) return;
    const tally = document.createElement("span");
    tally.className = "tally";
    tally.setAttribute("aria-hidden", "true");
    for (const choice of choices) {
      const sign = document.createElement("span"), fate = document.createElement("span");
      sign.className = choice.classList[0];
      [sign.textContent, fate.textContent] = SIGNS[sign.className];
      fate.className = "sr";
      fate.textContent = ` ${fate.textContent}${choice.classList.contains("p") ? ", played" : ""} `;
      choice.firstElementChild.append(fate);
      tally.append(sign);
    }
    row.append(tally);
    row.setAttribute("aria-label", `${index}. ${words[index]} ${choices.length} choices.`);
  });

  // Frames: per frame a map from card (equal ones of other packs are numbered from 52 on) to [spot, level * 2 + up, x, y, narrow x, narrow y],
  // unfolded from the first frame and the changes that each step makes.
  const unfold = (base, changes, width) => {
    const frame = new Map(base);
    for (let i = 0; i < changes.length; i += width) frame.set(changes[i], changes.slice(i + 1, i + width));
    return frame;
  };
  // A track is what can be stepped through: frames, notes (counts of the spots), and per move its
  // label and its words. The line is one; a trial follows it to a frame and then goes another way.
  const grow = (track, steps) => {
    for (const [cards, counts, label, said] of steps) {
      track.frames.push(unfold(track.frames[track.frames.length - 1], cards, 7));
      track.notes.push(unfold(track.notes[track.notes.length - 1], counts, 3));
      track.labels.push(label);
      track.words.push(said);
    }
    return track;
  };
  const line = grow(
    { frames: [unfold([], data.cards, 7)], notes: [unfold([], data.notes, 3)], labels: [null], words: [words[0]] },
    data.steps.map(([cards, counts], index) => [cards, counts, null, words[index + 1]]),
  );
  const upTo = (track, at) => ({
    frames: track.frames.slice(0, at + 1), notes: track.notes.slice(0, at + 1),
    labels: track.labels.slice(0, at + 1), words: track.words.slice(0, at + 1),
  });
  // A branch off the line: its own moves, then as those went on whose table it meets.
  const branchTrack = (number) => {
    const [place, steps, joins] = data.branches[number];
    const track = grow(upTo(line, place), steps);
    if (!joins) return track;
    const [other, index] = joins;
    const rest = other < 0 ? line : branchTrack(other);
    const from = other < 0 ? index : data.branches[other][0] + index + 1;
    for (let i = from + 1; i < rest.frames.length; i++) {
      track.frames.push(rest.frames[i]);
      track.notes.push(rest.notes[i]);
      track.labels.push(rest.labels[i] ?? rows[i].querySelector(".m").innerHTML);
      track.words.push(rest.words[i]);
    }
    return track;
  };
  let track = line, last = lineLast, trial = null; // trial: [branch, the frame it leaves, its fate]

  const SVG = "http://www.w3.org/2000/svg";
  const cards = new Map();
  for (const card of line.frames[0].keys()) {
    const element = document.createElement("div"), svg = document.createElementNS(SVG, "svg");
    element.className = "card";
    element.dataset.card = card;
    svg.setAttribute("viewBox", "0 0 100 140");
    svg.append(document.createElementNS(SVG, "use"));
    element.append(svg);
    felt.append(element);
    cards.set(card, element);
  }
  const captions = data.spots.map(([role]) => {
    const element = document.createElement("div");
    element.className = role === "removed" ? "note right" : "note";
    felt.append(element);
    return element;
  });

  const phone = matchMedia("(max-width: 640px)");
  let at = -1, narrow = null, timer = 0;

  const spotText = (index, [count]) => {
    const [, label, , captioned] = data.spots[index];
    return count >= 0 ? `${label} ${count}` : captioned ? label : "";
  };

  const resize = () => {
    if (narrow === phone.matches) return;
    narrow = phone.matches;
    const [width, height, spots, places] = data.tables[narrow ? 1 : 0];
    byId("stage").style.setProperty("--w", width);
    byId("stage").style.setProperty("--h", height);
    byId("spots").setAttribute("viewBox", `0 0 ${width} ${height}`);
    byId("spots").innerHTML = spots;
    captions.forEach((element, index) => {
      element.style.left = `calc(${places[2 * index]}*var(--u))`;
      element.style.top = `calc(${places[2 * index + 1]}*var(--u))`;
    });
    if (at >= 0) draw(at, at);
  };

  // `was`: the frame shown before; to a neighbouring frame the cards glide, above all others.
  // What the last move brought about is ringed.
  const draw = (now, was, from = track) => {
    const { frames, notes } = track;
    const glides = Math.abs(now - was) === 1 && was >= 0;
    felt.classList.toggle("anim", glides);
    const before = frames[Math.max(0, now - 1)], seen = glides ? from.frames[was] : before;
    for (const [card, [spot, level, ...place]] of frames[now]) {
      const element = cards.get(card), [oldSpot, oldLevel] = before.get(card);
      const travels = glides && seen.get(card)[0] !== spot;
      element.style.setProperty("--x", place[narrow ? 2 : 0]);
      element.style.setProperty("--y", place[narrow ? 3 : 1]);
      element.style.zIndex = 1 + (level >> 1) + (travels ? 100 : 0);
      element.querySelector("use").setAttribute("href", level & 1 ? `#f${card % 52}` : "#b");
      element.classList.toggle("moved", (level & 1) === 1 && (oldSpot !== spot || (oldLevel & 1) === 0));
    }
    for (const [index, note] of notes[now]) captions[index].textContent = spotText(index, note);
    for (const group of byId("spots").querySelectorAll("g[data-spot]")) {
      const gone = notes[now].get(Number(group.dataset.spot))[1];
      group.querySelector(".gone").style.display = gone ? "" : "none";
      group.querySelector(".there").style.display = gone ? "none" : "";
    }
    if (byId("banner")) byId("banner").hidden = trial !== null || now !== last;
    byId("ending").hidden = trial !== null || now !== last;
  };

  // What was played, and, on the line, what can be played now.
  const tell = (now) => {
    const caption = byId("caption"), choices = byId("choices");
    choices.replaceChildren();
    byId("trial").hidden = trial === null;
    if (trial !== null) byId("trial").firstElementChild.textContent = `Off the line: ${trial[2]}.`;
    if (trial === null && now < last) {
      const alternatives = rows[now + 1].parentElement.querySelector(".alts");
      if (alternatives) choices.append(alternatives.cloneNode(true));
    }
    if (now === 0) {
      caption.textContent = last === 1 ? "The deal; one move to come." : `The deal; ${last} moves to come.`;
      byId("live").textContent = `The deal. ${last} moves to come.`;
      return;
    }
    if (track.labels[now] === null) {
      const row = rows[now];
      caption.replaceChildren(`${now}. `, ...[...row.querySelector(".m").childNodes].map((node) => node.cloneNode(true)));
    } else {
      caption.innerHTML = `${now}. ${track.labels[now]}`;
    }
    const trying = trial === null ? "" : "Trying another way. ";
    const ending = trial === null && now === last ? ` ${byId("ending").textContent}` : "";
    byId("live").textContent = `${trying}Move ${now} of ${last}. ${track.words[now]}${ending}`;
  };

  const inWords = () => {
    const piles = data.spots.map(() => []);
    for (const [card, [spot, level]] of track.frames[at]) piles[spot].push([level >> 1, level & 1, card]);
    const lines = piles.map((pile, index) => {
      const [role, , name] = data.spots[index];
      pile.sort((a, b) => a[0] - b[0]);
      const up = pile.filter((entry) => entry[1]).map((entry) => cardName(entry[2]));
      const parts = pile.length > up.length ? [`${pile.length - up.length} face down`] : [];
      parts.push(...(role === "foundation" || role === "removed" ? up.slice(-1) : up));
      const line = document.createElement("li");
      line.textContent = `${name}: ${track.notes[at].get(index)[1] ? "eliminated" : parts.join(", ") || "empty"}`;
      return line;
    });
    byId("words").replaceChildren(...lines);
  };

  // The row of the list that stands for frame `now`: in a trial, the last one before it.
  const rowOf = (from, now) => rows[Math.max(0, from === line ? now : Math.min(now, from.place))];

  const go = (target, focus = false, from = track) => {
    const now = Math.max(0, Math.min(last, target));
    if (now === at && from === track) return;
    const was = at, wasRow = rowOf(from, was);
    at = now;
    draw(now, was, from);
    tell(now);
    slider.value = String(now);
    const row = rowOf(track, now);
    slider.setAttribute("aria-valuetext", now ? `Move ${now} of ${last}` : "The deal");
    byId("count").textContent = `${now} / ${last}`;
    for (const id of ["first", "back"]) byId(id).disabled = now === 0;
    for (const id of ["forward", "end"]) byId(id).disabled = now === last;
    if (was >= 0) {
      wasRow.tabIndex = -1;
      wasRow.removeAttribute("aria-current");
    }
    row.tabIndex = 0;
    row.setAttribute("aria-current", "step");
    const inList = list.contains(document.activeElement);
    if (focus || inList) row.focus({ preventScroll: true });
    const top = row.offsetTop, bottom = top + row.offsetHeight;
    if (top < list.scrollTop + 40) list.scrollTop = top - 60;
    else if (bottom > list.scrollTop + list.clientHeight - 40) list.scrollTop = bottom + 80 - list.clientHeight;
    if (byId("table").open) inWords();
    try {
      if (trial === null) history.replaceState(null, "", `#${now}`);
    } catch { /* some browsers refuse this for local files; nothing depends on it */ }
  };

  const follow = (next, target) => {
    if (playing()) stop();
    const from = track;
    track = next;
    last = track.frames.length - 1;
    slider.max = String(last);
    go(target, false, from);
  };
  const OFF = { w: "it can still be won", l: "it cannot be won any more", u: "not decided" };
  const tryBranch = (number) => {
    const place = data.branches[number][0];
    const fate = list.querySelector(`[data-branch="${number}"]`).classList[0];
    trial = [number, place, OFF[fate]];
    follow({ ...branchTrack(number), place }, place + 1);
  };
  const backToLine = () => {
    const place = trial[1];
    trial = null;
    follow(line, place);
  };
  const choose = (event) => {
    const choice = event.target.closest("li[data-branch], li[data-go]");
    if (!choice) return false;
    if (choice.dataset.branch !== undefined) tryBranch(Number(choice.dataset.branch));
    else onLine(Number(choice.dataset.go));
    return true;
  };
  const onLine = (target) => {
    if (trial === null) return step(target);
    trial = null;
    follow(line, target);
  };

  const playing = () => timer !== 0;
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    byId("play").setAttribute("aria-label", "Play");
    byId("play").classList.remove("on");
    byId("icon").setAttribute("d", "M6 3.5v17l14-8.5z");
    byId("live").setAttribute("aria-live", "polite");
  };
  const tick = () => {
    go(at + 1);
    if (at === last) stop();
    else timer = setTimeout(tick, Number(byId("speed").value));
  };
  const toggle = () => {
    if (playing()) return stop();
    if (at === last) go(0);
    byId("play").setAttribute("aria-label", "Pause");
    byId("play").classList.add("on");
    byId("icon").setAttribute("d", "M6 4h4.500v16H6zM13.5 4H18v16h-4.500z");
    byId("live").setAttribute("aria-live", "off");
    timer = setTimeout(tick, 250);
  };
  const step = (target) => {
    if (playing()) stop();
    go(target);
  };

  const press = (id, action) => byId(id).addEventListener("click", action);
  press("first", () => step(0));
  press("back", () => step(at - 1));
  press("play", toggle);
  press("forward", () => step(at + 1));
  press("end", () => step(last));
  slider.addEventListener("input", () => step(Number(slider.value)));
  list.addEventListener("click", (event) => {
    const row = event.target.closest("button[data-i]");
    if (row) onLine(Number(row.dataset.i));
    else choose(event);
  });
  byId("choices").addEventListener("click", choose);
  press("return", backToLine);
  byId("all").addEventListener("change", (event) => list.classList.toggle("all", event.target.checked));
  byId("table").addEventListener("toggle", () => byId("table").open && inWords());

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const target = event.target, tag = target.tagName;
    if (tag === "SELECT") return;
    const inList = list.contains(target) && tag === "BUTTON";
    const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    if (inList) Object.assign(moves, { ArrowUp: at - 1, ArrowDown: at + 1 });
    if (tag === "INPUT" && target.type === "range" && event.key !== " ") return;
    if (event.key === "Escape" && trial !== null) backToLine();
    else if (event.key in moves) step(moves[event.key]);
    else if (event.key === " " && !["BUTTON", "SUMMARY", "INPUT"].includes(tag)) toggle();
    else return;
    event.preventDefault();
  });

  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");
  let wish = "auto";
  try { wish = localStorage.getItem("dealproof-theme") || "auto"; } catch { /* no storage */ }
  const paint = () => {
    const chosen = wish === "auto" ? (dark.matches ? "dark" : "light") : wish;
    root.dataset.theme = chosen;
    byId("theme").textContent = chosen === "dark" ? "Light" : "Dark";
    byId("theme").setAttribute("aria-label", `Switch to ${chosen === "dark" ? "light" : "dark"} colours`);
  };
  press("theme", () => {
    wish = root.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("dealproof-theme", wish); } catch { /* no storage */ }
    paint();
  });
  dark.addEventListener("change", paint);
  phone.addEventListener("change", resize);
  addEventListener("hashchange", () => onLine(Number(location.hash.slice(1)) || 0));

  paint();
  resize();
  go(Number(location.hash.slice(1)) || 0);
})();

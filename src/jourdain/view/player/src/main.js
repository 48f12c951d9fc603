// A report comes alive: one clock, the replay and the plots that follow it.

import { Clock } from "./clock.js";
import { readPage } from "./data.js";
import { h, icon } from "./elements.js";
import { makeOptions, makeTransport, speedFor } from "./panel.js";
import { Plots } from "./plots.js";
import { Stage, canDraw } from "./stage.js";
import { startTheme } from "./theme.js";
import { makeTools } from "./tools.js";

async function start() {
  startTheme(document.getElementById("theme"));
  const { data, arrays } = await readPage();
  const clock = new Clock(data.start, data.end);
  clock.speed = speedFor(data.end - data.start);
  const plots = new Plots(data, arrays, clock);
  if (data.first != null) clock.seek(data.first);
  const stage = startReplay(data, arrays, clock, plots);
  if (stage?.many) clock.wait = 0.12; // in software, slider and curves take as long as the balls
  jumps(clock);
  keys(clock, stage);
  let last = performance.now();
  const tick = (now) => {
    clock.advance((now - last) / 1000);
    stage?.pace((now - last) / 1000, clock.playing);
    last = now;
    if (stage) {
      stage.pose(clock.time);
      stage.render();
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  window.jourdain = { clock, plots, stage };
  document.documentElement.dataset.ready = "true";
}

function startReplay(data, arrays, clock, plots) {
  const host = document.getElementById("stage");
  if (!host) return null;
  const controls = document.getElementById("controls");
  controls.append(makeTransport(clock, data.moments));
  if (!data.scenes.length) return null;
  if (!canDraw()) {
    document.getElementById("no-webgl").hidden = false;
    return null;
  }
  const stage = new Stage(host, data, arrays);
  host.classList.add("live");
  controls.append(makeOptions(stage, data, (what, on) => what === "ghost" && plots.ghosts(on)));
  controls.append(makeTools(stage, clock, document.title));
  startOverlay(host, clock);
  const still = document.getElementById("still");
  addEventListener("beforeprint", () => (still.src = stage.picture()));
  return stage;
}

function startOverlay(host, clock) {
  const big = h("button", { class: "big", type: "button", "aria-label": "Play", onclick: () => clock.play() }, icon("play"));
  const full = h("button", { class: "full", type: "button", "aria-label": "Full screen", title: "Full screen" }, icon("full"));
  const figure = host.closest(".replay");
  full.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : figure.requestFullscreen()));
  host.append(big, full);
  let begun = false;
  clock.listen(() => {
    begun ||= clock.playing || clock.time > clock.start;
    big.hidden = begun;
  });
}

// Anything on the page that has a time goes there when it is clicked.
function jumps(clock) {
  document.addEventListener("click", (event) => {
    const at = event.target.closest("[data-time]");
    if (!at) return;
    clock.play(false);
    clock.seek(Number(at.dataset.time));
    for (const one of document.querySelectorAll(".jump.here")) one.classList.remove("here");
    at.classList.add("here");
  });
  for (const one of document.querySelectorAll("button[data-time]")) one.disabled = false;
}

function keys(clock, stage) {
  const step = (clock.end - clock.start) / 200;
  const does = {
    " ": () => clock.play(!clock.playing),
    ArrowLeft: () => clock.seek(clock.time - step),
    ArrowRight: () => clock.seek(clock.time + step),
    Home: () => clock.seek(clock.start),
    End: () => clock.seek(clock.end),
  };
  for (const [i, name] of ["Overview", "Front", "Side", "Top"].entries()) does[i + 1] = () => stage?.preset(name);
  addEventListener("keydown", (event) => {
    const { target } = event;
    const typing = /^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY|A)$/.test(target.tagName);
    const onSlider = target.type === "range" && event.key === " ";
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in does) || (typing && !onSlider)) return;
    if ((event.key === "Home" || event.key === "End") && target !== stage?.canvas) return;
    event.preventDefault();
    does[event.key]();
  });
}

start();

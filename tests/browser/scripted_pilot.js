// A pilot made of rules, who sees what the page shows and presses its keys. fly(lesson) starts one.
(() => {
  const down = new Set();
  const press = (code, on, shiftKey) => {
    if (on === down.has(code) && on === false) return;
    if (on) down.add(code);
    else down.delete(code);
    dispatchEvent(new KeyboardEvent(on ? "keydown" : "keyup", { code, shiftKey, bubbles: true }));
  };
  // One of two keys, or none, so that a quantity becomes zero.
  const steer = (value, dead, [more, less], fine) => {
    press(more, value > dead, fine);
    press(less, value < -dead, fine);
  };
  const clamp = (x, most) => Math.min(Math.max(x, -most), most);
  const MOVE = [["KeyW", "KeyS"], ["KeyA", "KeyD"], ["KeyR", "KeyF"]];
  const TURN = [["KeyO", "KeyU"], ["KeyK", "KeyI"], ["KeyJ", "KeyL"]];
  // The craft is heavy: a speed is wanted that falls with the way that is left, and thrust corrects it.
  const approach = ({ place, velocity }) => {
    [place[0] - 1.2, place[1], place[2]].forEach((left, k) => {
      const wanted = clamp(left / 9, k ? 0.08 : 0.3);
      steer(wanted + velocity[k], 0.008, MOVE[k], Math.abs(wanted + velocity[k]) < 0.03);
    });
  };
  // The hand follows at once: it goes where the pin will be, along one axis last; `far` from there on.
  const hand = ({ place, velocity, turn, spin }, last, far) => {
    const way = place.map((x, k) => (k === last ? x - far : x));
    const aside = Math.hypot(...way.filter((_, k) => k !== last)), fine = Math.hypot(...way) < 0.4 && Math.hypot(...turn) < 0.08;
    if (aside > 0.1) way[last] = 0;
    way.forEach((x, k) => steer(x + (fine ? 1.2 : 2.0) * velocity[k], 0.02, MOVE[k], fine));
    turn.forEach((x, k) => steer(x + 1.0 * spin[k], 0.012, TURN[k], fine));
  };
  // What is held moves with the hand: from the axes of the cradle, whose x looks down, to those of the hand.
  const held = ([x, y, z]) => [-z, -y, x];
  const close = (state, near) => {
    if (state.inside && state.relation.distance < near && state.connected === null) press("Space", true, false), press("Space", false, false);
  };
  const rest = () => [...down].forEach((code) => press(code, false, false));
  const does = {
    approach: (state) => approach(state.relation),
    track: (state) => hand(state.relation, 0, 0.75),
    capture: (state) => {
      if (state.connected !== null) rest();
      else hand(state.relation, 0, 0.0);
      close(state, 0.05);
    },
    berth: (state) => {
      const { place, velocity, turn, spin } = state.relation;
      if (state.connected !== null) rest();
      else hand({ place: held(place), velocity: held(velocity), turn: held(turn), spin: held(spin) }, 2, 0.0);
      close(state, 0.06);
    },
  };
  let timer = 0;
  window.fly = (lesson) => {
    trainer.start(lesson);
    const counted = { from: null };
    window.flown = counted;
    clearInterval(timer);
    timer = setInterval(() => {
      const { state } = trainer;
      if (state?.over) {
        clearInterval(timer);
        rest();
      }
      if (!trainer.flying || !state) return;
      if (counted.from === null && state.time > 1) {
        Object.assign(counted, { from: performance.now(), pictures: trainer.stage.pictures, time: state.time, late: state.late });
      }
      Object.assign(counted, { to: performance.now(), last: state.time, drawn: trainer.stage.pictures, lateEnd: state.late });
      does[lesson](state);
    }, 40);
  };
})();

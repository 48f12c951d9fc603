// Keyboard, mouse and gamepad to the rows of commands that the model's hand controller takes.

const KEYS = {
  KeyW: [0, 1], KeyS: [0, -1], KeyA: [1, 1], KeyD: [1, -1], KeyR: [2, 1], KeyF: [2, -1],
  KeyU: [3, -1], KeyO: [3, 1], KeyI: [4, -1], KeyK: [4, 1], KeyJ: [5, 1], KeyL: [5, -1],
};
const THRUST = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [1, 1], ArrowRight: [1, -1], PageUp: [2, 1], PageDown: [2, -1] };
export const MODES = ["hand", "joints", "craft"];
const FULL = { move: 0.12, turn: 0.08, joint: 0.06, thrust: 100, swing: 0.03 };
const FINE = 0.25;
const RAMP = 0.4; // s from rest to full, so that the booms are not shaken
// Which of the six axes moves which joint: sideways, ahead and up move the shoulder and the elbow.
const JOINTS = [[1, 1], [0, 1], [2, -1], [4, 1], [5, 1], [3, 1]];

export class Pilot {
  constructor(view, does) {
    this.does = does;
    this.down = new Set();
    this.mode = "hand";
    this.controls = ["arm"];
    this.sticks = new Float64Array(6);
    this.push = new Float64Array(3);
    this.drag = null;
    this.wheel = 0;
    this.shift = false;
    this.buttons = [];
    addEventListener("keydown", (event) => this.key(event, true));
    addEventListener("keyup", (event) => this.key(event, false));
    addEventListener("blur", () => this.down.clear());
    view.addEventListener("pointerdown", (event) => this.press(event, view));
    view.addEventListener("pointermove", (event) => this.drag && Object.assign(this.drag, { dx: event.clientX - this.drag.x, dy: event.clientY - this.drag.y }));
    for (const name of ["pointerup", "pointercancel"]) view.addEventListener(name, () => (this.drag = null));
    view.addEventListener("wheel", (event) => this.steers() && (this.wheel = -Math.sign(event.deltaY) * 0.3), { passive: true });
  }

  // Over a picture of the hand's camera the mouse is a stick; over the overview it turns the view.
  steers() {
    return this.does.steering() && this.mode === "hand";
  }

  press(event, view) {
    if (!this.steers() || event.button !== 0) return;
    view.setPointerCapture(event.pointerId);
    this.drag = { x: event.clientX, y: event.clientY, dx: 0, dy: 0 };
  }

  key(event, isDown) {
    this.shift = event.shiftKey;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { code } = event;
    if (code in KEYS || code in THRUST) {
      event.preventDefault();
      if (isDown) this.down.add(code);
      else this.down.delete(code);
    } else if (isDown && !event.repeat) {
      const digit = { Digit1: "hand", Digit2: "joints", Digit3: "craft" }[code];
      if (digit) this.choose(digit);
      else if (this.does.keys[code]) {
        event.preventDefault();
        this.does.keys[code]();
      }
    }
  }

  choose(mode) {
    if (mode === "craft" && !this.controls.includes("craft")) return;
    this.mode = mode;
    this.does.changed();
  }

  reset(controls) {
    this.controls = controls;
    this.mode = controls.includes("craft") && controls[0] === "craft" ? "craft" : "hand";
    this.down.clear();
    this.sticks.fill(0);
    this.push.fill(0);
    this.drag = null;
    this.does.changed();
  }

  // Six axes (ahead, left, up, roll, pitch, yaw) and three of thrust, each from -1 to 1, as they are held now.
  wanted() {
    const six = [0, 0, 0, 0, 0, 0], push = [0, 0, 0];
    for (const code of this.down) {
      if (code in KEYS) six[KEYS[code][0]] += KEYS[code][1];
      else push[THRUST[code][0]] += THRUST[code][1];
    }
    if (this.drag) {
      six[5] -= this.drag.dx / 160;
      six[4] += this.drag.dy / 160;
    }
    if (this.wheel) {
      six[0] += Math.sign(this.wheel);
      this.wheel = Math.abs(this.wheel) > 0.02 ? this.wheel - Math.sign(this.wheel) * 0.02 : 0;
    }
    this.gamepad(six);
    const scale = this.shift ? FINE : 1;
    return [six.map((x) => scale * Math.min(Math.max(x, -1), 1)), push.map((x) => scale * Math.min(Math.max(x, -1), 1))];
  }

  gamepad(six) {
    const pad = [...(navigator.getGamepads?.() ?? [])].find((one) => one?.connected);
    if (!pad) return;
    const axis = (i) => (Math.abs(pad.axes[i] ?? 0) > 0.12 ? pad.axes[i] : 0), button = (i) => pad.buttons[i]?.value ?? 0;
    six[0] += button(7) - button(6);
    six[1] -= axis(0);
    six[2] -= axis(1);
    six[3] += button(5) - button(4);
    six[4] += axis(3);
    six[5] -= axis(2);
    const pressed = pad.buttons.map((one) => one.pressed), fresh = (i) => pressed[i] && !this.buttons[i];
    if (fresh(0)) this.does.keys.Space();
    if (fresh(3)) this.does.keys.KeyC();
    if (fresh(1)) this.choose(MODES[(MODES.indexOf(this.mode) + 1) % MODES.length]);
    this.buttons = pressed;
  }

  // The row of commands after so many seconds; sticks come in by a ramp and go out at twice its rate.
  row(seconds) {
    const [six, push] = this.wanted();
    const ramp = (now, to) => {
      const most = (seconds / RAMP) * (Math.abs(to) < Math.abs(now) || to * now < 0 ? 2 : 1);
      return now + Math.min(Math.max(to - now, -most), most);
    };
    for (let k = 0; k < 6; k++) this.sticks[k] = ramp(this.sticks[k], six[k]);
    for (let k = 0; k < 3; k++) this.push[k] = push[k];
    const row = new Array(18).fill(0), [x, y, z, roll, pitch, yaw] = this.sticks;
    if (this.mode === "hand") {
      [roll, pitch, yaw].forEach((rate, k) => (row[k] = FULL.turn * rate));
      [x, y, z].forEach((rate, k) => (row[3 + k] = FULL.move * rate));
    } else if (this.mode === "joints") {
      JOINTS.forEach(([axis, sign], j) => (row[12 + j] = FULL.joint * sign * this.sticks[axis]));
    } else {
      [roll, pitch, yaw].forEach((rate, k) => (row[6 + k] = FULL.swing * rate));
      six.slice(0, 3).forEach((part, k) => (row[9 + k] = FULL.thrust * part));
    }
    if (this.controls.includes("craft")) {
      this.push.forEach((part, k) => (row[9 + k] = Math.min(Math.max(row[9 + k] + FULL.thrust * part, -FULL.thrust), FULL.thrust)));
    }
    return row;
  }
}

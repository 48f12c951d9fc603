// The model, compiled to WebAssembly: one instance in a memory of its own. Addresses have 64 bits.

const FUNCTIONS = { fmod: (x, y) => x % y };

export class Machine {
  static async load(code, layout) {
    const module = await WebAssembly.compile(code);
    const env = {};
    for (const { name } of WebAssembly.Module.imports(module)) {
      env[name] = FUNCTIONS[name] ?? Math[name];
      if (typeof env[name] !== "function") throw new Error(`the model calls ${name}, which this page does not have`);
    }
    return new Machine((await WebAssembly.instantiate(module, { env })).exports, layout);
  }

  constructor(exports, layout) {
    this.exports = exports;
    this.layout = layout;
    this.self = Number(exports.heap.value);
    this.scratch = this.self + Number(exports.jd_size());
    const room = 8 * (layout.nq + layout.nv + layout.nz + layout.inputs + 16) + 64;
    exports.memory.grow(BigInt(Math.ceil(room / 65536) + 1));
    this.numbers = new Float64Array(exports.memory.buffer);
    this.initialise();
  }

  initialise() {
    this.check(this.exports.jd_init(BigInt(this.self)));
  }

  check(status) {
    if (status !== 0) throw new Error(`the model stopped with status ${status}`);
  }

  // A view of so many numbers of the instance.
  view(at, count) {
    return this.numbers.subarray((this.self + at) / 8, (this.self + at) / 8 + count);
  }

  state() {
    const { nq, nv, nz, latched } = this.layout;
    return {
      q: this.view(this.layout.q_at, nq).slice(), v: this.view(this.layout.v_at, nv).slice(),
      z: this.view(this.layout.z_at, nz).slice(), latched: this.view(this.layout.latched_at, latched).slice(),
    };
  }

  // The state at a time; `begins`: contacts and the controller look at it as at the start of a run.
  put(time, { q, v, z, latched }, begins) {
    const at = this.scratch / 8;
    this.numbers.set(q, at);
    this.numbers.set(v, at + q.length);
    this.numbers.set(z, at + q.length + v.length);
    this.view(this.layout.latched_at, latched.length).set(latched);
    const places = [at, at + q.length, at + q.length + v.length].map((place) => BigInt(8 * place));
    this.check((begins ? this.exports.jd_start : this.exports.jd_put)(BigInt(this.self), time, ...places));
  }

  command(row) {
    this.numbers.set(row, this.scratch / 8);
    this.check(this.exports.jd_inputs(BigInt(this.self), BigInt(this.scratch)));
  }

  step(count) {
    this.check(this.exports.jd_step(BigInt(this.self), 0n, BigInt(count)));
  }

  // Position, quaternion, angular velocity and velocity of a marker, into `out` from `at` on.
  motion(marker, out, at) {
    const { q_at, v_at } = this.layout;
    const place = this.scratch;
    this.check(this.exports.jd_marker_motion(BigInt(this.self), marker, BigInt(this.self + q_at), BigInt(this.self + v_at), BigInt(place)));
    out.set(this.numbers.subarray(place / 8, place / 8 + 13), at);
  }

  get(index) {
    return this.exports.jd_get(BigInt(this.self), index);
  }
}

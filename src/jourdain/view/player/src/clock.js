// The one clock: what time is shown, whether it runs, how fast. Replay, plots and arrows all listen to it.

export class Clock {
  constructor(start, end) {
    this.start = start;
    this.end = end;
    this.time = start;
    this.speed = 1;
    this.loop = true;
    this.playing = false;
    this.listeners = [];
    this.wait = 0; // s between two tellings while it plays; the replay looks at every picture itself
    this.told = 0;
  }

  listen(hear) {
    this.listeners.push(hear);
    hear(this);
  }

  tell() {
    for (const hear of this.listeners) hear(this);
  }

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.tell();
  }

  play(on = true) {
    if (on && !this.loop && this.time >= this.end) this.time = this.start;
    this.playing = on && this.end > this.start;
    this.tell();
  }

  set(options) {
    Object.assign(this, options);
    this.tell();
  }

  // `seconds` have passed on the wall.
  advance(seconds) {
    if (!this.playing) return;
    // A tab that was hidden comes back with a long gap: it does not count.
    const next = this.time + Math.min(seconds, 0.25) * this.speed;
    this.told += seconds;
    if (next < this.end && this.told < this.wait) {
      this.time = next;
      return;
    }
    this.told = 0;
    if (next < this.end) return this.seek(next);
    if (this.loop) return this.seek(this.start);
    this.playing = false;
    this.seek(this.end);
  }
}

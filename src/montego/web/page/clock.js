// Clocks of a game between people and players: absolute time, byo-yomi or Canadian overtime.

export class Clock {
  constructor(control) {
    this.control = control; // {kind, main, period, count}, kind "none" without clocks
    this.left = [0, 1].map(() => this.start());
    this.running = null;
  }

  get on() {
    return this.control.kind !== "none";
  }

  start() {
    const { kind, main, period, count } = this.control;
    return main > 0 || kind === "absolute" ? { seconds: main, count: 0 } : { seconds: period, count };
  }

  // Let a player's time run; the other's stands still.
  run(player) {
    if (this.running === player) return;
    this.stop();
    this.running = player;
    this.since = performance.now();
  }

  stop() {
    this.running = null;
  }

  // What a clock shows now: {seconds, count}; below zero in main time the overtime has begun.
  shown(player) {
    const spent = this.running === player ? (performance.now() - this.since) / 1000 : 0;
    return this.after(this.left[player], spent, false);
  }

  // A player has moved: take the time off and stop.
  moved(player) {
    if (!this.on || this.running !== player) return;
    this.left[player] = this.after(this.left[player], (performance.now() - this.since) / 1000, true);
    this.stop();
  }

  after({ seconds, count }, spent, move) {
    const { kind, period, count: all } = this.control;
    seconds -= spent;
    if (kind === "absolute") return { seconds, count: 0 };
    if (count === 0) {
      if (seconds > 0) return { seconds, count: 0 };
      [seconds, count] = [seconds + period, all];
    }
    if (kind === "byoyomi") {
      while (seconds <= 0 && count > 1) [seconds, count] = [seconds + period, count - 1];
      return move && seconds > 0 ? { seconds: period, count } : { seconds, count };
    }
    if (!move || seconds <= 0) return { seconds, count };
    return count > 1 ? { seconds, count: count - 1 } : { seconds: period, count: all };
  }

  lost(player) {
    return this.on && this.shown(player).seconds <= 0;
  }

  message() {
    if (!this.on) return null;
    const left = [0, 1].map((player) => {
      const { seconds, count } = this.shown(player);
      return { seconds: Math.max(0, seconds), count };
    });
    return { ...this.control, left };
  }

  text(player) {
    const { seconds, count } = this.shown(player);
    const whole = Math.max(0, Math.ceil(seconds));
    const time = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    if (!count) return time;
    return this.control.kind === "byoyomi" ? `${time} (${count})` : `${time} / ${count}`;
  }
}

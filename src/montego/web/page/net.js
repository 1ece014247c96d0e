// The connection to the server: requests with answers, progress on the way, and a new connection when one is lost.

export class Connection extends EventTarget {
  constructor() {
    super();
    this.next = 1;
    this.waiting = new Map(); // id -> {resolve, reject, progress}
    this.delay = 250;
    this.queue = [];
    this.open();
  }

  get connected() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/connect`);
    this.socket.onopen = () => {
      this.delay = 250;
      for (const text of this.queue.splice(0)) this.socket.send(text);
      this.dispatchEvent(new Event("open"));
    };
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.socket.onclose = (event) => {
      this.queue = [];
      for (const one of this.waiting.values()) one.reject(new Error("The connection to the server was lost."));
      this.waiting.clear();
      this.dispatchEvent(new CustomEvent("lost", { detail: event.reason }));
      setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(2 * this.delay, 5000);
    };
  }

  receive(message) {
    if (message.type === "contest") {
      this.dispatchEvent(new CustomEvent("contest", { detail: message }));
      return;
    }
    const one = this.waiting.get(message.id);
    if (!one) return;
    if (message.type === "progress" || message.type === "waiting") {
      one.progress?.(message);
      return;
    }
    this.waiting.delete(message.id);
    if (message.type === "error") one.reject(new Error(message.message));
    else one.resolve(message);
  }

  // Ask; the promise is kept with the answer. `progress` hears what comes before it.
  ask(type, body = {}, progress = null) {
    const id = this.next++;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, progress }));
    const text = JSON.stringify({ ...body, id, type });
    if (this.connected) this.socket.send(text);
    else this.queue.push(text);
    return answer;
  }

  // Tell; nobody waits for an answer.
  tell(type, body = {}) {
    if (this.connected) this.socket.send(JSON.stringify({ ...body, id: 0, type }));
  }
}

interface Bounds<Value> {
  /** Time in ms after which an unused value may be dropped; after twice that it is, forgotten texts included. */
  holdMs: number;
  /** Most that one of the two generations may take, by `sizeOf`. */
  maxSize: number;
  sizeOf: (key: string, value: Value) => number;
}

/** Holds recently used values, in two generations: each new one drops what was not used during the last. */
export class RecentValues<Value> {
  private newer = new Map<string, Value>();
  private older = new Map<string, Value>();
  private size = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly bounds: Bounds<Value>) {}

  get(key: string): Value | undefined {
    const held = this.newer.get(key);
    if (held !== undefined) return held;
    const older = this.older.get(key);
    if (older !== undefined) this.put(key, older);
    return older;
  }

  /** Holds a value, and returns it; one that is put again counts again. */
  put(key: string, value: Value): Value {
    const size = this.bounds.sizeOf(key, value);
    if (this.size + size > this.bounds.maxSize) this.turnOver();
    this.newer.set(key, value);
    this.size += size;
    this.timer ??= setInterval(() => this.turnOver(), this.bounds.holdMs).unref();
    return value;
  }

  private turnOver(): void {
    this.older = this.newer;
    this.newer = new Map();
    this.size = 0;
    if (this.older.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** People whose values are kept: some hundred KB. */
const MAX_PEOPLE = 1_000;

/** Keeps what was read of each person, for as long as it counts as fresh. */
export abstract class FreshReads<Value> {
  protected readonly known = new Map<string, { value: Promise<Value>; until: number }>();

  constructor(private readonly freshMs: number) {}

  of(personId: string): Promise<Value> {
    const held = this.known.get(personId);
    if (held && held.until > performance.now()) return held.value;
    const value = this.read(personId);
    value.catch(() => this.known.delete(personId));
    this.known.delete(personId);
    this.known.set(personId, { value, until: performance.now() + this.freshMs });
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_PEOPLE && oldest !== undefined) this.known.delete(oldest);
    return value;
  }

  protected abstract read(personId: string): Promise<Value>;
}

const MOST_PEOPLE = 10_000;
/** Between two looks at what all processes kept, each counts its own. */
const LOOK_EVERY_MS = 30_000;

/** How much was kept of each person today (UTC), by all processes: exact a moment ago, and this one's since. */
export class DailyCount {
  readonly #counts = new Map<string, { count: number; lookedAt: number }>();
  #day = '';

  /** @param kept counts what there is of the person since a time */
  async today(personId: string, now: Date, kept: (since: Date) => Promise<number>): Promise<number> {
    const day = now.toISOString().slice(0, 10);
    if (day !== this.#day || this.#counts.size >= MOST_PEOPLE) this.#counts.clear();
    this.#day = day;
    const known = this.#counts.get(personId);
    if (known && now.getTime() - known.lookedAt < LOOK_EVERY_MS) return known.count;
    const count = await kept(new Date(`${day}T00:00:00Z`));
    this.#counts.set(personId, { count, lookedAt: now.getTime() });
    return count;
  }

  add(personId: string, count: number): void {
    const known = this.#counts.get(personId);
    if (known) known.count += count;
  }
}

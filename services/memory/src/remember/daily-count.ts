/** People whose counts are cached: about a MB. Beyond it, they are counted again. */
const MAX_PEOPLE = 10_000;
/** Time between two counts in Postgres of what all processes kept; in between, each adds its own. */
const RECOUNT_EVERY_MS = 30_000;

/**
 * Counts the memories kept today per person (UTC). The share of other processes is up to 30 s old; our own is current.
 */
export class DailyCount {
  private readonly counts = new Map<string, { count: number; countedAt: number }>();
  private day = '';

  /** @param kept counts the person's memories since a time */
  async today(personId: string, now: Date, kept: (since: Date) => Promise<number>): Promise<number> {
    const day = now.toISOString().slice(0, 10);
    if (day !== this.day || this.counts.size >= MAX_PEOPLE) this.counts.clear();
    this.day = day;
    const known = this.counts.get(personId);
    if (known && now.getTime() - known.countedAt < RECOUNT_EVERY_MS) return known.count;
    const count = await kept(new Date(`${day}T00:00:00Z`));
    this.counts.set(personId, { count, countedAt: now.getTime() });
    return count;
  }

  add(personId: string, count: number): void {
    const known = this.counts.get(personId);
    if (known) known.count += count;
  }
}

const MOST_PEOPLE = 10_000;

/** How much was kept of each person today (UTC), as far as this process knows: a bound, not a bill. */
export class DailyCount {
  readonly #counts = new Map<string, number>();
  #day = '';

  today(personId: string): number {
    this.#turnPage();
    return this.#counts.get(personId) ?? 0;
  }

  add(personId: string, count: number): void {
    this.#turnPage();
    this.#counts.set(personId, (this.#counts.get(personId) ?? 0) + count);
  }

  #turnPage(): void {
    const day = new Date().toISOString().slice(0, 10);
    if (day === this.#day && this.#counts.size < MOST_PEOPLE) return;
    this.#counts.clear();
    this.#day = day;
  }
}

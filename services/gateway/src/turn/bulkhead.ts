/** Someone who talks in many places at once is answered in this many of them at a time by one process. */
const MOST_OF_ONE_PERSON = 4;

/** Keeps one person from taking every worker, with a flood or with turns that are slow. */
export class Bulkhead {
  readonly #underWay = new Map<string, number>();

  /** How to leave; null when the person has as many turns under way as they may. */
  enter(personId: string): (() => void) | null {
    const count = this.#underWay.get(personId) ?? 0;
    if (count >= MOST_OF_ONE_PERSON) return null;
    this.#underWay.set(personId, count + 1);
    return () => {
      const left = (this.#underWay.get(personId) ?? 1) - 1;
      if (left > 0) this.#underWay.set(personId, left);
      else this.#underWay.delete(personId);
    };
  }
}

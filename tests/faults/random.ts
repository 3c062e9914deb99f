/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.next() * of.length)]!;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    return Array.from({ length: left.length }, () => left.splice(this.between(0, left.length - 1), 1)[0]!);
  }
}

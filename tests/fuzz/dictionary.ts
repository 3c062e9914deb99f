import type { Random } from '../faults/random.ts';

/** More values of one name are more of the same. */
const MAX_OF_A_NAME = 60;

/** Values that answers held, by the name they had: requests made of them get past the first check. */
export class Dictionary {
  private readonly values = new Map<string, string[]>([
    ['action', ['pause', 'resume', 'run']],
    ['label', ['human', 'persona', 'operator']],
    ['person', ['me']],
    ['companion', ['mira']],
    ['conversation', ['main', 'other']],
    ['limit', ['1', '2', '50', '200']],
    ['version', ['1', '2']],
    ['q', ['canoe', 'what did I say last March?']],
  ]);
  private readonly ids: string[] = [];
  private readonly guarded: ReadonlySet<string>;

  /** @param guarded values whose use would end the run, such as the id of whoever runs it */
  constructor(guarded: ReadonlySet<string>) {
    this.guarded = guarded;
  }

  /** Reads an answer for what later requests may name. */
  learn(value: unknown, name = ''): void {
    if (typeof value === 'object' && value !== null) {
      for (const [key, part] of Object.entries(value).slice(0, 200))
        this.learn(part, Array.isArray(value) ? name : key);
      return;
    }
    if (typeof value !== 'string' || value === '' || value.length > 200 || this.guarded.has(value)) return;
    const known = this.values.get(name) ?? [];
    if (!known.includes(value)) keep(known, value);
    this.values.set(name, known);
    if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(value) && !this.ids.includes(value))
      keep(this.ids, value);
  }

  /** A value that something of this name had, if any. */
  word(name: string, random: Random): string | undefined {
    const known = this.values.get(name);
    return known && random.pick(known);
  }

  id(random: Random): string {
    return this.ids.length > 0 ? random.pick(this.ids) : '019a0000-0000-7000-8000-000000000001';
  }
}

function keep(known: string[], value: string): void {
  known.push(value);
  if (known.length > MAX_OF_A_NAME) known.splice(1, 1);
}

/** Characters of a generation: some 3,000 lines, with what is made of them 2 MB. Those of two are held. */
const MAX_CHARACTERS = 300_000;
/** Time of a generation: what was forgotten is gone from here, too, after two. */
const GENERATION_MS = 60_000;

/**
 * Holds what was made of texts a moment ago: lines of one person are looked at by several steps of a recall, and again
 * at the next one.
 */
export class RecentTexts<Made> {
  private newer = new Map<string, Made>();
  private older = new Map<string, Made>();
  private characters = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly make: (text: string) => Made) {}

  of(text: string): Made {
    const held = this.newer.get(text);
    if (held !== undefined) return held;
    const made = this.older.get(text) ?? this.make(text);
    if (this.characters + text.length > MAX_CHARACTERS) this.turnOver();
    this.newer.set(text, made);
    this.characters += text.length;
    this.timer ??= setInterval(() => this.turnOver(), GENERATION_MS).unref();
    return made;
  }

  private turnOver(): void {
    this.older = this.newer;
    this.newer = new Map();
    this.characters = 0;
    if (this.older.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

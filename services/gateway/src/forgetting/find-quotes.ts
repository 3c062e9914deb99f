/** A line of a conversation, in the order of the conversation. */
export interface SaidLine {
  id: bigint;
  turnId: string;
  role: string;
  text: string;
  /** Lines that the prompt of its turn told; absent where that is not known. */
  view?: LineView | undefined;
}

/** Lines that a prompt told: all from one line on, and some before it. */
export interface LineView {
  from: bigint;
  kept: ReadonlySet<bigint>;
}

/** Lines of the conversation in a prompt whose view is not known: some rounds of talk. */
export const PROMPT_LINES = 30;

/** Letters of the shortest word that says something by itself. */
const MIN_LETTERS = 4;
/** Letters by which words are compared: longer ones are told apart by their beginning. */
const MAX_LETTERS = 40;

/** English words that a reply shares with anything. */
const COMMON = new Set(
  `about above after again also always been before being below both came come could does doing done down each even ever
  every feel felt find from gave getting give going gone good great have having hear heard hello here hers himself
  into itself just keep know last later least less like little long look made make many maybe mean might more most much
  must need never next nice only other ours over really remember right said same says seem should some something soon
  still such sure take tell than thank thanks that their them then there these they thing things think this those
  though through time today told tomorrow took under until upon very want wants well went were what when where which
  while whom whose will with word would yeah yesterday your yours yourself`.split(/\s+/),
);
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Finds the words by which a repetition is known: names, numbers, and what is not in every sentence. */
export function tellingWords(text: string): Set<string> {
  const runs =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return new Set(
    runs.flatMap((run) => {
      if (UNSPACED.test(run)) return pairsOf(run);
      const word = run.slice(0, MAX_LETTERS).replace(/s$/u, '');
      const isTelling = /\p{N}/u.test(word) || (run.length >= MIN_LETTERS && !COMMON.has(run));
      return isTelling ? [word] : [];
    }),
  );
}

/**
 * Goes through a conversation for the companion's lines that go with words that are gone. With `withReplies`, a reply in
 * the same turn goes. A later one goes when it was written with those words in view and repeats one of them, unless the
 * person said that word again in its turn. What was written with such a reply in view is looked at in the same way. Pure.
 */
export class QuoteFinder {
  private readonly goneWords: ReadonlySet<string>;
  /** Words that are gone, of the lines so far. */
  private readonly words = new Set<string>();
  /** Turns with a line that is gone. */
  private readonly turns = new Set<string>();
  /** Of the words that are gone, those that the person said, by turn. */
  private readonly own = new Map<string, Set<string>>();
  /** Lines that are gone or go, and how many lines came before the last of them. */
  private readonly out = new Set<bigint>();
  private lastOut = { id: -1n, at: Number.NEGATIVE_INFINITY };
  private at = 0;

  constructor(
    private readonly gone: ReadonlyMap<bigint, ReadonlySet<string>>,
    private readonly withReplies: boolean,
  ) {
    this.goneWords = new Set([...gone.values()].flatMap((words) => [...words]));
  }

  /** Finds those among the next lines, which follow in order: the first call has the first line that is gone. */
  find(lines: readonly SaidLine[]): bigint[] {
    return lines.filter((line) => this.goes(line)).map(({ id }) => id);
  }

  private goes(line: SaidLine): boolean {
    const at = this.at++;
    const lost = this.gone.get(line.id);
    if (lost) {
      for (const word of lost) this.words.add(word);
      this.turns.add(line.turnId);
      this.takeOut(line, at);
    } else if (line.role === 'person') {
      this.noteOwn(line);
    } else if (this.isReply(line) || (this.hadInView(line, at) && this.repeatsGone(line))) {
      this.takeOut(line, at);
      return true;
    }
    return false;
  }

  private takeOut({ id }: SaidLine, at: number): void {
    this.out.add(id);
    this.lastOut = { id, at };
  }

  private noteOwn({ turnId, text }: SaidLine): void {
    const said = [...tellingWords(text)].filter((word) => this.goneWords.has(word));
    if (said.length > 0) this.own.set(turnId, new Set([...(this.own.get(turnId) ?? []), ...said]));
  }

  private isReply({ turnId }: SaidLine): boolean {
    return this.withReplies && this.turns.has(turnId);
  }

  private repeatsGone({ turnId, text }: SaidLine): boolean {
    return repeats(text, this.words, this.own.get(turnId));
  }

  /** Tells whether a reply was written with a line in view that is gone or goes. */
  private hadInView({ view }: SaidLine, at: number): boolean {
    if (!view) return at <= this.lastOut.at + PROMPT_LINES;
    return this.lastOut.id >= view.from || [...view.kept].some((id) => this.out.has(id));
  }
}

/** Tells whether a text holds one of the words, except those in `said`. */
export function repeats(
  text: string,
  words: ReadonlySet<string>,
  said: ReadonlySet<string> = new Set(),
): boolean {
  return [...tellingWords(text)].some((word) => words.has(word) && !said.has(word));
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

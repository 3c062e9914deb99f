import type { TranscriptMessageModel } from '@kith/database';
import { Yielder } from '@kith/messaging';

/** A line of a conversation, in the order of the conversation. */
export type SaidLine = Pick<TranscriptMessageModel, 'id' | 'turnId' | 'role' | 'text'>;

/** Lines that a prompt told: all from `from` on, and some before it, kept by its snapshot or quoted by the person. */
export interface LineView {
  /** Null: the prompt told only the lines in `kept`. */
  from: bigint | null;
  kept: ReadonlySet<bigint>;
}

/** Newest lines that a prompt is taken to have told if its view is not known: some rounds of talk. */
export const PROMPT_LINES = 30;

/** Letters of the shortest telling word without a digit. */
const MIN_LETTERS = 4;
/** Characters of a text that are compared: more than any reply has, also once ligatures are spelt out. */
const MAX_CHARACTERS = 32_000;
/** Characters after which the comparison yields to other work: some milliseconds at most. */
const YIELD_CHARACTERS = 8_000;
/** Fixed cost of comparing one text, expressed in characters. */
const SHORT_CHARACTERS = 100;
/** Most words that are looked for one by one. With twice as many, finding a text's own words takes no longer. */
const MAX_LOOKED_FOR = 100;
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
/** English words of three letters that say nothing by themselves. */
const LITTLE = new Set(
  'the and for but was are has had not his her its our you she him who why how did too any all one'.split(
    ' ',
  ),
);
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Finds the words by which a repetition is known: names, numbers, and what is not in every sentence. */
export function tellingWords(text: string): Set<string> {
  return tellingWordsIn(spelling(text));
}

/** Tells whether a word says something by itself: a telling one, or one of three letters. */
export function says(word: string): boolean {
  const bare = word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return tellingWords(word).size > 0 || (bare.length === 3 && !LITTLE.has(bare));
}

/** Joins sets of words. */
export function allOf(sets: Iterable<ReadonlySet<string>>): Set<string> {
  return new Set([...sets].flatMap((words) => [...words]));
}

/** Makes a function that finds the telling words of a turn's lines, among these. */
export function wordsByTurn(
  lines: readonly { turnId: string; text: string }[],
): (turnId: string) => ReadonlySet<string> {
  const said = Map.groupBy(lines, ({ turnId }) => turnId);
  return (turnId) => allOf((said.get(turnId) ?? []).map(({ text }) => tellingWords(text)));
}

/** Spells a text as its words are compared. */
function spelling(text: string): string {
  return text.slice(0, MAX_CHARACTERS).normalize('NFKC').slice(0, MAX_CHARACTERS).toLowerCase();
}

function tellingWordsIn(spelt: string): Set<string> {
  const words = new Set<string>();
  for (const run of spelt.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
    if (UNSPACED.test(run)) for (const pair of pairsOf(run)) words.add(pair);
    else {
      const beginning = run.slice(0, MAX_LETTERS);
      const word = beginning.replace(/(?<!s)s$/, '');
      if ((run.length >= MIN_LETTERS && !COMMON.has(run)) || /\p{N}/u.test(word)) words.add(word);
    }
  }
  return words;
}

/** Finds the telling words of old texts that the new one has no more; all of them where it was deleted (null). */
export function lostWords(old: readonly string[], text: string | null): Set<string> {
  const still = tellingWords(text ?? '');
  return new Set(old.flatMap((words) => [...tellingWords(words)]).filter((word) => !still.has(word)));
}

/** Loads the lines that turns' prompts told of their conversation. A turn that is absent has no known view. */
export type LoadViews = (turnIds: readonly string[]) => Promise<ReadonlyMap<string, LineView>>;

/** Words of lines that are not there any more, and the line before which the last of them stood. */
export interface LostWords {
  words: ReadonlySet<string>;
  before: bigint;
}

/** Relation of a line to words removed before it. */
type LineRelation = 'gone' | 'reply' | 'repeats';

/** Makes a pacer that yields to other work while many texts are compared. */
export function textYielder(): { after(text: string): Promise<void> } {
  const yielder = new Yielder(YIELD_CHARACTERS);
  return { after: ({ length }) => yielder.after(length + SHORT_CHARACTERS) };
}

/**
 * Searches a conversation for the companion's lines that must go with removed words. With `withReplies`, the reply in the
 * same turn goes. A later reply goes if it was written with the removed words in view and repeats one of them, unless the
 * person said that word again in its turn. Replies written with such a reply in view are treated the same way.
 */
export class QuoteFinder {
  /** Removed words of the lines so far. */
  private readonly words = new Set<string>();
  /** Turns with a removed line. */
  private readonly turns = new Set<string>();
  /** The last line's turn, with what its person said in it. A turn's lines stand together. */
  private turn: { id: string; said: string[] } = { id: '', said: [] };
  /** Lines that are removed or must go; the last of them, with the number of lines before it. */
  private readonly out = new Set<bigint>();
  private lastOut = { id: -1n, at: Number.NEGATIVE_INFINITY };
  private at = 0;
  private readonly yielder = textYielder();

  /** @param lost words of lines that are not there any more, and stood before this line of the first page */
  constructor(
    private readonly gone: ReadonlyMap<bigint, ReadonlySet<string>>,
    private readonly withReplies: boolean,
    private readonly loadViews: LoadViews,
    private readonly lost: LostWords | null = null,
  ) {
    if (!lost) return;
    for (const word of lost.words) this.words.add(word);
    this.lastOut = { id: lost.before - 1n, at: -1 };
  }

  /** Finds such lines on the next page. Pages come in order, and the first one begins with the first removed line. */
  async find(lines: readonly SaidLine[]): Promise<bigint[]> {
    const signs: { line: SaidLine; at: number; sign: LineRelation | null }[] = [];
    for (const line of lines) {
      signs.push({ line, at: this.at++, sign: this.signOf(line) });
      await this.yielder.after(line.text);
    }
    const repeating = signs.filter(({ sign }) => sign === 'repeats').map(({ line }) => line.turnId);
    const views = repeating.length > 0 ? await this.loadViews(repeating) : new Map<string, LineView>();
    const found: bigint[] = [];
    for (const { line, at, sign } of signs) {
      const goes =
        sign === 'reply' || (sign === 'repeats' && this.hadInView(line, at, views.get(line.turnId)));
      if (goes) found.push(line.id);
      if (goes || sign === 'gone') {
        this.out.add(line.id);
        this.lastOut = { id: line.id, at };
      }
    }
    return found;
  }

  /** Finds the relation of a line to the words removed before it. */
  private signOf({ id, turnId, role, text }: SaidLine): LineRelation | null {
    if (turnId !== this.turn.id) this.turn = { id: turnId, said: [] };
    const lost = this.gone.get(id);
    if (lost) {
      for (const word of lost) this.words.add(word);
      this.turns.add(turnId);
      return 'gone';
    }
    if (role === 'person') {
      this.turn.said.push(text);
      return null;
    }
    if (this.withReplies && this.turns.has(turnId)) return 'reply';
    if (!repeats(text, this.words)) return null;
    const said = new Set(this.turn.said.flatMap((own) => [...tellingWords(own)]));
    return repeats(text, this.words, said) ? 'repeats' : null;
  }

  /** Tells whether a reply was written with a line in view that is removed or must go. */
  private hadInView({ turnId }: SaidLine, at: number, view: LineView | undefined): boolean {
    // A turn always sees the messages that it answers.
    if (this.turns.has(turnId)) return true;
    if (!view) return at <= this.lastOut.at + PROMPT_LINES;
    const { lost, out } = this;
    return (
      (view.from !== null && this.lastOut.id >= view.from) ||
      [...view.kept].some((id) => out.has(id) || (lost !== null && id < lost.before))
    );
  }
}

/** Tells whether a text holds one of the words, except those in `said`. */
export function repeats(text: string, words: ReadonlySet<string>, said: ReadonlySet<string> = new Set()) {
  const spelt = spelling(text);
  // A text's words stand in it letter by letter. Most texts hold none, and this is told sooner than which words they have.
  if (words.size <= MAX_LOOKED_FOR && !holdsAny(spelt, words)) return false;
  return [...tellingWordsIn(spelt)].some((word) => words.has(word) && !said.has(word));
}

function holdsAny(spelt: string, words: Iterable<string>): boolean {
  for (const word of words) if (spelt.includes(word)) return true;
  return false;
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

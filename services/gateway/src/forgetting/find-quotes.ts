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
 * Finds the companion's lines that go with words that are gone. With `withReplies`, a reply in the same turn goes. A
 * later one goes when it was written with those words in view and repeats one of them, unless the person said that word
 * again in its turn. What was written with such a reply in view is looked at in the same way. Pure.
 * @param lines of one conversation, in order, from the first that is gone on
 */
export function findQuotes(
  lines: readonly SaidLine[],
  gone: ReadonlyMap<bigint, ReadonlySet<string>>,
  withReplies: boolean,
): bigint[] {
  const found: bigint[] = [];
  const words = new Set<string>();
  const turns = new Set<string>();
  const own = new Map<string, Set<string>>();
  const places = new Map<bigint, number>();
  for (const [at, line] of lines.entries()) {
    const lost = gone.get(line.id);
    if (lost) {
      for (const word of lost) words.add(word);
      turns.add(line.turnId);
      places.set(line.id, at);
    } else if (line.role === 'person') {
      const said = own.get(line.turnId) ?? new Set<string>();
      for (const word of tellingWords(line.text)) said.add(word);
      own.set(line.turnId, said);
    } else if (
      (withReplies && turns.has(line.turnId)) ||
      (hadInView(line, at, places) && repeats(line.text, words, own.get(line.turnId)))
    ) {
      found.push(line.id);
      places.set(line.id, at);
    }
  }
  return found;
}

/** Tells whether a reply was written with one of these lines in view. */
function hadInView({ view }: SaidLine, at: number, places: ReadonlyMap<bigint, number>): boolean {
  for (const [id, place] of places) {
    if (view ? id >= view.from || view.kept.has(id) : at <= place + PROMPT_LINES) return true;
  }
  return false;
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

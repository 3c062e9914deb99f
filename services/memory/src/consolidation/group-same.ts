import { present } from '@kith/contracts';
import { Yielder } from '@kith/messaging';
import { isNegation, readWords, wordSet } from '@kith/reading';
import type { MemoryRow } from '../rows/memory-row.js';
import { wordsOf } from '../words/analyse-text.js';

/** An episode as consolidation sees it. */
export type Episode = Pick<MemoryRow, 'id' | 'text' | 'audience' | 'importance' | 'saidAt' | 'sources'>;

/** Several episodes that say the same: one stays; the others may go. */
export interface Merge {
  keepId: string;
  removeIds: string[];
  saidAt: Date;
  importance: number;
}

/**
 * Share of common words from which on two statements are the same, if these are in the same order, and their negations,
 * numbers and days agree.
 */
const SAME_STATEMENT = 0.85;
/** "ok then" and "ok thanks" are too short to be told apart by their words. */
const MIN_WORDS_TO_MERGE = 4;
/** Statements compared for each rare word, the latest. In talk of few words more of them share one. */
const MAX_COMPARED = 200;
/** Tolerance for the rounding error of a product that should be a whole number. */
const ROUNDING = 1e-9;

/** Characters that are read in one run: months of talk, and a second of work. */
const MAX_CHARACTERS = 1_000_000;
/** Characters that are read before other work gets a turn: some 5 ms. */
export const CHARACTERS_A_YIELD = 8_000;
/**
 * Steps of comparing that a run takes, each a word or a line that is looked up: half a second. A day of honest talk takes
 * less than a fifth; shuffled lines of a hundred words take fifty times as many.
 */
const MAX_STEPS = 5_000_000;
/** Steps that are taken before other work gets a turn: some 5 ms. */
const STEPS_A_YIELD = 100_000;

/** Orders episodes by time, and leaves out the earliest beyond what is read at once. */
export function latestInOrder(episodes: readonly Episode[]): Episode[] {
  const ordered = episodes.toSorted(
    (a, b) => a.saidAt.getTime() - b.saidAt.getTime() || (a.id < b.id ? -1 : 1),
  );
  let [from, characters] = [ordered.length, 0];
  for (; from > 0; from -= 1) {
    characters += present(ordered[from - 1]).text.length;
    if (characters > MAX_CHARACTERS) break;
  }
  return ordered.slice(from);
}

/**
 * Groups episodes that say the same. Two sets with so much in common share one of their rarest words, so a line is
 * compared with lines of its rarest words alone (prefix filter: Bayardo, Ma, Srikant, WWW 2007): all pairs of a day's
 * 5,000 lines take seconds. Past a bound of steps lines are left as they are.
 * @param maxSteps bound of the comparing
 */
export async function groupSame(episodes: Episode[], maxSteps = MAX_STEPS): Promise<Episode[][]> {
  const reading = new Yielder(CHARACTERS_A_YIELD);
  const lines: (Fingerprint & { episode: Episode })[] = [];
  for (const episode of episodes) {
    lines.push({ episode, ...fingerprintOf(episode) });
    await reading.after(episode.text.length);
  }
  const uses = new Map<string, number>();
  for (const { words } of lines) for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1);
  const groups: { words: ReadonlySet<string>; members: Episode[] }[] = [];
  const byDecisive = new Map<string, Map<string, number[]>>();
  const comparing = new Yielder(STEPS_A_YIELD);
  let steps = 0;
  for (const { episode, words, decisive } of lines) {
    const before = steps;
    const rare = steps < maxSteps ? rarest(words, uses) : [];
    const byWord = byDecisive.get(decisive) ?? new Map<string, number[]>();
    byDecisive.set(decisive, byWord);
    const listed = rare.flatMap((word) => byWord.get(word) ?? []);
    steps += words.size + listed.length;
    const group = [...new Set(listed)]
      .sort((a, b) => a - b)
      .map((at) => present(groups[at]))
      .find((each) => {
        const compared = saySame(each.words, words);
        steps += compared.steps;
        return compared.isSame;
      });
    await comparing.after(steps - before);
    if (group) {
      group.members.push(episode);
      continue;
    }
    for (const word of rare)
      byWord.set(word, [...(byWord.get(word) ?? []).slice(1 - MAX_COMPARED), groups.length]);
    groups.push({ words, members: [episode] });
  }
  return groups.map(({ members }) => members);
}

interface Fingerprint {
  /** In the order in which they first come. */
  words: ReadonlySet<string>;
  /** Day it was said on, negations and numbers: where these differ, the statements do. */
  decisive: string;
}

/**
 * Negations of other languages. A word that is one in some language is looked for in all of them: a line in another that
 * has it is merged with fewer lines.
 */
const NEGATIONS = wordSet(`nicht nichts kein keine keinen keinem keiner keines nie niemals nein ohne
  pas plus jamais rien sans aucun aucune non ni tampoco nunca jamás jamas nada sin não nao nem sem mai senza niente
  niet geen nooit zonder ikke ikkje inte ej icke aldrig aldri ingen inget ingenting uten uden utan
  nigdy bez ne není nejsem nemám nikdy nu niciodată fără nem nincs soha değil yok hiç ei emme ette eivät älä
  не нет ни никогда без ні немає ніколи لا ليس لم لن`);
/** Signs of a negation where words are not parted. */
const UNSPACED_NEGATIONS = /[不没沒别別未]|ない|ません|なかった|안 |못|않|없|ไม่/gu;

function fingerprintOf({ text, saidAt }: Episode): Fingerprint {
  const decisive = readWords(text.replaceAll('’', "'")).filter(
    (word) => isNegation(word) || NEGATIONS.has(word) || /\d/.test(word),
  );
  const unspaced = text.match(UNSPACED_NEGATIONS) ?? [];
  return {
    words: new Set(wordsOf(text)),
    decisive: [dayOf(saidAt), ...decisive.sort(), ...unspaced].join(' '),
  };
}

/** Gives the day of a time, in UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/**
 * Picks the rarest words of a statement: any that says the same has at least one of them among its own rarest. None
 * where it is too short to be merged.
 */
function rarest(words: ReadonlySet<string>, uses: ReadonlyMap<string, number>): string[] {
  if (words.size < MIN_WORDS_TO_MERGE) return [];
  const inOrder = [...words].sort((a, b) => (uses.get(a) ?? 0) - (uses.get(b) ?? 0) || (a < b ? -1 : 1));
  return inOrder.slice(0, words.size - Math.ceil(SAME_STATEMENT * words.size - ROUNDING) + 1);
}

/**
 * Tells whether two sets of words are the same but for a few, in one order: "tea rather than coffee" is not "coffee
 * rather than tea". Also returns how many words were looked up.
 */
function saySame(a: ReadonlySet<string>, b: ReadonlySet<string>): { isSame: boolean; steps: number } {
  // Fewest common words that are enough: counting stops once too many words of `a` are missing from `b`.
  const needed = (SAME_STATEMENT / (1 + SAME_STATEMENT)) * (a.size + b.size) - ROUNDING;
  let [steps, missing] = [0, 0];
  for (const word of a) {
    steps += 1;
    if (b.has(word)) continue;
    missing += 1;
    if (a.size - missing < needed) return { isSame: false, steps };
  }
  const common = a.size - missing;
  if (common / (a.size + b.size - common) < SAME_STATEMENT) return { isSame: false, steps };
  const shared = [...a].filter((word) => b.has(word));
  const inOrder = [...b].filter((word) => a.has(word));
  return { isSame: shared.every((word, at) => word === inOrder[at]), steps: steps + a.size + b.size };
}

/** Picks the longest wording, which says the most. */
export function fullest(group: Episode[]): Episode {
  return group.reduce((best, each) => (each.text.length > best.text.length ? each : best));
}

/** Plans how a group becomes one memory. */
export function mergeOf(group: Episode[]): Merge {
  const keep = fullest(group);
  return {
    keepId: keep.id,
    removeIds: group.filter(({ id }) => id !== keep.id).map(({ id }) => id),
    saidAt: new Date(Math.max(...group.map(({ saidAt }) => saidAt.getTime()))),
    importance: Math.max(...group.map(({ importance }) => importance)),
  };
}

/**
 * Chooses the memories that one run asks about, in the order of their ids: removed ones are missing later and others
 * keep their place, so the next run continues after the last. Pure.
 * @returns with the last memory that is asked about, where more follow
 */
export function chooseAsked(merges: readonly Merge[], after: string | undefined, most: number) {
  const left = merges
    .flatMap(({ removeIds }) => removeIds)
    .filter((id) => after === undefined || id > after)
    .sort();
  const asked = new Set(left.slice(0, most));
  return {
    merges: merges
      .map((merge) => ({ ...merge, removeIds: merge.removeIds.filter((id) => asked.has(id)) }))
      .filter(({ removeIds }) => removeIds.length > 0),
    last: left.length > most ? present(left[most - 1]) : null,
  };
}

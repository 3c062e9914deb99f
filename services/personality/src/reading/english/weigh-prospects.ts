import { textForRules } from '@kith/reading';
import type { Appraisal } from '../../affect/appraisal.js';
import type { Prospect, ReadEvent } from '../../affect/prospect.js';
import { isSameThing, FELT_FROM, stems, tellingWords, TOPICS } from './prospect-words.js';
import { readWords } from '@kith/lexical-embedding';
import { valenceOf } from './valence-of.js';

/**
 * An outcome contrary to what was expected weighs in full, one that was sure by this much less: OCC's unexpectedness.
 */
const EXPECTED_LESS = 0.2;

/**
 * Weighs a turn's events against the prospects that were open before it: an event that settles one becomes its
 * outcome, with the stake of then, and new hopes and fears are kept. Others about the same thing are closed with it.
 */
export function weighProspects(
  texts: readonly string[],
  events: readonly ReadEvent[],
  open: readonly Prospect[],
) {
  const settled = new Map<Appraisal, Prospect>();
  const appraisals = events.map((event) => {
    const prospect = event.settles === undefined ? undefined : open[event.settles - 1];
    const outcome = prospect && outcomeOf(event, prospect);
    if (prospect && outcome) settled.set(outcome, prospect);
    return outcome ?? variablesOf(event);
  });
  const over = [...settled.values()];
  const closed = open.filter((one) =>
    over.some((other) => one === other || isSameThing(one.about, other.about)),
  );
  const known = open.filter((prospect) => !closed.includes(prospect));
  const said = texts.map((text) => textForRules(text));
  return { appraisals, settled, closed: closed.map(({ id }) => id), told: toldIn(said, events, known) };
}

/** Makes of an event the outcome of a prospect; null where it is still ahead, or neither good nor bad. */
function outcomeOf(event: ReadEvent, { kind, desirability, likelihood }: Prospect): Appraisal | null {
  if (event.prospect === 'hoped' || event.prospect === 'feared') return null;
  if (event.desirability === 0) return null;
  const isHoped = kind === 'hoped';
  const isSo =
    event.prospect === 'none' ? event.desirability > 0 === isHoped : event.prospect === 'confirmed';
  const chance = (1 + likelihood) / 2;
  const expected = isSo ? chance : 1 - chance;
  const stake =
    Math.max(Math.abs(event.desirability), Math.abs(desirability)) * (1 - EXPECTED_LESS * expected);
  return {
    ...variablesOf(event),
    ...(event.target === 'object' && { target: 'other', appealingness: GOODWILL }),
    prospect: isSo ? 'confirmed' : 'disconfirmed',
    desirability: isHoped ? stake : -stake,
    likelihood,
  };
}

/** Goodwill towards the person who tells of an outcome, as in the rules' `THEIRS`. */
const GOODWILL = 0.6;

function variablesOf({ settles: _settles, about: _about, ...variables }: ReadEvent): Appraisal {
  return variables;
}

/** A dozen words: enough to know it again, and short enough for a list. */
const MAX_ABOUT_CHARACTERS = 80;
/** The model is asked for eight words: a longer answer does not count. */
const MAX_NAMED_CHARACTERS = 200;
/** A feeling or an undertaking in a sentence counts as much as this many telling words. */
const COMPANY = 3;

/** Finds the strongest hope and the strongest fear of a turn that were not told before. */
function toldIn(texts: readonly string[], events: readonly ReadEvent[], known: readonly Prospect[]) {
  return (['hoped', 'feared'] as const).flatMap((kind) => {
    const [event] = events
      .filter(({ prospect, target }) => prospect === kind && target !== 'object')
      .toSorted((one, other) => Math.abs(other.desirability) - Math.abs(one.desirability));
    const about = event && wordsFor(texts, event.about);
    if (!event || !about) return [];
    if (known.some((before) => before.kind === kind && isSameThing(before.about, about))) return [];
    const size = Math.abs(event.desirability);
    return { kind, about, desirability: kind === 'hoped' ? size : -size, likelihood: event.likelihood };
  });
}

/**
 * Chooses words for a prospect: those that were named, if all are the person's, else their sentence that tells most of a
 * feeling or an undertaking. The model has read other people's turns, too: a word that this person did not say may be
 * somebody else's.
 */
function wordsFor(texts: readonly string[], named: string | undefined): string | null {
  const isShort = named !== undefined && named.length <= MAX_NAMED_CHARACTERS;
  if (isShort && tellingWords(named).size > 0 && isSaidIn(texts, named)) return shortened(named);
  const sentences = texts.flatMap((text) => text.split(/[.!?;…\n]+/u));
  const [most] = sentences
    .filter((sentence) => tellingWords(sentence).size > 0)
    .map((sentence) => ({ sentence, score: tellsOf(sentence) }))
    .toSorted((one, other) => other.score - one.score);
  return most ? shortened(most.sentence) : null;
}

function isSaidIn(texts: readonly string[], named: string): boolean {
  const said = new Set(stems(texts.join('\n')));
  return readWords(named).every(({ stem, isStopWord }) => isStopWord || said.has(stem));
}

/** Scores how much a sentence tells of a prospect: by its telling words, and by feelings or undertakings beside them. */
function tellsOf(sentence: string): number {
  const isFelt = readWords(sentence).some(({ form }) => Math.abs(valenceOf(form)) >= FELT_FROM);
  const isOfTopic = stems(sentence).some((stem) => TOPICS.some((topic) => topic.has(stem)));
  return tellingWords(sentence).size + (isFelt ? COMPANY : 0) + (isOfTopic ? COMPANY : 0);
}

/** Shortens to letters, figures and commas, up to the end of a word: no markup comes with it. */
function shortened(text: string): string {
  const plain = text
    .replaceAll(/[^\p{L}\p{N}'’,\s-]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  if (plain.length <= MAX_ABOUT_CHARACTERS) return plain;
  return plain.slice(0, plain.lastIndexOf(' ', MAX_ABOUT_CHARACTERS)).slice(0, MAX_ABOUT_CHARACTERS);
}

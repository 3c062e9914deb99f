import { readWords } from '@kith/lexical-embedding';
import type { NewProspect, Prospect, ReadEvent } from '../../affect/prospect.js';
import { FELT_FROM, isSameThing, stems, tellingWords, TOPICS } from './prospect-words.js';
import { valenceOf } from './valence-of.js';

/** A dozen words: enough to know it again, and short enough for a list. */
const MAX_ABOUT_CHARACTERS = 80;
/** The model is asked for eight words: a longer answer does not count. */
const MAX_NAMED_CHARACTERS = 200;
/** A feeling or an undertaking in a sentence counts as much as this many telling words. */
const COMPANY = 3;

/** Finds the strongest hope and the strongest fear of a turn that were not told before. */
export function toldIn(
  texts: readonly string[],
  events: readonly ReadEvent[],
  known: readonly Prospect[],
): NewProspect[] {
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

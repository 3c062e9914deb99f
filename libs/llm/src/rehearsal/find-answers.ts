import type { Note } from './read-prompt.js';
import { isNameOf, type Question } from './read-question.js';
import { DISLIKE, LOVE, sentencesOf, shareOf, termsOf, wordsOf } from './words.js';

/** A note that answers, and how well: 1 is every word of the question, in a line of whom it asks about. */
export interface FoundNote {
  note: Note;
  score: number;
}

/** Numbers of the rules, tuned on three LoCoMo conversations and checked on two others (`npm run bench:rehearsal`). */
export const TUNED = {
  /** Weights of words of the line before, and of the one before that: "What is he called?" is about its answer. */
  before: [0.8, 0.5],
  /** Below this share of the question's words, a note is about something else. */
  least: 0.3,
  /** Least for a question of few words, or about nobody whose lines are known: there each word counts. */
  leastOfFew: 0.55,
  /** Most words of a question that has few. */
  few: 3,
  /** Weight of a word in a sentence that asks, or that is about the one it is said to. */
  ofAnother: 0.5,
  /** For a line that ends by asking: it seldom answers. */
  asking: 0.8,
  /** More for a line with what was asked for: a number, a time, a place, a reason. */
  fitting: 1.2,
  /** More for what holds as a fact. */
  fact: 1.1,
  /** Less for a fact that holds no longer. */
  past: 0.5,
};

/** Marks of a line that answers, by the kind of question. */
const FITS: Partial<Record<Question['wants'], RegExp>> = {
  time: /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|week(?:end)?|month|year|morning|evening|night|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d{4})\b/iu,
  count:
    /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|few|several|many|couple)\b/iu,
  duration:
    /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|few|couple|since|years?|months?|weeks?|days?|hours?|minutes?|long)\b/iu,
  place: /\b(?:in|at|to|from|near|by)\b/iu,
  reason: /\b(?:because|cause|cuz|since|so|for|to|helps?|want(?:ed)?|inspired|reason)\b/iu,
  person:
    /\p{Ll} \p{Lu}\p{Ll}|\b(?:mother|father|mom|mum|dad|brother|sister|friend|wife|husband|son|daughter|partner|teacher|boss|colleague)/u,
};

/** The notes that answer a question, best first; none where nothing is known of it. Pure. */
export function findAnswers(question: Question, notes: readonly Note[]): FoundNote[] {
  const { about } = question;
  const speaker = about !== null && typeof about === 'object' ? about.name : null;
  const known = new Map<string, ReadonlyMap<string, number>>();
  const readOnce = (text: string) => {
    const terms = known.get(text) ?? readTerms(text);
    known.set(text, terms);
    return terms;
  };
  const mayAnswer = ({ kind, text }: Note) =>
    (about !== 'companion' || kind === 'lore') && !isAllQuestions(text);
  const read = onceEach(notes.filter(mayAnswer)).map((note) => ({
    note,
    terms: readOnce(note.text),
    before: note.before.map(readOnce),
  }));
  const asked = [...question.terms].filter(([term]) => speaker === null || !isNameOf(term, speaker));
  const whole = asked.reduce((sum, [, weight]) => sum + weight, 0);
  if (whole === 0) return [];
  const scored = read.map(({ note, terms, before }) => {
    let told = 0;
    for (const [term, weight] of asked) {
      const beside = before.map((each, place) => (shareOf(term, each) > 0 ? (TUNED.before[place] ?? 0) : 0));
      told += weight * Math.max(shareOf(term, terms), ...beside);
    }
    const coverage = told / whole;
    return { note, coverage, score: coverage * fitOf(note, question), isOwn: isAbout(note, about) };
  });
  const most = (of: boolean) =>
    scored.reduce((top, { coverage, isOwn }) => (isOwn === of ? Math.max(top, coverage) : top), 0);
  // Another's line says it better: what is asked happened to them, and would be told of the wrong one.
  if (most(false) > most(true)) return [];
  const least = asked.length <= TUNED.few || about === null ? TUNED.leastOfFew : TUNED.least;
  return (
    scored
      .filter(({ coverage, isOwn }) => isOwn && coverage >= least)
      // Of equals what was said last, which the prompt tells last.
      .toReversed()
      .toSorted((a, b) => b.score - a.score)
  );
}

const OWN = ['i', 'my', 'we', 'our', 'me'];
const ADDRESSED = ['you', 'your'];
const THIRD = ['he', 'she', 'they'];

/** The terms of a line, each with how much its sentence tells of the speaker. */
function readTerms(text: string): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  for (const sentence of sentencesOf(text)) {
    const words = new Set(wordsOf(sentence));
    const has = (some: readonly string[]) => some.some((word) => words.has(word));
    const isOwn = has(OWN);
    const isOfAnother = sentence.endsWith('?') || (has(ADDRESSED) && !isOwn);
    const isOfThird = has(THIRD) && !isOwn;
    for (const term of termsOf(sentence)) {
      const isTheirFeeling = isOfThird && (term === LOVE || term === DISLIKE);
      const share = isOfAnother || isTheirFeeling ? TUNED.ofAnother : 1;
      terms.set(term, Math.max(share, terms.get(term) ?? 0));
    }
  }
  return terms;
}

function fitOf(note: Note, { wants, isPast }: Question): number {
  // Since when a fact holds is not how many there are, nor why.
  const told =
    note.kind === 'fact' && wants !== 'time' ? note.text.slice(0, note.text.lastIndexOf('(')) : note.text;
  const fits = FITS[wants]?.test(told) ?? false;
  return (
    (note.text.endsWith('?') ? TUNED.asking : 1) *
    (fits ? TUNED.fitting : 1) *
    (note.kind === 'fact' ? TUNED.fact : 1) *
    (note.kind === 'fact' && !isPast && note.text.endsWith('no longer)') ? TUNED.past : 1)
  );
}

function isAbout({ kind, speaker, text }: Note, about: Question['about']): boolean {
  if (about === null || about === 'companion') return true;
  if (about === 'asker') return speaker === null;
  if (kind === 'fact' || kind === 'lore' || speaker === about.name) return true;
  // The person's own words of somebody else name them.
  return speaker === null && wordsOf(text).some((word) => isNameOf(word, about.name));
}

/** An earlier question tells nothing. */
function isAllQuestions(text: string): boolean {
  return sentencesOf(text).every((sentence) => sentence.endsWith('?'));
}

/** Merges notes that stand in memory and in the talk too, with their day. */
function onceEach(notes: readonly Note[]): Note[] {
  const seen = new Map<string, Note>();
  for (const note of notes) {
    const key = `${note.speaker ?? ''}: ${wordsOf(note.text).join(' ')}`;
    const known = seen.get(key);
    if (!known || (known.date === null && note.date !== null)) seen.set(key, note);
  }
  return [...seen.values()];
}

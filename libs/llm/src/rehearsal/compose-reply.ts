import { findAnswers, type FoundNote } from './find-answers.js';
import { decideVerdict } from './decide-verdict.js';
import { quoteOf } from './quote.js';
import type { Note, RehearsalPrompt } from './read-prompt.js';
import { readQuestion, type Question } from './read-question.js';
import { speakToPerson } from './speak-to-person.js';
import * as templates from './templates.js';
import { termsOf } from './words.js';

const ABOUT_ITSELF =
  /\b(?:are you (?:an? )?(?:\w+ )?(?:ai|bot|robot|human|person|real|machine|model|program|chatgpt|gpt|llm)|(?:what|which) (?:ai |language )?model|who made you|who are you|what are you|about yourself|what can you do|(?:language|real) model)\b/i;
const ALL_ABOUT_ME =
  /\b(?:about (?:me|myself)|(?:know|remember|recall|kept|keep|noted) (?:all )?of (?:me|myself)|who i am)\b|\bwho am i\W{0,5}$|\bwhat(?: have|['’]ve) i (?:ever |already )?told you(?: so far| already)?\W{0,5}$/i;
const OWN_NAME = /\bmy (?:own )?name\b|\bwhat (?:do|should|will) you call me\b/i;
const LAST_SAID = /\bwhat did i (?:just )?(?:say|tell you)(?: just now| a moment ago)?\s*\?/i;
/** As describe-fact.ts and core memory word it; a pet's is in the possessive. */
const IS_CALLED = /^(?!Their )[^’']{1,80} (?:is|are) called /u;
const TELLS_NAME =
  /\b(?:my name(?: is|['’]s)|call me|i go by)\b|^(?:hi|hello|hey)\b.{0,20}\bi(?:['’]m| am) /iu;
const GREETS = /^(?:hi|hey|hello|hiya|good (?:morning|evening|afternoon)|yo)\b/i;
/** A longer message that begins with a greeting says more than that. */
const GREETING_CHARACTERS = 45;
const ASKS_HOW_IT_IS = /\bhow (?:are|r) (?:you|u)\b|\bhow do you feel\b|\bhow(?:'|’)?s it going\b/i;
const ASKS_TO_RETURN = /\bremind me (?:on|at|in|to|tomorrow|tonight|next|every|when|before|after|later)\b/i;
/** Orders to forget, and no "forget it", "don't forget me", "I just forget everything" or "I come home, forget everything". */
const ASKS_TO_FORGET = new RegExp(
  [
    String.raw`(?:(?:^|[.!?\n] ?)(?:(?!(?:i|we|you|he|she|they)\b)[\p{L} ]{2,20}, ?|ok(?:ay)? )?|\b(?:please|(?:can|could|would|will) you|want you to) )`,
    String.raw`(?:just )?(?:(?:forget|delete|erase|wipe|remove) (?:me|everything|all|what i|that i|about(?! (?:it|that|this)\b)|my)\b`,
    String.raw`|(?:delete|erase) (?:it|this|that)\b`,
    String.raw`|(?:don['’]?t|do not) (?:remember|keep|save|store|record) (?:any of )?(?:it|this|that)(?= ?(?:$|[.!?,\n]|please\b))`,
    ')',
  ].join(''),
  'iu',
);
const THANKS = /\b(?:thanks|thank you|thx|cheers)\b/i;
const LEAVES = /\b(?:bye|goodbye|good ?night|see you|gotta go|talk later|cu)\b/i;

/** Lines that one reply cites at most. */
const MAX_CITED = 3;
/** Characters that a reply quotes at most, of all its lines: a reply is a chat line, and not the memory read out. */
const MAX_QUOTED = 500;
/** A further line is cited while it is so much of the best: below, it is about something else. */
const NEARLY = 0.7;
/** A statement calls up an earlier line only where the two share this much. */
const REMINDS = 0.6;
/** Most characters of what was told that are compared with earlier lines. */
const MAX_READ = 600;

/** Answers as the rehearsal. The same prompt and seed give the same words; it says nothing that it does not cite. */
export function composeReply(prompt: RehearsalPrompt, seed: number): string {
  const pick = picker(seed);
  const { outreach, said } = prompt;
  if (outreach !== null) {
    return pick(templates.OUTREACH).replace('{reason}', () => quoteOf(quotedIn(outreach), new Set()));
  }
  if (prompt.silence === 'now') return pick(templates.SILENT);
  if (ASKS_TO_FORGET.test(said)) return pick(templates.FORGETS_BY_COMMAND);
  if (ABOUT_ITSELF.test(said)) return pick(templates.HONEST);
  if (ASKS_HOW_IT_IS.test(said)) {
    return capitalised(pick(templates.HOW_I_AM).replace('{mood}', prompt.mood ?? 'steady'));
  }
  const speakers = [...new Set(prompt.notes.flatMap(({ speaker }) => speaker ?? []))];
  const question = readQuestion(said, speakers);
  return question ? answer(question, prompt, pick) : plainReply(prompt, pick);
}

type Pick = (list: readonly string[]) => string;

function answer(question: Question, { said, notes, names, isPrivate }: RehearsalPrompt, pick: Pick): string {
  const found = answersTo(question, said, notes);
  const [best] = found;
  if (best) {
    const verdict = question.wants === 'yes-or-no' ? decideVerdict(question, best.note) : null;
    return [verdict === null ? '' : templates.VERDICTS[verdict], cite(found, question, names)]
      .filter(Boolean)
      .join(' ');
  }
  if (question.about === 'companion') return pick(templates.OF_ITSELF);
  return pick(isPrivate ? templates.KNOWS_NOTHING_IN_PRIVATE : templates.KNOWS_NOTHING);
}

function answersTo(question: Question, said: string, notes: readonly Note[]): FoundNote[] {
  if (ALL_ABOUT_ME.test(said)) return allAbout(notes);
  if (OWN_NAME.test(said)) return ownName(notes);
  if (LAST_SAID.test(said)) {
    const own = notes.filter(({ kind, speaker }) => kind === 'talk' && speaker === null);
    return own.slice(-1).map(asFound);
  }
  return nearBest(findAnswers(question, notes));
}

/** Notes that tell the person's name, a fact first and then the latest words. */
function ownName(notes: readonly Note[]): FoundNote[] {
  const own = notes.filter(({ kind, speaker }) => kind !== 'lore' && speaker === null);
  const facts = own.filter(
    ({ kind, text }) => kind === 'fact' && IS_CALLED.test(text) && !text.endsWith('no longer)'),
  );
  const lines = own.filter(({ kind, text }) => kind !== 'fact' && TELLS_NAME.test(text));
  return (facts.length > 0 ? facts : lines).slice(-1).map(asFound);
}

function asFound(note: Note): FoundNote {
  return { note, score: 1 };
}

/** Notes of the person: facts first, then their words. What was said just now may be kept nowhere else yet. */
function allAbout(notes: readonly Note[]): FoundNote[] {
  const own = notes.filter(({ kind, speaker }) => kind !== 'lore' && speaker === null);
  const told = [
    ...own.filter(({ kind }) => kind === 'fact'),
    ...own.filter(({ kind, text }) => kind === 'line' && !text.endsWith('?')),
    ...own.filter(
      ({ kind, text }) => kind === 'talk' && !text.endsWith('?') && readQuestion(text, []) === null,
    ),
  ];
  return told.map(asFound);
}

function nearBest(found: readonly FoundNote[]): FoundNote[] {
  const best = found[0]?.score ?? 0;
  return found.filter(({ score }) => score >= NEARLY * best);
}

/** Cites as many of the notes as a reply has room for, and always the best. */
function cite(found: readonly FoundNote[], question: Question, names: readonly string[]): string {
  const asked = new Set(question.terms.keys());
  const cited: string[] = [];
  let room = MAX_QUOTED;
  for (const { note } of found.slice(0, MAX_CITED)) {
    const quote = quoteOf(note.text, asked);
    if (cited.length > 0 && quote.length > room) continue;
    room -= quote.length;
    cited.push(citation(note, quote, names));
  }
  return cited
    .map((line, place) => (place === 0 ? capitalised(line) : `${templates.FURTHER} ${line}`))
    .join(' ');
}

function citation({ kind, speaker, date }: Note, quote: string, names: readonly string[]): string {
  const isOfThem = kind === 'fact' && speaker === null;
  const cited = templates.CITATIONS[kind][speaker === null ? 'own' : 'other']
    .replace('{speaker}', () => speaker ?? '')
    .replace('{when}', () => whenInWords(date))
    .replace('{text}', () => (isOfThem ? speakToPerson(quote, names) : quote));
  return /[.!?…]”?$/u.test(cited) ? cited : `${cited}.`;
}

function plainReply({ said, notes, names, mood, isPrivate, silence }: RehearsalPrompt, pick: Pick): string {
  if (LEAVES.test(said)) return pick(templates.GOODBYE);
  if (THANKS.test(said)) return pick(templates.THANKS);
  const isGreeting = GREETS.test(said) && said.length <= GREETING_CHARACTERS;
  if (isGreeting || said.trim() === '') return pick(templates.GREETING);
  if (termsOf(said).length === 0) return pick(templates.NODS);
  if (silence === 'before') return pick(templates.STILL_SILENT);
  if (ASKS_TO_RETURN.test(said)) return pick(isPrivate ? templates.KEEPS_NOTHING : templates.COMES_BACK);
  const opener = pick(templates.OPENERS[TONES[mood ?? ''] ?? 'calm']);
  const shared = isPrivate ? templates.SHARED_IN_PRIVATE : templates.SHARED;
  return [opener, remindedOf(said, notes, names) ?? pick(shared)].filter(Boolean).join(' ');
}

const TONES: Readonly<Record<string, keyof typeof templates.OPENERS>> = {
  exuberant: 'bright',
  relaxed: 'calm',
  dependent: 'soft',
  docile: 'soft',
  subdued: 'low',
  sombre: 'low',
  tense: 'low',
  anxious: 'low',
  disdainful: 'cool',
  hostile: 'cool',
};

/** Cites an earlier line about the same thing, unless it has the same words; null where there is none. */
function remindedOf(said: string, notes: readonly Note[], names: readonly string[]): string | null {
  const own = termsOf(said.slice(0, MAX_READ));
  const terms = new Map(own.map((term) => [term, 1]));
  const question: Question = { text: said, wants: 'tell', about: 'asker', isPast: true, terms };
  const earlier = notes.filter(
    ({ kind, text }) => kind === 'line' && !text.endsWith('?') && termsOf(text).join(' ') !== own.join(' '),
  );
  const [best] = findAnswers(question, earlier);
  if (!best || best.score < REMINDS) return null;
  return `${templates.REMINDED} ${cite([best], question, names)}`;
}

/** Makes a function that picks from lists, the same each time for one seed. */
function picker(seed: number): Pick {
  let state = seed >>> 0;
  return (list) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // Numerical Recipes' generator
    return list[Math.floor((state / 2 ** 32) * list.length)] ?? '';
  };
}

/** Finds the person's own words in a reason, where it quotes them. */
function quotedIn(reason: string): string {
  const quoted = /“([^“”]+)”/.exec(reason)?.[1] ?? /The reason: (.+)/.exec(reason)?.[1];
  return quoted ?? reason.split('\n')[0] ?? reason;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

function whenInWords(date: string | null): string {
  const at = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(at) ? '' : ` on ${DAY.format(at)}`;
}

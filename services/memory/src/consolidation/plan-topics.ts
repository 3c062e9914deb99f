import { setImmediate as breathe } from 'node:timers/promises';
import { firstOf, lastOf } from '@kith/contracts';
import { Yielder } from '@kith/messaging';
import type { Language } from '@kith/reading';
import { analyseIn, analyseText, languageOf, wordsOf } from '../words/analyse-text.js';
import { CHARACTERS_A_YIELD, dayOf, latestInOrder, type Episode } from './group-same.js';
import { isLight } from './is-light.js';

/** A topic that came up over a time, before its summary is written. */
export interface TopicPlan {
  audience: string;
  /** The stem that its lines share. */
  key: string;
  /** In the person's words. */
  name: string;
  /** Lines that tell its course, the oldest first. */
  statements: { text: string; saidAt: Date; sources: string[] }[];
  /** Number of lines that it comes up in, and from when to when. */
  lines: number;
  from: Date;
  to: Date;
  importance: number;
}

/** Lines from which on something is a topic, and days on which it came up: less is an afternoon's talk. */
const MIN_LINES = 5;
const MIN_DAYS = 3;
/** Share of all lines above which a word is too common to be a topic. */
const MAX_SHARE = 0.3;
/** Topics of an audience that are kept: what somebody's year is about. */
const MAX_TOPICS = 12;
/** Share of a topic's lines that another topic, chosen before it, may have as well. */
const MAX_SHARED = 0.5;
/** Lines that a summary tells: it is read in a prompt beside others. */
const MAX_STATEMENTS = 6;
/** Share of uses from which on the word before a topic is part of its name: "budget tracker". */
const IN_NAME = 0.6;

/**
 * Plans the topics of what somebody told one companion. Audiences are never mixed: a summary is heard by exactly those
 * who could hear its sources. Pure. Works in small parts: a year of talk takes half a second, in which the process goes
 * on answering.
 * @param episodes all there are, of any audience
 */
export async function planTopics(episodes: readonly Episode[]): Promise<TopicPlan[]> {
  const plans: TopicPlan[] = [];
  for (const [audience, told] of Map.groupBy(latestInOrder(episodes), ({ audience }) => audience))
    for (const topic of await topicsOf(told)) plans.push({ audience, ...topic });
  return plans;
}

interface TopicLine {
  episode: Episode;
  terms: ReadonlySet<string>;
}

async function topicsOf(told: readonly Episode[]): Promise<Omit<TopicPlan, 'audience'>[]> {
  const lines: TopicLine[] = [];
  const yielder = new Yielder(CHARACTERS_A_YIELD);
  for (const episode of told) {
    lines.push({ episode, terms: new Set(analyseText(episode.text)) });
    await yielder.after(episode.text.length);
  }
  const byTerm = new Map<string, TopicLine[]>();
  for (const line of lines)
    for (const term of line.terms) {
      const own = byTerm.get(term);
      if (own) own.push(line);
      else byTerm.set(term, [line]);
    }
  const maxLines = Math.max(MIN_LINES, lines.length * MAX_SHARE);
  const candidates = [...byTerm]
    .filter(([term, own]) => own.length >= MIN_LINES && own.length <= maxLines && isTelling(term))
    .map(([key, own]) => ({ key, own, days: new Set(own.map(({ episode }) => dayOf(episode.saidAt))).size }))
    .filter(({ days }) => days >= MIN_DAYS)
    .sort((a, b) => b.days * b.own.length - a.days * a.own.length || (a.key < b.key ? -1 : 1));
  const chosen: ((typeof candidates)[number] & { among: ReadonlySet<TopicLine> })[] = [];
  for (const candidate of candidates) {
    const isOther = chosen.every(({ among }) => {
      const shared = candidate.own.filter((line) => among.has(line)).length;
      return shared <= MAX_SHARED * candidate.own.length;
    });
    if (isOther) chosen.push({ ...candidate, among: new Set(candidate.own) });
    if (chosen.length === MAX_TOPICS) break;
  }
  const stems = new Map<string, string | undefined>();
  const topics: Omit<TopicPlan, 'audience'>[] = [];
  for (const { key, own } of chosen) {
    await breathe();
    topics.push({
      key,
      name: nameOf(key, own, stems),
      statements: courseOf(own, byTerm),
      lines: own.length,
      from: firstOf(own).episode.saidAt,
      to: lastOf(own).episode.saidAt,
      importance: Math.max(...own.map(({ episode }) => episode.importance)),
    });
  }
  return topics;
}

function isTelling(term: string): boolean {
  return term.length > 2 && !/\d/u.test(term) && !isLight(term);
}

/**
 * Names a topic by its most frequent form, with the word before it where that is nearly always there.
 * @param stems of words that were seen, by their language, for the next topic
 */
function nameOf(key: string, own: readonly TopicLine[], stems: Map<string, string | undefined>): string {
  const stemOf = (word: string, language: Language) => {
    const named = `${language} ${word}`;
    if (!stems.has(named)) stems.set(named, analyseIn(word, language)[0]);
    return stems.get(named) ?? '';
  };
  const uses = own.flatMap(({ episode: { text } }) => {
    // A word by itself hardly shows its language.
    const language = languageOf(text);
    const words = wordsOf(text);
    return words.flatMap((word, at) => {
      const before = words[at - 1] ?? '';
      return stemOf(word, language) === key ? [{ word, before, stem: stemOf(before, language) }] : [];
    });
  });
  const word = mostOf(uses.map((use) => use.word)).value || key;
  const before = mostOf(uses.map((use) => use.before));
  const stem = uses.find((use) => use.before === before.value)?.stem ?? '';
  const isName = before.count >= IN_NAME * uses.length && isTelling(stem);
  return isName ? `${before.value} ${word}` : word;
}

function mostOf(values: readonly string[]): { value: string; count: number } {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, same]) => ({
    value,
    count: same.length,
  }));
  return counts.toSorted((a, b) => b.count - a.count)[0] ?? { value: '', count: 0 };
}

/** Chooses lines that tell the course of a topic: of each stretch of its time the one that matters most and says most. */
function courseOf(own: readonly TopicLine[], byTerm: ReadonlyMap<string, readonly TopicLine[]>) {
  const among = new Set(own);
  // Words that come up with the topic more than once, and seldom without it, are what it is about.
  const weigh = (term: string) => {
    const all = byTerm.get(term) ?? [];
    const with_ = all.filter((line) => among.has(line)).length;
    return with_ < 2 ? 0 : with_ / all.length;
  };
  const weights = new Map<string, number>();
  const weight = (term: string) => {
    const known = weights.get(term) ?? weigh(term);
    weights.set(term, known);
    return known;
  };
  const worth = ({ episode, terms }: TopicLine) =>
    [...terms].reduce((sum, term) => sum + weight(term), 0) / Math.sqrt(terms.size) +
    episode.importance / 10 -
    (/[?？]\s*$/u.test(episode.text) ? 0.5 : 0);
  const stretches = Math.min(MAX_STATEMENTS, own.length);
  return Array.from({ length: stretches }, (_, n) => {
    const from = Math.floor((n * own.length) / stretches);
    const to = Math.floor(((n + 1) * own.length) / stretches);
    const weighed = own.slice(from, to).map((line) => ({ line, worth: worth(line) }));
    const best = weighed.reduce((top, each) => (each.worth > top.worth ? each : top));
    const { text, saidAt, sources } = best.line.episode;
    return { text, saidAt, sources };
  });
}

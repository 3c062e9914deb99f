import { wordSet } from '@kith/reading';
import { firstOf, oneLine, type MemoryKind, type PersonDescription } from '@kith/contracts';
import { DAY, describeFact } from '../facts/describe-fact.js';
import { isHolding, type Fact } from '../facts/reconcile-fact.js';
import type { MemoryRow } from '../rows/memory-row.js';

/** A memory as far as the page needs it. */
export interface DescribedMemory extends Pick<MemoryRow, 'id' | 'text' | 'importance' | 'pinned' | 'saidAt'> {
  kind: MemoryKind;
  fact: Fact | null;
  /** True for the summary of a topic that they came back to. */
  isTopic?: boolean;
}

type Section = PersonDescription['sections'][number];
type SectionLine = Section['lines'][number];

const WHO = wordSet('name age birthday origin home studies job employer relationship partner diet allergy');
const THINGS = new Set(['likes', 'favourite', 'prefers', 'habit']);

/** Lines of each section: a page is read in a minute. Of past facts, the latest are shown. */
const MAX_PAST = 12;
const MAX_MOMENTS = 8;
const MAX_DAYS = 3;
const MAX_TOPICS = 6;
/** Importance from which a moment matters to somebody's life. */
export const MATTERS = 7;

/**
 * Writes a person's page: present facts by subject, plans, past facts, and the moments
 * that matter. Each line names the memories it is of. Pure.
 */
export function describePerson(
  told: readonly DescribedMemory[],
  account: string | null,
  now: Date,
): PersonDescription {
  const facts = onceEach(told);
  const holding = facts.filter(({ fact }) => isHolding(fact, now));
  const chosen = holding.filter(({ fact: { attribute, isSure } }) => attribute === 'name' && isSure);
  // The name they gave themself goes before the one of their account.
  const name =
    chosen.toSorted((a, b) => Number(a.fact.saidAt) - Number(b.fact.saidAt)).at(-1)?.fact.value ?? account;
  const lineOf = ({ memoryIds, fact }: (typeof facts)[number]): SectionLine => ({
    text: describeFact(fact, name ?? 'The person'),
    memoryIds,
  });
  const of = (belongs: (topic: string) => boolean) =>
    holding.filter(({ fact }) => fact.holdsUntil === null && belongs(topicOf(fact))).map(lineOf);
  const isOther = (topic: string) => !WHO.has(topic) && !THINGS.has(topic) && topic !== 'wish';
  const summed = told
    .filter(({ kind }) => kind === 'reflection')
    .toSorted((a, b) => b.saidAt.getTime() - a.saidAt.getTime());
  const summariesOf = (isTopic: boolean, most: number) =>
    summed
      .filter((each) => (each.isTopic ?? false) === isTopic)
      .slice(0, most)
      .map(({ id, text }) => ({ text: oneLine(text), memoryIds: [id] }));
  const past = facts
    .filter((each) => !holding.includes(each))
    .toSorted((a, b) => Number(b.fact.validTo) - Number(a.fact.validTo));
  const sections: Section[] = [
    { title: 'Who they are', lines: of((topic) => WHO.has(topic)) },
    { title: 'What they like and do', lines: of((topic) => THINGS.has(topic)) },
    { title: 'How they want to be answered', lines: of((topic) => topic === 'wish') },
    { title: 'Whom and what they have in their life', lines: of(isOther) },
    { title: 'Now and soon', lines: holding.filter(({ fact }) => fact.holdsUntil !== null).map(lineOf) },
    { title: 'Moments that matter', lines: momentsOf(told) },
    { title: 'Lately', lines: summariesOf(false, MAX_DAYS) },
    { title: 'What they come back to', lines: summariesOf(true, MAX_TOPICS) },
    { title: 'What was', lines: past.slice(0, MAX_PAST).map(lineOf) },
  ].filter(({ lines }) => lines.length > 0);
  return { name, sections, page: pageOf(name, sections) };
}

/** Merges what was told before several audiences into one line, dated by the first. */
function onceEach(told: readonly DescribedMemory[]): { fact: Fact; memoryIds: string[] }[] {
  const facts = told.flatMap(({ id, fact }) => (fact ? [{ id, fact }] : []));
  const alike = Map.groupBy(facts, ({ fact: { attribute, value, validTo } }) =>
    JSON.stringify([attribute, value.toLowerCase(), validTo]),
  );
  return [...alike.values()].map((same) => ({
    fact: same.map(({ fact }) => fact).reduce((a, b) => (b.validFrom < a.validFrom ? b : a)),
    memoryIds: same.map(({ id }) => id),
  }));
}

function momentsOf(told: readonly DescribedMemory[]): SectionLine[] {
  return told
    .filter(({ kind, importance, pinned }) => kind === 'episode' && (pinned || importance >= MATTERS))
    .toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.importance - a.importance)
    .slice(0, MAX_MOMENTS)
    .toSorted((a, b) => a.saidAt.getTime() - b.saidAt.getTime())
    .map(({ id, text, saidAt }) => ({ text: `${DAY.format(saidAt)}: “${oneLine(text)}”`, memoryIds: [id] }));
}

/** `pet:dog` and `sister ida:job` are about their first part. */
function topicOf({ attribute }: Fact): string {
  return firstOf(attribute.split(':'));
}

/** Writes the sections as Markdown. */
function pageOf(name: string | null, sections: readonly Section[]): string {
  const head = `# ${name === null ? 'What is known of you' : oneLine(name)}`;
  if (sections.length === 0) return `${head}\n\nNothing is known yet.\n`;
  const parts = sections.map(({ title, lines }) =>
    [`## ${title}`, '', ...lines.map(({ text }) => `- ${text}`)].join('\n'),
  );
  return `${[head, ...parts].join('\n\n')}\n`;
}

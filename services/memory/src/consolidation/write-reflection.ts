import type { ReflectionPlan } from './plan-consolidation.js';

/** Sums up statements in a few sentences; throws when no model answers. */
export type Summarise = (statements: string[]) => Promise<string>;

/** Characters of a quote: a sentence or two. */
const MAX_QUOTE_CHARACTERS = 220;
/** Characters of a reflection: as many as of any memory (`split-text.ts`). */
const MAX_REFLECTION_CHARACTERS = 1_200;

/** A day's reflection by the fast model, or, without one or with it out of reach, quoted. */
export async function writeReflection(
  day: string,
  plan: ReflectionPlan,
  summarise: Summarise | null,
): Promise<string> {
  if (summarise) {
    const summary = await summarise(plan.statements.map(({ text }) => shortened(text))).catch(() => '');
    if (summary.trim()) return `${dayInWords(day)}: ${summary.trim().slice(0, MAX_REFLECTION_CHARACTERS)}`;
  }
  return quoteReflection(day, plan);
}

/** The reflection without a model: what mattered most, in the person's own words. */
export function quoteReflection(day: string, { statements }: ReflectionPlan): string {
  return `${dayInWords(day)} they said: ${statements.map(({ text }) => `“${shortened(text)}”`).join(' ')}`;
}

function dayInWords(day: string): string {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return `On ${date.format(new Date(`${day}T00:00:00Z`))}`;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= MAX_QUOTE_CHARACTERS) return line;
  return `${line.slice(0, line.lastIndexOf(' ', MAX_QUOTE_CHARACTERS) + 1 || MAX_QUOTE_CHARACTERS).trimEnd()}…`;
}

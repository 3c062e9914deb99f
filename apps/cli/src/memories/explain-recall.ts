import {
  counted,
  describeCounts,
  describeReading,
  memoryRoutes,
  type ExplainedCandidate,
  type MemoryWhy,
} from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { fitText, printableLine } from '../terminal/display-text.js';
import type { Column } from '../terminal/table-lines.js';
import type { Terminal } from '../terminal/terminal.js';
import { wrapParts } from '../terminal/wrap-parts.js';
import {
  describeFate,
  describeParts,
  describePlace,
  describeRules,
  describeTerms,
} from './candidate-words.js';
import { boost, rank } from './memory-columns.js';
import { shortId } from './memory-pages.js';

export interface WhyOptions {
  companion?: string;
  in?: string;
  limit?: number;
  show: number;
  json?: boolean;
}

/** Columns that the table takes, with some room for words; a narrower terminal gets a paragraph for each candidate. */
const TABLE_COLUMNS = 150;
/** Lines of a memory's text in such a paragraph: what it is about shows in a few. */
const MAX_LINES = 3;

const COLUMNS: Column<ExplainedCandidate>[] = [
  { header: 'id', value: ({ memory }) => shortId(memory.id) },
  { header: 'end', value: describeFate },
  { header: 'prompt', value: describePlace },
  { header: 'score', value: ({ why }) => why?.score.toFixed(2) ?? '–', align: 'right' },
  { header: 'words', value: ({ why }) => rank(why?.lexicalRank), align: 'right' },
  { header: 'alike', value: ({ why }) => why?.similarity?.toFixed(2) ?? '–', align: 'right' },
  { header: 'fit', value: ({ why }) => boost(why?.fit), align: 'right' },
  { header: 'recency', value: ({ why }) => boost(why?.recency), align: 'right' },
  { header: 'weight', value: ({ why }) => boost(why?.importance), align: 'right' },
  { header: 'proof', value: ({ why }) => boost(why?.proof), align: 'right' },
  { header: 'has (lent)', value: describeTerms },
  { header: 'memory', value: ({ memory }) => memory.text, flexible: true },
];

/** Prints what recall makes of a question: each candidate with its score and fate, and the memories in the prompt. */
export async function explainRecall(
  { api, terminal }: CommandContext,
  question: string,
  options: WhyOptions,
): Promise<void> {
  if (question.trim() === '') throw new CliError('say what to ask', 2);
  const { companion, limit, show, json } = options;
  const why = await api.call(memoryRoutes.why, {
    query: { q: question, companion, limit, show, in: options.in },
  });
  if (json) return terminal.json(why);
  if (why.degraded.length > 0) terminal.note(`recalled without ${why.degraded.join(', ')}`);
  printQuestion(terminal, why);
  if (why.candidates.length === 0) return terminal.note('nothing was found');
  terminal.line();
  if (terminal.columns >= TABLE_COLUMNS) printTable(terminal, why.candidates);
  else for (const [place, each] of why.candidates.entries()) printParagraph(terminal, each, place + 1);
  printPrompt(terminal, why);
}

function printQuestion(terminal: Terminal, why: MemoryWhy): void {
  const { question, vectors, unheard } = why;
  const { terms } = question;
  const read = [
    `read as: words ${terms.length > 0 ? terms.join(' ') : 'none'}`,
    ...describeReading(why),
    `vectors of ${vectors === 'semantic' ? 'meaning' : 'spelling'}`,
  ];
  const found = describeCounts(why);
  if (unheard.length > 0) {
    const ids = unheard.map(shortId).join(' ');
    found.push(`${counted(unheard.length, 'memory', 'memories')} not heard there: ${ids}`);
  }
  for (const line of wrapParts(read, terminal.columns)) terminal.line(line);
  const [first = 'none', ...others] = found;
  for (const line of wrapParts([`candidates: ${first}`, ...others], terminal.columns)) terminal.line(line);
}

function printTable(terminal: Terminal, candidates: readonly ExplainedCandidate[]): void {
  terminal.table(candidates, COLUMNS);
  const ruled = candidates.filter(({ rules }) => rules.length > 0);
  if (ruled.length === 0) return;
  terminal.line();
  terminal.table(ruled, [
    { header: 'id', value: ({ memory }) => shortId(memory.id) },
    { header: 'rules', value: describeRules, flexible: true },
  ]);
}

function printParagraph(terminal: Terminal, candidate: ExplainedCandidate, place: number): void {
  const { memory, why } = candidate;
  const shown = fitText(printableLine(memory.text), MAX_LINES * terminal.columns);
  const head = `${place}. ${shortId(memory.id)} ${why === null ? '' : `${why.score.toFixed(2)} `}${describeFate(candidate)}`;
  terminal.line(terminal.bold(head) + (candidate.inPrompt === null ? '' : ', in the prompt'));
  for (const line of [
    ...wrapParts(shown.split(' '), terminal.columns, { indent: 3, by: ' ' }),
    ...wrapParts(describeParts(candidate), terminal.columns, { indent: 3 }).map((each) => terminal.dim(each)),
  ])
    terminal.line(line);
}

function printPrompt(terminal: Terminal, { passages, core, wishes, lore, bounds }: MemoryWhy): void {
  terminal.line();
  terminal.line(terminal.bold(`in the prompt (${bounds.limit} memories, ${bounds.tokens} tokens at most)`));
  for (const { label, text } of core) terminal.line(`core memory, ${label}: ${printableLine(text)}`);
  for (const { kind, text } of wishes) terminal.line(`${kind}: ${printableLine(text)}`);
  for (const { name, content } of lore) terminal.line(`lore, ${name}: ${printableLine(content)}`);
  for (const { saidAt, lines } of passages) {
    terminal.line(terminal.dim(saidAt.slice(0, 10)));
    for (const { speaker, text, isFound } of lines)
      terminal.line(`${isFound ? '>' : ' '} ${speaker === null ? '' : `${speaker}: `}${printableLine(text)}`);
  }
  if (passages.length + core.length + wishes.length + lore.length === 0) terminal.line('nothing');
}

import {
  counted,
  type ExplainedCandidate,
  HOUR_MS,
  keyRoutes,
  memoryRoutes,
  type MemoryWhy,
  present,
  type RouteClient,
} from '@kith/contracts';
import { CliError, ENDING_SIGNALS, type EndingSignal, Interrupted } from '../input/cli-error.js';
import { readText } from '../input/files.js';
import { tryEach } from '../input/try-each.js';
import { openApi } from '../suite/api-client.js';
import type { CommandContext } from '../suite/command-context.js';
import { wrapParts } from '../terminal/wrap-parts.js';
import { describeFate, describeParts } from './candidate-words.js';
import { shortId } from './memory-pages.js';
import { firstHit, ndcgAt } from './ranking-measures.js';
import { readQuestions, type MeasuredQuestion } from './read-questions.js';

/** Results that count: the measures look at ten. */
const LIMIT = 10;
/** Tokens of what is chosen: as many as the API allows, so that ten fit. */
const TOKENS = 8_000;
/** Candidates among which a missed memory is looked for. */
const SHOW = 200;
/** Time after which a key for somebody else's memories ends by itself, should this program be killed. */
const KEY_MS = HOUR_MS;
const KEY_NAME = 'memories eval';

interface QuestionRank {
  line: number;
  question: string;
  /** Place of the first result that was wanted; null where none of the first ten is. */
  place: number | null;
  ndcg: number;
  /** Reason for a miss; null for a hit. */
  why: string | null;
}

/** Asks each question of a file; prints how many were answered among the first results, and why others were not. */
export async function measureRecall(
  context: CommandContext,
  file: string,
  options: { reason?: string; json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const questions = readQuestions(await readText(file));
  const measured: QuestionRank[] = [];
  await withKeys(context, questions, options.reason, async (apiOf) => {
    for (const question of questions) {
      measured.push(await measureOne(apiOf(question), question));
      terminal.showProgress(measured.length / questions.length, question.question);
    }
  }).finally(() => terminal.stopWaiting());
  const mean = (score: (each: QuestionRank) => number) =>
    measured.reduce((sum, each) => sum + score(each), 0) / measured.length;
  const within = (cut: number) => mean(({ place }) => Number(place !== null && place <= cut));
  const figures = { 'hit@5': within(5), 'hit@10': within(10), 'nDCG@10': mean(({ ndcg }) => ndcg) };
  if (options.json) return terminal.json({ questions: measured.length, ...figures, measured });
  const parts = Object.entries(figures).map(([name, value]) => `${name} ${(100 * value).toFixed(1)} %`);
  for (const line of wrapParts([counted(measured.length, 'question'), ...parts], terminal.columns))
    terminal.line(line);
  for (const { line, question, why } of measured) {
    if (why === null) continue;
    terminal.line();
    terminal.line(`line ${line}: ${question}`);
    for (const row of wrapParts(why.split(' '), terminal.columns, { indent: 3, by: ' ' })) terminal.line(row);
  }
}

async function measureOne(api: RouteClient, asked: MeasuredQuestion): Promise<QuestionRank> {
  const { question, companion, line } = asked;
  const account = await api.call(memoryRoutes.why, {
    query: { q: question, companion, limit: LIMIT, tokens: TOKENS, show: SHOW },
  });
  const wanted = new Set([...(asked.words ?? []), ...(asked.ids ?? [])]);
  const chosen = account.candidates.filter(({ fate }) => fate === 'chosen');
  const ranked = chosen.map((each) => heldBy(each, asked));
  const place = firstHit(wanted, ranked);
  const why = place === null ? explainMiss(account, asked) : null;
  return { line, question, place, ndcg: ndcgAt(LIMIT, wanted, ranked), why };
}

/** Lists the wanted words and ids that a candidate has. */
function heldBy({ memory }: ExplainedCandidate, { words = [], ids = [] }: MeasuredQuestion): string[] {
  const text = memory.text.toLowerCase();
  return [
    ...words.filter((each) => text.includes(each.toLowerCase())),
    ...ids.filter((id) => memory.id.endsWith(id.toLowerCase())),
  ];
}

/** Says why nothing wanted is among the first ten: its place and fate, without any memory's words. */
function explainMiss({ candidates, degraded, gone }: MemoryWhy, asked: MeasuredQuestion): string {
  const at = candidates.findIndex((each) => heldBy(each, asked).length > 0);
  const candidate = candidates[at];
  const without = degraded.length > 0 ? ` (recalled without ${degraded.join(', ')})` : '';
  if (!candidate) {
    const put = gone > 0 ? `, and ${gone} found there are forgotten or put away` : '';
    return `not among the ${candidates.length} candidates: no word in common, and not alike${put}${without}`;
  }
  return [
    `${shortId(candidate.memory.id)} is number ${at + 1}: ${describeFate(candidate)}${without};`,
    describeParts(candidate).join(' · '),
  ].join(' ');
}

/**
 * Opens the API for each question: with the caller's key, or, about others' memories, with a key that acts as them. They
 * are told of it, with the reason. Such keys are revoked when the work ends, also by Ctrl-C or another signal to end; a
 * second one leaves at once, as elsewhere, and tells which remain.
 * @throws Interrupted at such a signal; CliError that names the keys that could not be revoked
 */
async function withKeys(
  { api, config, terminal }: CommandContext,
  questions: readonly MeasuredQuestion[],
  reason: string | undefined,
  work: (apiOf: (question: MeasuredQuestion) => RouteClient) => Promise<void>,
): Promise<void> {
  const people = new Set(questions.flatMap(({ person }) => person ?? []));
  if (people.size > 0 && reason === undefined)
    throw new CliError('some questions are about other people: say why with --reason; they are told', 2);
  const keys = new Map<string, RouteClient>();
  const made = new Set<string>();
  const leaving = new AbortController();
  const { signal } = leaving;
  const leave = (by: EndingSignal) => {
    unlisten();
    leaving.abort(new Interrupted(by));
  };
  const unlisten = () => ENDING_SIGNALS.forEach((one) => process.off(one, leave));
  const tellMade = () => made.forEach((id) => terminal.note(keyName(id)));
  for (const one of ENDING_SIGNALS) process.on(one, leave);
  process.once('exit', tellMade);
  const stoppable = openApi(() => ({ ...config, signal }), terminal);
  try {
    for (const personId of people) {
      const { id, key } = await makeKey(stoppable, personId, reason).catch((error: unknown) => {
        if (signal.aborted) terminal.note(unknownKey(personId));
        throw error;
      });
      made.add(id);
      keys.set(
        personId,
        openApi(() => ({ ...config, key, signal }), terminal),
      );
    }
    await work(({ person }) => (person === undefined ? stoppable : present(keys.get(person))));
  } finally {
    unlisten();
    await tryEach(terminal, [...made], keyName, async (id) => {
      await api.call(keyRoutes.revoke, { params: { id } });
      made.delete(id);
    }).finally(() => process.off('exit', tellMade));
  }
}

function makeKey(api: RouteClient, personId: string, reason: string | undefined) {
  const expiresAt = new Date(Date.now() + KEY_MS).toISOString();
  return api.call(keyRoutes.create, {
    body: { name: KEY_NAME, personId, scopes: ['memories'], reason, expiresAt },
  });
}

function unknownKey(personId: string): string {
  return `a key that acts as ${personId} for up to an hour may have been made: kith keys list shows it as "${KEY_NAME}"`;
}

function keyName(id: string): string {
  return `a key acts as somebody else for up to an hour still, end it with kith keys revoke ${id}`;
}

// Replays one real conversation of dated sessions through the public API as one person, then asks its
// questions through recall.   usage: npm run demo:locomo -- FILE [--conversation ID] [--url URL --key KEY]
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type MemoryList, type MemorySearchResult, present } from '@kith/contracts';
import type { z } from 'zod';
import { readLocomo } from './locomo.ts';
import { percentile, spread } from './figures.ts';
import { orExit } from './options.ts';
import { startOwnSuite } from './own-suite.ts';

const CUTS = [5, 10, 20];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { conversation: { type: 'string' }, url: { type: 'string' }, key: { type: 'string' } },
});
const conversation = await orExit(readLocomo(positionals[0], values.conversation));
if (!values.url !== !values.key) {
  console.error('give --url and --key together, or neither');
  process.exit(2);
}

await using own = values.url ? null : await startOwnSuite();
await replayAndAsk(present(values.url ?? own?.url), present(values.key ?? own?.key));

async function replayAndAsk(url: string, adminKey: string): Promise<void> {
  const name = `LoCoMo ${conversation.id}`;
  const { key } = await call<{ key: string }>(url, adminKey, '/v1/keys', {
    name: 'demo',
    person: name,
    scopes: ['chat', 'memories', 'import'],
  });
  console.log(
    `${name}: ${conversation.turns.length} turns in ${conversation.sessions} sessions, as one person`,
  );
  const turnMs: number[] = [];
  for (const [index, turn] of conversation.turns.entries()) {
    const started = performance.now();
    await call(url, key, '/v1/chat', { message: turn.text, messageId: turn.id, sentAt: turn.at });
    turnMs.push(performance.now() - started);
    progress('replayed', index + 1, conversation.turns.length);
  }
  await untilRemembered(url, key);
  await ask(url, key, turnMs);
}

/** Remembering is a job that follows each turn: wait until it has caught up. */
async function untilRemembered(url: string, key: string): Promise<void> {
  let last = -1;
  for (let still = 0; still < 8;) {
    const { total } = await call<z.output<typeof MemoryList>>(url, key, '/v1/memories?limit=1');
    still = total === last ? still + 1 : 0;
    last = total;
    await sleep(250);
  }
  console.log(`${last} memories`);
}

async function ask(url: string, key: string, turnMs: readonly number[]): Promise<void> {
  const recallMs: number[] = [];
  const scores = new Map<string, { hits: number[]; found: number[]; evidence: number; questions: number }>();
  const questions = conversation.questions.filter(({ evidence }) => evidence.length > 0);
  for (const [index, { question, evidence, category }] of questions.entries()) {
    const started = performance.now();
    const { memories } = await call<z.output<typeof MemorySearchResult>>(
      url,
      key,
      `/v1/memories/search?${new URLSearchParams({ q: question, limit: '20' }).toString()}`,
    );
    recallMs.push(performance.now() - started);
    for (const name of [category, 'all', ...(category === 'adversarial' ? [] : ['all but adversarial'])]) {
      const score = scores.get(name) ?? { hits: [0, 0, 0], found: [0, 0, 0], evidence: 0, questions: 0 };
      score.questions += 1;
      score.evidence += evidence.length;
      for (const [column, cut] of CUTS.entries()) {
        const sources = new Set(memories.slice(0, cut).flatMap((memory) => memory.sources));
        const found = evidence.filter((id) => sources.has(id)).length;
        score.found[column] = (score.found[column] ?? 0) + found;
        if (found > 0) score.hits[column] = (score.hits[column] ?? 0) + 1;
      }
      scores.set(name, score);
    }
    progress('asked', index + 1, questions.length);
  }
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  console.log(
    '\nrecall@k: share of questions with at least one evidence turn among k; in brackets, of evidence turns',
  );
  console.table(
    Object.fromEntries(
      [...scores].map(([name, score]) => [
        name,
        {
          questions: score.questions,
          ...Object.fromEntries(
            CUTS.map((cut, column) => [
              `recall@${cut}`,
              `${percent(score.hits[column] ?? 0, score.questions)} (${percent(score.found[column] ?? 0, score.evidence)})`,
            ]),
          ),
        },
      ]),
    ),
  );
  console.table({ 'ms a turn': spread(turnMs), 'ms a recall': spread(recallMs) });
  console.log(
    `whole replay: ${(turnMs.reduce((sum, ms) => sum + ms, 0) / 1_000).toFixed(1)} s, slowest turn ${Math.round(percentile(turnMs, 1))} ms`,
  );
}

async function call<T>(url: string, key: string, path: string, body?: unknown): Promise<T> {
  for (;;) {
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status === 429) {
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
      continue;
    }
    const answer = (await response.json()) as T & { detail?: string };
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer.detail ?? ''}`);
    return answer;
  }
}

function progress(what: string, done: number, of: number): void {
  if (!process.stderr.isTTY) {
    if (done === of) console.error(`${what} ${done}`);
    return;
  }
  const filled = Math.round((30 * done) / of);
  process.stderr.write(
    `\r${what} ${'█'.repeat(filled)}${'░'.repeat(30 - filled)} ${done}/${of}${done === of ? '\n' : ''}`,
  );
}

import { ModelError } from '../errors/model-error.js';
import { SpentError } from '../hooks/call-hooks.js';
import type { TokenCounts } from '../provider.js';
import { findJson } from '../find-json.js';
import type { CallWatch } from './call-watch.js';
import { labelOf, runTry, type ChainEntry, type TryReply } from './run-try.js';

/** Needs of the suite towards a model. */
export type ModelAbility = 'stream' | 'json' | 'tool-call';

export interface AbilityCheck {
  ability: ModelAbility;
  problem: string | null;
  /** Time until the first word; null when none came. */
  firstTokenMs: number | null;
  tookMs: number;
}

export interface ModelTest {
  /** As `provider:model`. */
  model: string;
  checks: AbilityCheck[];
  usage: TokenCounts;
}

/** Long enough for a model that loads its weights first. */
const TEST_MS = 30_000;
/** A sentence, and what a model thinks before it. */
const TEST_TOKENS = 200;

const WEATHER = {
  name: 'weather',
  description: 'Tells the weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** Sends a model three small requests, one for each ability. Never throws: a failure is told in its check. */
export async function testModel(entry: ChainEntry, watch: CallWatch): Promise<ModelTest> {
  const usage: TokenCounts = { promptTokens: 0, completionTokens: 0 };
  const checks: AbilityCheck[] = [];
  const check = async (
    ability: ModelAbility,
    content: string,
    options: { json?: true; tools?: [typeof WEATHER] },
    judge: (reply: TryReply) => string | null,
  ) => {
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    let firstTokenMs: number | null = null;
    let problem: string | null = 'the stream ended without an answer';
    try {
      const request = { messages: [{ role: 'user' as const, content }], maxTokens: TEST_TOKENS, ...options };
      const limits = { firstTokenMs: TEST_MS, totalMs: TEST_MS };
      for await (const event of runTry(entry, request, limits, watch)) {
        if (event.type === 'began') continue;
        firstTokenMs ??= elapsed();
        if (event.type !== 'reply') continue;
        problem = judge(event.reply);
        usage.promptTokens += event.reply.usage.promptTokens;
        usage.completionTokens += event.reply.usage.completionTokens;
      }
    } catch (error) {
      const isKnown = error instanceof ModelError || error instanceof SpentError;
      problem = isKnown ? error.message : 'failed for an unknown reason';
    }
    checks.push({ ability, problem, firstTokenMs, tookMs: elapsed() });
  };
  await check('stream', 'Say hello in one short sentence.', {}, ({ text }) =>
    text.trim() ? null : 'it answered without a word',
  );
  await check(
    'json',
    'Answer with this JSON object and nothing else: {"ready": true}',
    { json: true },
    (reply) =>
      isReady(findJson(reply.text)) ? null : 'it answered with something else than the JSON it was asked for',
  );
  await check(
    'tool-call',
    'What is the weather in Oslo? Use the tool.',
    { tools: [WEATHER] },
    ({ toolCalls }) =>
      toolCalls.some(({ name }) => name === WEATHER.name) ? null : 'it did not call the tool',
  );
  return { model: labelOf(entry), checks, usage };
}

function isReady(found: unknown): boolean {
  return typeof found === 'object' && found !== null && Reflect.get(found, 'ready') === true;
}

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatApiKey } from '@kith/contracts';
import { SERVICES, Stack, freePort, type Placement, type ServiceName } from '@kith/embedded';
import { ScriptedModel } from '@kith/testing';

/** Stops when it goes out of scope. */
export interface OwnSuite extends AsyncDisposable {
  stack: Stack;
  /** Stand-in for the chat model, and for a fast one where a setting names it. */
  model: ScriptedModel;
  url: string;
  key: string;
  /** From nothing to ready, with migrations; and again on the same data. */
  startMs: number;
  restart(): Promise<number>;
}

/**
 * Starts an embedded suite for a measurement: the stores as safe as an operator's, and a model that answers at
 * once, over the real SDK, so that what is measured is ours.
 */
export async function startOwnSuite(
  environment: (model: ScriptedModel) => Record<string, string> = () => ({}),
  placement: Placement = 'apart',
): Promise<OwnSuite> {
  const directory = await mkdtemp(join(tmpdir(), 'kith-bench-'));
  const model = await ScriptedModel.start();
  model.replyWith(() => 'Thank you for telling me. I will keep that in mind; tell me more when you like.');
  const key = formatApiKey(randomBytes(32));
  const ports = Object.fromEntries(
    await Promise.all(
      ['postgres', 'redis', ...SERVICES.map(({ name }) => name)].map(
        async (name) => [name, await freePort()] as const,
      ),
    ),
  ) as { postgres: number; redis: number } & Record<ServiceName, number>;
  const start = () =>
    Stack.start({
      root: join(import.meta.dirname, '..'),
      directory,
      ports,
      placement,
      secrets: { ownerPassword: 'owner', appPassword: 'app', redisPassword: 'redis', apiKey: key },
      environment: {
        VECTOR_INDEX: 'exact',
        RATE_LIMIT_PER_MINUTE: '10000000',
        LOG_LEVEL: 'warn',
        CHAT_MODELS: 'compatible:scripted',
        COMPATIBLE_BASE_URL: `${model.url}/v1`,
        ...environment(model),
      },
      durable: true,
    });
  const timed = async () => {
    const started = performance.now();
    const stack = await start();
    return { stack, startMs: Math.round(performance.now() - started) };
  };
  const first = await timed();
  const suite: OwnSuite = {
    ...first,
    model,
    key,
    url: first.stack.url,
    restart: async () => {
      await suite.stack.stop();
      const again = await timed();
      suite.stack = again.stack;
      return again.startMs;
    },
    [Symbol.asyncDispose]: async () => {
      await suite.stack.stop();
      await model.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return suite;
}

/** Settings by which a suite embeds with the scripted model's host. */
export function scriptedEmbedding(model: ScriptedModel): Record<string, string> {
  return {
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_API_KEY: 'scripted',
    EMBEDDING_MODEL: 'scripted-embedding',
    EMBEDDING_BASE_URL: `${model.url}/v1`,
  };
}

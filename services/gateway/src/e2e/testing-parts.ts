import type { Database } from '@kith/database';
import { createModelRoles, HookList } from '@kith/llm';
import { Broadcasts, Neighbours } from '@kith/messaging';
import { DegradedStates } from '@kith/service-host';
import type { ScriptedModel } from '@kith/testing';
import { silentLogger } from '@kith/testing';
import pino from 'pino';
import { Registry } from 'prom-client';
import type { AnswerParts } from '../answer/answer-parts.js';
import { TalkReader } from '../conversations/talk-reader.js';
import { EpochKeeper } from '../epochs/epoch-keeper.js';
import { SpendMeter } from '../safety/spend-meter.js';
import { TurnEvents } from '../signals/turn-events.js';
import { ThoughtCipher } from '../steps/thought-cipher.js';

/** Makes the parts of a turn as the gateway has them, over a real store and a scripted model; `own` are the test's. */
export function testingParts(
  database: Database,
  model: ScriptedModel,
  own: Pick<AnswerParts, 'messenger' | 'permittedTools'>,
): AnswerParts {
  const logger = pino({ level: 'silent' });
  const metrics = new Registry();
  const states = new DegradedStates(metrics, { probeEveryMs: 1_000 });
  const broadcasts = new Broadcasts({
    redisUrl: '',
    service: 'gateway',
    neighbours: new Neighbours(),
    logger: silentLogger,
  });
  return {
    database,
    states,
    logger,
    ...own,
    prefetcher: { take: () => null, toldSince: () => undefined, moodWith: () => undefined },
    clocks: { zoneOf: async () => null },
    pictures: { read: () => Promise.resolve(null) },
    standingOf: async () => 'serves',
    events: new TurnEvents(broadcasts),
    epochs: new EpochKeeper(database, new TalkReader()),
    roles: createModelRoles(model.settings(20_000)),
    spend: new SpendMeter(database, { perDay: 0, perPersonAndDay: 0 }, states, logger, metrics),
    cipher: new ThoughtCipher('a secret of this suite'),
    hooks: new HookList(),
    maxPromptTokens: 4_000,
    maxReplyTokens: 200,
    linkHosts: [],
    useTools: true,
    reasoning: { maxSteps: 6, maxTokens: 100_000, maxMs: 60_000, maxCost: 0 },
  };
}

import { ForgetOrders } from '../forgetting/forget-orders.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError, DAY_MS, type Door } from '@kith/contracts';
import { CallHooks, createModelRoles, ModelCards } from '@kith/llm';
import { UsageRecords } from '../safety/usage-records.js';
import { Broadcasts, Messenger } from '@kith/messaging';
import type { DegradedStates } from '@kith/service-host';
import { eventually, ScriptedModel, silentLogger } from '@kith/testing';
import { Registry } from 'prom-client';
import { SpendMeter } from '../safety/spend-meter.js';
import type { Speaker } from '../conversations/conversations.js';
import { withTalk } from '../e2e/talk.js';
import { testingParts } from '../e2e/testing-parts.js';
import { Bulkhead } from './bulkhead.js';
import { FollowUps } from '../outcome/follow-ups.js';
import { Inbox } from '../intake/inbox.js';
import { Interruptions } from '../signals/interruptions.js';
import { RecentTurns } from '../outcome/recent-turns.js';
import { reviseMessage } from '../inbox/revise-message.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { ToolRunner } from '../tools/tool-runner.js';
import type { TurnAuthority } from '../tools/turn-authority.js';
import { Clocks } from '../people/clocks.js';
import { ContextPrefetcher } from '../answer/context-prefetcher.js';
import { EpochKeeper } from '../epochs/epoch-keeper.js';
import { TurnTaker } from './turn-taker.js';
import { TurnEvents } from '../signals/turn-events.js';
import { TurnDispatcher } from './turn-dispatcher.js';
import { TranscriptRedactor } from '../redaction/transcript-redactor.js';

/** Nothing listens there: all of this holds without Redis. */
const NO_REDIS = 'redis://127.0.0.1:1';

const talk = withTalk();
let model: ScriptedModel;
let messenger: Messenger;
let broadcasts: Broadcasts;
let inbox: Inbox;
let wake: TurnDispatcher;
let states: DegradedStates;
let spend: SpendMeter;
let takeTurn: TurnTaker;
/** Turns that the dispatcher began. */
const begun: Promise<unknown>[] = [];
let usage: UsageRecords;
const noTools = {
  runnerFor: async (turn: TurnAuthority) =>
    new ToolRunner([], turn, undefined as never, new ToolRegistry(() => [])),
  withdraw: async () => undefined,
  outcomes: async () => [],
  changesOf: () => 'nothing' as const,
};
/** The step that fails, and how. */
let fault: { step: string; error: Error } | null = null;
const limits = { perDay: 0, perPersonAndDay: 0 };

class Standings {
  async look(): Promise<'serves'> {
    return 'serves';
  }
}

/** The part as it is, but for the step that is to fail. */
function faulty<Part extends object>(part: Part): Part {
  return new Proxy(part, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      return (...given: unknown[]) => {
        if (fault?.step === `${target.constructor.name}.${String(name)}`) throw fault.error;
        return own.apply(target, given) as unknown;
      };
    },
  });
}

beforeAll(async () => {
  model = await ScriptedModel.start();
  const { database } = talk;
  const { talks } = talk.turnStores;
  const logger = silentLogger;
  messenger = new Messenger({ redisUrl: NO_REDIS, service: 'gateway', logger });
  broadcasts = new Broadcasts({ redisUrl: NO_REDIS, service: 'gateway', logger, subscribeWithinMs: 10 });
  const interruptions = new Interruptions(broadcasts);
  const parts = testingParts(database, model, { messenger, permittedTools: faulty(noTools) });
  states = parts.states;
  spend = new SpendMeter(database, limits, states, parts.logger, new Registry());
  usage = new UsageRecords(
    database,
    new ModelCards({ 'host:listed': { price: { input: 1_000, output: 2_000 } } }),
  );
  usage.start(parts.logger);
  usage.tell((personId, tokens) => spend.add(personId, tokens));
  const standings = faulty(new Standings());
  const clocks = new Clocks(messenger, broadcasts);
  const prefetcher = new ContextPrefetcher({ messenger, clocks, states, promptTokens: () => 4_000 });
  takeTurn = new TurnTaker({
    ...parts,
    roles: createModelRoles(model.settings(20_000), undefined, new CallHooks([(call) => usage.note(call)])),
    events: faulty(new TurnEvents(broadcasts)),
    interruptions,
    followUps: new FollowUps(messenger, parts.logger),
    clocks,
    recent: new RecentTurns(),
    prefetcher,
    talks,
    epochs: new EpochKeeper(database, talks),
    spend: faulty(spend),
    debounceMs: 0,
    standingOf: () => standings.look(),
    useTools: false,
    usage,
  });
  const taker = {
    run: (...given: Parameters<TurnTaker['run']>) => {
      const run = takeTurn.run(...given);
      begun.push(run);
      return run;
    },
  };
  wake = new TurnDispatcher(messenger, taker, new Bulkhead(), parts.logger);
  const forgetting = new ForgetOrders({
    database,
    locks: talk.locks,
    transcript: new TranscriptRedactor(database),
    messenger,
    logger: parts.logger,
    tellOpenPages: new TurnEvents(broadcasts).talkForgotten,
  });
  inbox = new Inbox({ database, talks }, wake, prefetcher, interruptions, forgetting);
});
beforeEach(() => model.reset());
afterAll(async () => {
  await wake.drain();
  await messenger.close();
  broadcasts.close();
  await model.stop();
});

async function say(where: Speaker, text: string, door: Door = 'discord') {
  const externalId = `${text} ${randomUUID()}`;
  const target = door === 'discord' ? { userId: '1', channelId: '2' } : null;
  const message = { ...where, door, externalId, target, origin: 'message' as const, text };
  await inbox.accept({ ...message, sentAt: new Date() }, 0);
  return externalId;
}

const asked = (count: number) =>
  eventually(`${count} requests to the model`, () => model.requests.length === count);
const spokenIn = (request: number) => model.requests[request]!.messages.at(-1)!.text;

/** Outcomes in order, when there are as many as that. */
async function outcomes({ conversationId }: Speaker, count: number) {
  return eventually(`${count} outcomes`, async () => {
    const rows = await talk.stores.query<{ outcome: string; outcome_reason: string | null; turn_id: string }>(
      `SELECT outcome, outcome_reason, turn_id FROM inbox
       WHERE conversation_id = $1 AND outcome IS NOT NULL ORDER BY id`,
      [conversationId],
    );
    return rows.length === count && rows;
  });
}

async function replies({ conversationId }: Speaker): Promise<string[]> {
  const rows = await talk.stores.query<{ text: string }>(
    `SELECT text FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id`,
    [conversationId],
  );
  return rows.map(({ text }) => text);
}

describe('a message that can’t be answered', () => {
  const APOLOGY = expect.stringContaining('sorry');

  /** Works on it as the sweeper does, until it has an outcome. Returns how often it was tried. */
  async function tryUntilEnded(where: Speaker): Promise<number> {
    for (let tries = 1; tries <= 10; tries += 1) {
      await takeTurn.run(where).catch(() => undefined);
      await Promise.allSettled(begun);
      const [open] = await talk.stores.query(
        'SELECT 1 FROM inbox WHERE conversation_id = $1 AND outcome IS NULL LIMIT 1',
        [where.conversationId],
      );
      if (!open) return tries;
    }
    throw new Error('it is tried for ever');
  }

  it.each([
    ['Standings.look', new Error('a bug')],
    ['Standings.look', new AppError('unavailable', 'this query never ends')],
    ['SpendMeter.decide', new RangeError('Maximum call stack size exceeded')],
    ['TurnEvents.publish', new AppError('invalid_request', 'no such time')],
  ])('is apologised for after three tries, when %s fails with %p', async (step, error) => {
    const where = await talk.place();
    fault = { step, error };
    try {
      await say(where, 'boom');
      expect(await tryUntilEnded(where)).toBeLessThanOrEqual(4);
    } finally {
      fault = null;
    }
    expect(await outcomes(where, 1)).toMatchObject([{ outcome: 'apologised', outcome_reason: 'poison' }]);
    expect(await replies(where)).toEqual([APOLOGY]);
    await say(where, 'and now?');
    expect(await outcomes(where, 2)).toMatchObject([{}, { outcome: 'answered' }]);
  });

  it.each([
    ['transcript', 'apologised'],
    ['outbox', 'dropped'],
    ['turns', 'dropped'],
  ])('ends when it can’t be written to %s, and the next one is answered', async (table, outcome) => {
    const where = await talk.place();
    const function_ = `refuse_${table}`;
    const isIt = table === 'transcript' ? `NEW.text = 'boom'` : 'true';
    await talk.stores.query(`
      CREATE FUNCTION ${function_}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.person_id = '${where.personId}' AND ${isIt} THEN RAISE 'refused'; END IF;
        RETURN NEW;
      END $$`);
    await talk.stores.query(
      `CREATE TRIGGER ${function_} BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION ${function_}()`,
    );
    try {
      await say(where, 'boom');
      expect(await tryUntilEnded(where)).toBeLessThanOrEqual(4);
    } finally {
      await talk.stores.query(`DROP TRIGGER ${function_} ON ${table}`);
    }
    expect(await outcomes(where, 1)).toMatchObject([{ outcome, outcome_reason: 'poison' }]);
    await say(where, 'and now?');
    expect(await outcomes(where, 2)).toMatchObject([{}, { outcome: 'answered' }]);
  });

  it('costs no try while the store is away', async () => {
    const where = await talk.place();
    const ping = jest.spyOn(talk.database, 'ping').mockRejectedValue(new Error('away'));
    fault = { step: 'Standings.look', error: new AppError('unavailable', 'Postgres is away') };
    try {
      await say(where, 'hello');
      await Promise.allSettled(begun);
      for (let tries = 0; tries < 3; tries += 1) await expect(takeTurn.run(where)).rejects.toThrow('away');
    } finally {
      fault = null;
      ping.mockRestore();
    }
    expect(await talk.rowsOf('inbox', 'attempts, outcome', where)).toEqual([{ attempts: 0, outcome: null }]);
    await takeTurn.run(where);
    expect(await outcomes(where, 1)).toMatchObject([{ outcome: 'answered' }]);
  });

  it('is on its last try alone: what was under way beside it is answered after all', async () => {
    const [deadly, harmless] = await Promise.all([talk.place(), talk.place()]);
    const triedTwice = (where: Speaker) =>
      talk.stores.query(
        `INSERT INTO inbox (conversation_id, person_id, door, external_id, text, target, sent_at, attempts)
         VALUES ($1, $2, 'discord', $3, 'boom', '{"userId": "1", "channelId": "2"}', now(), 2)`,
        [where.conversationId, where.personId, randomUUID()],
      );
    await Promise.all([triedTwice(deadly), triedTwice(harmless)]);
    model.next({ kind: 'hang' });
    const first = takeTurn.run(deadly);
    await asked(1);
    await takeTurn.run(harmless);
    const left = await talk.rowsOf('inbox', 'attempts, outcome, lease_until', harmless);
    expect(left).toEqual([{ attempts: 2, outcome: null, lease_until: null }]);
    await inbox.stop({ ...deadly, at: new Date() });
    await first;
    await takeTurn.run(harmless);
    expect(await outcomes(harmless, 1)).toMatchObject([{ outcome: 'answered' }]);
  });

  it('and that nobody knows whom to answer is dropped, and keeps nothing after it waiting', async () => {
    const where = await talk.place();
    await talk.stores.query(
      `INSERT INTO inbox (conversation_id, person_id, door, external_id, text, target, sent_at)
       VALUES ($1, $2, 'pigeon', 'odd', 'boom', '{"loft": 1}', now())`,
      [where.conversationId, where.personId],
    );
    await say(where, 'and now?');
    expect(await outcomes(where, 2)).toMatchObject([
      { outcome: 'dropped', outcome_reason: 'unreadable' },
      { outcome: 'answered' },
    ]);
  });
});

describe('a turn whose lease another worker has by now', () => {
  it('ends in silence, and leaves that worker its turn, its questions and all its tries', async () => {
    const where = await talk.place();
    const withdraw = jest.spyOn(noTools, 'withdraw');
    model.next({ kind: 'slow', firstByteMs: 400 });
    await say(where, 'hello');
    await asked(1);
    await talk.stores.query(
      `UPDATE inbox SET lease_token = lease_token + 1, attempts = attempts + 1 WHERE conversation_id = $1`,
      [where.conversationId],
    );
    await Promise.allSettled(begun);
    const left = await talk.rowsOf('inbox', 'attempts, outcome, lease_until > now() AS held', where);
    expect(left).toEqual([{ attempts: 1, outcome: null, held: true }]);
    expect(withdraw).not.toHaveBeenCalled();
    expect(await replies(where)).toEqual([]);
    withdraw.mockRestore();
  });
});

describe('without Redis', () => {
  it('a message is answered here, and says what it lacked', async () => {
    const place = await talk.place();
    await say(place, 'hello');
    expect(await outcomes(place, 1)).toMatchObject([{ outcome: 'answered' }]);
    const [turn] = await talk.rowsOf('turns', 'degraded', place);
    expect(turn).toEqual({ degraded: ['personality', 'memory'] });
  });
});

describe('a newer message', () => {
  it('takes the turn over, at no cost of a try, whatever can’t be stored at that moment', async () => {
    const place = await talk.place();
    fault = { step: 'Object.withdraw', error: new Error('a bug') };
    model.next({ kind: 'hang' });
    await say(place, 'first');
    await asked(1);
    await talk.stores.query(`
      CREATE FUNCTION refuse_release() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.person_id = '${place.personId}' AND NEW.lease_until IS NULL AND NEW.outcome IS NULL THEN
          RAISE 'the disk is full' USING ERRCODE = 'disk_full';
        END IF;
        RETURN NEW;
      END $$`);
    await talk.stores.query(
      'CREATE TRIGGER refuse_release BEFORE UPDATE ON inbox FOR EACH ROW EXECUTE FUNCTION refuse_release()',
    );
    await say(place, 'second');
    await new Promise((resolve) => setTimeout(resolve, 300));
    fault = null;
    await talk.stores.query('DROP TRIGGER refuse_release ON inbox');
    expect(await outcomes(place, 2)).toMatchObject([{ outcome: 'answered' }, { outcome: 'answered' }]);
    const tries = await talk.rowsOf('inbox', 'attempts, overtaken', place);
    expect(tries).toEqual([
      { attempts: 1, overtaken: 1 },
      { attempts: 1, overtaken: 0 },
    ]);
  });

  it('of the same person takes the turn over: one answer, to both', async () => {
    const place = await talk.place();
    model.next({ kind: 'hang' });
    await say(place, 'first');
    await asked(1);
    await say(place, 'second');
    const ended = await outcomes(place, 2);
    expect(ended).toMatchObject([{ outcome: 'answered' }, { outcome: 'answered' }]);
    expect(new Set(ended.map((row) => row.turn_id)).size).toBe(1);
    expect(spokenIn(1)).toBe('first\nsecond');
    expect(await replies(place)).toHaveLength(1);
  });

  it('is seen at the commit when nobody told of it', async () => {
    const place = await talk.place();
    model.next({ kind: 'slow', firstByteMs: 400 });
    await say(place, 'first');
    await asked(1);
    // Straight into the inbox, as by a replica whose broadcast was lost.
    await talk.stores.query(
      `INSERT INTO inbox (conversation_id, person_id, door, external_id, text, sent_at)
       VALUES ($1, $2, 'discord', 'unheard', 'second', now())`,
      [place.conversationId, place.personId],
    );
    const ended = await outcomes(place, 2);
    expect(new Set(ended.map((row) => row.turn_id)).size).toBe(1);
    expect(await replies(place)).toHaveLength(1);
  });

  it('does not put the answer off for ever', async () => {
    const place = await talk.place();
    for (let number = 1; number <= 2; number++) model.next({ kind: 'hang' });
    model.next({ kind: 'slow', firstByteMs: 500 });
    await say(place, 'one');
    await asked(1);
    await say(place, 'two');
    await asked(2);
    await say(place, 'three');
    await asked(3);
    expect(spokenIn(2)).toBe('one\ntwo\nthree');
    await say(place, 'four');
    // The third request is not given up, neither at once nor when its turn is committed.
    const turns = (await outcomes(place, 4)).map((row) => row.turn_id);
    expect(new Set(turns.slice(0, 3)).size).toBe(1);
    expect(turns[3]).not.toBe(turns[0]);
    expect(model.requests).toHaveLength(4);
    expect(spokenIn(3)).toBe('four');
    expect(await replies(place)).toHaveLength(2);
  });

  it('is a turn of its own where a caller waits for each reply', async () => {
    const place = await talk.place();
    model.next({ kind: 'slow', firstByteMs: 300 });
    await say(place, 'first', 'http');
    await eventually('the first request', () =>
      model.requests.some(({ messages }) => messages.at(-1)!.text === 'first'),
    );
    await say(place, 'second', 'http');
    const ended = await outcomes(place, 2);
    expect(new Set(ended.map((row) => row.turn_id)).size).toBe(2);
  });

  it('of someone else is answered beside the turn under way, and overtakes nothing', async () => {
    const [ann, ben] = (await talk.channelOf(2)) as [Speaker, Speaker];
    model.next({ kind: 'hang' });
    await say(ann, 'first');
    await asked(1);
    await say(ben, 'between');
    const beside = await outcomes(ben, 1);
    expect(model.requests).toHaveLength(2);
    await say(ann, 'last');
    const ended = await outcomes(ann, 3);
    expect(spokenIn(2)).toBe('Ann: first\nAnn: last');
    const [first, between, last] = ended.map((row) => row.turn_id);
    expect(between).toBe(beside[0]!.turn_id);
    expect(first).toBe(last);
    expect(first).not.toBe(between);
  });
});

describe('an edit before the answer', () => {
  it('is what is answered', async () => {
    const place = await talk.place();
    model.next({ kind: 'hang' });
    const id = await say(place, 'I like rain');
    await asked(1);
    expect(await inbox.revise({ door: 'discord', messageId: id, text: 'I like sun', at: new Date() })).toBe(
      true,
    );
    await outcomes(place, 1);
    expect(spokenIn(1)).toBe('I like sun');
    expect(JSON.stringify(await talk.stores.query('SELECT text FROM transcript'))).not.toContain(
      'I like rain',
    );
  });

  it('is seen at the commit when nobody told of it', async () => {
    const place = await talk.place();
    model.next({ kind: 'slow', firstByteMs: 400 });
    const id = await say(place, 'before');
    await asked(1);
    await reviseMessage(talk.database, { door: 'discord', messageId: id, text: 'after', at: new Date() });
    await outcomes(place, 1);
    expect(spokenIn(1)).toBe('after');
    expect(await replies(place)).toHaveLength(1);
  });

  it('comes too late for it after it, and still takes the words out of what is told', async () => {
    const place = await talk.place();
    const at = new Date();
    model.next({ kind: 'reply', reply: 'Cilantro it is.' });
    const id = await say(place, 'I love cilantro');
    await outcomes(place, 1);
    const lines = () => talk.rowsOf('transcript', 'text, withheld', place);
    expect(await inbox.revise({ door: 'discord', messageId: id, text: 'I love basil', at })).toBe(true);
    expect(await lines()).toEqual([
      { text: 'I love basil', withheld: null },
      { text: '', withheld: 'edited' },
    ]);
    expect(await inbox.revise({ door: 'discord', messageId: id, text: null, at })).toBe(true);
    expect(await lines()).toEqual([
      { text: '', withheld: 'deleted' },
      { text: '', withheld: 'deleted' },
    ]);
    await say(place, 'what do I love?');
    await outcomes(place, 2);
    expect(JSON.stringify(model.requests.at(-1))).not.toMatch(/cilantro|basil/i);
    expect(await inbox.revise({ door: 'discord', messageId: 'unknown', text: null, at })).toBe(false);
  });
});

describe('a deletion before the answer', () => {
  it('of one message leaves the others to be answered, and keeps nothing of it', async () => {
    const place = await talk.place();
    model.next({ kind: 'hang' });
    await say(place, 'keep this');
    await asked(1);
    model.next({ kind: 'hang' });
    const id = await say(place, 'my secret');
    await asked(2);
    await inbox.revise({ door: 'discord', messageId: id, text: null, at: new Date() });
    expect(await outcomes(place, 2)).toMatchObject([
      { outcome: 'answered' },
      { outcome: 'dropped', outcome_reason: 'deleted' },
    ]);
    expect(spokenIn(2)).toBe('keep this');
    const kept = await talk.stores.query(`SELECT text FROM inbox UNION ALL SELECT text FROM transcript`);
    expect(JSON.stringify(kept)).not.toContain('my secret');
  });

  it('of all of them ends the turn without an answer', async () => {
    const place = await talk.place();
    model.next({ kind: 'hang' });
    const id = await say(place, 'never mind');
    await asked(1);
    await inbox.revise({ door: 'discord', messageId: id, text: null, at: new Date() });
    expect(await outcomes(place, 1)).toMatchObject([{ outcome: 'dropped', outcome_reason: 'deleted' }]);
    expect(await replies(place)).toEqual([]);
  });
});

describe('a wish to stop', () => {
  it('ends the turn under way in silence, and what is said afterwards is answered', async () => {
    const place = await talk.place();
    model.next({ kind: 'hang' });
    await say(place, 'tell me everything');
    await asked(1);
    expect(await inbox.stop({ ...place, at: new Date() })).toBe(1);
    expect(await outcomes(place, 1)).toMatchObject([{ outcome: 'silent', outcome_reason: 'stopped' }]);
    await say(place, 'hello again');
    expect((await outcomes(place, 2))[1]).toMatchObject({ outcome: 'answered' });
    expect(await replies(place)).toHaveLength(1);
  });

  it('finds nothing to stop where all is answered', async () => {
    const place = await talk.place();
    expect(await inbox.stop({ ...place, at: new Date() })).toBe(0);
  });
});

/** Usage of a person as another service reports it. */
function reportedOf(personId: string) {
  return {
    id: randomUUID(),
    role: 'fast' as const,
    model: 'host:small',
    personId,
    companionId: null,
    conversationId: null,
    turnId: null,
    calls: 3,
    promptTokens: 30,
    completionTokens: 3,
    isEstimated: false,
    cost: 0.01,
  };
}

describe('what a turn has cost', () => {
  const spentOn = ({ personId }: Speaker) =>
    talk.stores.query<{ turn: boolean; calls: number; estimated: boolean }>(
      `SELECT turn_id IS NOT NULL AS turn, sum(calls)::int AS calls, bool_or(is_estimated) AS estimated
       FROM usage WHERE person_id = $1 AND prompt_tokens > 0 GROUP BY 1`,
      [personId],
    );

  it('is kept with it, and so are calls that nobody waited for any more', async () => {
    const where = await talk.place();
    model.next({ kind: 'hang' });
    await say(where, 'first');
    await asked(1);
    await say(where, 'no, second');
    await outcomes(where, 2);
    await usage.book.drain();
    expect(await spentOn(where)).toEqual([{ turn: true, calls: 2, estimated: true }]);
  });

  it('is counted once, whoever reports it and however often', async () => {
    const where = await talk.place();
    const { personId } = where;
    const row = reportedOf(personId);
    await usage.hear([row]);
    await usage.hear([row]);
    for (const [limit, decision] of [
      [33, 'person-budget'],
      [34, 'proceed'],
      [0, 'proceed'],
    ] as const) {
      limits.perPersonAndDay = limit;
      expect(spend.decide(personId)).toBe(decision);
    }
    expect(await spentOn(where)).toEqual([{ turn: false, calls: 3, estimated: false }]);
    const unpriced = ['host:listed', 'host:unlisted'].map((model) => {
      return { ...row, id: randomUUID(), model, cost: null };
    });
    await usage.hear([...unpriced, { ...unpriced[0]!, id: randomUUID(), role: 'embedding' }]);
    expect(
      await talk.stores.query('SELECT cost FROM usage WHERE person_id = $1 ORDER BY cost, role', [personId]),
    ).toEqual([{ cost: 0.01 }, { cost: 0.036 }, { cost: null }, { cost: null }]);
  });
});

describe('usage that a service left when it stopped', () => {
  it('is counted for the day of its count, once, and is not spent of today', async () => {
    const { personId } = await talk.place();
    const row = reportedOf(personId);
    const today = new Date();
    const before = new Date(today.getTime() - DAY_MS);
    const ofToday = { ...row, id: randomUUID(), promptTokens: 10, completionTokens: 1 };
    for (let time = 0; time < 2; time += 1) {
      await usage.hear([row], before.toISOString());
      await usage.hear([ofToday], today.toISOString());
    }
    limits.perPersonAndDay = 12;
    expect(spend.decide(personId)).toBe('proceed');
    limits.perPersonAndDay = 11;
    expect(spend.decide(personId)).toBe('person-budget');
    limits.perPersonAndDay = 0;
    expect(
      await talk.stores.query(
        'SELECT prompt_tokens AS prompt, at FROM usage WHERE person_id = $1 ORDER BY at',
        [personId],
      ),
    ).toEqual([
      { prompt: 30, at: before },
      { prompt: 10, at: expect.any(Date) },
    ]);
  });
});

describe('without a model', () => {
  it('it is found out by itself that there is one again', async () => {
    const place = await talk.place();
    model.always({ kind: 'status', status: 500 });
    await say(place, 'hello');
    expect(await outcomes(place, 1)).toMatchObject([{ outcome: 'apologised' }]);
    expect(states.list()).toMatchObject([
      { part: 'chat-model', effect: expect.stringContaining('apologies') },
    ]);
    model.reset();
    await eventually('the probe', () => states.list().length === 0);
    await say(place, 'hello again');
    expect(await outcomes(place, 2)).toMatchObject([{ outcome: 'apologised' }, { outcome: 'answered' }]);
  });

  it('people get the apology, the operator is told, and it is over with the next answer', async () => {
    const place = await talk.place();
    model.always({ kind: 'spend-limit' });
    await say(place, 'hello');
    expect(await outcomes(place, 1)).toMatchObject([{ outcome: 'apologised' }]);
    expect(states.list()).toMatchObject([{ part: 'chat-model' }]);
  });

  it('the next one is not asked again at once, and is when its time is over', async () => {
    const place = await talk.place();
    const before = model.requests.length;
    await say(place, 'hello?');
    expect(await outcomes(place, 1)).toMatchObject([
      { outcome: 'apologised', outcome_reason: expect.stringContaining('circuit-open') },
    ]);
    expect(model.requests).toHaveLength(before);
  });
});

describe('when the day’s tokens are spent', () => {
  it('people are told so without a model, until the day is over', async () => {
    const place = await talk.place();
    limits.perDay = 1;
    spend.add(place.personId, 5);
    await say(place, 'hello');
    expect(await outcomes(place, 1)).toMatchObject([{ outcome: 'apologised', outcome_reason: 'budget' }]);
    expect(states.list().map(({ part }) => part)).toContain('spend');
    limits.perDay = 0;
  });
});

describe('talk that grows', () => {
  it('has its epoch ended between two turns, before a reply would wait for it', async () => {
    const place = await talk.place();
    const epochs = () => talk.rowsOf('epochs', '1', place);
    let turns = 0;
    for (; turns < 40 && (await epochs()).length === 0; turns += 1) {
      await say(
        place,
        `In room ${turns} ${'a kettle of Anna’s sings about the sea, '.repeat(12)}and it is blue.`,
      );
      await outcomes(place, turns + 1);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const traces = await talk.rowsOf<{ details: { compaction: unknown } }>(
      'turns',
      'trace AS details',
      place,
    );
    expect(traces).toHaveLength(turns);
    expect(turns).toBeGreaterThan(5);
    expect(traces.map(({ details }) => details.compaction)).toEqual(traces.map(() => null));
    expect(await epochs()).toHaveLength(1);
  });
});

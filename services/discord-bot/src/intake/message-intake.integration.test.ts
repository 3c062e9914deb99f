import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, freshStores, type FreshStores } from '@kith/testing';
import { pino } from 'pino';
import { runBot, runSuite, type RunningBot, type RunningService } from '../e2e/run-bot.js';
import { SuiteState } from '../e2e/suite-state.js';
import type { InboundContent } from '../events/read-event.js';
import { HandOver } from './hand-over.js';
import { MessageIntake } from './message-intake.js';

const DIRECT = { channelId: '500', isDirect: true };
const CHANNEL = { channelId: '600', isDirect: false };
const logger = pino({ level: 'silent' });

let stores: FreshStores;
let state: SuiteState;
let suite: RunningService;
let bot: RunningBot;
let handOver: HandOver;
let intake: MessageIntake;
/** Has the messages that are set aside tried again without a pause, from now on. */
let tryAside: () => void;

beforeAll(async () => {
  stores = await freshStores();
  state = new SuiteState();
  suite = await runSuite(stores.redisUrl, state);
  bot = await runBot(stores, {});
});
beforeEach(async () => {
  state.buggy.clear();
  for (const list of [state.received, state.revised, state.deleted, state.turnedAway]) list.splice(0);
  await stores.query('TRUNCATE discord_cursors');
  const later = new AbortController();
  tryAside = () => later.abort();
  // Tries in turn take two minutes, and tries of what is set aside an hour each.
  const pause = (ms: number, signal: AbortSignal) => {
    const isAside = ms > 4_000;
    const until = isAside ? AbortSignal.any([signal, later.signal]) : signal;
    return wait(isAside ? ms : 1, null, { signal: until }).catch(() => undefined);
  };
  handOver = new HandOver(logger, pause);
  intake = intakeWith(handOver);
});
afterAll(async () => {
  await bot.stop();
  await suite.stop();
  await stores.stop();
});

type Places = ConstructorParameters<typeof MessageIntake>[0]['places'];

function intakeWith(handOver: HandOver, places: Places = bot.parts.servers): MessageIntake {
  const { messenger, cursors, typing, signs, api } = bot.parts;
  return new MessageIntake({ messenger, handOver, cursors, typing, live: null, signs, places, api, logger });
}

const received = () => state.received.map(({ messageId }) => messageId);
const tries = (id: string) => state.turnedAway.filter((one) => one === id).length;
const cursorOf = async ({ channelId }: { channelId: string }) => {
  const [cursor] = await bot.parts.cursors.read([channelId]);
  return cursor?.lastMessageId;
};

function said(id: string, where = CHANNEL): InboundContent {
  const kind = where.isDirect ? ('direct' as const) : ('channel' as const);
  const request = {
    from: { door: 'discord' as const, subject: '42', displayName: 'Ann' },
    place: { door: 'discord' as const, externalId: where.channelId, kind },
    messageId: id,
    text: 'hello',
    sentAt: new Date().toISOString(),
  };
  return { kind: 'message', id, request };
}
const changed = (messageId: string, text: string | null): InboundContent => ({
  kind: 'revision',
  revision: { door: 'discord', messageId, text },
});

describe('a message over which the gateway meets a bug each time', () => {
  it('does not hold up its place, and is handed over once the bug is mended', async () => {
    state.buggy.add('2');
    expect(await intake.take(CHANNEL, said('1'))).toBe(true);
    const stuck = intake.take(CHANNEL, said('2'));
    expect(await intake.take(CHANNEL, said('3'))).toBe(true);
    expect(tries('2')).toBeGreaterThanOrEqual(30);
    // Another process would read it up.
    expect(await cursorOf(CHANNEL)).toBe('1');
    state.buggy.clear();
    tryAside();
    expect(await stuck).toBe(true);
    expect(received()).toEqual(['1', '3', '2']);
    await intake.take(CHANNEL, said('4'));
    expect(await cursorOf(CHANNEL)).toBe('4');
  });

  it('is also handed over where it is the first of a direct talk', async () => {
    state.buggy.add('1');
    const stuck = intake.take(DIRECT, said('1', DIRECT));
    await intake.take(DIRECT, said('2', DIRECT));
    state.buggy.clear();
    tryAside();
    expect(await stuck).toBe(true);
    expect(received()).toEqual(['2', '1']);
  });

  it('is changed and taken back after that, while other changes in its place go on', async () => {
    state.buggy.add('1');
    const stuck = [
      intake.take(CHANNEL, said('1')),
      intake.take(CHANNEL, changed('1', 'hi')),
      intake.take(CHANNEL, changed('1', null)),
    ];
    await intake.take(CHANNEL, said('2'));
    await intake.take(CHANNEL, changed('2', null));
    expect(state.revised.map(({ messageId }) => messageId)).toEqual(['2']);
    state.buggy.clear();
    tryAside();
    expect(await Promise.all(stuck)).toEqual([true, true, true]);
    expect(state.revised.slice(1)).toMatchObject([
      { messageId: '1', text: 'hi' },
      { messageId: '1', text: null },
    ]);
  });

  it('is not handed over any more when its place was deleted', async () => {
    state.buggy.add('1');
    const stuck = intake.take(CHANNEL, said('1'));
    await intake.take(CHANNEL, { kind: 'place-deleted', serverId: '7' });
    await eventually('the deletion', () => state.deleted.length === 1);
    state.buggy.clear();
    tryAside();
    expect(await stuck).toBe(true);
    expect(received()).toEqual([]);
    expect(await cursorOf(CHANNEL)).toBeUndefined();
  });

  it('is left to the next process when this one ends, and after a day', async () => {
    state.buggy.add('2');
    await intake.take(CHANNEL, said('1'));
    const stuck = intake.take(CHANNEL, said('2'));
    await intake.take(CHANNEL, said('3'));
    await intake.drain();
    expect(await stuck).toBe(false);
    expect(await cursorOf(CHANNEL)).toBe('1');

    const hasty = intakeWith(new HandOver(logger, () => wait(1)));
    expect(await hasty.take(CHANNEL, said('2'))).toBe(false);
    expect(await hasty.take(CHANNEL, said('4'))).toBe(true);
    expect(await cursorOf(CHANNEL)).toBe('1');
  });
});

describe('a bug that every message meets', () => {
  it('leaves what is set aside to the first message that is taken after it, not to the next hour', async () => {
    for (const id of ['1', '2', '3']) state.buggy.add(id);
    const stuck = [intake.take(CHANNEL, said('1')), intake.take(DIRECT, said('2', DIRECT))];
    await eventually('both are set aside', () => tries('1') > 30 && tries('2') > 30);
    const newest = intake.take(CHANNEL, said('3'));
    await eventually('the newest meets it', () => tries('3') > 0);
    const before = [tries('1'), tries('2')];
    await wait(20);
    expect([tries('1'), tries('2')]).toEqual(before);
    state.buggy.clear();
    expect(await Promise.all([newest, ...stuck])).toEqual([true, true, true]);
    expect(received().toSorted()).toEqual(['1', '2', '3']);
  });

  it('is told from one that a single message meets, which the others do not bring up each time', async () => {
    state.buggy.add('1');
    const stuck = intake.take(CHANNEL, said('1'));
    await intake.take(CHANNEL, said('2'));
    // It met the bug in its turn as well: whether that was its own is known from now on.
    await eventually('one try more', () => tries('1') === 32);
    await intake.take(CHANNEL, said('3'));
    await wait(20);
    expect(tries('1')).toBe(32);
    state.buggy.clear();
    tryAside();
    expect(await stuck).toBe(true);
  });
});

describe('a change over which the gateway meets a bug each time', () => {
  it('does not hold up its place, and is told once the bug is mended', async () => {
    await intake.take(CHANNEL, said('1'));
    state.buggy.add('1');
    const stuck = intake.take(CHANNEL, changed('1', null));
    expect(await intake.take(CHANNEL, said('2'))).toBe(true);
    state.buggy.clear();
    tryAside();
    expect(await stuck).toBe(true);
    expect(state.revised).toMatchObject([{ messageId: '1', text: null }]);
  });
});

describe('the deletion of a place that meets a bug each time', () => {
  /** Places of which one is left to be deleted after so many tries. */
  function failing(place: string, tries: number, threads: string[] = []) {
    const deleted: string[] = [];
    let left = tries;
    const places: Places = {
      threadsOf: (_, id) => Promise.resolve(id === place ? [] : threads),
      deletePlace: async (_, id) => {
        if (id === place && left-- > 0) throw new TypeError('a bug');
        deleted.push(id);
      },
    };
    intake = intakeWith(handOver, places);
    return deleted;
  }
  const deletion: InboundContent = { kind: 'place-deleted', serverId: '7' };

  it('is ordered once that is mended, and messages of other places are handed over as well', async () => {
    const deleted = failing(CHANNEL.channelId, 30);
    state.buggy.add('1');
    const stuck = intake.take(DIRECT, said('1', DIRECT));
    await eventually('the message to be set aside', () => tries('1') > 30);
    const deleting = intake.take(CHANNEL, deletion);
    await intake.take(CHANNEL, { kind: 'nothing', id: '2' });
    state.buggy.clear();
    tryAside();
    expect(await Promise.all([stuck, deleting])).toEqual([true, true]);
    expect([received(), deleted]).toEqual([['1'], [CHANNEL.channelId]]);
  });

  it('comes after that of its threads, however often that fails', async () => {
    const deleted = failing('601', 31, ['601']);
    expect(await intake.take(CHANNEL, deletion)).toBe(true);
    expect(deleted).toEqual(['601', CHANNEL.channelId]);
  });
});

describe('a session whose missed messages are not read yet', () => {
  it('counts a place as awaited for messages to the bot alone, and not for the read of another session', async () => {
    const asks: (() => boolean)[] = [];
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const read = async (isAwaited: () => boolean) => {
      asks.push(isAwaited);
      await ended;
      return [];
    };
    for (const where of [CHANNEL, CHANNEL, DIRECT]) intake.takeFirst(where, read);
    const others = intake.take(CHANNEL, { kind: 'nothing', id: '1' });
    const toBot = intake.take(DIRECT, said('2'));
    await eventually('both reads', () => asks.length === 2);
    expect(asks.map((isAwaited) => isAwaited())).toEqual([false, true]);
    end();
    await Promise.all([others, toBot]);
    await eventually('a quiet place', () => asks[1]?.() === false);
  });

  it('moves no cursor beyond them when the process ends', async () => {
    await intake.take(CHANNEL, said('1'));
    intake.hold();
    const held = intake.take(CHANNEL, said('3'));
    await intake.drain();
    expect(await held).toBe(true);
    expect(await cursorOf(CHANNEL)).toBe('1');
  });

  it('moves none for one that is handed over before they are read', async () => {
    await intake.take(CHANNEL, said('1'));
    const handedOver = intake.take(CHANNEL, said('3'));
    const readFrom: unknown[] = [];
    intake.takeFirst(CHANNEL, async () => {
      readFrom.push(await cursorOf(CHANNEL));
      return [said('2')];
    });
    expect(await handedOver).toBe(true);
    expect(await intake.take(CHANNEL, said('4'))).toBe(true);
    expect([readFrom, received()]).toEqual([['1'], ['1', '3', '2', '4']]);
    expect(await cursorOf(CHANNEL)).toBe('4');
  });

  it('moves none beyond one that came in too great a flood while they were read', async () => {
    await intake.take(CHANNEL, said('1'));
    const done: (() => void)[] = [];
    const reading = (missed: InboundContent[]) => () =>
      new Promise<InboundContent[]>((resolve) => done.push(() => resolve(missed)));
    intake.takeFirst(DIRECT, reading([]));
    const waiting = Array.from({ length: 10_000 }, (_, id) =>
      intake.take(DIRECT, { kind: 'nothing', id: String(id) }),
    );
    intake.takeFirst(CHANNEL, reading([said('2')]));
    await eventually('both reads', () => done.length === 2);
    expect(await intake.take(CHANNEL, said('3'))).toBe(false);
    for (const end of done) end();
    await Promise.all(waiting);
    expect(await intake.take(CHANNEL, said('4'))).toBe(true);
    expect(received()).toEqual(['1', '2', '4']);
    expect(await cursorOf(CHANNEL)).toBe('1');
  });
});

it('waits out any other trouble in its turn, for as long as that takes', async () => {
  state.gatewayDown = true;
  const taken = [intake.take(CHANNEL, said('1')), intake.take(CHANNEL, said('2'))];
  await eventually('many tries', () => tries('1') > 60);
  expect(tries('2')).toBe(0);
  state.gatewayDown = false;
  expect(await Promise.all(taken)).toEqual([true, true]);
  expect(received()).toEqual(['1', '2']);
});

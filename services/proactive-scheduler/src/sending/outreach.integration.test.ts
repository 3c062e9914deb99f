import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  gatewayContract,
  memoryContract,
  type OutreachRestriction,
  type OutreachSettings,
  present,
  type ReadTurn,
  type RequestContract,
  type ResponseOutput,
} from '@kith/contracts';
import { Database, LeftPlaces, SealedRows, TurnLedger } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { ReadingThread } from '@kith/reading';
import { eventually, freshStores, type FreshStores } from '@kith/testing';
import { AttemptRecords } from '../store/attempt-records.js';
import { ConsentRecords } from '../store/consent-records.js';
import { ForgottenReasons } from '../store/forgotten-reasons.js';
import { IntentionRecords } from '../store/intention-records.js';
import { OutreachRecords } from '../store/outreach-records.js';
import { type EndedTurn, TurnRecords } from '../store/turn-records.js';
import type { NoticedReason } from '../reasons/notice-reasons.js';
import { ReasonIntake } from '../noticing/reason-intake.js';
import { whyNowhere } from '../decision/choose-place.js';
import { outlookOf } from '../decision/outlook-of.js';
import { decideOutreach } from '../decision/decide-outreach.js';
import { OutreachDispatcher } from './outreach-dispatcher.js';
import { defaultSettings } from '../store/stored-settings.js';

const NOON = new Date('2026-01-14T12:00:00Z');
const minutes = (count: number) => new Date(NOON.getTime() + count * 60_000);
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let stores: FreshStores;
let database: Database;
let records: OutreachRecords;
let turnRecords: TurnRecords;
let left: LeftPlaces;
let attemptRecords: AttemptRecords;
let consents: ConsentRecords;
let forgetting: ForgottenReasons;
let messenger: Messenger;
let intake: ReasonIntake;
let dispatcher: OutreachDispatcher;
let personId: string;
/** True while something of theirs is under way at the gateway; `null`: the gateway is out of reach. */
let busy: boolean | null;

/** Turns as the gateway tells them. */
let turns: ReadTurn[];
/** Rules that one text keeps busy for ever. */
const HANGING = `export function noticeReasons({ person, companion = [] }) {
  for (const { text, saidAt } of person) {
    while (text === 'hostile');
    if (companion.length > 0) return [{ kind: 'promise', about: 'it was promised', dueAt: saidAt, exact: true, yearly: false, leapDay: false }];
    return [{ kind: 'request', about: text, dueAt: saidAt, exact: true, yearly: false, leapDay: false }];
  }
}`;
/** Above what an honest text takes on a busy machine. */
const DEADLINE_MS = 1_000;
let folder: string;
/** Events before each answer of memory, in order. */
let beforePrivacy: (() => Promise<void>)[] = [];

/** Jobs are ordered as ever; what is asked of the gateway and of memory is answered here. */
class MessengerWithGateway extends Messenger {
  override async ask<C extends RequestContract>(contract: C): Promise<ResponseOutput<C>> {
    if (contract.pattern === gatewayContract.readTurns.pattern) return { turns } as ResponseOutput<C>;
    if (contract.pattern === memoryContract.wasPrivate.pattern) {
      await beforePrivacy.shift()?.();
      return { wasPrivate: [false] } as ResponseOutput<C>;
    }
    if (busy === null) throw new Error('out of reach');
    return { busy } as ResponseOutput<C>;
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kith-rules-'));
  await writeFile(join(folder, 'rules.mjs'), HANGING);
  stores = await freshStores();
  database = new Database({ url: stores.databaseUrl, poolSize: 5 });
  const ledger = new TurnLedger(database, 'outreach_handled_turns');
  left = new LeftPlaces(database, 'outreach_left_places');
  records = new OutreachRecords(database, left, defaultSettings('UTC'));
  turnRecords = new TurnRecords(database, ledger, defaultSettings('UTC'));
  attemptRecords = new AttemptRecords(database, left, defaultSettings('UTC'));
  const sealed = new SealedRows(database, 'outreach_sealed_rows');
  forgetting = new ForgottenReasons(database, sealed, ledger);
  consents = new ConsentRecords(database, defaultSettings('UTC'));
}, 60_000);

afterAll(async () => {
  await database.close();
  await stores.stop();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  await stores.query('TRUNCATE outreach_settings, intentions, outreach_attempts, outreach_channels');
  personId = randomUUID();
  busy = false;
  beforePrivacy = [];
  // A key prefix of its own: each test sees the jobs it caused.
  messenger = new MessengerWithGateway({
    redisUrl: stores.redisUrl,
    service: 'proactive-scheduler',
    keyPrefix: `test-${personId}:`,
    logger: silent,
  });
  const rules = new ReadingThread<typeof import('../reasons/notice-reasons.js')>(join(folder, 'rules.mjs'), {
    deadlineMs: DEADLINE_MS,
  });
  const intentions = new IntentionRecords(database);
  intake = new ReasonIntake(turnRecords, messenger, rules, silent);
  dispatcher = new OutreachDispatcher(records, intentions, attemptRecords, messenger, silent);
});

afterEach(() => messenger.close());

/** Time of a day and minute, such as `14T21:58`. */
const january = (time: string) => new Date(`2026-01-${time}:00Z`);
const saidBy = (speaker: string, text: string): ReadTurn => ({
  ...{ turnId: randomUUID(), personId: speaker, companionId: 'mira', displayName: 'Alice', door: 'http' },
  ...{ conversationId: randomUUID(), audience: 'direct', origin: 'message', outcome: 'answered' },
  endedAt: NOON.toISOString(),
  messages: [{ role: 'person', personId: speaker, text, at: NOON.toISOString(), externalId: null }],
});
const jobs = async () => (await messenger.countJobs(gatewayContract.reachOut))['waiting'];
const optIn = (now = minutes(-60)) => consents.change(personId, { optedIn: true }, now);
const ended = (over: Partial<EndedTurn> = {}): EndedTurn => ({
  turnId: randomUUID(),
  personId,
  companionId: 'mira',
  origin: 'message',
  outcome: 'answered',
  reason: null,
  audience: 'direct',
  // So long ago that nobody is in a conversation, and nothing counts as answered by it.
  endedAt: minutes(-24 * 60),
  ...over,
});
const reason = (dueAt: Date, about = 'ask me how it went', over: Partial<NoticedReason> = {}) => ({
  ...{ kind: 'request' as const, about, dueAt, exact: true, yearly: false, leapDay: false },
  ...over,
});
const handle = async (turn: EndedTurn, noticed: NoticedReason[], now = NOON) =>
  (await turnRecords.handle([{ turn, noticed }], now))[0];
const intend = (dueAt: Date, about?: string, over?: Partial<NoticedReason>) =>
  handle(ended(), [reason(dueAt, about, over)]);
const spoke = (endedAt: Date) => handle(ended({ endedAt }), []);
const sent = (endedAt: Date, audience: EndedTurn['audience'] = 'direct') =>
  handle(ended({ origin: 'outreach', audience, endedAt }), []);
const refuse = async (at: Date, channelId: string | null = null) => {
  const [last] = await attempts();
  const reason = channelId === null ? 'DMs are closed' : 'Discord 403/50013';
  await attemptRecords.markUnreachable({ personId, channelId, attemptId: last?.id ?? null, reason, at });
};
const reasonOf = (attempt: { id: string } | undefined, now: Date) =>
  attemptRecords.reasonOf(personId, present(attempt).id, now);
const mayArrive = (attempt: { id: string } | undefined, now: Date) =>
  attemptRecords.mayArrive(personId, present(attempt).id, now);
const lastSpoke = async () =>
  (await database.asPerson(personId, (tx) => tx.outreachSetting.findUnique({ where: { personId } })))
    ?.lastSpokeAt;
const attempts = () => records.overview(personId, NOON).then(({ recent }) => recent);

describe('outreach', () => {
  it('leaves what ends its reader unread, says so, and goes on with the next', async () => {
    turns = ['hostile', 'ask me'].map((text) => saidBy(personId, text));
    const turnIds = turns.map(({ turnId }) => turnId);
    await expect(intake.notice(turnIds)).rejects.toMatchObject({
      code: 'invalid_request',
      message: `ended its reader twice, and is left unread: turn ${turnIds[0]}`,
    });
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ about: 'ask me' }]);
    // It was taken note of: the job that comes again has nothing to read.
    const ledger = new TurnLedger(database, 'outreach_handled_turns');
    expect(await ledger.missing(turnIds)).toEqual([]);
  });

  it('lets go of reasons that came to their end, and of nothing that is still to come', async () => {
    await optIn();
    await intend(NOON, 'now');
    await intend(minutes(48 * 60), 'later');
    await records.decideFor(personId, NOON, false);
    const kept = async () =>
      (await records.overview(personId, NOON)).intentions.map(({ about }) => about).sort();
    await records.letGo(minutes(-1));
    expect(await kept()).toEqual(['later', 'now']);
    await records.letGo(minutes(1));
    expect(await kept()).toEqual(['later']);
    // It is on its way.
    expect(await attempts()).toHaveLength(1);
  });

  it('keeps no promise of a reply that did not arrive, and what the person asked for', async () => {
    const asking = saidBy(personId, 'ask me');
    const reply = { role: 'companion' as const, personId: null, text: 'I will', externalId: null };
    const answered = { ...asking, messages: [...asking.messages, { ...reply, at: NOON.toISOString() }] };
    const kept = async () =>
      (await records.overview(personId, NOON)).intentions.map(({ kind, about }) => [kind, about]).sort();
    turns = [answered];
    // Its job may have read it before, so it is taken note of at once.
    await intake.noticeAgain(asking.turnId);
    expect(await kept()).toEqual([['promise', 'it was promised']]);
    await intake.notice([asking.turnId]);
    expect(await kept()).toEqual([['promise', 'it was promised']]);
    turns = [asking];
    await intake.noticeAgain(asking.turnId);
    await intake.noticeAgain(asking.turnId);
    expect(await kept()).toEqual([['request', 'ask me']]);
    // It arrives in the end.
    turns = [answered];
    await intake.noticeAgain(asking.turnId);
    expect(await kept()).toEqual([
      ['promise', 'it was promised'],
      ['request', 'ask me'],
    ]);
  });

  it('keeps no promise of a reply that went because it repeats what is forgotten, until an undo', async () => {
    const asking = saidBy(personId, 'ask me');
    const reply = { role: 'companion' as const, personId: null, text: 'I will', externalId: null };
    const answered = { ...asking, messages: [...asking.messages, { ...reply, at: NOON.toISOString() }] };
    const kept = async () =>
      (await records.overview(personId, NOON)).intentions.map(({ kind, about }) => [kind, about]).sort();
    turns = [answered];
    await intake.notice([asking.turnId]);
    expect(await kept()).toEqual([['promise', 'it was promised']]);
    turns = [asking];
    const order = { orderId: randomUUID(), personId, companionId: 'mira', before: null };
    const undoUntil = new Date(Date.now() + 60_000).toISOString();
    const made = { turnIds: [], messageIds: [], memoryIds: [], replyTurnIds: [asking.turnId] };
    for (const _ of ['once', 'again']) {
      await forgetting.forget({ ...order, ...made, undoUntil, isReread: false });
      await intake.noticeReplies(made.replyTurnIds);
      expect(await kept()).toEqual([['request', 'ask me']]);
    }
    turns = [answered];
    await forgetting.undo({ ...order, turnIds: [], replyTurnIds: made.replyTurnIds });
    await intake.noticeReplies(made.replyTurnIds);
    expect(await kept()).toContainEqual(['promise', 'it was promised']);
  });

  describe('of a message that is edited', () => {
    const kept = async () => (await records.overview(personId, NOON)).intentions.map(({ about }) => about);
    /** Carries out an edit as the gateway's order does. */
    const edit = async ({ turnId, ...turn }: ReadTurn, text: string) => {
      turns = [{ ...saidBy(personId, text), turnId, companionId: turn.companionId }];
      await intake.takeNote([turnId]);
      const order = { orderId: randomUUID(), personId, companionId: 'mira', before: null, undoUntil: null };
      const made = { turnIds: [turnId], messageIds: [], memoryIds: [], replyTurnIds: [], isReread: true };
      await forgetting.forget({ ...order, ...made });
    };

    it('is what the new words ask for, also where its job has read the old ones', async () => {
      const turn = saidBy(personId, 'remind me to call Bob');
      turns = [turn];
      beforePrivacy = [() => edit(turn, 'remind me to call Ann')];
      await intake.notice([turn.turnId]);
      await intake.noticeAgain(turn.turnId);
      expect(await kept()).toEqual(['remind me to call Ann']);
      expect(await lastSpoke()).toEqual(NOON);
    });

    it('is what the newest words ask for, where those before are being read', async () => {
      const turn = saidBy(personId, 'remind me to call Bob');
      turns = [turn];
      await intake.notice([turn.turnId]);
      await edit(turn, 'remind me to call Ann');
      const editedAgain = async () => {
        await edit(turn, 'remind me to call Eve');
        await intake.noticeAgain(turn.turnId);
      };
      beforePrivacy = [() => Promise.resolve(), editedAgain];
      await intake.noticeAgain(turn.turnId);
      expect(await kept()).toEqual(['remind me to call Eve']);
    });
  });

  describe('what two orders forget', () => {
    const open = async () => (await records.overview(personId, NOON)).intentions.map(({ about }) => about);
    const forget = async (over: { turnIds?: string[]; before?: string; undoUntil?: null }) => {
      const none = { companionId: null, messageIds: [], memoryIds: [], replyTurnIds: [], isReread: false };
      const undoUntil = new Date(Date.now() + 60_000).toISOString();
      const order = {
        orderId: randomUUID(),
        personId,
        turnIds: [],
        before: null,
        undoUntil,
        ...none,
        ...over,
      };
      await forgetting.forget(order);
      return () => forgetting.undo({ ...order, turnIds: [] });
    };
    const everything = () => ({ before: new Date(Date.now() + 1_000).toISOString() });

    it.each(['the earlier one', 'the later one'])(
      'comes back with the last undo, first %s',
      async (which) => {
        const turn = ended();
        await handle(turn, [reason(minutes(60), 'ask me about my exam')]);
        const one = await forget({ turnIds: [turn.turnId] });
        const all = await forget(everything());
        const [first, last] = which === 'the earlier one' ? [one, all] : [all, one];
        await first();
        expect(await open()).toEqual([]);
        await last();
        expect(await open()).toEqual(['ask me about my exam']);
      },
    );

    it('stays away where its message was deleted or edited since, with the words of what was sent for it', async () => {
      await optIn();
      const turn = ended();
      await handle(turn, [reason(minutes(-1), 'ask me about my exam')]);
      await records.decideFor(personId, NOON, false);
      await sent(minutes(1));
      const words = () =>
        stores.query('SELECT reason FROM outreach_attempts WHERE person_id = $1', [personId]);
      expect(await words()).toMatchObject([{ reason: expect.stringContaining('exam') }]);
      const undo = await forget({ turnIds: [turn.turnId] });
      await forget({ turnIds: [turn.turnId], undoUntil: null });
      await undo();
      expect([await open(), await words()]).toEqual([[], [{ reason: '' }]]);
    });
  });

  it('asks for one outreach over two scans, for one due reason', async () => {
    await optIn();
    await intend(minutes(-1));
    await dispatcher.scan(NOON);
    await dispatcher.scan(minutes(0.5));
    expect(await jobs()).toBe(1);
    expect(await attempts()).toMatchObject([{ status: 'queued', companionId: 'mira', decidedAt: NOON }]);
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'done' }]);
  });

  it('decides once when two replicas scan at the same moment', async () => {
    await optIn();
    await intend(minutes(-1));
    await intend(minutes(-2), 'remind me to call mum');
    await Promise.all([dispatcher.scan(NOON), dispatcher.scan(NOON), dispatcher.scan(NOON)]);
    expect(await jobs()).toBe(1);
  });

  it('asks nothing for someone who has not opted in', async () => {
    await intend(minutes(-1));
    await dispatcher.scan(NOON);
    await consents.change(personId, { dailyCap: 5 }, NOON);
    await dispatcher.scan(NOON);
    expect(await jobs()).toBe(0);
    expect(await attempts()).toEqual([]);
  });

  it('asks again, under the same id, when the process ended between deciding and asking', async () => {
    await optIn();
    await intend(minutes(-1));
    // What a crash leaves: the decision is committed and nobody was asked.
    const { attempt } = await records.decideFor(personId, NOON, false);
    await dispatcher.scan(minutes(0.5));
    expect(await jobs()).toBe(0);
    await dispatcher.scan(minutes(1.5));
    await dispatcher.scan(minutes(2.5));
    expect(await jobs()).toBe(1);
    expect((await attempts()).map(({ id }) => id)).toEqual([attempt?.id]);
  });

  it('drops what is more than three days late, opted in or not', async () => {
    await intend(minutes(-3 * 24 * 60 - 1));
    await dispatcher.scan(NOON);
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'dropped' }]);
  });

  it('drops open reasons, and what was decided and not begun, at the moment of opting out', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    await intend(minutes(5), 'check in on me');
    await consents.change(personId, { optedIn: false }, NOON);
    await dispatcher.scan(minutes(10));
    expect(await jobs()).toBe(0);
    expect(await attempts()).toMatchObject([{ status: 'failed' }]);
    const { intentions } = await records.overview(personId, NOON);
    expect(intentions.map(({ status }) => status).sort()).toEqual(['done', 'dropped']);
  });

  it('stops after two unanswered, and starts again when the person has spoken', async () => {
    await optIn();
    await consents.change(personId, { dailyCap: 10 }, NOON);
    const reachOnce = async (now: Date) => {
      await intend(now, `remind me at ${now.toISOString()}`);
      const { decision } = await records.decideFor(personId, now, false);
      await sent(now);
      return decision.kind === 'reach-out' ? 'reach-out' : decision.why;
    };
    expect(await reachOnce(minutes(0))).toBe('reach-out');
    expect(await reachOnce(minutes(10))).toBe('reach-out');
    expect(await reachOnce(minutes(20))).toBe('unanswered');
    await spoke(minutes(25));
    expect(await reachOnce(minutes(40))).toBe('reach-out');
  });

  it('counts an outreach as unanswered once, however often its end is heard of', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    const turn = ended({ origin: 'outreach', endedAt: minutes(1) });
    await handle(turn, []);
    await handle(turn, []);
    const [row] = await stores.query('SELECT unanswered FROM outreach_settings WHERE person_id = $1', [
      personId,
    ]);
    expect(row).toEqual({ unanswered: 1 });
  });

  it('waits while no door reaches the person, until they speak', async () => {
    await optIn();
    await intend(minutes(-1));
    await refuse(minutes(-5));
    expect((await records.decideFor(personId, NOON, false)).decision).toMatchObject({
      why: 'unreachable',
    });
    // Heard late: they were unreachable before they spoke.
    await spoke(minutes(1));
    await refuse(minutes(0.5));
    expect((await records.decideFor(personId, minutes(20), false)).decision.kind).toBe('reach-out');
  });

  it('waits while something of theirs is under way, or nobody can say', async () => {
    await optIn();
    await intend(minutes(-1));
    for (busy of [true, null]) await dispatcher.scan(NOON);
    expect(await jobs()).toBe(0);
    busy = false;
    await dispatcher.scan(NOON);
    expect(await jobs()).toBe(1);
  });

  it('never writes to a minor, nor in a time of rest', async () => {
    await optIn();
    await intend(minutes(-1));
    const why = async () => {
      const { decision } = await records.decideFor(personId, NOON, false);
      return decision.kind === 'wait' ? decision.why : decision.kind;
    };
    await consents.restrict(personId, { ageState: 'minor' }, NOON);
    expect(await why()).toBe('minor');
    const restUntil = minutes(60).toISOString();
    expect(await consents.restrict(personId, { ageState: 'adult', restUntil }, NOON)).toEqual({
      ageState: 'adult',
      restUntil,
    });
    expect(await why()).toBe('rest');
    await consents.restrict(personId, { restUntil: null }, NOON);
    expect(await why()).toBe('reach-out');
  });

  it('is not begun in quiet hours, however long ago it was decided, and comes when they are over', async () => {
    const [evening, night, morning] = [january('14T21:58'), january('15T02:00'), january('15T09:50')];
    await optIn();
    await intend(january('14T21:57'));
    const { attempt } = await records.decideFor(personId, evening, false);
    await dispatcher.scan(night);
    expect(await jobs()).toBe(1);
    expect(await reasonOf(attempt, night)).toBeNull();
    expect(await attempts()).toMatchObject([{ status: 'failed', problem: 'it was not allowed any more' }]);
    await dispatcher.scan(night);
    expect(await jobs()).toBe(1);
    await dispatcher.scan(morning);
    expect(await jobs()).toBe(2);
    const [again] = await attempts();
    expect(again).toMatchObject({ status: 'queued', decidedAt: morning });
    expect(await reasonOf(again, morning)).toContain('ask me how it went');
  });

  it('comes before quiet hours for a task that is due in them', async () => {
    await optIn();
    await intend(january('14T23:30'));
    await stores.query(`UPDATE intentions SET kind = 'interest'`);
    await dispatcher.scan(january('14T21:50'));
    expect(await jobs()).toBe(0);
    await dispatcher.scan(january('14T21:58'));
    expect(await jobs()).toBe(1);
  });

  it.each<[string, Partial<OutreachRestriction>]>([
    ['of a minor', { ageState: 'minor' }],
    ['in a time of rest', { restUntil: minutes(60).toISOString() }],
  ])('is called off with the word %s, and decided on anew when that is taken back', async (_, word) => {
    await optIn();
    await intend(minutes(-1));
    const { attempt } = await records.decideFor(personId, NOON, false);
    await consents.restrict(personId, word, NOON);
    expect(await reasonOf(attempt, minutes(1))).toBeNull();
    await dispatcher.scan(minutes(1));
    expect(await attempts()).toMatchObject([{ status: 'failed', problem: 'it was not allowed any more' }]);
    await consents.restrict(personId, { ageState: 'adult', restUntil: null }, minutes(2));
    await dispatcher.scan(minutes(2));
    expect((await attempts()).map(({ status }) => status)).toEqual(['queued', 'failed']);
  });

  it('may arrive as long as it would be decided on, and is called off where consent is gone meanwhile', async () => {
    await optIn();
    await intend(minutes(-1));
    const { attempt } = await records.decideFor(personId, NOON, false);
    await sent(minutes(1));
    const unanswered = async () =>
      (await database.asPerson(personId, (tx) => tx.outreachSetting.findUnique({ where: { personId } })))
        ?.unanswered;
    expect(await mayArrive(attempt, minutes(20))).toBe(true);
    expect(await unanswered()).toBe(1);
    await consents.change(personId, { optedIn: false }, minutes(21));
    expect(await mayArrive(attempt, minutes(22))).toBe(false);
    const problem = 'it was not allowed any more when it was to be delivered';
    expect(await attempts()).toMatchObject([{ status: 'failed', problem }]);
    expect(await unanswered()).toBe(0);
    await consents.change(personId, { optedIn: true }, minutes(23));
    await dispatcher.scan(minutes(24));
    expect(await attempts()).toHaveLength(1);
    expect(await mayArrive(attempt, minutes(24))).toBe(false);
  });

  it('comes later where it could not be delivered before quiet hours', async () => {
    const [evening, night, morning] = [january('14T21:58'), january('14T22:10'), january('15T09:50')];
    await optIn();
    await intend(january('14T21:57'));
    const { attempt } = await records.decideFor(personId, evening, false);
    await sent(evening);
    expect(await mayArrive(attempt, night)).toBe(false);
    await dispatcher.scan(morning);
    expect((await attempts()).map(({ status }) => status)).toEqual(['queued', 'failed']);
  });

  it('is given up where the gateway has nothing of it for hours, and its reason is decided on anew', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    busy = null;
    await dispatcher.scan(minutes(7 * 60));
    expect(await attempts()).toMatchObject([{ status: 'queued' }]);
    busy = true;
    await dispatcher.scan(minutes(8 * 60));
    expect(await attempts()).toMatchObject([{ status: 'queued' }]);
    busy = false;
    await dispatcher.scan(minutes(9 * 60));
    expect(await attempts()).toMatchObject([
      { status: 'queued', decidedAt: minutes(9 * 60) },
      { status: 'failed', problem: 'nothing was heard of it for hours' },
    ]);
  });

  it('counts as sent when the gateway was at it as it was called off, and does not come again', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    await consents.restrict(personId, { restUntil: minutes(10).toISOString() }, NOON);
    await sent(minutes(1));
    expect(await attempts()).toMatchObject([{ status: 'sent', problem: null }]);
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'done' }]);
  });

  it('comes later where it was called off at delivery before its turn was heard of', async () => {
    const [evening, night, morning] = [january('14T21:58'), january('14T22:10'), january('15T09:50')];
    await optIn();
    await intend(january('14T21:57'));
    const { attempt } = await records.decideFor(personId, evening, false);
    expect(await mayArrive(attempt, night)).toBe(false);
    await sent(night);
    expect(await attempts()).toMatchObject([{ status: 'failed' }]);
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'open' }]);
    await dispatcher.scan(morning);
    expect((await attempts()).map(({ status }) => status)).toEqual(['queued', 'failed']);
  });

  it('does not count as sent where it was called off, and dropped at delivery', async () => {
    await optIn();
    await intend(minutes(-1));
    const { attempt } = await records.decideFor(personId, NOON, false);
    await consents.restrict(personId, { restUntil: minutes(10).toISOString() }, NOON);
    expect(await mayArrive(attempt, minutes(1))).toBe(false);
    await sent(minutes(2));
    expect(await attempts()).toMatchObject([{ status: 'failed' }]);
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'open' }]);
  });

  it('says why it wrote, and from what', async () => {
    await optIn();
    await intend(minutes(-60), 'I have my exam today', { kind: 'follow-up' });
    await dispatcher.scan(NOON);
    await handle(ended({ origin: 'outreach', outcome: 'silent', reason: 'guilt', endedAt: NOON }), []);
    const [attempt] = await attemptRecords.list(personId, 10);
    expect(attempt).toMatchObject({ kind: 'follow-up', status: 'failed', problem: 'guilt' });
    expect(attempt?.because).toMatch(/^You told of something ahead, on .*: “I have my exam today”$/);
    expect(attempt?.reason).toMatch(/should be over by now/);
    expect(attempt?.sources).toEqual([expect.stringMatching(/^turn:/)]);
  });

  it('knows which of its messages were answered within a day', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    await sent(minutes(1));
    await spoke(minutes(25 * 60));
    expect(await attempts()).toMatchObject([{ status: 'sent', answeredAt: null }]);
    await spoke(minutes(23 * 60));
    expect(await attempts()).toMatchObject([{ answeredAt: minutes(23 * 60) }]);
  });

  it('opens a day that comes every year for the next one', async () => {
    await optIn();
    await intend(minutes(-60), 'my birthday is on 14 January', { kind: 'date', yearly: true });
    expect((await records.decideFor(personId, NOON, false)).decision.kind).toBe('reach-out');
    const { intentions } = await records.overview(personId, NOON);
    expect(intentions).toMatchObject([
      { status: 'open', dueAt: new Date('2027-01-14T11:00:00Z') },
      { status: 'done', dueAt: minutes(-60) },
    ]);
  });

  it('thinks of a day that matters on that day or not at all, and again a year later', async () => {
    await optIn();
    await intend(minutes(-120));
    expect((await records.decideFor(personId, NOON, false)).decision.kind).toBe('reach-out');
    await sent(minutes(1));
    await spoke(minutes(30));
    const birthday = { kind: 'date' as const, yearly: true, exact: false };
    await intend(minutes(-60), 'my birthday is on 14 January', birthday);
    // Nobody ran the suite for years.
    await intend(new Date('2023-01-20T10:00:00Z'), 'our anniversary is on 20 January', birthday);
    await dispatcher.scan(minutes(60));
    const nextDay = new Date('2026-01-15T09:50:00Z');
    await dispatcher.scan(nextDay);
    expect(await jobs()).toBe(0);
    const { decision } = await records.decideFor(personId, nextDay, false);
    expect(decision).toMatchObject({ kind: 'wait', why: 'nothing due' });
    const { intentions } = await records.overview(personId, nextDay);
    expect(intentions.filter(({ kind }) => kind === 'date')).toMatchObject([
      { status: 'open', dueAt: new Date('2027-01-14T11:00:00Z') },
      { status: 'open', dueAt: new Date('2026-01-20T10:00:00Z') },
    ]);
  });

  it('puts a 29 February on the 28th in a year without it, and back in one that has it', async () => {
    await optIn();
    const leapDay = { kind: 'date' as const, yearly: true, exact: false, leapDay: true };
    await intend(new Date('2026-02-28T10:00:00Z'), 'my birthday is on 29 February', leapDay);
    const dueAfter = async (now: Date) => {
      await dispatcher.scan(now);
      return (await records.overview(personId, now)).intentions.map(({ dueAt }) => dueAt);
    };
    expect(await dueAfter(new Date('2026-03-02T12:00:00Z'))).toEqual([new Date('2027-02-28T10:00:00Z')]);
    expect(await dueAfter(new Date('2027-03-02T12:00:00Z'))).toEqual([new Date('2028-02-29T10:00:00Z')]);
  });

  it('thinks of a day that matters on the same day in a new time zone', async () => {
    await optIn();
    const birthday = new Date('2026-05-03T10:00:00Z');
    await intend(birthday, 'my birthday is on 3 May', { kind: 'date', yearly: true, exact: false });
    await intend(birthday, 'remind me of the milk');
    await consents.change(personId, { timeZone: 'Pacific/Auckland' }, NOON);
    const { intentions } = await records.overview(personId, NOON);
    expect(new Map(intentions.map(({ kind, dueAt }) => [kind, dueAt]))).toEqual(
      new Map([
        // At ten in the morning there.
        ['date', new Date('2026-05-02T22:00:00Z')],
        ['request', birthday],
      ]),
    );
  });

  it('does not write again for what it wrote for, when the message that asked for it is edited', async () => {
    await optIn();
    const turn = ended({ turnId: randomUUID() });
    const noticed = [
      reason(minutes(-10)),
      reason(minutes(60), 'remind me of the milk'),
      reason(minutes(-60), 'my birthday is on 14 January', { kind: 'date', yearly: true, exact: false }),
    ];
    const edit = async (now: Date, words: string) => {
      const order = { orderId: randomUUID(), personId, companionId: 'mira', before: null, undoUntil: null };
      const made = {
        turnIds: [turn.turnId],
        messageIds: [],
        memoryIds: [],
        replyTurnIds: [],
        isReread: true,
      };
      await forgetting.forget({ ...order, ...made });
      await turnRecords.handleAgain(
        turn,
        noticed.map((one) => ({ ...one, about: `${words} ${one.about}` })),
        [],
        now,
      );
    };
    const open = async () =>
      (await records.overview(personId, NOON)).intentions
        .filter(({ status }) => status === 'open')
        .map(({ about, dueAt }) => [about, dueAt]);
    await handle(turn, noticed);
    expect((await records.decideFor(personId, NOON, false)).decision).toMatchObject({
      intention: { about: 'ask me how it went' },
    });
    await sent(minutes(1));
    await edit(minutes(20), 'well,');
    expect(await open()).toEqual([
      ['well, remind me of the milk', minutes(60)],
      ['well, my birthday is on 14 January', minutes(-60)],
    ]);
    // The day after, a birthday that was edited is the next one.
    await edit(minutes(24 * 60), 'so,');
    expect(await open()).toEqual([
      ['so, my birthday is on 14 January', new Date('2027-01-14T11:00:00Z')],
      ['so, remind me of the milk', minutes(60)],
    ]);
  });

  it('keeps what was told twice once', async () => {
    await intend(minutes(60), 'I have my exam today', { kind: 'follow-up' });
    expect(await intend(minutes(60), 'my exam is today', { kind: 'follow-up' })).toBe(0);
    expect(await intend(minutes(60), 'remind me of it')).toBe(1);
  });

  it('marks what could not be delivered as failed', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    await sent(minutes(1));
    await refuse(minutes(2));
    expect(await attempts()).toMatchObject([{ status: 'failed' }]);
  });
});

describe('outreach in a channel', () => {
  const here = (channel: string | null = '42') => consents.change(personId, { channel }, minutes(-60));
  const told = (audience: EndedTurn['audience'], about = 'ask me how it went') =>
    handle(ended({ audience }), [reason(minutes(-1), about)]);
  const decide = async (now = NOON) => (await records.decideFor(personId, now, false)).decision;

  it('is allowed by naming it, says there what was said there, and never what was said in a DM', async () => {
    expect(await here()).toMatchObject({
      optedIn: true,
      direct: false,
      channel: { id: '42', problem: null },
    });
    await told('direct', 'ask me about my secret');
    expect(await decide()).toMatchObject({ kind: 'wait', why: 'nowhere' });
    await told('channel:discord:7', 'ask me in the other place');
    expect(await decide()).toMatchObject({ kind: 'wait', why: 'nowhere' });
    await told('channel:discord:42');
    await dispatcher.scan(NOON);
    expect(await attempts()).toMatchObject([
      { channelId: '42', because: expect.stringContaining('ask me how it went') },
    ]);
  });

  it('says in a DM what was told in one, where both are allowed', async () => {
    await optIn();
    await here();
    await told('direct');
    expect(await decide()).toMatchObject({ place: { kind: 'direct' } });
    expect(await attempts()).toMatchObject([{ channelId: null }]);
  });

  it('comes as a direct message when the channel is closed to it, and says so', async () => {
    await optIn();
    await here();
    await told('channel:discord:42');
    await decide();
    await sent(minutes(1), 'channel:discord:42');
    await refuse(minutes(2), '42');
    expect(await attempts()).toMatchObject([
      { status: 'failed', problem: 'it comes as a direct message: Discord 403/50013' },
    ]);
    expect(await decide(minutes(3))).toMatchObject({ place: { kind: 'direct' } });
    const [row] = await stores.query(
      'SELECT unanswered, channel_problem FROM outreach_settings WHERE person_id = $1',
      [personId],
    );
    expect(row).toEqual({ unanswered: 0, channel_problem: 'Discord 403/50013' });
    // Answered there again, they can be written to there again.
    await handle(ended({ audience: 'channel:discord:42', endedAt: minutes(5) }), []);
    expect((await records.overview(personId, NOON)).situation.settings.channel).toEqual({
      id: '42',
      problem: null,
    });
  });

  it('is refused before its turn is heard of, which does not end the direct message that comes instead', async () => {
    await optIn();
    await here();
    await told('channel:discord:42');
    await decide();
    await refuse(minutes(1), '42');
    expect(await decide(minutes(1))).toMatchObject({ place: { kind: 'direct' } });
    await sent(minutes(1), 'channel:discord:42');
    const [direct, refused] = await attempts();
    expect([direct, refused]).toMatchObject([
      { status: 'queued', channelId: null },
      { status: 'failed', channelId: '42' },
    ]);
    expect(await reasonOf(direct, minutes(1))).not.toBeNull();
    await sent(minutes(2));
    expect(await attempts()).toMatchObject([{ status: 'sent' }, { status: 'failed' }]);
  });

  it('ends there when no direct messages are allowed, and the person is told why', async () => {
    await here();
    await told('channel:discord:42');
    await decide();
    await refuse(minutes(2), '42');
    expect(await attempts()).toMatchObject([
      { status: 'failed', problem: 'direct messages are not allowed: Discord 403/50013' },
    ]);
    const { situation } = await records.overview(personId, minutes(3));
    const outlook = outlookOf(decideOutreach(situation), whyNowhere(situation));
    expect(outlook).toMatchObject({
      waitsFor: 'unreachable',
      words: expect.stringContaining('Discord 403/50013'),
    });
  });

  it('is not where the operator keeps the channel quiet', async () => {
    await here();
    await told('channel:discord:42');
    await consents.setChannelMode({ channelId: '42', mode: 'off' });
    expect(await decide()).toMatchObject({ why: 'unreachable' });
    await expect(consents.change(randomUUID(), { channel: '42' }, NOON)).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await consents.channelModes()).toEqual([{ channelId: '42', mode: 'off' }]);
    await consents.setChannelMode({ channelId: '42', mode: 'on' });
    expect(await decide()).toMatchObject({ place: { kind: 'channel', channelId: '42' } });
  });

  it('is held back while the app is away from the channel, with the reasons that were told there', async () => {
    await optIn();
    await here();
    await told('channel:discord:42', 'ask me about my boat');
    const { attempt } = await records.decideFor(personId, NOON, false);
    await told('channel:discord:42', 'ask me about my exam');
    await told('direct', 'ask me about my dog');
    const heard = async () => {
      const { intentions, recent } = await records.overview(personId, NOON);
      return [
        intentions.map(({ about }) => about.replace('ask me about my ', '')).sort(),
        [...recent, ...(await attemptRecords.list(personId, 10))].length,
        await reasonOf(attempt, NOON),
      ];
    };
    const open = [['boat', 'dog', 'exam'], 2, expect.stringContaining('boat')];
    expect(await heard()).toEqual(open);
    await left.note(['channel:discord:42'], true);
    expect(await heard()).toEqual([['dog'], 0, null]);
    await stores.query(`UPDATE intentions SET status = 'done' WHERE about LIKE '%dog'`);
    expect(await records.peopleWithDueReason(NOON)).toEqual([]);
    expect(await decide()).toMatchObject({ kind: 'wait' });
    await left.note(['channel:discord:42'], false);
    expect(await heard()).toEqual(open);
    expect(await records.peopleWithDueReason(NOON)).toEqual([personId]);
  });

  it('is forgotten with the channel, with the reasons that were told there', async () => {
    await optIn();
    await here();
    await told('channel:discord:42', 'ask me about my boat');
    await decide();
    await told('channel:discord:42', 'ask me about my exam');
    await told('direct', 'ask me about my dog');
    const abouts = async () =>
      (await records.overview(personId, NOON)).intentions.map(({ about }) => about).sort();
    const intentions = new IntentionRecords(database);
    // Thought of in direct messages, of what was said in the channel.
    const thought = { dueAt: minutes(60), exact: true, sources: ['message:m1'] };
    const whose = { personId, companionId: 'wren' };
    await intentions.intend(whose, { ...thought, about: 'their boat' }, NOON);
    expect(await abouts()).toHaveLength(4);
    expect(await intentions.forgetPlace('channel:discord:42', ['m1'])).toBe(4);
    expect([await abouts(), await attempts()]).toEqual([['ask me about my dog'], []]);
    expect(await intentions.forgetPlace('channel:discord:42', ['m1'])).toBe(0);
  });

  it('that is withdrawn ends what was decided for it', async () => {
    await optIn();
    await here();
    await told('channel:discord:42');
    await decide();
    expect(await here(null)).toMatchObject({ optedIn: true, direct: true, channel: null });
    expect(await attempts()).toMatchObject([{ status: 'failed', problem: 'it was not allowed any more' }]);
  });

  it('ends what was decided for direct messages when those are withdrawn', async () => {
    await optIn();
    await intend(minutes(-1));
    expect(await decide()).toMatchObject({ place: { kind: 'direct' } });
    await consents.change(personId, { direct: false, channel: '42' }, NOON);
    expect(await attempts()).toMatchObject([
      { channelId: null, status: 'failed', problem: 'it was not allowed any more' },
    ]);
  });
});

describe('outreach settings', () => {
  it('are off for someone never seen', async () => {
    expect((await records.overview(personId, NOON)).situation.settings).toEqual({
      ...{ optedIn: false, direct: true, channel: null },
      timeZone: 'UTC',
      quietFrom: '22:00',
      quietUntil: '08:00',
      dailyCap: 1,
      weeklyCap: 5,
      topicsOff: [],
    });
  });

  it('are changed by several at once that know nothing of each other', async () => {
    const someone = randomUUID();
    const changes = Array.from({ length: 8 }, () => consents.change(someone, { optedIn: true }, NOON));
    expect((await Promise.all(changes)).every(({ optedIn }) => optedIn)).toBe(true);
  });

  it('stay off when they are opted out of during another change', async () => {
    await optIn();
    let changed: Promise<OutreachSettings> | undefined;
    await database.asPerson(personId, async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM outreach_settings WHERE person_id = ${personId}::uuid FOR UPDATE`;
      changed = consents.change(personId, { dailyCap: 3 }, NOON);
      await eventually('the change waits', async () => {
        const waiting = await stores.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
        return waiting.length === 1;
      });
      await tx.outreachSetting.update({ where: { personId }, data: { optedIn: false } });
    });
    expect(await changed).toMatchObject({ optedIn: false, dailyCap: 3 });
  });

  it('keep what is not changed, and the date of the first consent', async () => {
    await optIn(minutes(-60));
    await consents.change(personId, { timeZone: 'Europe/Berlin', quietFrom: undefined }, NOON);
    const after = await consents.change(personId, { optedIn: true, dailyCap: 3 }, NOON);
    expect(after).toEqual({
      ...{ optedIn: true, direct: true, channel: null },
      timeZone: 'Europe/Berlin',
      quietFrom: '22:00',
      quietUntil: '08:00',
      dailyCap: 3,
      weeklyCap: 5,
      topicsOff: [],
    });
    const [row] = await stores.query('SELECT opted_in_at FROM outreach_settings WHERE person_id = $1', [
      personId,
    ]);
    expect(row).toEqual({ opted_in_at: minutes(-60) });
  });

  it('keep a request of one turn once, and thirty open ones at most', async () => {
    const turn = ended();
    const noticed = [reason(minutes(60), 'remind me to eat')];
    expect(await handle(turn, noticed)).toBe(1);
    expect(await handle(turn, noticed)).toBe(0);
    const many = Array.from({ length: 40 }, (_, index) => reason(minutes(60), `remind me ${index}`));
    expect(await handle(ended(), many)).toBe(29);
  });

  it("leave another person's alone", async () => {
    const other = randomUUID();
    await optIn();
    await consents.change(other, { optedIn: true }, NOON);
    await consents.change(personId, { optedIn: false }, NOON);
    expect((await records.overview(other, NOON)).situation.settings.optedIn).toBe(true);
  });
});

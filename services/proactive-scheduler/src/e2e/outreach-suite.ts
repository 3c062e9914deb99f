import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  gatewayContract,
  memoryContract,
  present,
  type ReadTurn,
  type RequestContract,
  type RequestInput,
  type ResponseOutput,
} from '@kith/contracts';
import { LeftPlaces, SealedRows, TurnLedger, type Database } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { ReadingThread } from '@kith/reading';
import { type FreshStores, freshDatabase, type FreshDatabase, ifStarted } from '@kith/testing';
import { AttemptRecords, STILL_TO_SAY } from '../store/attempt-records.js';
import { ConsentRecords } from '../store/consent-records.js';
import { ForgottenReasons } from '../store/forgotten-reasons.js';
import { IntentionRecords } from '../store/intention-records.js';
import { OutreachRecords } from '../store/outreach-records.js';
import type { EndedTurn } from '../store/noticed-reasons.js';
import { TurnRecords } from '../store/turn-records.js';
import type { NoticedReason } from '../reasons/notice-reasons.js';
import { ReasonIntake } from '../noticing/reason-intake.js';
import { OutreachDispatcher } from '../sending/outreach-dispatcher.js';
import { defaultSettings } from '../store/stored-settings.js';

export const NOON = new Date('2026-01-14T12:00:00Z');
export const minutes = (count: number) => new Date(NOON.getTime() + count * 60_000);
export const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export let stores: FreshStores;
export let database: Database;
let stop: FreshDatabase['stop'];
export let records: OutreachRecords;
export let turnRecords: TurnRecords;
export let left: LeftPlaces;
export let attemptRecords: AttemptRecords;
export let consents: ConsentRecords;
export let forgetting: ForgottenReasons;
let messenger: Messenger;
export let intake: ReasonIntake;
export let dispatcher: OutreachDispatcher;
export let personId: string;
/** Answers of the gateway and of memory, set by each test. */
export const gateway = {
  /** True while something of theirs is under way; `null`: the gateway is out of reach. */
  busy: false as boolean | null,
  /** Attempt whose turn was answered. */
  answered: null as { id: string; at: Date } | null,
  /** Turns as the gateway tells them. */
  turns: [] as ReadTurn[],
  /** Events before each answer of memory, in order. */
  beforePrivacy: [] as (() => Promise<void>)[],
};

/** Rules that one text keeps busy for ever. */
const HANGING = `export function readTurn({ person, companion = [] }) {
  for (const { text, saidAt } of person) {
    while (text === 'hostile');
    if (text === 'never write to me') return { reasons: [], silencedAt: saidAt };
    const timed = { dueAt: saidAt, exact: true, yearly: false, leapDay: false };
    const promise = { kind: 'promise', asked: false, about: 'it was promised', byClock: false, ...timed };
    const request = { kind: 'request', asked: true, about: text, byClock: text.includes(' at '), ...timed };
    return { reasons: [companion.length > 0 ? promise : request], silencedAt: null };
  }
}`;
/** Above what an honest text takes on a busy machine. */
const DEADLINE_MS = 1_000;
let folder: string;
/** Jobs are ordered as ever; what is asked of the gateway and of memory is answered here. */
class MessengerWithGateway extends Messenger {
  override async ask<C extends RequestContract>(
    contract: C,
    request: RequestInput<C>,
  ): Promise<ResponseOutput<C>> {
    if (contract.pattern === gatewayContract.readTurns.pattern)
      return { turns: gateway.turns } as ResponseOutput<C>;
    if (contract.pattern === memoryContract.wasPrivate.pattern) {
      await gateway.beforePrivacy.shift()?.();
      return { wasPrivate: [false] } as ResponseOutput<C>;
    }
    if (gateway.busy === null) throw new Error('out of reach');
    const { attemptId } = gatewayContract.isBusy.request.parse(request);
    const answeredAt =
      attemptId !== undefined && attemptId === gateway.answered?.id ? gateway.answered.at : null;
    return { busy: gateway.busy, answeredAt: answeredAt?.toISOString() ?? null } as ResponseOutput<C>;
  }
}

export function intentionRecords(): IntentionRecords {
  return new IntentionRecords(database, new TurnLedger(database, 'outreach_handled_turns'));
}

/** Gives each test of a file stores of its own, and a person who is nowhere yet. To be called once in each file. */
export function setUpOutreach(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kith-rules-'));
    await writeFile(join(folder, 'rules.mjs'), HANGING);
    ({ stores, database, stop } = await freshDatabase());
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
    await ifStarted(stop)?.();
    await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    await stores.query('TRUNCATE outreach_settings, intentions, outreach_attempts, outreach_channels');
    personId = randomUUID();
    Object.assign(gateway, { busy: false, answered: null, turns: [], beforePrivacy: [] });
    // A key prefix of its own: each test sees the jobs it caused.
    messenger = new MessengerWithGateway({
      redisUrl: stores.redisUrl,
      service: 'proactive-scheduler',
      keyPrefix: `test-${personId}:`,
      logger: silent,
    });
    const rules = new ReadingThread<typeof import('../reasons/read-turn.js')>(join(folder, 'rules.mjs'), {
      deadlineMs: DEADLINE_MS,
    });
    const intentions = intentionRecords();
    intake = new ReasonIntake(turnRecords, messenger, rules, silent);
    dispatcher = new OutreachDispatcher(records, intentions, attemptRecords, messenger, silent);
  });

  afterEach(() => messenger.close());
}

/** Time of a day and minute, such as `14T21:58`. */
export const january = (time: string) => new Date(`2026-01-${time}:00Z`);
export const saidBy = (speaker: string, text: string): ReadTurn => ({
  turnId: randomUUID(),
  personId: speaker,
  companionId: 'mira',
  displayName: 'Alice',
  door: 'http',
  conversationId: randomUUID(),
  audience: 'direct',
  origin: 'message',
  outcome: 'answered',
  endedAt: NOON.toISOString(),
  messages: [{ role: 'person', personId: speaker, text, at: NOON.toISOString(), externalId: null }],
});
export const jobs = async () => (await messenger.jobs.counts(gatewayContract.reachOut))['waiting'];
export const optIn = (now = minutes(-60)) => consents.change(personId, { optedIn: true }, now);
export const ended = (over: Partial<EndedTurn> = {}): EndedTurn => ({
  turnId: randomUUID(),
  personId,
  companionId: 'mira',
  attemptId: null,
  origin: 'message',
  outcome: 'answered',
  reason: null,
  audience: 'direct',
  // So long ago that nobody is in a conversation, and nothing counts as answered by it.
  endedAt: minutes(-24 * 60),
  ...over,
});
export const reason = (dueAt: Date, about = 'ask me how it went', over: Partial<NoticedReason> = {}) => ({
  kind: 'request' as const,
  asked: true,
  about,
  dueAt,
  exact: true,
  byClock: false,
  yearly: false,
  leapDay: false,
  ...over,
});
/** Gives what was read of a turn in the zone that its person has now. */
export const readIn = async (turn: EndedTurn, noticed: readonly NoticedReason[]) => {
  const zoneOf = await turnRecords.timeZonesOf([turn.personId]);
  return { turn, noticed, timeZone: zoneOf(turn.personId) };
};
export const handle = async (turn: EndedTurn, noticed: readonly NoticedReason[], now = NOON) =>
  (await turnRecords.handle([await readIn(turn, noticed)], now))[0];
export const handleAgain = async (
  turn: EndedTurn,
  noticed: readonly NoticedReason[],
  outdated: readonly NoticedReason[] = [],
  now = NOON,
) => turnRecords.handleAgain(await readIn(turn, noticed), outdated, now);
export const intend = (dueAt: Date, about?: string, over?: Partial<NoticedReason>) =>
  handle(ended(), [reason(dueAt, about, over)]);
export const spoke = (endedAt: Date) => handle(ended({ endedAt }), []);
/** Makes the ended turn of an attempt, the latest one if none is named. */
export const outreachEnded = async (over: Partial<EndedTurn>) =>
  ended({ origin: 'outreach', attemptId: (await attempts())[0]?.id ?? null, ...over });
export const sent = async (endedAt: Date, attempt?: { id: string }) =>
  handle(await outreachEnded({ endedAt, ...(attempt && { attemptId: attempt.id }) }), []);
export const refuse = async (at: Date, channelId: string | null = null) => {
  const [last] = await attempts();
  const reason = channelId === null ? 'DMs are closed' : 'Discord 403/50013';
  await attemptRecords.markUnreachable({ personId, channelId, attemptId: last?.id ?? null, reason, at });
};
export const reasonOf = (attempt: { id: string } | undefined, now: Date, isBusy = false) =>
  attemptRecords.reasonOf(personId, present(attempt).id, now, { ...STILL_TO_SAY, isBusy });
export const mayArrive = (attempt: { id: string } | undefined, now: Date, isBusy = false) =>
  attemptRecords.mayArrive(personId, present(attempt).id, now, { ...STILL_TO_SAY, isBusy });
export const lastSpoke = async () =>
  (await database.asPerson(personId, (tx) => tx.outreachSetting.findUnique({ where: { personId } })))
    ?.lastSpokeAt;
export const attempts = () => records.overview(personId, NOON).then(({ recent }) => recent);

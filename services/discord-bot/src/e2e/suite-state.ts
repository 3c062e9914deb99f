import { randomUUID } from 'node:crypto';
import {
  gatewayContract,
  type AttemptView,
  type CoreBlock,
  type DiscordTarget,
  type MemoryView,
  type OutreachSettings,
  type PayloadOutput,
  type RequestOutput,
  type ResponseInput,
  type TaskView,
  type ToolQuestion,
} from '@kith/contracts';
import type { Token } from '@kith/service-host';

type ReceiveRequest = RequestOutput<typeof gatewayContract.receive>;

type Places = PayloadOutput<typeof gatewayContract.leavePlaces>;

interface OutboxRow {
  turnId: string;
  target: DiscordTarget;
  text: string;
  questions: { id: string; tool: string }[];
  attempt: number;
  sent: string[];
  firstTriedAt?: string;
  /** True for outreach that would no longer be sent. */
  isUnwanted?: boolean;
  /** True where what it says was forgotten while it waited. */
  isForgotten?: boolean;
  /** Times that it is not its turn yet. */
  waits?: number;
}

/** Key under which the doubles find it. */
export const STATE: Token<SuiteState> = Symbol('STATE');

/** State of the other services for tests of the bot alone, kept in memory. */
export class SuiteState {
  readonly received: ReceiveRequest[] = [];
  readonly noted: NotedResult[] = [];
  /** Notes of each reply while it was being sent. */
  readonly notedSent = new Map<string, string[][]>();
  readonly outbox = new Map<string, OutboxRow>();
  /** Outreach that was looked for and not found. */
  readonly absent: string[] = [];
  readonly revised: RequestOutput<typeof gatewayContract.revise>[] = [];
  /** Servers that were left, and those that were joined, with their channels. */
  readonly left: Places[] = [];
  readonly joined: Places[] = [];
  /** Channels and threads that were deleted. */
  readonly deleted: Places[] = [];
  readonly people = new Map<string, string>();
  readonly conversations = new Map<string, string>();
  memories: MemoryView[] = [];
  tasks: TaskView[] = [];
  core: CoreBlock[] = [];
  /** Memories forgotten last, until that is taken back. */
  forgotten: MemoryView[] | null = null;
  /** True while orders to forget, and to take that back, are noted and go no further. */
  isForgettingHeldUp = false;
  /** True while an order to forget is being carried out, and can't be taken back yet. */
  isOrderLocked = false;
  settings: OutreachSettings = {
    optedIn: false,
    direct: true,
    channel: null,
    timeZone: 'UTC',
    quietFrom: '22:00',
    quietUntil: '08:00',
    dailyCap: 1,
    weeklyCap: 5,
    topicsOff: [],
  };
  /** Channels in which the operator allows no outreach. */
  readonly quietChannels = new Set<string>();
  attempts: AttemptView[] = [];
  /** Turns that have ended without a reply. */
  readonly silentTurns = new Set<string>();
  /** Notices of keys, by the key's id. */
  readonly keyNotices = new Map<string, ResponseInput<typeof gatewayContract.keyNotice>['notice']>();
  /** Questions about tools that wait for whoever asks. */
  questions: ToolQuestion[] = [];
  /** Places where somebody asked for tools, the latest last. */
  readonly toolPlaces: RequestOutput<typeof gatewayContract.tools>['place'][] = [];
  /** Answers to questions about tools. */
  readonly toolAnswers: RequestOutput<typeof gatewayContract.answerTool>[] = [];
  /** While set, the gateway answers that it can't. */
  gatewayDown = false;
  /** Ids of messages over which the gateway meets a bug. */
  readonly buggy = new Set<string>();
  /** Ids of messages that came while the gateway could not, or met a bug over them. */
  readonly turnedAway: string[] = [];

  idIn(map: Map<string, string>, key: string): string {
    const id = map.get(key) ?? randomUUID();
    map.set(key, id);
    return id;
  }

  /** Puts a reply into the outbox, as a turn's commit would. */
  reply(
    target: DiscordTarget,
    text: string,
    {
      turnId = randomUUID(),
      firstTriedAt,
      tries = firstTriedAt ? 1 : 0,
      questions = [],
      isUnwanted,
    }: {
      turnId?: string;
      firstTriedAt?: Date;
      tries?: number;
      questions?: { id: string; tool: string }[];
      isUnwanted?: boolean | undefined;
    } = {},
  ): string {
    const outboxId = randomUUID();
    this.outbox.set(outboxId, {
      turnId,
      target,
      text,
      questions,
      attempt: tries,
      sent: [],
      ...(firstTriedAt === undefined ? {} : { firstTriedAt: firstTriedAt.toISOString() }),
      ...(isUnwanted === undefined ? {} : { isUnwanted }),
    });
    return outboxId;
  }

  remember(text: string): MemoryView {
    const memory: MemoryView = {
      id: randomUUID(),
      kind: 'fact',
      text,
      audience: 'direct',
      writer: 'person',
      importance: 5,
      saidAt: '2026-03-01T10:00:00Z',
      createdAt: '2026-03-01T10:00:00Z',
      lastRecalledAt: null,
      timesRecalled: 0,
      sources: [],
      speaker: null,
      conversation: null,
      fact: null,
      shelf: 'open',
      shelfReason: null,
      pinned: false,
    };
    this.memories.push(memory);
    return memory;
  }
}

type NotedResult = RequestOutput<typeof gatewayContract.noteDelivery>;

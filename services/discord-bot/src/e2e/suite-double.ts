import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import {
  AppError,
  gatewayContract,
  memoryContract,
  outreachContract,
  personalityContract,
  type AttemptView,
  type DiscordTarget,
  type MemoryView,
  type PersonDescription,
  type OutreachSettings,
  type Privacy,
  type PayloadOutput,
  type RequestOutput,
  type ResponseInput,
} from '@kith/contracts';
import { Answers, Works } from '@kith/messaging';

type Received = RequestOutput<typeof gatewayContract.receive>;
type Settled = RequestOutput<typeof gatewayContract.settleDelivery>;

type Places = PayloadOutput<typeof gatewayContract.leavePlaces>;

interface OutboxRow {
  turnId: string;
  target: DiscordTarget;
  text: string;
  questions: { id: string; tool: string }[];
  attempt: number;
  sent: string[];
  firstTriedAt?: string;
}

/** State of the other services for tests of the bot alone, kept in memory. */
export class SuiteState {
  readonly received: Received[] = [];
  readonly settled: Settled[] = [];
  /** Notes of each reply while it was being sent. */
  readonly notedSent = new Map<string, string[][]>();
  readonly outbox = new Map<string, OutboxRow>();
  readonly revised: RequestOutput<typeof gatewayContract.revise>[] = [];
  /** Servers that were left, and those that were joined, with their channels. */
  readonly left: Places[] = [];
  readonly joined: Places[] = [];
  readonly people = new Map<string, string>();
  readonly conversations = new Map<string, string>();
  memories: MemoryView[] = [];
  /** Memories forgotten last, until that is taken back. */
  forgotten: MemoryView[] | null = null;
  settings: OutreachSettings = {
    ...{ optedIn: false, direct: true, channel: null },
    timeZone: 'UTC',
    quietFrom: '22:00',
    quietUntil: '08:00',
    dailyCap: 1,
    weeklyCap: 5,
    topicsOff: [],
  };
  attempts: AttemptView[] = [];
  /** Notices of keys, by the key's id. */
  readonly keyNotices = new Map<string, ResponseInput<typeof gatewayContract.keyNotice>['notice']>();
  /** Answers to questions about tools. */
  readonly toolAnswers: RequestOutput<typeof gatewayContract.answerTool>[] = [];
  /** While set, the gateway answers that it can't. */
  gatewayDown = false;
  /** Ids of messages that came while it was. */
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
    }: {
      turnId?: string;
      firstTriedAt?: Date;
      tries?: number;
      questions?: { id: string; tool: string }[];
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

const MOOD = { pad: { p: 0.4, a: 0.1, d: 0 }, label: 'relaxed', strength: 'moderately' };

/** The gateway's side of the contracts, over the real transport. */
@Controller()
export class GatewayDouble {
  constructor(private readonly state: SuiteState) {}

  @Answers(gatewayContract.receive)
  onReceive(request: Received): ResponseInput<typeof gatewayContract.receive> {
    if (this.state.gatewayDown) {
      this.state.turnedAway.push(request.messageId);
      throw new AppError('unavailable', 'Postgres is away');
    }
    const duplicate = this.state.received.some(({ messageId }) => messageId === request.messageId);
    this.state.received.push(request);
    return {
      conversationId: this.state.idIn(this.state.conversations, request.place.externalId),
      personId: this.state.idIn(this.state.people, request.from.subject),
      duplicate,
    };
  }

  @Works(gatewayContract.leavePlaces)
  async onLeavePlaces(places: Places) {
    this.state.left.push(places);
  }

  @Works(gatewayContract.returnToPlaces)
  async onReturnToPlaces(places: Places) {
    this.state.joined.push(places);
  }

  @Answers(gatewayContract.revise)
  onRevise(change: RequestOutput<typeof gatewayContract.revise>) {
    this.state.revised.push(change);
    return { applied: true };
  }

  @Answers(gatewayContract.keyNotice)
  onKeyNotice({ keyId }: RequestOutput<typeof gatewayContract.keyNotice>) {
    return { notice: this.state.keyNotices.get(keyId) ?? null };
  }

  @Answers(gatewayContract.stop)
  onStop() {
    return { stopped: 1 };
  }

  @Answers(gatewayContract.person)
  onPerson({ subject, displayName }: RequestOutput<typeof gatewayContract.person>) {
    return { personId: this.state.idIn(this.state.people, subject), displayName };
  }

  @Answers(gatewayContract.tools)
  onTools({
    place,
  }: RequestOutput<typeof gatewayContract.tools>): ResponseInput<typeof gatewayContract.tools> {
    const tool = {
      ...{ name: 'send_note', kind: 'mcp' as const, description: 'Sends a note.', reads: [] },
      ...{ changes: 'outside' as const, allowedBy: 'operator' as const, isGranted: false },
      permission: place.server === null ? ('allowed' as const) : ('denied' as const),
    };
    return { tools: [tool], questions: [] };
  }

  @Answers(gatewayContract.answerTool)
  onAnswerTool(
    answer: RequestOutput<typeof gatewayContract.answerTool>,
  ): ResponseInput<typeof gatewayContract.answerTool> {
    this.state.toolAnswers.push(answer);
    return { status: 'done', result: 'sent ```@everyone' };
  }

  @Answers(gatewayContract.claimDelivery)
  onClaim({ outboxId }: RequestOutput<typeof gatewayContract.claimDelivery>) {
    const row = this.state.outbox.get(outboxId);
    if (!row) return { kind: 'settled' as const };
    row.attempt += 1;
    row.firstTriedAt ??= new Date().toISOString();
    const { firstTriedAt } = row;
    const personId = this.state.idIn(this.state.people, row.target.userId);
    return { kind: 'claimed' as const, outboxId, personId, ...row, firstTriedAt, othersSent: [] };
  }

  @Answers(gatewayContract.noteSent)
  onNoteSent({ outboxId, sent }: RequestOutput<typeof gatewayContract.noteSent>): Record<string, never> {
    const row = this.state.outbox.get(outboxId);
    if (row) row.sent = sent;
    this.state.notedSent.set(outboxId, [...(this.state.notedSent.get(outboxId) ?? []), sent]);
    return {};
  }

  @Answers(gatewayContract.settleDelivery)
  onSettle(settled: Settled): ResponseInput<typeof gatewayContract.settleDelivery> {
    this.state.settled.push(settled);
    const { result, outboxId } = settled;
    const row = this.state.outbox.get(outboxId);
    if (row && result.kind === 'retry') {
      row.sent = result.sent;
      return { retryAfterMs: 50 };
    }
    this.state.outbox.delete(outboxId);
    return { retryAfterMs: null };
  }
}

/** Personality and outreach, as far as the commands ask them. */
@Controller()
export class CharacterDouble {
  constructor(private readonly state: SuiteState) {}

  @Answers(personalityContract.companion)
  onCompanion({ companionId }: RequestOutput<typeof personalityContract.companion>) {
    const traits = {
      openness: 0.8,
      conscientiousness: 0.5,
      extraversion: 0.4,
      agreeableness: 0.9,
      stability: 0.6,
    };
    const [name, tagline, description] = ['Mira', 'curious and warm', 'Likes rain.'];
    return { id: companionId, name, tagline, description, traits, timeZone: 'UTC', version: 1 };
  }

  @Answers(personalityContract.mood)
  onMood(): ResponseInput<typeof personalityContract.mood> {
    return {
      now: MOOD,
      baseline: { p: 0, a: 0, d: 0 },
      halfLifeMs: 3_600_000,
      series: [],
      relationship: null,
    };
  }

  @Answers(outreachContract.settings)
  onSettings() {
    return {
      settings: this.state.settings,
      intentions: [],
      recent: [],
      outlook: { waitsFor: 'not opted in' as const, until: null, words: 'Not yet.' },
    };
  }

  @Answers(outreachContract.attempts)
  onAttempts({ limit }: RequestOutput<typeof outreachContract.attempts>) {
    return { attempts: this.state.attempts.slice(0, limit), nextCursor: null };
  }

  @Answers(outreachContract.change)
  onChange({ change }: RequestOutput<typeof outreachContract.change>): OutreachSettings {
    const { channel, ...rest } = change as Omit<Partial<OutreachSettings>, 'channel'> & {
      channel?: string | null;
    };
    const place =
      channel === undefined ? {} : { channel: channel === null ? null : { id: channel, problem: null } };
    this.state.settings = { ...this.state.settings, ...rest, ...place };
    return this.state.settings;
  }
}

/** Memory, as far as the commands ask it: a word is found where it stands. */
@Controller()
export class MemoryDouble {
  constructor(private readonly state: SuiteState) {}

  @Answers(memoryContract.list)
  onList({ limit, cursor = '0' }: RequestOutput<typeof memoryContract.list>) {
    const { memories } = this.state;
    const end = Number(cursor) + limit;
    return {
      memories: memories.slice(Number(cursor), end),
      nextCursor: end < memories.length ? String(end) : null,
      total: memories.length,
    };
  }

  @Answers(memoryContract.recall)
  onRecall({
    query,
  }: RequestOutput<typeof memoryContract.recall>): ResponseInput<typeof memoryContract.recall> {
    const why = { similarity: null, fused: 1, recency: 0, importance: 0, score: 1 };
    const memories = this.state.memories.map((memory) => {
      const lexicalRank = memory.text.includes(query) ? 1 : null;
      return { ...memory, why: { ...why, lexicalRank, denseRank: 1 } };
    });
    return { memories, passages: [], degraded: [], tookMs: 1 };
  }

  @Answers(memoryContract.describe)
  onDescribe(): PersonDescription {
    const lines = this.state.memories.map(({ id, text }) => ({ text, memoryIds: [id] }));
    const page = ['# Alice', ...lines.map(({ text }) => `- ${text}`)].join('\n');
    return { name: 'Alice', sections: [{ title: 'Who they are', lines }], page };
  }

  @Answers(gatewayContract.forget)
  onForget({ what, preview }: RequestOutput<typeof gatewayContract.forget>) {
    const isMeant = ({ id, text }: MemoryView) =>
      what.kind === 'all' ||
      (what.kind === 'ids' && what.ids.includes(id)) ||
      (what.kind === 'query' && text.includes(what.query));
    const memories = this.state.memories.filter(isMeant);
    const found = { rows: memories.length, points: 0, lines: memories.length, talk: [] };
    if (preview) return { ...found, receipt: null, undoUntil: null, memories };
    this.state.memories = this.state.memories.filter((memory) => !isMeant(memory));
    this.state.forgotten = memories;
    return { ...found, receipt: randomUUID(), undoUntil: new Date().toISOString(), memories: [] };
  }

  @Answers(gatewayContract.undoForget)
  onUndoForget() {
    const { forgotten } = this.state;
    if (forgotten === null) throw new AppError('not_found', 'there is nothing to undo');
    this.state.memories.push(...forgotten);
    this.state.forgotten = null;
    return { rows: forgotten.length, lines: forgotten.length };
  }

  @Answers(memoryContract.change)
  onChange({ id, change }: RequestOutput<typeof memoryContract.change>): MemoryView {
    const at = this.state.memories.findIndex((memory) => memory.id === id);
    const { text, pinned } = change;
    const changed = {
      ...this.state.memories[at]!,
      ...(text && { text }),
      ...(pinned !== undefined && { pinned }),
    };
    this.state.memories[at] = changed;
    return changed;
  }

  @Answers(gatewayContract.privacy)
  onPrivacy({ private: isPrivate = false }: RequestOutput<typeof gatewayContract.privacy>): Privacy {
    return { private: isPrivate, since: isPrivate ? new Date().toISOString() : null };
  }
}

import {
  AppError,
  Door,
  firstOf,
  gatewayContract,
  isErased,
  outreachContract,
  type DiscordTarget,
  type PayloadOutput,
  type RequestOutput,
  type ResponseInput,
} from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { AccountMarks } from '../people/account-marks.js';
import type { Identities } from '../people/identities.js';
import type { Conversations, ConversationPlace } from '../conversations/conversations.js';
import { findOutreach, isBusy } from '../delivery/is-busy.js';
import type { Inbox } from './inbox.js';
import type { KeptQuote } from '../inbox/claim.js';
import type { CompanionDirectory } from './companion-directory.js';

type Handover = RequestOutput<typeof gatewayContract.receive>;
type Stop = RequestOutput<typeof gatewayContract.stop>;
type ReachOut = PayloadOutput<typeof gatewayContract.reachOut>;
type Heartbeat = PayloadOutput<typeof gatewayContract.heartbeat>;

/** Turn that the companion begins of its own accord. */
interface BegunTurn {
  personId: string;
  companionId: string;
  origin: 'outreach' | 'heartbeat';
  /** Id by which the same turn begins only once. */
  externalId: string;
  text: string;
}

/** Heartbeats of a companion in a day, whatever ordered them: each may cost what a reply costs. */
const MAX_HEARTBEATS_A_DAY = 100;
/** Heartbeats of a companion with one person in a day that tasks order: each task may be changed as often as one likes. */
const MAX_FOR_TASKS_A_DAY = 8;
/** Talks with one person in a day that become too long: each is tidied by itself, and people name talks as they like. */
const MAX_LONG_TALKS_A_DAY = 3;
/** The thread of a person who has no door that can be called. */
const MAIN_THREAD = 'main';

/** Takes in what comes from other services: Discord messages, and reasons to write first. */
export class MessageIntake {
  constructor(
    private readonly parts: {
      database: Database;
      messenger: Pick<Messenger, 'ask' | 'enqueue'>;
      inbox: Inbox;
      identities: Identities;
      marks: AccountMarks;
      conversations: Conversations;
      companions: Pick<CompanionDirectory, 'standingOf' | 'defaultCompanion'>;
      debounceMs: number;
    },
  ) {}

  /**
   * Accepts a message from a chat door.
   * @throws AppError known to `isErased` where its person wrote it before they were erased
   */
  async message(handover: Handover): Promise<ResponseInput<typeof gatewayContract.receive>> {
    try {
      return await this.accept(handover);
    } catch (error) {
      if (!isErased(error)) throw error;
      // Another replica erased a person whom this one had cached: the account is somebody new, unless the message is older.
      this.parts.identities.forgetAccount(handover.from);
      return this.accept(handover);
    }
  }

  private async accept(handover: Handover): Promise<ResponseInput<typeof gatewayContract.receive>> {
    const { parts } = this;
    const { from, place } = handover;
    const { personId, place: where } = await this.locate(handover, new Date(handover.sentAt));
    return parts.conversations.at(where, async (conversationId) => {
      const { duplicate } = await parts.inbox.accept(
        {
          conversationId,
          personId,
          door: from.door,
          externalId: handover.messageId,
          origin: 'message',
          text: handover.text,
          quote: handover.quote && this.keptQuote(from.door, handover.quote),
          ...(handover.within?.nickname && { nickname: handover.within.nickname }),
          pictures: handover.pictures,
          target: {
            channelId: place.externalId,
            userId: from.subject,
            ...(place.kind === 'direct' ? {} : { replyToMessageId: handover.messageId }),
            ...(handover.within && { serverId: handover.within.server }),
            ...(handover.within?.threadOf && { threadOf: handover.within.threadOf }),
            ...(handover.within?.roles && { roles: handover.within.roles }),
            ...(handover.answerable === 'by-message' ? { withoutReference: true } : {}),
            ...(handover.answerable === 'not' ? { unwritable: true } : {}),
          },
          sentAt: new Date(handover.sentAt),
        },
        parts.debounceMs,
      );
      return { conversationId, personId, duplicate };
    });
  }

  /** Ends this person's unanswered messages in this place without an answer. */
  async stop(request: Stop): Promise<ResponseInput<typeof gatewayContract.stop>> {
    const { personId, place } = await this.locate(request);
    const conversationId = await this.parts.conversations.idOf(place);
    return { stopped: await this.parts.inbox.stop({ conversationId, personId, at: new Date() }) };
  }

  private keptQuote(door: Door, { author, ...quote }: NonNullable<Handover['quote']>): KeptQuote {
    if (!author) return quote;
    const { subject, saidAt } = author;
    return { ...quote, author: { mark: this.parts.marks.of({ door, subject }), saidAt } };
  }

  private async locate(
    { from, place, companionId }: Pick<Stop, 'from' | 'place' | 'companionId'>,
    saidAt: Date | null = null,
  ): Promise<{ personId: string; place: ConversationPlace }> {
    const { parts } = this;
    const { personId } = await parts.identities.resolve(from, saidAt);
    const isDirect = place.kind === 'direct';
    return {
      personId,
      place: {
        companionId: companionId ?? parts.companions.defaultCompanion,
        door: place.door,
        // A DM is known by whom it is with: outreach can then find it before Discord has opened a channel.
        externalId: isDirect ? from.subject : place.externalId,
        kind: place.kind,
        personId: isDirect ? personId : null,
      },
    };
  }

  /**
   * Accepts a reason to write first, where it still holds: for the channel named, or else for the person's DM, or for
   * their main thread where they have none. That of a paused companion is decided on anew later, and that of a
   * retired one ends for good.
   */
  async reachOut({ personId, companionId, attemptId, channelId }: ReachOut): Promise<void> {
    const { database } = this.parts;
    // One that was begun is asked about at its end, and is not called off after that.
    if (await findOutreach(database, personId, attemptId)) return;
    const attempt = { personId, attemptId, isBusy: await isBusy(database, personId, attemptId) };
    const { reason } = await this.parts.messenger.ask(outreachContract.reasonOf, attempt);
    if (reason === null) return;
    const standing = await this.parts.companions.standingOf(companionId);
    if (standing !== 'serves') {
      // Otherwise the attempt would hold back other companions' outreach to them.
      const passes = standing === 'paused';
      const ended = { personId, attemptId, reason: `the companion was ${standing}`, passes };
      await this.parts.messenger.enqueue(outreachContract.endUndelivered, {
        ...ended,
        at: new Date().toISOString(),
      });
      return;
    }
    const begun = { personId, companionId, origin: 'outreach' as const, externalId: attemptId, text: reason };
    return this.inPlace(begun, channelId);
  }

  /**
   * Begins a quiet turn with somebody, once a day for each cause, as long as the companion's daily limit allows. Tasks may be
   * such a cause again, for what was noted since.
   */
  async heartbeat({ personId, companionId, day, why, conversationId, task }: Heartbeat): Promise<void> {
    if ((await this.parts.companions.standingOf(companionId)) === 'retired') return;
    const dueAt = task?.dueAt ?? null;
    const named = `heartbeat-${companionId}-${day}`;
    // The daily heartbeat keeps its old name. Those for tasks are counted.
    const forCause = why === 'day' ? named : `${named}-${why}`;
    const today = await this.parts.database.reader('system').$queryRaw<
      { count: number; forTasks: number; begunToday: number; isThoughtOf: boolean }[]
    >`
      -- The day's heartbeats first: before a table is analysed, Postgres would begin with all of a companion's talks.
      WITH today AS MATERIALIZED (
        SELECT conversation_id, person_id, turn_id, external_id, external_id ~ '-task(-[0-9]+)?$' AS of_task,
          received_at, ended_at, outcome IS NULL OR outcome = 'silent' AS thinks
        FROM inbox WHERE origin = 'heartbeat' AND received_at > now() - interval '1 day'
      ), with_them AS (
        SELECT today.*, today.person_id = ${personId}::uuid AS is_theirs
        FROM today JOIN conversations USING (conversation_id) WHERE companion_id = ${companionId})
      SELECT count(*) FILTER (WHERE thinks)::int AS count,
        count(*) FILTER (WHERE thinks AND is_theirs AND of_task)::int AS "forTasks",
        -- Those that failed as well: the next one needs a name of its own.
        count(*) FILTER (WHERE is_theirs AND (external_id = ${forCause}
          OR starts_with(external_id, ${`${named}-task`}) AND ${why} = 'task'))::int AS "begunToday",
        -- One that has not ended will think of it; while the scheduler was away nothing was kept of it.
        coalesce(bool_or(is_theirs AND of_task AND (ended_at IS NULL OR ended_at >= ${task?.notedAt ?? null}::timestamptz
          AND received_at >= ${dueAt}::timestamptz - interval '1 day' AND EXISTS (
            SELECT 1 FROM turns WHERE turns.turn_id = with_them.turn_id AND trace #>> '{heartbeat,reminders}' IS NOT NULL
          ))), false) AS "isThoughtOf"
      FROM with_them`;
    const { count, forTasks, begunToday, isThoughtOf } = firstOf(today);
    if (count >= MAX_HEARTBEATS_A_DAY) return;
    if (task && (isThoughtOf || forTasks >= MAX_FOR_TASKS_A_DAY)) return;
    if (!task && begunToday >= (why === 'pressure' ? MAX_LONG_TALKS_A_DAY : 1)) return;
    const text = {
      day: `Think over ${day}, a day on which you talked.`,
      silence: 'You have not heard from them for two weeks. Think over what you know of them.',
      task: 'A task of yours with them comes due. Look at your tasks, and say how they stand.',
      pressure:
        'Your talk with them is long: what was said first is soon told in short. Keep what must stay.',
      contradiction:
        'Some of what they said does not go together. Your tasks say what to ask: do not settle it yourself.',
    }[why];
    const externalId = task ? `${named}-task-${begunToday}` : forCause;
    const begun = { personId, companionId, origin: 'heartbeat' as const, externalId, text };
    return conversationId === undefined ? this.inPlace(begun) : this.inConversation(conversationId, begun);
  }

  /** Accepts what the companion begins by itself where it talks with the person alone; nothing is sent from there. */
  private async inConversation(conversationId: string, begun: BegunTurn): Promise<void> {
    const { database } = this.parts;
    const { personId, companionId } = begun;
    const found = await database.asPerson(personId, (tx) =>
      tx.conversation.findFirst({ where: { id: conversationId, personId, companionId, kind: 'direct' } }),
    );
    // It was erased meanwhile, or forgotten.
    if (!found) return;
    await this.begin(begun, conversationId, Door.parse(found.door), null);
  }

  /**
   * Accepts what the companion begins: in this channel, where the person is mentioned and others read it too, or else in the
   * person's own conversation with it.
   */
  private async inPlace(begun: BegunTurn, channelId?: string): Promise<void> {
    const { personId, companionId } = begun;
    const discord = await this.parts.database.asPerson(personId, (tx) =>
      tx.identity.findFirst({ where: { personId, door: 'discord' } }),
    );
    const door = discord ? 'discord' : 'http';
    const inChannel = channelId !== undefined && { channelId, mention: true };
    if (inChannel && !discord) throw new AppError('not_found', `person ${personId} has no Discord account`);
    const externalId = channelId ?? discord?.subject ?? `${personId}.${MAIN_THREAD}`;
    const target = discord && { userId: discord.subject, ...inChannel };
    await this.parts.conversations.at(
      inChannel
        ? { companionId, door, externalId, kind: 'channel', personId: null }
        : { companionId, door, externalId, kind: 'direct', personId },
      (conversationId) => this.begin(begun, conversationId, door, target),
    );
  }

  private async begin(
    { personId, externalId, origin, text }: BegunTurn,
    conversationId: string,
    door: Door,
    target: DiscordTarget | null,
  ): Promise<void> {
    const message = { conversationId, personId, door, externalId, origin, text, target };
    await this.parts.inbox.accept({ ...message, sentAt: new Date() }, 0);
  }
}

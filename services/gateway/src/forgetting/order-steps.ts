import {
  ForgetNamed,
  memoryContract,
  outreachContract,
  personalityContract,
  type ForgetResult,
  type RequestInput,
  Uuid,
} from '@kith/contracts';
import type { Database, ForgetOrderModel } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';
import { linesOf, markOpen, perhapsUnread, turnsBegunAfter, turnsOf } from '../redaction/choose-lines.js';
import { notedSources } from '../redaction/remove-lines.js';
import { awaitAcceptance } from './acceptance-lock.js';
import { DerivedForgetter } from './derived-forgetter.js';
import { isForLate, isOfOther, NOT_TOUCHED, type OthersNotes } from './others-notes.js';
import { Revision } from '../redaction/revise-line.js';
import type { TranscriptRedactor } from '../redaction/transcript-redactor.js';
import { RepeatsOfLost } from './repeats-of-lost.js';
import { UndeliveredReply } from '../redaction/undelivered-reply.js';

/** Message that was deleted where it was said, and that a restore brought back, with the turn that it was said in. */
const DeletedLine = z.object({ deletedIn: Uuid, sources: z.tuple([z.string()]) });

/** Steps of an order through the transcript and the other services. The caller holds the order's lock. */
export class OrderSteps {
  readonly made: DerivedForgetter;
  readonly repeats: RepeatsOfLost;

  constructor(
    private readonly database: Database,
    private readonly transcript: TranscriptRedactor,
    private readonly messenger: Pick<Messenger, 'ask' | 'enqueue'>,
    private readonly notes: Pick<OthersNotes, 'orderOnce'>,
    private readonly tell: {
      /** Lines are sealed until then. */
      sealed: (until: Date) => void;
      /** This person's talk has changed. */
      changed: (personId: string) => void;
      /** Later replies that may repeat what this order removes were not compared. */
      cutShort: (orderId: string) => void;
    },
  ) {
    this.made = new DerivedForgetter(database, transcript, messenger);
    this.repeats = new RepeatsOfLost(database, messenger, (orderId) => tell.cutShort(orderId));
  }

  /** Carries out an order. Starts from the beginning after an interruption: every step is safe to repeat. */
  async forget(order: ForgetOrderModel): Promise<ForgetResult> {
    const { id: orderId, personId, companionId, keepTalk } = order;
    const what = ForgetNamed.parse(order.what);
    const undoUntil = order.undoUntil?.toISOString() ?? null;
    const named = { personId, companionId, what: linesOf(what, [], order.at) };
    if (!keepTalk && !isOfOther(order)) await awaitAcceptance(this.database, personId);
    // As the system: a channel's rows belong to no person.
    const open = keepTalk ? [] : await this.database.asSystem((tx) => markOpen(tx, orderId, named));
    const answered =
      what.kind === 'period'
        ? await this.database.read('system', (reader) => perhapsUnread(reader, named))
        : [];
    // After a restore, memory may know what was derived from a message by another id, or is to derive it yet.
    const unread = [...new Set([...open, ...answered, ...notedSources(order)])];
    const saidAfter =
      what.kind === 'all'
        ? await this.database.read('system', async (reader) => ({
            at: order.at.toISOString(),
            turnIds: await turnsBegunAfter(reader, named, order.at),
          }))
        : null;
    const asked = { orderId, personId, companionId, what, keepTalk, saidAfter, unread, undoUntil };
    if (!keepTalk && !isOfOther(order)) await this.repeats.ofOrder(order, what);
    const { rows, points, memoryIds, sources, others } = await this.forgetMemories(order, asked);
    const choice = { personId, companionId, what: linesOf(what, sources, order.at) };
    const until = order.undoUntil;
    if (until) this.tell.sealed(until);
    const touched = isForLate(order)
      ? NOT_TOUCHED
      : await this.transcript.forget({ orderId, until, keepTalk }, choice, { memoryIds, sources });
    if (touched.isCutShort) this.tell.cutShort(orderId);
    const messageIds = [...new Set([...sources, ...touched.messageIds])];
    const { turnIds, replyTurnIds } = touched;
    const made = { turnIds, messageIds, memoryIds, replyTurnIds };
    const before = what.kind === 'all' ? order.at.toISOString() : null;
    const started = await this.made.forget(order, made, before);
    if (others.length > 0)
      await this.made.rememberAgain(
        personId,
        await turnsOf(this.database.reader({ personId }), personId, others),
      );
    // With everything, the notes of outreach went as well.
    const attemptIds = what.kind === 'all' ? [] : started.attemptIds;
    await this.notes.orderOnce(order, keepTalk ? NOT_TOUCHED : touched, attemptIds);
    await this.finish(order);
    this.tell.changed(personId);
    return {
      rows,
      points,
      receipt: orderId,
      undoUntil,
      memories: [],
      talk: [],
      lines: open.length + touched.lines + started.lines,
    };
  }

  /**
   * Has memory forget. Of a message that was deleted, what others say as well is named by those (`others`): nobody asked
   * to have them forgotten.
   */
  private async forgetMemories(
    { id: orderId, personId, companionId, what }: ForgetOrderModel,
    asked: RequestInput<typeof memoryContract.forget>,
  ) {
    const deleted = DeletedLine.safeParse(what).data;
    if (!deleted || companionId === null) return this.messenger.ask(memoryContract.forget, asked);
    const { deletedIn: turnId, sources } = deleted;
    const { memoryIds, others } = await this.messenger.ask(memoryContract.revise, {
      orderId,
      personId,
      companionId,
      source: sources[0],
      revision: null,
      turnId,
    });
    return { rows: memoryIds.length, points: 0, memoryIds, sources, others };
  }

  /** Removes what was derived from a line's old words, and has it derived again from the new ones. */
  async revise(order: ForgetOrderModel): Promise<void> {
    const { id: orderId, personId } = order;
    const { kind, source, revision, turnId, companionId } = Revision.parse(order.what);
    const isAnswered = kind === 'revision';
    if (isAnswered) await this.repeats.ofMessage(order, source);
    const { memoryIds, others } = await this.messenger.ask(memoryContract.revise, {
      orderId,
      personId,
      companionId,
      source,
      revision,
      turnId,
    });
    const reason = revision === null ? 'deleted' : 'edited';
    const was = { memoryIds, source, turnId };
    const replyTurnIds = await this.transcript.revise({ orderId, personId, at: order.at, reason }, was);
    // Services derive nothing from an unanswered message. Only replies may repeat the companion's notes of it.
    const own = isAnswered ? { turnIds: [turnId], messageIds: [source] } : { turnIds: [], messageIds: [] };
    const started =
      isAnswered || replyTurnIds.length > 0
        ? await this.made.forget(order, { ...own, memoryIds, replyTurnIds, isNoticedAgain: isAnswered }, null)
        : null;
    const alsoSaid = await turnsOf(this.database.reader({ personId }), personId, others);
    const isReread = isAnswered && revision !== null;
    const turnIds = [...new Set([...(isReread ? [turnId] : []), ...alsoSaid])];
    await this.made.rememberAgain(personId, turnIds);
    // Of a deleted message too: what the others of its turn ask for went with it.
    if (isAnswered) await this.messenger.ask(outreachContract.noticeAgain, { turnId });
    if (isReread) await this.messenger.enqueue(personalityContract.reread, { turnId, revision });
    await this.notes.orderOnce(order, own, started?.attemptIds ?? []);
    await this.finish(order);
    this.tell.changed(personId);
  }

  /** Has the scheduler read the promises of a reply again, after more or less of it arrived than was thought. */
  async unsay(order: ForgetOrderModel): Promise<void> {
    await this.messenger.ask(outreachContract.noticeAgain, UndeliveredReply.parse(order.what));
    await this.finish(order);
  }

  private async finish({ id, personId }: ForgetOrderModel): Promise<void> {
    await this.database.asPerson(personId, (tx) =>
      tx.forgetOrder.updateMany({ where: { id, finishedAt: null }, data: { finishedAt: new Date() } }),
    );
  }

  /** Carries out an undo. Starts from the beginning after an interruption: every step is safe to repeat. */
  async putBack(personId: string, orderId: string): Promise<{ rows: number; lines: number }> {
    const order = await this.database.asPerson(personId, (tx) =>
      tx.forgetOrder.findUnique({ where: { id: orderId } }),
    );
    // One that is marked with the order yet would lose its words, and nobody would know the order any more.
    if (order && !order.keepTalk && !isOfOther(order)) await awaitAcceptance(this.database, personId);
    const { lines, silentTurnIds, ...turns } = await this.transcript.undo(personId, orderId);
    const replyTurnIds = [...new Set([...turns.replyTurnIds, ...silentTurnIds])];
    const request = { orderId, personId, turnIds: turns.turnIds, replyTurnIds };
    const { rows, unread } = await this.messenger.ask(memoryContract.undoForget, request);
    await this.made.rememberAgain(personId, unread);
    await this.messenger.ask(personalityContract.undoForget, request);
    await this.made.forgetJokes(personId, silentTurnIds);
    await this.messenger.ask(outreachContract.undoForget, request);
    // An undo that waited for this one finds nothing left to undo.
    await this.database.asPerson(personId, (tx) =>
      tx.forgetOrder.updateMany({ where: { id: orderId }, data: { undoUntil: null } }),
    );
    return { rows, lines };
  }
}

import type { DiscordApi } from '../rest/discord-api.js';
import { snowflakeAt } from '../rest/snowflake-at.js';
import type { Deletions } from './deletions.js';
import type { LiveEdit } from './decide-live-edit.js';
import { findSent } from './find-sent.js';
import type { LiveNote, LiveNotes } from './live-notes.js';
import { isNonceKnown, nonceOf, sentSince } from './nonce-of.js';

/** Discord's messages of a reply that is shown while it is written. */
export interface LiveReply extends Pick<
  LiveNote,
  'turnId' | 'personId' | 'channelId' | 'replyTo' | 'messageIds'
> {
  /** User the reply names and pings instead of referring to a message; null where it names nobody. */
  named: string | null;
}

/** Time limit of an edit: twice what Discord takes on a bad day. The next edit comes soon. */
export const EDIT_WITHIN_MS = 20_000;
/** Number of the first live message in nonces: chunks of replies have small numbers, so they never share one. */
const LIVE_NONCE = 46_000;

/** Begins a reply with a mention of the user it answers; empty for null. */
export function namingOf(userId: string | null): string {
  return userId === null ? '' : `<@${userId}> `;
}

/** Sends, edits, finds and takes back live messages. Each is noted in Postgres before it is sent. */
export class LiveMessages {
  constructor(
    private readonly notes: LiveNotes,
    private readonly api: Pick<DiscordApi, 'createMessage' | 'editMessage' | 'ownMessagesAfter'>,
    private readonly deletions: Pick<Deletions, 'remove'>,
  ) {}

  /** Sends or edits a live message. @returns false if no more of the reply may be shown */
  show(reply: LiveReply, edit: LiveEdit): Promise<boolean> {
    const shown = reply.messageIds[edit.index];
    return shown === undefined ? this.send(reply, edit) : this.edit(reply, shown, edit);
  }

  /** Deletes what was shown of a turn, apart from the messages in `sent`, which are chunks of its reply. */
  async takeBack(turnId: string, sent: readonly string[]): Promise<void> {
    const note = await this.notes.end(turnId);
    if (!note) return;
    const messageIds = await this.find(note, null);
    await this.deletions.remove(
      note.channelId,
      messageIds.filter((id) => !sent.includes(id)),
    );
    await this.notes.keep(
      turnId,
      messageIds.filter((id) => sent.includes(id)),
    );
  }

  /**
   * Finds the live messages in their channel. The last one may have arrived without a note: if it is to become a
   * chunk, it is sent again with its nonce, which makes at most one; else it is searched for by its possible texts.
   */
  async find(note: LiveNote, named: string | null): Promise<string[]> {
    const { turnId, channelId, messageIds, opening, replyTo, startedAt, finalTexts } = note;
    if (opening === null) return messageIds;
    const index = messageIds.length;
    const finalText = finalTexts[index];
    const chunk = liveChunk({ turnId, replyTo }, index, opening);
    let id: string | undefined;
    if (finalText !== undefined && opening !== '' && isNonceKnown(startedAt, Date.now())) {
      id = await this.api.createMessage(channelId, { ...chunk, pings: pingsOf(index, named) });
    } else {
      const posted = await this.api.ownMessagesAfter(channelId, snowflakeAt(sentSince(startedAt)));
      const taken = new Set(messageIds);
      const find = (content: string) => findSent({ ...chunk, content }, posted, taken)?.id;
      id = find(opening) ?? (finalText === undefined ? undefined : find(finalText));
    }
    if (id === undefined) {
      await this.notes.keep(turnId, messageIds);
      return messageIds;
    }
    await this.notes.arrived(turnId, index, id);
    return [...messageIds, id];
  }

  /** Sends one more message of a reply. @returns false when the reply is closed, or the message may be there already */
  private async send(reply: LiveReply, { index, content }: LiveEdit): Promise<boolean> {
    const { turnId, channelId, messageIds, named } = reply;
    const note = await this.notes.open(reply, index, content);
    const arrived = note?.messageIds[index];
    // The reply was delivered, or begun so long ago that a second message could result.
    if (!note || (arrived === undefined && !isNonceKnown(note.startedAt, Date.now()))) return false;
    if (arrived !== undefined) {
      messageIds.push(arrived);
      return true;
    }
    const chunk = { ...liveChunk(reply, index, content), pings: pingsOf(index, named) };
    const id = await this.api.createMessage(channelId, chunk);
    messageIds.push(id);
    await this.notes.arrived(turnId, index, id);
    return true;
  }

  /** Edits a message of a reply; with its final text, if it was closed meanwhile. @returns false when it is closed */
  private async edit(
    { turnId, channelId, named }: LiveReply,
    messageId: string,
    { index, content }: LiveEdit,
  ): Promise<boolean> {
    if ((await this.notes.read(turnId))?.closedAt !== null) return false;
    const pings = pingsOf(index, named);
    await this.api.editMessage(channelId, messageId, content, {
      pings,
      signal: AbortSignal.timeout(EDIT_WITHIN_MS),
    });
    const note = await this.notes.read(turnId);
    if (note?.closedAt === null) return true;
    // Another process gave it its final text while our edit was on its way: restore that text.
    const finalText = note?.finalTexts[index];
    if (finalText !== undefined) await this.api.editMessage(channelId, messageId, finalText, { pings });
    return false;
  }
}

/** Makes one of a turn's live messages. Each try of the turn gives it the same nonce; the first refers to what it answers. */
function liveChunk(
  { turnId, replyTo }: Pick<LiveNote, 'turnId' | 'replyTo'>,
  index: number,
  content: string,
) {
  const refersTo = index === 0 ? (replyTo ?? undefined) : undefined;
  return { content, nonce: nonceOf(turnId, LIVE_NONCE + index), replyTo: refersTo };
}

/** Lists the users that a message of a reply pings: the named one in the first message, else none. */
export function pingsOf(index: number, named: string | null): string[] {
  return index === 0 && named !== null ? [named] : [];
}

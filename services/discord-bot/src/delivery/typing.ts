import { reasonOf } from '@kith/contracts';
import type { Logger } from 'pino';

// Discord shows the indicator for ten seconds.
const BEAT_MS = 8_000;
// Longer than the longest turn may take: if no end was heard by then, none will be.
const MAX_TYPING_MS = 120_000;
/** Indicators asked for at once: replies share the bot's requests a second, and must not queue behind hundreds of these. */
const MAX_AT_ONCE = 10;
// A turn's end may be heard before its beginning: it is remembered this long.
const REMEMBER_ENDS_MS = 60_000;

interface WaitingTurn {
  channelId: string;
  userId: string;
  /** Conversation and person, as `turnEnded` names them. */
  turn: string;
  until: number;
}

/**
 * The typing indicator: on while someone in a channel waits for a reply, off when it is delivered, when the
 * turn ended without one, or after two minutes.
 */
export class Typing {
  private waiting: WaitingTurn[] = [];
  private readonly ended = new Map<string, number>();
  private readonly beats = new Map<string, NodeJS.Timeout>();
  /** Channels in which it is to be shown next. */
  private readonly due = new Set<string>();
  /** Requests that are under way. */
  private asked = 0;

  constructor(
    private readonly show: (channelId: string) => Promise<void>,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /** A message was accepted; it was heard at `since`, and its turn may have ended in the meantime. */
  begin(
    place: { channelId: string; userId: string },
    turn: { conversationId: string; personId: string },
    since: number,
  ): void {
    const key = turnKey(turn);
    if ((this.ended.get(key) ?? -Infinity) >= since) return;
    this.waiting = this.waiting.filter((one) => !isFor(one, place.channelId, place.userId));
    this.waiting.push({ ...place, turn: key, until: this.now() + MAX_TYPING_MS });
    if (this.beats.has(place.channelId)) return;
    this.beats.set(
      place.channelId,
      setInterval(() => this.beat(place.channelId), BEAT_MS),
    );
    this.beat(place.channelId);
  }

  /** A reply to this person is on its way into the channel. */
  delivered(channelId: string, userId: string): void {
    this.keep((one) => !isFor(one, channelId, userId));
  }

  turnEnded(turn: { conversationId: string; personId: string }): void {
    const now = this.now();
    for (const [key, at] of this.ended) {
      if (now - at <= REMEMBER_ENDS_MS) break;
      this.ended.delete(key);
    }
    // Moved to the end: the oldest come first.
    this.ended.delete(turnKey(turn));
    this.ended.set(turnKey(turn), now);
    this.keep((one) => one.turn !== turnKey(turn));
  }

  stop(): void {
    this.keep(() => false);
  }

  private beat(channelId: string): void {
    this.keep(({ until }) => until > this.now());
    this.due.add(channelId);
    this.showDue();
  }

  private showDue(): void {
    for (const channelId of this.due) {
      if (this.asked >= MAX_AT_ONCE) return;
      this.due.delete(channelId);
      if (!this.beats.has(channelId)) continue;
      this.asked += 1;
      this.show(channelId)
        .catch((error: unknown) => {
          // No permission, or no Discord: typing is not worth a second refused request.
          this.logger.debug({ channelId, reason: reasonOf(error) }, 'typing not shown');
          this.keep((one) => one.channelId !== channelId);
        })
        .finally(() => {
          this.asked -= 1;
          this.showDue();
        });
    }
  }

  private keep(stays: (one: WaitingTurn) => boolean): void {
    this.waiting = this.waiting.filter(stays);
    const channels = new Set(this.waiting.map(({ channelId }) => channelId));
    for (const [channelId, timer] of this.beats) {
      if (channels.has(channelId)) continue;
      clearInterval(timer);
      this.beats.delete(channelId);
    }
  }
}

function isFor(one: WaitingTurn, channelId: string, userId: string): boolean {
  return one.channelId === channelId && one.userId === userId;
}

function turnKey({ conversationId, personId }: { conversationId: string; personId: string }): string {
  return `${conversationId} ${personId}`;
}

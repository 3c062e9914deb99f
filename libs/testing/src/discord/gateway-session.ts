import type { Json } from './discord-world.js';

export interface NumberedEvent {
  s: number;
  t: string;
  d: Json;
}

/** One gateway session: it outlives its socket, so that a resume can replay what was missed. */
export class GatewaySession {
  private readonly events: NumberedEvent[] = [];
  private sequence = 0;
  /** Sends to the socket that is attached now; null while the bot is away. */
  private send: ((event: NumberedEvent) => void) | null = null;
  /** Time since which the bot is away. */
  private leftAt: number | null = null;

  constructor(
    readonly id: string,
    readonly intents: number,
  ) {}

  get lastSequence(): number {
    return this.sequence;
  }

  dispatch(t: string, d: Json): void {
    this.sequence += 1;
    const event = { s: this.sequence, t, d };
    this.events.push(event);
    this.send?.(event);
  }

  attach(send: (event: NumberedEvent) => void): void {
    this.send = send;
    this.leftAt = null;
  }

  /** Its socket is gone; nothing changes when another one was attached since. */
  detach(send: (event: NumberedEvent) => void, now: number): void {
    if (this.send !== send) return;
    this.send = null;
    this.leftAt = now;
  }

  /** Time the bot has been away; 0 while it is there. */
  awayMs(now: number): number {
    return this.leftAt === null ? 0 : now - this.leftAt;
  }

  /** Sends again what came after `seq`, with its old numbers. */
  replayAfter(seq: number): void {
    for (const event of this.events) if (event.s > seq) this.send?.(event);
  }
}

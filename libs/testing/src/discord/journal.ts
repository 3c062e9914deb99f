import type { DiscordMessage, Json } from './discord-world.js';

/** A message the bot made, with the body it asked for it with. */
export interface SentMessage {
  message: DiscordMessage;
  body: Json;
}

/** Everything the bot did, in order, for assertions; and a way to wait for it. */
export class Journal {
  /** Messages that came to be. A repeated nonce makes none: see `repeatedNonces`. */
  readonly sent: SentMessage[] = [];
  readonly repeatedNonces: string[] = [];
  readonly edits: SentMessage[] = [];
  readonly deleted: string[] = [];
  /** Channel ids, one per typing request. */
  readonly typing: string[] = [];
  readonly reactions: { channelId: string; messageId: string; emoji: string }[] = [];
  readonly requests: { method: string; path: string; status: number; body: unknown; at: number }[] = [];
  private readonly waiting = new Set<() => void>();

  /** Answers of 401, 403 and 429: 10,000 in 10 minutes ban the address. */
  get invalidRequests(): number {
    return this.invalidRequestsSince(Number.NEGATIVE_INFINITY);
  }

  /** Counts the invalid requests since a time of `performance.now()`. */
  invalidRequestsSince(since: number): number {
    return this.requests.filter(({ status, at }) => at >= since && [401, 403, 429].includes(status)).length;
  }

  /** To be called after anything changed. */
  changed(): void {
    for (const look of this.waiting) look();
  }

  /** Resolves with what `find` returns once it returns something; fails with `what` after the timeout. */
  until<T>(what: string, find: () => T | undefined, timeoutMs: number): Promise<T> {
    const found = find();
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const later = find();
        if (later === undefined) return;
        clearTimeout(timer);
        this.waiting.delete(look);
        resolve(later);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(look);
        reject(new Error(`Discord saw no ${what} within ${timeoutMs} ms`));
      }, timeoutMs);
      this.waiting.add(look);
    });
  }
}

/**
 * The nonce of one chunk of one outbox row: the same for each try, another for each chunk, so that Discord
 * answers a repeated send with the first message. 22 characters of the row's id and the chunk's number: at
 * most 25, Discord's limit, up to chunk 46,655.
 */
export function nonceOf(outboxId: string, chunk: number): string {
  return Buffer.from(outboxId.replaceAll('-', ''), 'hex').toString('base64url') + chunk.toString(36);
}

/** Discord knows a nonce for "a few minutes". Within this time a repeated send is answered with the first message. */
const NONCE_WINDOW_MS = 120_000;
/** The clocks of our own machines are no further apart than this, unless one was set. */
const CLOCKS_APART_MS = 5_000;
/** Discord's clock and ours may differ by so much. */
const CLOCK_SLACK_MS = 60_000;

/** Tells whether Discord surely knows the nonce of a message first sent then. After a clock was set back, nothing is sure. */
export function isNonceKnown(sentAt: Date, nowMs: number): boolean {
  const agoMs = nowMs - sentAt.getTime();
  return agoMs > -CLOCKS_APART_MS && agoMs < NONCE_WINDOW_MS;
}

/** Time from which to search the channel for a message first sent then. */
export function sentSince(sentAt: Date): Date {
  return new Date(sentAt.getTime() - CLOCK_SLACK_MS);
}

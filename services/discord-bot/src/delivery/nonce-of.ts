/**
 * The nonce of one chunk of one outbox row: the same for each try, another for each chunk, so that Discord
 * answers a repeated send with the first message. 22 characters of the row's id and the chunk's number: at
 * most 25, Discord's limit, up to chunk 46,655.
 */
export function nonceOf(outboxId: string, chunk: number): string {
  return Buffer.from(outboxId.replaceAll('-', ''), 'hex').toString('base64url') + chunk.toString(36);
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** AES-GCM's own sizes. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a turn's thoughts and the words of its tools for the database, with AES-256-GCM under a key of the suite's.
 * Each text is bound to its place: one that is copied to another row does not open there.
 */
export class ThoughtCipher {
  private readonly key: Buffer | null;

  /** @param secret the suite's; empty: nothing is kept */
  constructor(secret: string) {
    this.key = secret === '' ? null : Buffer.from(hkdfSync('sha256', secret, '', 'kith thoughts', 32));
  }

  /** Encrypts a value for its place; null without a key. */
  encrypt(place: string, value: unknown): string | null {
    if (!this.key) return null;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(place));
    const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
  }

  /** Decrypts a value of this place; null where the key is another one, or the text was changed. */
  decrypt(place: string, sealed: string | null): unknown {
    if (!this.key || sealed === null) return null;
    const bytes = Buffer.from(sealed, 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]);
      return JSON.parse(text.toString('utf8')) as unknown;
    } catch {
      return null;
    }
  }
}

/** Names the place that a text is encrypted for: a step of a turn, or the result of one of its calls. */
export function placeOf(turnId: string, ...place: number[]): string {
  return [turnId, ...place].join(' ');
}

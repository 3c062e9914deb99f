import { createHash } from 'node:crypto';

/** Two thousand questions of an encoder's 384 numbers, and some three hundred of 3,072. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Vectors of the questions asked lately, by a hash of their words: who asks again is not kept waiting for the embedding
 * service, nor without it. Past the bound, what was asked longest ago is dropped.
 */
export class AskedVectors {
  private readonly held = new Map<string, Float32Array>();
  private bytes = 0;

  get(spaceId: string, question: string): Float32Array | undefined {
    const key = keyOf(spaceId, question);
    const vector = this.held.get(key);
    if (!vector) return undefined;
    this.held.delete(key);
    this.held.set(key, vector);
    return vector;
  }

  put(spaceId: string, question: string, vector: Float32Array): void {
    const key = keyOf(spaceId, question);
    this.bytes += vector.byteLength - (this.held.get(key)?.byteLength ?? 0);
    this.held.delete(key);
    this.held.set(key, vector);
    for (const [oldest, { byteLength }] of this.held) {
      if (this.bytes <= MAX_BYTES) break;
      this.bytes -= byteLength;
      this.held.delete(oldest);
    }
  }
}

function keyOf(spaceId: string, question: string): string {
  return `${spaceId} ${createHash('sha256').update(question).digest('base64url')}`;
}

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';

/**
 * An encrypted file: a header, then chunks, each encrypted and authenticated with AES-256-GCM.
 *
 *     header   "kithseal", version 1, log2(N), r, p (one byte each), 16 bytes of salt, 7 bytes of nonce
 *     chunk    its ciphertext (64 KiB, the last one 0 to 64 KiB), 16 bytes of tag
 *
 * The key is scrypt(passphrase, salt, N, r, p). A chunk's nonce is the header's seven bytes, the chunk's number (four
 * bytes, big-endian) and whether it is the last one (one byte); the header is authenticated with each chunk. So a
 * file that was cut off, reordered or changed anywhere does not open (the STREAM construction).
 */
const MAGIC = Buffer.from('kithseal');
/** Rises when the format changes. */
const VERSION = 1;
/** About 128 MB and a third of a second: what guessing costs for each passphrase tried. */
const COST = { logN: 17, r: 8, p: 1 };
/** The most that a file may ask for: 1 GB. A hostile one must not take all of the machine's memory. */
const MAX_LOG_N = 20;
/** Enough that no two files ever have the same key. */
const SALT_BYTES = 16;
/** The part of AES-GCM's 12 bytes that a chunk's number and end leave. */
const NONCE_BYTES = 7;
/** AES-GCM's full tag. */
const TAG_BYTES = 16;
/** Bytes that are held before they are known to be whole: little memory, and a tag costs them next to nothing. */
const CHUNK_BYTES = 64 * 1_024;
const HEADER_BYTES = MAGIC.length + 4 + SALT_BYTES + NONCE_BYTES;
/** Shorter ones are found by trying, whatever a try costs. */
export const MIN_PASSPHRASE_LENGTH = 12;

/** Error of a file whose passphrase may well be right. */
const BROKEN = 'the file is damaged or was cut off: take another copy of it';

type Bytes = AsyncIterable<Buffer>;

/**
 * Encrypts a stream with a passphrase.
 * @param cost of one guess; the file says what it was
 * @throws Error when the passphrase is too short
 */
export async function* encrypt(input: Bytes, passphrase: string, cost = COST): AsyncGenerator<Buffer> {
  if (passphrase.length < MIN_PASSPHRASE_LENGTH) {
    throw new Error(`the passphrase is too short: ${MIN_PASSPHRASE_LENGTH} characters at least`);
  }
  const { logN, r, p } = cost;
  const header = Buffer.concat([
    MAGIC,
    Buffer.from([VERSION, logN, r, p]),
    randomBytes(SALT_BYTES + NONCE_BYTES),
  ]);
  const key = await keyOf(passphrase, header);
  yield header;
  let number = 0;
  for await (const { chunk, isLast } of chunksOf(input, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(header, number, isLast)).setAAD(header);
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
    number += 1;
  }
}

/**
 * Decrypts an encrypted file. Each chunk is checked before it is passed on.
 * @throws Error when it is no encrypted file, the passphrase is wrong, or the file is damaged or cut off
 */
export async function* decrypt(input: Bytes, passphrase: string): AsyncGenerator<Buffer> {
  const reader = new Reader(input);
  const header = await reader.take(HEADER_BYTES);
  if (!isEncrypted(header)) throw new Error('this is not an encrypted file');
  if (header.length < HEADER_BYTES) throw new Error(BROKEN);
  if (header[MAGIC.length] !== VERSION) throw new Error('the file is of a newer version');
  const key = await keyOf(passphrase, header);
  let number = 0;
  for await (const { chunk, isLast } of chunksOf(reader.rest(), CHUNK_BYTES + TAG_BYTES)) {
    yield openChunk(chunk, { key, header, number, isLast });
    number += 1;
  }
}

/** Tells whether a file with this beginning needs a passphrase. */
export function isEncrypted(beginning: Buffer): boolean {
  return beginning.subarray(0, MAGIC.length).equals(MAGIC);
}

function openChunk(
  chunk: Buffer,
  { key, header, number, isLast }: { key: Buffer; header: Buffer; number: number; isLast: boolean },
): Buffer {
  const end = chunk.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(header, number, isLast), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(header).setAuthTag(chunk.subarray(Math.max(0, end)));
    return Buffer.concat([decipher.update(chunk.subarray(0, Math.max(0, end))), decipher.final()]);
  } catch {
    throw new Error(number === 0 ? 'the passphrase is wrong (or the file is damaged)' : BROKEN);
  }
}

function keyOf(passphrase: string, header: Buffer): Promise<Buffer> {
  const [logN = 0, r = 0, p = 0] = header.subarray(MAGIC.length + 1);
  if (logN > MAX_LOG_N || r > COST.r || p > COST.p)
    throw new Error('the file asks for too much work to open');
  const salt = header.subarray(MAGIC.length + 4, MAGIC.length + 4 + SALT_BYTES);
  const N = 2 ** logN;
  // Node refuses what takes more than 32 MB unless it is told how much is meant.
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    // The same passphrase may be typed in composed and in decomposed letters.
    scrypt(passphrase.normalize('NFC'), salt, 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function nonceOf(header: Buffer, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  header.copy(nonce, 0, HEADER_BYTES - NONCE_BYTES);
  nonce.writeUInt32BE(number, NONCE_BYTES);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Pieces of one size, the last of which may be shorter, or empty when there is nothing at all. */
async function* chunksOf(input: Bytes, size: number): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  const reader = new Reader(input);
  let chunk = await reader.take(size);
  for (;;) {
    const next = await reader.take(size);
    yield { chunk, isLast: next.length === 0 };
    if (next.length === 0) return;
    chunk = next;
  }
}

/** Takes a stream in pieces of the wished size. */
class Reader {
  private iterator: AsyncIterator<Buffer>;
  private parts: Buffer[] = [];
  private length = 0;

  constructor(input: Bytes) {
    this.iterator = input[Symbol.asyncIterator]();
  }

  /** Reads so many bytes; fewer at the end. */
  async take(size: number): Promise<Buffer> {
    while (this.length < size) {
      const next = await this.iterator.next();
      if (next.done) break;
      this.parts.push(next.value);
      this.length += next.value.length;
    }
    const whole = Buffer.concat(this.parts);
    const rest = whole.subarray(size);
    this.parts = rest.length > 0 ? [rest] : [];
    this.length = rest.length;
    return whole.subarray(0, size);
  }

  async *rest(): AsyncGenerator<Buffer> {
    for (;;) {
      const piece = await this.take(CHUNK_BYTES);
      if (piece.length === 0) return;
      yield piece;
    }
  }
}

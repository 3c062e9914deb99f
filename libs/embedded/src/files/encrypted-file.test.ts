import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isEncrypted, encrypt, decrypt } from './encrypted-file.js';

const PASSPHRASE = 'correct horse battery staple';

async function collect(from: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of from) parts.push(part);
  return Buffer.concat(parts);
}

async function* inPieces(bytes: Buffer, size = 50_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A cost that nobody would choose: most of a test would go by with guessing made dear. */
const CHEAP = { logN: 10, r: 8, p: 1 };

const encrypted = (bytes: Buffer, cost = CHEAP) => collect(encrypt(inPieces(bytes), PASSPHRASE, cost));
const opened = (bytes: Buffer, passphrase = PASSPHRASE) => collect(decrypt(inPieces(bytes), passphrase));

describe('an encrypted file', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 300_000])('of %d bytes opens as it was', async (size) => {
    const text = randomBytes(size);
    const file = await encrypted(text);
    expect(isEncrypted(file)).toBe(true);
    expect((await opened(file)).equals(text)).toBe(true);
  });

  it('is dear to guess, unless it is told otherwise', async () => {
    const file = await collect(encrypt(inPieces(Buffer.from('words')), PASSPHRASE));
    expect([...file.subarray(9, 12)]).toEqual([17, 8, 1]);
    expect((await opened(file)).toString()).toBe('words');
  });

  it('shows nothing of what is in it, and is another one each time', async () => {
    const text = Buffer.from('the canary sings '.repeat(10));
    const [first, second] = [await encrypted(text), await encrypted(text)];
    expect(first.includes('canary')).toBe(false);
    expect(first.subarray(40).equals(second.subarray(40))).toBe(false);
  });

  it('does not open with another passphrase', async () => {
    await expect(opened(await encrypted(Buffer.from('words')), 'another passphrase')).rejects.toThrow(
      'the passphrase is wrong',
    );
  });

  it('does not open when it was changed, cut off, or put in another order', async () => {
    const file = await encrypted(randomBytes(200_000));
    const changed = Buffer.from(file);
    changed[file.length - 30]! ^= 1;
    const [header, size] = [35, 65_536 + 16];
    const swapped = Buffer.concat([
      file.subarray(0, header + size),
      file.subarray(header + 2 * size, header + 3 * size),
      file.subarray(header + size, header + 2 * size),
      file.subarray(header + 3 * size),
    ]);
    for (const bad of [
      changed,
      file.subarray(0, -1),
      file.subarray(0, header + size),
      file.subarray(0, 20),
      swapped,
    ]) {
      await expect(opened(bad)).rejects.toThrow(/damaged/);
    }
  });

  it('is told from any other file, and from one that asks for all of the memory', async () => {
    await expect(opened(Buffer.from('nonsense'))).rejects.toThrow('not an encrypted file');
    const greedy = await encrypted(Buffer.from('words'));
    greedy[9] = 40;
    await expect(opened(greedy)).rejects.toThrow('too much work');
  });

  it('is not made with a short passphrase', async () => {
    await expect(collect(encrypt(inPieces(Buffer.from('words')), 'short'))).rejects.toThrow('12 characters');
  });
});

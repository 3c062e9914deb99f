import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { exportAnswer } from './export-all.js';

const LIMIT = 1_000;
const fileOf = async (kept: Buffer) => {
  const { files = [] } = await exportAnswer(kept, LIMIT);
  const [file] = files as { attachment: Buffer; name: string }[];
  return file;
};

it('sends what is kept as it is where Discord takes it', async () => {
  const kept = Buffer.alloc(LIMIT, 'a');
  expect(await fileOf(kept)).toEqual({ attachment: kept, name: 'memories.jsonl' });
});

it('compresses what is larger', async () => {
  const kept = Buffer.alloc(LIMIT + 1, 'a');
  const file = await fileOf(kept);
  expect(file?.name).toBe('memories.jsonl.gz');
  expect(gunzipSync(file!.attachment)).toEqual(kept);
});

it('says where to get what is too large even so', async () => {
  const answer = await exportAnswer(randomBytes(2 * LIMIT), LIMIT);
  expect(answer.files).toBeUndefined();
  expect(answer.content).toContain('kith memories export');
});

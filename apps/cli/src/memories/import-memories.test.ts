import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { KEY, runCli, startScriptedApi } from '../e2e/scripted-api.js';
import { readRecords } from './import-memories.js';

async function read(...pieces: string[]) {
  async function* given() {
    yield* pieces;
  }
  const records: { text: string }[] = [];
  for await (const record of readRecords(given())) records.push(record);
  return records;
}
const LINE = '{"text":"I moved to Lyon","saidAt":"2026-05-01T10:00:00Z"}';

describe('readRecords', () => {
  it('reads a line at a time, however it is cut, and passes over blank ones', async () => {
    const records = await read(LINE.slice(0, 20), `${LINE.slice(20)}\n\n${LINE}`);
    expect(records.map(({ text }) => text)).toEqual(['I moved to Lyon', 'I moved to Lyon']);
  });

  it('reads core memory, too', async () => {
    const block = { core: 'human', companion: 'mira', text: 'Keeps bees.' };
    expect(await read(JSON.stringify(block))).toEqual([block]);
    await expect(read(JSON.stringify({ ...block, core: 'boss' }))).rejects.toThrow('line 1: core');
  });

  it('reads a fact that was told over years, with all that it was told in', async () => {
    const sources = Array.from({ length: 5_000 }, (_, n) => `message-${n}`);
    const fact = { ...(JSON.parse(LINE) as object), sources };
    expect(await read(JSON.stringify(fact))).toMatchObject([{ sources }]);
  });

  it.each([
    ['not json', 'line 2: is not a memory'],
    ['{"text":"x"}', 'line 2: saidAt'],
    ['{"text":"x","saidAt":"2026-05-01T10:00:00Z","colour":"red"}', 'line 2:'],
    ['{"text":"x","saidAt":"2180-05-01T10:00:00Z"}', 'line 2: saidAt: a time that has come already'],
    [
      `${LINE.slice(0, -1)},"fact":{"attribute":"home","value":"Lyon","validFrom":"2180-05-01T10:00:00Z","validTo":null,"isSure":true}}`,
      'line 2: fact.validFrom: a time that has come already',
    ],
    [
      `${LINE.slice(0, -1)},"fact":{"attribute":"home","value":"Lyon","validFrom":"2026-05-01T10:00:00Z","validTo":"2026-04-01T10:00:00Z","isSure":true}}`,
      'line 2: fact.validTo: a time no earlier than validFrom',
    ],
    [
      `${LINE.slice(0, -1)},"fact":{"attribute":"home","value":"Lyon","validFrom":"2026-05-01T10:00:00+02:00","validTo":null,"holdsUntil":"2026-05-01T07:59:59Z","isSure":true}}`,
      'line 2: fact.holdsUntil: a time no earlier than validFrom',
    ],
    ['{"text":"","saidAt":"2026-05-01T10:00:00Z"}', 'line 2: text'],
  ])('names the line of %s', async (line, problem) => {
    await expect(read(`${LINE}\n${line}\n`)).rejects.toThrow(problem);
  });
});

describe('an import', () => {
  const saidAt = '2026-05-01T10:00:00Z';
  const sources = Array.from({ length: 100 }, () => randomUUID());
  const count = 1_200;

  it.each([
    ['many sources', { text: 'I like figs', saidAt, sources }],
    ['letters of several bytes', { text: '説'.repeat(1_000), saidAt }],
    ['letters that JSON escapes', { text: `a${'\u0001'.repeat(1_000)}b`, saidAt }],
    ['nearly nothing in it', { text: 'figs', saidAt }],
  ])('sends no more at once than the API takes, of lines with %s', async (_, line) => {
    const api = await startScriptedApi();
    const input = `${JSON.stringify(line)}\n`.repeat(count);
    const { exit, texts } = runCli(['memories', 'import', '-'], { url: api.url, key: KEY, input });
    expect([await exit, texts.out]).toEqual([0, `kept ${count} of ${count} lines\n`]);
    const sizes = api.seen.map((body) => Buffer.byteLength(JSON.stringify(body)));
    expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
    await api.stop();
  });
});

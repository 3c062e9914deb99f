import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { refusal, useScriptedApi } from '../e2e/scripted-api.js';

const { api, cli } = useScriptedApi();

const MEMORY_ID = '019a0000-0000-7000-8000-0000aabbccdd';

describe('kith memories', () => {
  it('counts them also on Node 20, which groups nothing by itself', async () => {
    const usual = Object.getOwnPropertyDescriptor(Map, 'groupBy')!;
    Object.defineProperty(Map, 'groupBy', { ...usual, value: undefined });
    const { code, out } = await cli(['memories', 'stats', '--json']).finally(() =>
      Object.defineProperty(Map, 'groupBy', usual),
    );
    const rows = [{ kind: 'episode', shelf: 'open', heard: 'alone', count: 1 }];
    expect({ code, ...(JSON.parse(out) as object) }).toEqual({ code: 0, total: 1, recalled: 0, rows });
  });

  it('reads piped memories whose letters come in two pieces', async () => {
    const saidAt = '2026-05-01T10:00:00Z';
    const line = Buffer.from(JSON.stringify({ text: 'I moved to Zürich', saidAt }));
    const cut = line.indexOf(0xc3) + 1;
    const { out } = await cli(['memories', 'import', '-'], {
      input: [line.subarray(0, cut), line.subarray(cut)],
    });
    expect(out).toBe('kept 1 of 1 line\n');
    expect(api.seen).toMatchObject([{ records: [{ text: 'I moved to Zürich' }] }]);
  });

  it('reads a memory with a line separator in it from a file, as an export writes it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kith-import-'));
    const file = join(folder, 'ada.jsonl');
    const record = { text: 'One line\u2028and its other half', saidAt: '2026-05-01T10:00:00Z' };
    await writeFile(file, `${JSON.stringify(record)}\r\n${JSON.stringify(record)}`);
    const { code, out } = await cli(['memories', 'import', file]);
    expect([code, out]).toEqual([0, 'kept 2 of 2 lines\n']);
    expect(api.seen).toMatchObject([{ records: [record, record] }]);
    const { code: codeOfFolder, notes } = await cli(['memories', 'import', folder]);
    expect([codeOfFolder, notes]).toEqual([2, expect.stringContaining(`${folder} can't be read: EISDIR`)]);
    await rm(folder, { recursive: true });
  });

  it('lists, searches and forgets by the short id', async () => {
    expect((await cli(['memories', 'list'])).out).toMatch(
      /aabbccdd\s+2026-01-02\s+episode\s+alone\s+open\s+4\s+My dog/,
    );
    const search = await cli(['memories', 'search', 'my', 'dog']);
    expect(search.notes).toContain('searched without dense');
    expect(search.out).toContain('0.71');
    expect(await cli(['memories', 'forget', 'aabbccdd'])).toMatchObject({
      code: 0,
      out: 'forgot 1 memory and 2 lines of talk\n',
      notes: expect.stringContaining('until 10:20 (UTC) it can be taken back'),
    });
    expect((await cli(['memories', 'undo', MEMORY_ID])).out).toBe('took back 1 memory and 2 lines of talk\n');
    await cli(['memories', 'clear', '--yes']);
    expect(api.seen).toEqual([
      { ids: [MEMORY_ID], keepTalk: false, preview: false },
      { all: true, keepTalk: false, preview: false },
    ]);
  });

  it('lists what can be taken back, for whoever lost the receipt', async () => {
    const times = { at: '2026-03-01T10:00:00.000Z', undoUntil: '2026-03-01T10:10:00.000Z', keepTalk: false };
    const whats = [
      { kind: 'all' },
      { kind: 'ids', ids: [MEMORY_ID] },
      { kind: 'sources', sources: ['1', '2'] },
      { kind: 'period', from: times.at, to: times.undoUntil },
    ];
    const orders = whats.map((what, at) => {
      return { ...times, receipt: MEMORY_ID, what, companionId: at === 0 ? null : 'mira' };
    });
    api.answers['GET /v1/memories/forget'] = () => ({ body: { orders } });
    const lines = (await cli(['memories', 'undo'])).out.trim().split('\n');
    expect(lines.slice(1).map((line) => line.split(/ {2,}/))).toEqual(
      [
        ['all', 'everything'],
        ['mira', '1 memory, with what goes with them'],
        ['mira', 'what came of 2 messages'],
        ['mira', 'said from 2026-03-01 10:00 until 2026-03-01 10:10'],
      ].map((line) => [MEMORY_ID, '2026-03-01 10:00', '10:10', ...line]),
    );
    expect(JSON.parse((await cli(['memories', 'undo', '--json'])).out)).toEqual({ orders });
    api.answers['GET /v1/memories/forget'] = () => ({ body: { orders: [] } });
    expect((await cli(['memories', 'undo'])).notes).toContain('nothing was forgotten');
  });

  it('says how to take back what is noted and goes on by itself', async () => {
    api.answers['POST /v1/memories/forget'] = () => {
      const { body, ...rest } = refusal(503, 'unavailable', 'it is noted, and goes on by itself');
      return { ...rest, body: { ...(body as object), receipt: MEMORY_ID } };
    };
    for (const command of [
      ['forget', 'aabbccdd'],
      ['clear', '--yes'],
    ])
      expect(await cli(['memories', ...command])).toMatchObject({
        code: 1,
        notes: expect.stringMatching(
          `goes on by itself.*; for ten minutes it can be taken back: kith memories undo ${MEMORY_ID}`,
        ),
      });
  });

  it('shows core memory with the place of each block, and writes or clears one', async () => {
    const block = {
      label: 'human',
      text: 'Ann bakes.\nShe sails.',
      audience: 'direct',
      updatedBy: 'companion',
      updatedAt: '2026-03-01T10:00:00.000Z',
    };
    const blocks = [block, { ...block, text: 'Ann hosts the quiz.', audience: 'channel:discord:42' }];
    const asked: (string | null)[] = [];
    api.answers['GET /v1/memories/core'] = (_, query) => {
      asked.push(query.get('companion'));
      return { body: { blocks } };
    };
    expect((await cli(['memories', 'core', '--companion', 'mira'])).out).toBe(
      [
        'human, alone by the companion, 2026-03-01 10:00 (UTC)\n  Ann bakes.\n  She sails.',
        'human, channel:discord:42 by the companion, 2026-03-01 10:00 (UTC)\n  Ann hosts the quiz.\n',
      ].join('\n'),
    );
    expect(asked).toEqual(['mira']);
    const inPlace = await cli(['memories', 'core', '--in', 'channel:discord:42', '--json']);
    expect(JSON.parse(inPlace.out)).toEqual({ blocks: [blocks[1]] });
    expect((await cli(['memories', 'core', '--in', 'channel:discord:1'])).notes).toContain(
      'no block is written there: kith memories core human TEXT --in channel:discord:1 writes one',
    );

    const written: unknown[] = [];
    api.answers['PUT /v1/memories/core/human'] = (body) => {
      const { text } = JSON.parse(body) as { text: string };
      written.push(JSON.parse(body));
      return { body: { ...block, text, updatedBy: 'person' } };
    };
    const write = await cli(['memories', 'core', 'human', 'Ann', 'rows.', '--in', 'channel:discord:42']);
    expect(write.out).toContain('by you, 2026-03-01 10:00 (UTC)\n  Ann rows.\n');
    expect((await cli(['memories', 'core', 'human', '--clear'])).notes).toBe('cleared\n');
    expect(written).toEqual([{ text: 'Ann rows.', audience: 'channel:discord:42' }, { text: '' }]);
  });

  it('speaks JSON to scripts', async () => {
    expect(JSON.parse((await cli(['memories', 'list', '--json'])).out)).toMatchObject({ total: 1 });
  });
});

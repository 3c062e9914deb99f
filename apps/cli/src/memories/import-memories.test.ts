import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MEMORY, refusal, useScriptedApi } from '../e2e/scripted-api.js';
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

  it('reads a fact that ends before it begins, as an export of an earlier version may have it', async () => {
    const [begins, before] = ['2026-05-01T10:00:00+02:00', '2026-05-01T07:59:59Z'];
    const fact = { attribute: 'home', value: 'Lyon', validFrom: begins, isSure: true };
    const lines = [
      { ...fact, validTo: before },
      { ...fact, validTo: null, holdsUntil: before },
    ].map((one) => JSON.stringify({ ...(JSON.parse(LINE) as object), fact: one }));
    expect(await read(lines.join('\n'))).toMatchObject([
      { fact: { validTo: begins, holdsUntil: null } },
      { fact: { validTo: null, holdsUntil: begins } },
    ]);
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
    ['{"text":"","saidAt":"2026-05-01T10:00:00Z"}', 'line 2: text'],
  ])('names the line of %s', async (line, problem) => {
    await expect(read(`${LINE}\n${line}\n`)).rejects.toThrow(problem);
  });
});

describe('an import', () => {
  const { api, cli } = useScriptedApi();
  const imported = (input: string, ...flags: string[]) =>
    cli(['memories', 'import', '-', ...flags], { input });
  const saidAt = '2026-05-01T10:00:00Z';
  const sources = Array.from({ length: 100 }, () => randomUUID());
  const count = 1_200;

  it.each([
    ['many sources', { text: 'I like figs', saidAt, sources }],
    ['letters of several bytes', { text: '説'.repeat(1_000), saidAt }],
    ['letters that JSON escapes', { text: `a${'\u0001'.repeat(1_000)}b`, saidAt }],
    ['nearly nothing in it', { text: 'figs', saidAt }],
  ])('sends no more at once than the API takes, of lines with %s', async (_, line) => {
    const input = `${JSON.stringify(line)}\n`.repeat(count);
    const { code, out } = await imported(input);
    expect([code, out]).toEqual([0, `kept ${count} of ${count} lines\n`]);
    const sizes = api.seen.map((body) => Buffer.byteLength(JSON.stringify(body)));
    expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
  });

  it('keeps what came before a line that is none, and tells how much', async () => {
    const input = `${`${LINE}\n`.repeat(2_600)}nonsense\n`;
    const { code, notes } = await imported(input);
    expect(code).toBe(2);
    expect(api.seen.flatMap(({ records }) => records)).toHaveLength(2_600);
    expect(notes).toBe(
      '2000 lines\nkith: line 2601: is not a memory: write one JSON object with text and saidAt\n' +
        'until then: kept 2600 of 2600 lines; run it again once that is mended, what is kept is known then\n',
    );
  });

  it('tells how far it came where the suite fails it', async () => {
    let calls = 0;
    api.answers['POST /v1/memories/import'] = () =>
      (calls += 1) === 2 ? refusal(503, 'unavailable', 'memory is down') : null;
    const input = `${LINE}\n`.repeat(1_200);
    const { code, notes } = await imported(input);
    expect(code).toBe(1);
    expect(notes).toContain('memory is down');
    expect(notes).toContain('until then: kept 500 of 500 lines; run it again');
    expect(calls).toBe(2);
  });

  it('brings each line to its companion, one without to the default one, and all to one that is named', async () => {
    const record = JSON.parse(LINE) as object;
    const input = ['ivo', 'mira', undefined, 'ivo']
      .map((companion) => `${JSON.stringify({ ...record, companion })}\n`)
      .join('');
    const seen = async (...flags: string[]) => {
      api.seen.length = 0;
      expect(await imported(input, ...flags)).toMatchObject({ code: 0 });
      return api.seen.map(({ companion, records }) => [companion, (records as unknown[]).length]);
    };
    expect(await seen()).toEqual([
      ['ivo', 2],
      ['mira', 1],
      [undefined, 1],
    ]);
    expect(await seen('--companion', 'nova')).toEqual([['nova', 4]]);
  });

  it('goes on past a companion that is not there, and tells whose lines are left out', async () => {
    const gone = refusal(404, 'not_found', 'there is no companion "ivo"; there is mira');
    Object.assign(gone.body as object, { errors: [{ field: 'companion', message: 'there is none' }] });
    let asked = 0;
    const ifGone = (of: unknown) => {
      if (of !== 'ivo') return null;
      asked += 1;
      return gone;
    };
    api.answers['POST /v1/memories/import'] = (body) =>
      ifGone((JSON.parse(body) as { companion?: string }).companion);
    api.answers['GET /v1/memories/core'] = (_, query) =>
      ifGone(query.get('companion')) ?? { body: { blocks: [] } };
    api.answers['PUT /v1/memories/core/human'] = () => ({
      body: { label: 'human', text: 'x', updatedBy: 'person', updatedAt: '2026-05-01T10:00:00Z' },
    });
    const record = JSON.parse(LINE) as object;
    const input = [
      ...Array.from({ length: 600 }, () => ({ ...record, companion: 'ivo' })),
      ...['ivo', 'mira'].map((companion) => ({ core: 'human', companion, text: 'Keeps bees.' })),
      { ...record, companion: 'mira' },
      record,
    ];
    const { code, out, notes } = await imported(input.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect([code, out, asked]).toEqual([1, 'kept 3 of 604 lines\n', 1]);
    expect(notes).toBe(
      'kith: there is no companion "ivo": 601 lines of its own left out; ' +
        'to have another keep them, import a file of them alone with --companion\n',
    );
  });

  it('takes what an export wrote to the companion that has it', async () => {
    api.answers['GET /v1/memories/core'] = () => ({ body: { blocks: [] } });
    const written = await cli(['memories', 'export']);
    expect(written.code).toBe(0);
    expect(JSON.parse(written.out)).toMatchObject({ companion: 'mira', text: 'My dog is called Rex' });
    const { code } = await imported(written.out);
    expect([code, api.seen]).toEqual([0, [expect.objectContaining({ companion: 'mira' })]]);
  });

  it('finds the core memory of a companion that was retired in an export', async () => {
    const page = [{ ...MEMORY, companionId: 'orla' }];
    api.answers['GET /v1/memories'] = () => ({ body: { memories: page, nextCursor: null, total: 1 } });
    const block = { label: 'human', text: 'Keeps bees.', updatedBy: 'person', updatedAt: MEMORY.saidAt };
    api.answers['GET /v1/memories/core'] = (_, query) => ({
      body: { blocks: query.get('companion') === 'orla' ? [block] : [] },
    });
    const { code, out } = await cli(['memories', 'export', '--companion', 'orla']);
    expect(code).toBe(0);
    expect(out.split('\n')[1]).toContain('"core":"human"');
  });

  it('brings core memory of a channel back to that channel, beside that of direct talk', async () => {
    const noted = { label: 'human', updatedBy: 'companion', updatedAt: MEMORY.saidAt };
    const audience = 'channel:discord:1';
    const [direct, quiz] = [
      { ...noted, text: 'Keeps bees.', audience: 'direct' },
      { ...noted, text: 'Hosts the quiz.', audience },
    ];
    let blocks = [direct, quiz];
    api.answers['GET /v1/memories'] = () => ({ body: { memories: [], nextCursor: null, total: 0 } });
    let reads = 0;
    api.answers['GET /v1/memories/core'] = () => {
      reads += 1;
      return { body: { blocks } };
    };
    const written = await cli(['memories', 'export']);
    expect(written.code).toBe(0);
    expect(written.notes).toContain('2 of core memory (1 noted in channels)');
    const put: unknown[] = [];
    api.answers['PUT /v1/memories/core/human'] = (body) => {
      put.push(JSON.parse(body));
      return { body: quiz };
    };
    const brought = async () => {
      const { code, out } = await imported(written.out);
      expect(code).toBe(0);
      return out;
    };
    reads = 0;
    expect(await brought()).toBe('kept 0 of 2 lines; 2 were known\n');
    expect(reads).toBe(1);
    blocks = [direct];
    expect(await brought()).toBe('kept 1 of 2 lines; 1 were known\n');
    expect(put).toEqual([{ companion: 'mira', text: quiz.text, audience, basedOn: '' }]);
    blocks = [];
    await brought();
    expect(put).toContainEqual({ companion: 'mira', text: direct.text, basedOn: '' });
    // A newer one is there that the list does not show: the app is away from that server.
    blocks = [direct];
    api.answers['PUT /v1/memories/core/human'] = () => refusal(409, 'conflict', 'this was changed meanwhile');
    expect(await brought()).toMatch(/^kept 0 of 2 lines; 1 were known, 1 were left out/);
  });

  it('takes what an export wrote of a suite that does not tell companions', async () => {
    api.answers['GET /v1/memories'] = () => ({ body: { memories: [MEMORY], nextCursor: null, total: 1 } });
    api.answers['GET /v1/memories/core'] = () => ({ body: { blocks: [] } });
    const { code, out } = await cli(['memories', 'export']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).not.toHaveProperty('companion');
    expect(await imported(out)).toMatchObject({ code: 0 });
  });
});

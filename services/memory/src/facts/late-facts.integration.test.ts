import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { DAY_MS, importRecordOf, memoryContract } from '@kith/contracts';
import { pino } from 'pino';
import { onEachIndex, type MemoryOnIndex } from '../e2e/on-each-index.js';

import { FactExtractor } from './fact-extractor.js';
import { readByRules } from './read-by-rules.js';
import { readLinesBy } from './read-lines.js';

type Row = Record<string, unknown>;

const tests = (memory: MemoryOnIndex) => {
  const { sayOn, rowsOf, extract } = memory;

  const factsOf = async (personId: string) =>
    (await rowsOf(personId))
      .filter(({ kind }) => kind === 'fact')
      .toSorted((a, b) => Number(a['valid_from']) - Number(b['valid_from']))
      .map(({ text }) => text as string);
  /** Says these one after the other, each read before the next one arrives. */
  const readEach = async (personId: string, said: readonly (readonly [day: string, text: string])[]) => {
    for (const [on, text] of said) {
      await sayOn(on, text, { personId });
      await extract(personId);
    }
  };
  const forget = async (personId: string, text: string) => {
    const row = (await rowsOf(personId)).find((one) => one['text'] === text)!;
    const what = { kind: 'ids' as const, ids: [row['id'] as string] };
    await memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
    await extract(personId);
  };

  it('keeps what was said since, whatever is said late, and however that began', async () => {
    const personId = randomUUID();
    await readEach(personId, [
      ['2026-04-01', 'I live in Paris.'],
      ['2026-01-05', 'I live in Paris, as always.'],
      ['2026-02-01', 'I moved to Tokyo.'],
    ]);
    expect(await factsOf(personId)).toEqual([
      'Ann lives in Paris (from 5 January 2026 until 1 February 2026, no longer)',
      'Ann lives in Tokyo (from 1 February 2026 until 1 April 2026, no longer)',
      'Ann lives in Paris (since 1 April 2026)',
    ]);
  });

  it('holds for a while what is said so, beside what lasts, and as long when what ended it is forgotten', async () => {
    const personId = randomUUID();
    const byRules = readLinesBy(
      null,
      (line) => Promise.resolve(readByRules(line)),
      pino({ level: 'silent' }),
    );
    const extractor = new FactExtractor(
      memory.parts.database,
      memory.parts.writer,
      memory.parts.messenger,
      async (lines, context) => {
        const reading = await byRules(lines, context);
        const until = (n: number) =>
          lines[n]!.text.includes('summer') ? new Date('2026-08-31T00:00:00Z') : undefined;
        return {
          ...reading,
          statements: reading.statements.map(
            (of, n) => of?.map((each) => ({ ...each, until: until(n) })) ?? null,
          ),
        };
      },
    );
    for (const [on, text] of [
      ['2026-01-05', 'I live in Paris.'],
      ['2026-06-01', 'I live in Rome, for this summer.'],
      ['2026-07-01', 'I moved to Oslo.'],
    ] as const) {
      await sayOn(on, text, { personId });
      await extractor.extract([{ personId, companionId: 'wren' }]);
    }
    expect(await factsOf(personId)).toEqual([
      'Ann lives in Paris (from 5 January 2026 until 1 July 2026, no longer)',
      'Ann lives in Rome (from 1 June 2026 until 1 July 2026, no longer)',
      'Ann lives in Oslo (since 1 July 2026)',
    ]);
    await forget(personId, 'I moved to Oslo.');
    expect(await factsOf(personId)).toEqual([
      'Ann lives in Paris (since 5 January 2026)',
      'Ann lives in Rome (said on 1 June 2026, until 31 August 2026)',
    ]);
  });

  it('knows what is left once what was said late, or since, is forgotten', async () => {
    const said = [
      ['2026-01-05', 'I live in Paris.'],
      ['2026-04-01', 'I live in Paris, as always.'],
      ['2026-02-01', 'I moved to Tokyo.'],
    ] as const;
    const [late, since] = [randomUUID(), randomUUID()];
    await readEach(late, said);
    await forget(late, 'I moved to Tokyo.');
    expect((await factsOf(late)).at(-1)).toBe('Ann lives in Paris (since 1 April 2026)');
    await readEach(since, said);
    await forget(since, 'I live in Paris, as always.');
    expect(await factsOf(since)).toEqual([
      'Ann lives in Paris (from 5 January 2026 until 1 February 2026, no longer)',
      'Ann lives in Tokyo (since 1 February 2026)',
    ]);
  });

  it('knows what is left once facts that named each other are forgotten', async () => {
    const personId = randomUUID();
    await readEach(personId, [['2026-01-05', 'I live in Paris.']]);
    const at = '2026-02-01T10:00:00.000Z';
    const records = ['Bern', 'Rome'].map((value) => ({
      text: `Ann lives in ${value}`,
      saidAt: at,
      kind: 'fact' as const,
      sources: ['brought'],
      fact: { attribute: 'home', value, validFrom: at, validTo: at, isSure: true },
    }));
    await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
    await memory.stores.query(
      `UPDATE memories AS row SET valid_to = $2, superseded_by = other.id FROM memories AS other
       WHERE row.person_id = $1 AND other.person_id = $1 AND row.kind = 'fact'
         AND other.value = CASE row.value WHEN 'Bern' THEN 'Rome' ELSE 'Bern' END`,
      [personId, at],
    );
    const what = { kind: 'sources' as const, sources: ['brought'] };
    await memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
    expect(await factsOf(personId)).toEqual(['Ann lives in Paris (since 5 January 2026)']);
  });

  it('joins what an import brings to what is known, and what is known to that', async () => {
    const personId = randomUUID();
    await readEach(personId, [['2026-04-01', 'I moved to Tokyo.']]);
    const record = (value: string, saidAt: string, validTo: string | null) => ({
      text: `Ann lives in ${value}`,
      saidAt,
      kind: 'fact' as const,
      sources: [`${value} before`],
      fact: { attribute: 'home', value, validFrom: saidAt, validTo, isSure: true },
    });
    const records = [
      record('Paris', '2026-02-01T10:00:00.000Z', null),
      record('Bern', '2026-01-05T10:00:00.000Z', '2026-02-01T10:00:00.000Z'),
    ];
    const keep = (some: typeof records) =>
      memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records: some });
    expect(await keep(records)).toEqual({ kept: 2, known: 0, left: 0 });
    const [bern, paris, tokyo] = (await rowsOf(personId))
      .filter(({ kind }) => kind === 'fact')
      .toSorted((a, b) => Number(a['valid_from']) - Number(b['valid_from'])) as [Row, Row, Row];
    expect(bern).toMatchObject({ value: 'Bern', superseded_by: paris['id'] });
    expect(paris).toMatchObject({
      value: 'Paris',
      superseded_by: tokyo['id'],
      valid_to: tokyo['valid_from'],
      text: 'The person lives in Paris (from 1 February 2026 until 1 April 2026, no longer)',
    });
    expect(tokyo).toMatchObject({ value: 'Tokyo', valid_to: null });
    expect(await keep(records)).toEqual({ kept: 0, known: 2, left: 0 });
    await keep([record('Oslo', '2026-04-20T10:00:00.000Z', null)]);
    expect((await factsOf(personId)).slice(2)).toEqual([
      'Ann lives in Tokyo (from 1 April 2026 until 20 April 2026, no longer)',
      'Ann lives in Oslo',
    ]);
  });

  it('ends nothing with what an import brings as taken back, whose line is read again', async () => {
    const personId = randomUUID();
    const [before, at] = ['2026-01-05T10:00:00.000Z', '2026-02-01T10:00:00.000Z'];
    const home = (value: string, saidAt: string) => ({
      text: `Ann lives in ${value}`,
      saidAt,
      kind: 'fact' as const,
      sources: [value],
      fact: { attribute: 'home', value, validFrom: saidAt, validTo: null, isSure: true },
    });
    const records = [
      home('London', before),
      { ...home('Pariss', at), withdrawn: true },
      { text: 'I live in Pariss.', saidAt: at, sources: ['Pariss'] },
    ];
    await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
    await extract(personId);
    const rows = await rowsOf(personId);
    expect(rows.find(({ kind }) => kind === 'episode')!['read_at']).not.toBeNull();
    expect(rows.find(({ value }) => value === 'London')).toMatchObject({
      valid_to: null,
      superseded_by: null,
    });
    // Said anew, it is a statement of its own.
    await readEach(personId, [['2026-03-01', 'I live in Pariss.']]);
    expect((await factsOf(personId)).at(-1)).toBe('Ann lives in Pariss (since 1 March 2026)');
  });

  it('takes no fact that ends before it begins, and an export brings none', async () => {
    const [begins, before] = ['2026-02-01T10:00:00.000Z', '2026-01-05T10:00:00.000Z'];
    const personId = randomUUID();
    const keep = (validTo: string | null, holdsUntil: string | null = null) =>
      memory.messenger.ask(memoryContract.import, {
        personId,
        companionId: 'wren',
        records: [
          {
            text: 'Ann lives in Rome',
            saidAt: begins,
            kind: 'fact' as const,
            fact: { attribute: 'home', value: 'Rome', validFrom: begins, validTo, isSure: true, holdsUntil },
          },
        ],
      });
    await expect(keep(before)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(keep(null, before)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await keep(null)).toMatchObject({ kept: 1 });
    // As earlier versions took it.
    await memory.stores.query('UPDATE memories SET valid_to = $2 WHERE person_id = $1', [personId, before]);
    const { memories } = await memory.messenger.ask(memoryContract.list, { personId });
    const records = memories.map(importRecordOf);
    const other = { personId: randomUUID(), companionId: 'wren' };
    expect(await memory.messenger.ask(memoryContract.import, { ...other, records })).toMatchObject({
      kept: 1,
    });
    const [kept] = await rowsOf(other.personId);
    expect(kept).toMatchObject({ valid_to: kept!['valid_from'] });
  });

  it('takes no fact or line of a time to come', async () => {
    const saidAt = new Date(Date.now() + 2 * DAY_MS).toISOString();
    const fact = { attribute: 'home', value: 'Mars', validFrom: saidAt, validTo: null, isSure: true };
    const keep = (record: { saidAt: string; fact?: typeof fact }) =>
      memory.messenger.ask(memoryContract.import, {
        personId: randomUUID(),
        companionId: 'wren',
        records: [{ text: 'Ann lives on Mars', kind: 'fact', ...record }],
      });
    await expect(keep({ saidAt })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(keep({ saidAt: '2026-05-01T10:00:00Z', fact })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
};

onEachIndex('facts that are told late', tests, ['exact']);

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Database } from '@kith/database';
import { estimateTokens } from '@kith/llm';
import { TalkReader } from '../conversations/talk-reader.js';
import { searchTalk } from '../conversations/search-talk.js';
import { NOTHING_MADE, marks, withTalk } from '../e2e/talk.js';
import { ErasureRecords } from '../erasure/erasure-records.js';
import { TranscriptRedactor } from '../redaction/transcript-redactor.js';
import { EpochKeeper } from './epoch-keeper.js';
import { listEpochs, restoreEpoch } from './list-epochs.js';
import { snapshotBlock } from './snapshot-block.js';

const talk = withTalk();
const FACT = 'My boat Zephyrine lies at pier 14, and I will sell it in May.';
const LIMIT = 1_500;

interface Place {
  conversationId: string;
  personId: string;
}

/** Writes a long talk, which begins with the fact. Returns the fact's message id. */
async function fill({ conversationId, personId }: Place, more = 150): Promise<string> {
  const source = `m-${randomUUID()}`;
  const lines = Array.from({ length: more }, (_, n) => ({
    turn_id: randomUUID(),
    external_id: n === 0 ? source : `m-${randomUUID()}`,
    text: n === 0 ? FACT : `well, that is about how it went today, more or less, ${'as ever '.repeat(5)}`,
  }));
  await talk.stores.query(
    `WITH line AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS line (turn_id uuid, external_id text, text text)),
     turn AS (INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome,
        degraded, trace, started_at, ended_at)
       SELECT turn_id, $2, $3, 'mira', 'discord', 'direct', 'message', 'answered', '{}', '{}', now(), now() FROM line),
     box AS (INSERT INTO inbox (conversation_id, person_id, door, external_id, text, sent_at, turn_id, outcome, ended_at)
       SELECT $2, $3, 'discord', external_id, text, now(), turn_id, 'answered', now() FROM line)
     INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, external_id, text, at)
       SELECT $2, turn_id, $3, 'person', 'Ann', external_id, text, now() FROM line`,
    [JSON.stringify(lines), conversationId, personId],
  );
  return source;
}

/** Ends the epoch. */
async function reset(place: Place) {
  const { epoch } = await told(place);
  const ended = await new EpochKeeper(talk.database, new TalkReader()).reset(
    { ...place, companionId: 'mira', epoch },
    LIMIT,
    estimateTokens,
  );
  if (ended === null) throw new Error('there was nothing to compact');
  return ended;
}

const told = (place: Place) =>
  talk.database.read({ conversationId: place.conversationId }, (reader) =>
    new TalkReader().read(reader, place),
  );
const snapshotOf = async (place: Place) => snapshotBlock((await told(place)).kept, 'Mira', null);

describe('the end of an epoch', () => {
  it('tells the beginning in short from then on, and the rest as it is; all of it stays, and is found', async () => {
    const place = await talk.place();
    await fill(place);
    const { talk: after, findings } = await reset(place);
    expect(after).toEqual(await told(place));
    expect(after.epoch).toMatchObject({ number: 1 });
    expect(snapshotBlock(after.kept, 'Mira', null)).toContain('Zephyrine lies at pier 14');
    expect(after.earlier.length).toBeLessThan(60);
    expect(findings).toMatchObject({ missed: 0 });
    await fill(place, 100);
    expect((await reset(place)).talk.epoch).toMatchObject({ number: 2 });
    expect(await snapshotOf(place)).toContain('Zephyrine lies at pier 14');
    const [passage] = await searchTalk(talk.database, place, 'the pier of my boats', 3);
    expect(passage!.map(({ text }) => text)).toContain(FACT);
    const lines = await talk.rowsOf('transcript', '1', place);
    expect(lines).toHaveLength(250);
  });

  it('is listed with its snapshot to its person, without words to an operator, and can be gone back to', async () => {
    const place = await talk.place();
    await fill(place);
    await reset(place);
    await fill(place, 100);
    await reset(place);
    const { conversationId, personId } = place;
    const own = await listEpochs(talk.database, { personId, isOperator: false }, conversationId, null);
    expect(own.map(({ number }) => number)).toEqual([0, 1, 2]);
    expect(own[1]!.snapshot).toContain('Zephyrine');
    const operator = await listEpochs(
      talk.database,
      { personId: randomUUID(), isOperator: true },
      conversationId,
      null,
    );
    expect(JSON.stringify(operator)).not.toContain('Zephyrine');
    expect(operator[2]).toMatchObject({ number: 2, kept: own[2]!.kept, snapshot: null });
    const stranger = { personId: randomUUID(), isOperator: false };
    await expect(listEpochs(talk.database, stranger, conversationId, null)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await restoreEpoch(talk.database, conversationId, 1)).toBe(3);
    const { epoch, earlier } = await told(place);
    expect([epoch?.number, String(epoch?.tailFrom)]).toEqual([3, own[1]!.tailFrom]);
    expect(earlier.length).toBeGreaterThan(100);
    await expect(restoreEpoch(talk.database, conversationId, 9)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is one, where two turns meet it at once', async () => {
    const place = await talk.place();
    await fill(place);
    const keeper = new EpochKeeper(talk.database, new TalkReader());
    const both = await Promise.all(
      [1, 2].map(() => keeper.reset({ ...place, companionId: 'mira', epoch: null }, LIMIT, estimateTokens)),
    );
    expect(both[0]!.talk).toEqual(both[1]!.talk);
    expect(both[0]!.talk.epoch).toMatchObject({ number: 1 });
  });

  it('holds no words of its own: what is forgotten, edited or erased is so in every snapshot', async () => {
    const place = await talk.place();
    const source = await fill(place);
    await reset(place);
    const stored = JSON.stringify(await talk.rowsOf('epochs', 'epochs::text', place));
    expect(stored).not.toMatch(/Zephyrine|pier/);
    const redactor = new TranscriptRedactor(talk.database);
    const order = { orderId: randomUUID(), until: new Date(Date.now() + 60_000), keepTalk: false };
    const choice = { personId: place.personId, companionId: null, what: { sources: [source] } };
    await redactor.forget(order, choice, { memoryIds: [], sources: [] });
    expect(await snapshotOf(place)).not.toContain('Zephyrine');
    expect(await searchTalk(talk.database, place, 'Zephyrine pier', 3)).toEqual([]);
    await redactor.undo(place.personId, order.orderId);
    expect(await snapshotOf(place)).toContain('Zephyrine');
    await talk.stores.query(
      `UPDATE transcript SET text = 'My boat Nimbus lies at pier 9.' WHERE external_id = $1`,
      [source],
    );
    expect(await snapshotOf(place)).toContain('Nimbus lies at pier 9');
    const erasures = new ErasureRecords(talk.database, marks);
    await erasures.begin(place.personId, 'person');
    await erasures.eraseRest(place.personId, NOTHING_MADE);
    expect(await talk.stores.query('SELECT 1 FROM epochs WHERE person_id = $1', [place.personId])).toEqual(
      [],
    );
  });

  it('is made without reading the talk that no prompt tells any more', async () => {
    const place = await talk.place();
    await fill(place, 4_000);
    const { talk: after } = await reset(place);
    await fill(place, 100);
    const { epoch } = await told(place);
    const lines = await talk.database.read({ conversationId: place.conversationId }, async (reader) => {
      const read = async () => {
        const [counted] = await reader.$queryRaw<[{ lines: number }]>`
          SELECT (seq_tup_read + idx_tup_fetch)::int AS lines FROM pg_stat_xact_user_tables
          WHERE relname = 'transcript'`;
        return counted.lines;
      };
      // A table of so few lines may as well be read whole.
      await reader.$queryRaw`SELECT set_config('enable_seqscan', 'off', true)`;
      const before = await read();
      const write = talk.database.write.bind(talk.database);
      const counted = { reader: () => reader, write } as unknown as Database;
      const again = { ...place, companionId: 'mira', epoch };
      await new EpochKeeper(counted, new TalkReader()).reset(again, LIMIT, estimateTokens);
      return (await read()) - before;
    });
    expect(lines).toBeLessThan(3 * (after.earlier.length + after.kept.length + 100));
    expect(await snapshotOf(place)).toContain('Zephyrine');
  });

  it('takes along what replied to it long after, with the snapshot in view', async () => {
    const place = await talk.place();
    const source = await fill(place);
    const { talk: after } = await reset(place);
    await fill(place, 100);
    const turnId = randomUUID();
    const view = { epoch: after.epoch!.id, from: String(after.earlier[0]!.id) };
    await talk.stores.query(
      `WITH turn AS (INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin,
         outcome, degraded, trace, started_at, ended_at)
       VALUES ($1, $2, $3, 'mira', 'discord', 'direct', 'message', 'answered', '{}', $4, now(), now()))
       INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, text, at)
       VALUES ($2, $1, $3, 'companion', 'Mira', 'It was the Zephyrine.', now())`,
      [turnId, place.conversationId, place.personId, JSON.stringify({ view })],
    );
    const order = { orderId: randomUUID(), until: null, keepTalk: false };
    const choice = { personId: place.personId, companionId: null, what: { sources: [source] } };
    await new TranscriptRedactor(talk.database).forget(order, choice, { memoryIds: [], sources: [] });
    const [reply] = await talk.stores.query('SELECT text, withheld FROM transcript WHERE turn_id = $1', [
      turnId,
    ]);
    expect(reply).toEqual({ text: '', withheld: 'forgotten' });
  });

  it('tells a member of a channel nothing that another said there in private', async () => {
    const [ann, bo] = (await talk.channelOf(2)) as [Place, Place];
    const source = await fill(ann);
    await talk.stores.query(`UPDATE transcript SET withheld = 'private' WHERE external_id = $1`, [source]);
    await reset(bo);
    expect(await snapshotOf(ann)).toContain('Zephyrine');
    expect(await snapshotOf(bo)).not.toContain('Zephyrine');
    await talk.stores.query(`UPDATE transcript SET text = '' WHERE external_id = $1`, [source]);
    expect(await snapshotOf(ann)).not.toContain('Zephyrine');
  });
});

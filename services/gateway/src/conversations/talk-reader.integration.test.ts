import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql, uuid7, type Sql } from '@kith/database';
import { answered, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import type { Speaker } from './conversations.js';
import { TalkReader } from './talk-reader.js';

const talk = withTalk();
const reader = new TalkReader();
let place: Speaker;

beforeEach(async () => {
  place = await talk.place();
});

describe('TalkReader', () => {
  it('reads what is new, and keeps the objects of what stands', async () => {
    await say('one', 'two');
    const before = await read();
    expect(before).toEqual(['one', 'two']);
    const { earlier } = await talkNow();
    await say('three');
    const after = await talkNow();
    expect(after.earlier.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    expect(after.earlier[0]).toBe(earlier[0]);
    expect((await talkNow()).earlier[2]).toBe(after.earlier[2]);
  });

  it.each([
    [
      'changed',
      sql`UPDATE transcript SET text = 'other', revision = revision + 1 WHERE text = 'one'`,
      'other,two',
    ],
    ['withheld', sql`UPDATE transcript SET withheld = 'forgotten' WHERE text = 'one'`, 'two'],
    ['deleted', sql`DELETE FROM transcript WHERE text = 'one'`, 'two'],
    ['all deleted', sql`DELETE FROM transcript WHERE text IN ('one', 'two')`, ''],
  ])('tells no line as it was that was %s', async (_, change, told) => {
    await say('one', 'two');
    await read();
    await write(sql`${change} AND conversation_id = ${place.conversationId}::uuid`);
    expect(String(await read())).toBe(told);
    await say('three');
    expect(String(await read())).toBe([told, 'three'].filter(Boolean).join());
  });

  it('lacks no line of turns that are committed side by side while it reads', async () => {
    const speakers = await talk.channelOf(8);
    place = speakers[0]!;
    const committed = speakers.map(async (speaker, n) => {
      await talk.accept(speaker, `said ${n}`);
      const claim = await talk.claim(speaker);
      await commitTurn(talk.database, claim, answered(), false);
    });
    const all = Promise.all(committed);
    do await read();
    while ((await Promise.race([all, Promise.resolve('open')])) === 'open');
    const told = await read();
    expect(told).toHaveLength(2 * speakers.length);
    reader.forget(place.personId);
    expect(told).toEqual(await read());
  });

  it('notices each of more changes than it looks at', async () => {
    await say('one', 'two');
    await write(sql`
      INSERT INTO transcript_changes (conversation_id)
      SELECT ${place.conversationId}::uuid FROM generate_series(1, 600)`);
    for (const text of ['three', 'four', 'five']) {
      await read();
      await write(
        sql`UPDATE transcript SET text = ${text} WHERE text <> 'two' AND conversation_id = ${place.conversationId}::uuid`,
      );
      expect(await read()).toEqual([text, 'two']);
    }
  });

  it('begins anew with an epoch', async () => {
    await say('one', 'two', 'three');
    await read();
    const { earlier } = await talkNow();
    await write(sql`
      INSERT INTO epochs (epoch_id, conversation_id, person_id, number, tail_from, kept, facts, findings)
      VALUES (${uuid7()}::uuid, ${place.conversationId}::uuid, ${place.personId}::uuid, 1, ${earlier[2]!.id},
        ${[String(earlier[0]!.id)]}::bigint[], ${[String(earlier[0]!.id)]}::bigint[], '{}')`);
    const after = await talkNow();
    expect(after.epoch).toMatchObject({ number: 1, tailFrom: earlier[2]!.id });
    expect(after.kept).toMatchObject([{ text: 'one', asFact: true }]);
    expect(after.earlier).toMatchObject([{ text: 'three' }]);
    await say('four');
    const next = await talkNow();
    expect(next.kept).toBe(after.kept);
    expect(next.earlier).toMatchObject([{ text: 'three' }, { text: 'four' }]);
    await write(
      sql`UPDATE transcript SET withheld = 'forgotten' WHERE text = 'one' AND conversation_id = ${place.conversationId}::uuid`,
    );
    expect((await talkNow()).kept).toEqual([]);
  });

  it('tells each person their own private lines alone, and nothing without its condition', async () => {
    const [ann, bea] = await talk.channelOf(2);
    place = ann!;
    await say('secret', 'open');
    await write(
      sql`UPDATE transcript SET withheld = 'private' WHERE text = 'secret' AND conversation_id = ${ann!.conversationId}::uuid`,
    );
    expect(await read()).toEqual(['secret', 'open']);
    expect((await talkNow(bea)).earlier.map(({ text }) => text)).toEqual(['open']);
    expect((await talkNow(ann, sql`AND false`)).earlier).toEqual([]);
    expect(await read()).toEqual(['secret', 'open']);
  });

  it('holds nothing of a person whom it forgets, and reads it anew', async () => {
    await say('one');
    const { earlier } = await talkNow();
    reader.forget(place.personId);
    const again = await talkNow();
    expect(again.earlier).toEqual(earlier);
    expect(again.earlier[0]).not.toBe(earlier[0]);
  });
});

function talkNow(who: Speaker = place, where?: Sql) {
  return talk.database.read({ personId: who.personId, conversationId: who.conversationId }, (tx) =>
    reader.read(tx, who, where),
  );
}

async function read(): Promise<string[]> {
  return (await talkNow()).earlier.map(({ text }) => text);
}

function write(statement: Sql) {
  return talk.database.write({ conversationId: place.conversationId }, (tx) => tx.$executeRaw(statement));
}

async function say(...texts: string[]) {
  for (const text of texts) await line(text);
}

function line(text: string) {
  return write(sql`
    INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, text, at)
    VALUES (${place.conversationId}::uuid, ${uuid7()}::uuid, ${place.personId}::uuid, 'person', 'Ann', ${text}, now())`);
}

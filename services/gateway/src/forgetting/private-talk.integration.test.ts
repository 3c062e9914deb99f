import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Privacy } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import { answered, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { PrivateTalk } from './private-talk.js';

const talk = withTalk();

/** Private talk with a memory that may be away, or whose answers to a change may be lost. */
function privateTalk() {
  const memory = {
    since: null as string | null,
    isDown: false,
    losesAnswer: false,
    onChange: async (): Promise<unknown> => undefined,
    now: (): Privacy => ({ private: memory.since !== null, since: memory.since }),
  };
  const ask = async (_: unknown, { private: wanted }: { private?: boolean }): Promise<Privacy> => {
    if (memory.isDown) throw new Error('memory is away');
    if (wanted === undefined) return memory.now();
    await memory.onChange();
    memory.since = wanted ? (memory.since ?? new Date().toISOString()) : null;
    if (memory.losesAnswer) throw new Error('the answer is lost');
    return memory.now();
  };
  const logger = pino({ level: 'silent' });
  return {
    memory,
    privacy: new PrivateTalk(talk.database, talk.locks, { ask: ask as never }, () => undefined, logger),
  };
}

/** Makes somebody who says things, and looks at what is kept of them. */
async function someone() {
  const where = await talk.place();
  const { personId } = where;
  const row = async () =>
    (
      await talk.stores.query(
        `SELECT private_from IS NOT NULL AS withheld, privacy_asked_at IS NOT NULL AS asked
         FROM people WHERE person_id = $1`,
        [personId],
      )
    )[0];
  /** Begins the answer to what is said. Returns its end. */
  const begin = async (sentAt = new Date()) => {
    const messageId = randomUUID();
    await talk.say(where, { externalId: messageId, target: null, sentAt });
    const claim = await talk.claim(where);
    const turn = answered();
    return async (): Promise<() => Promise<unknown>> => {
      await commitTurn(talk.database, claim, turn, false);
      return async () => {
        const [line] = await talk.stores.query(
          `SELECT line.text, withheld FROM transcript AS line JOIN inbox USING (turn_id, external_id, text)
           WHERE turn_id = $1`,
          [turn.turnId],
        );
        return line;
      };
    };
  };
  return {
    personId,
    row,
    begin,
    say: async () => (await begin())(),
    /** Lets the time pass after which a change counts as broken off. */
    wait: () =>
      talk.stores.query(
        `UPDATE people SET privacy_asked_at = privacy_asked_at - interval '1 minute' WHERE person_id = $1`,
        [personId],
      ),
  };
}

const AGREED = { asked: false };
const GONE = { text: '', withheld: 'private' };
const TOLD = { text: 'hello', withheld: null };

it('withholds what is said from before memory is asked until after, and what was withheld goes', async () => {
  const { memory, privacy } = privateTalk();
  const { personId, row, say } = await someone();
  const seen: unknown[] = [];
  memory.onChange = async () => seen.push(await row());
  expect(await privacy.set(personId, true)).toMatchObject({ private: true });
  const line = await say();
  expect(await line()).toEqual({ text: 'hello', withheld: 'private' });
  await privacy.set(personId, false);
  expect(seen).toEqual(Array.from({ length: 2 }, () => ({ withheld: true, asked: true })));
  expect([await line(), await row()]).toEqual([GONE, { withheld: false, ...AGREED }]);
  expect(await (await say())()).toEqual(TOLD);
});

it.each([
  ['whoever asks how it is', (talking: PrivateTalk, personId: string) => talking.set(personId, undefined)],
  ['the next change', (talking: PrivateTalk, personId: string) => talking.set(personId, false)],
  ['the sweeper', (talking: PrivateTalk) => talking.resume()],
])('an end of which memory’s answer was lost is brought to its end by %s', async (_, look) => {
  const { memory, privacy } = privateTalk();
  const { personId, row, say, wait } = await someone();
  await privacy.set(personId, true);
  const line = await say();
  memory.losesAnswer = true;
  await expect(privacy.set(personId, false)).rejects.toThrow('lost');
  memory.losesAnswer = false;
  await wait();
  expect(await row()).toEqual({ withheld: true, asked: true });
  // The lock of a change that failed goes with its connection, a moment later.
  await eventually('the two are in line', async () => {
    await look(privacy, personId);
    return (await row())?.asked === false;
  });
  expect([await line(), await row()]).toEqual([GONE, { withheld: false, ...AGREED }]);
  expect(await (await say())()).toEqual(TOLD);
  expect(await privacy.resume()).toBe(0);
});

it('a beginning that memory never heard of withholds nothing more, and what was said meanwhile is not told', async () => {
  const { memory, privacy } = privateTalk();
  const { personId, row, say, wait } = await someone();
  memory.onChange = () => Promise.reject(new Error('memory is away'));
  await expect(privacy.set(personId, true)).rejects.toThrow('away');
  const line = await say();
  await wait();
  memory.isDown = true;
  expect(await privacy.resume()).toBe(1);
  expect(await row()).toEqual({ withheld: true, asked: true });
  memory.isDown = false;
  await eventually('the two are in line', async () => {
    await privacy.resume();
    return (await row())?.asked === false;
  });
  expect([await line(), await row()]).toEqual([GONE, { withheld: false, ...AGREED }]);
});

it('changes nothing while memory is away', async () => {
  const { memory, privacy } = privateTalk();
  const { personId, row } = await someone();
  memory.isDown = true;
  await expect(privacy.set(personId, true)).rejects.toThrow('away');
  expect(await row()).toEqual({ withheld: false, ...AGREED });
});

it('withholds what was said since memory began, where the gateway did not know', async () => {
  const { memory, privacy } = privateTalk();
  const { personId, say } = await someone();
  memory.since = new Date(Date.now() - 1_000).toISOString();
  const line = await say();
  expect(await line()).toEqual(TOLD);
  await privacy.set(personId, false);
  expect(await line()).toEqual(GONE);
});

it('what is answered when a later private time has begun goes as well', async () => {
  const { privacy } = privateTalk();
  const { personId, begin, say } = await someone();
  await privacy.set(personId, true);
  const end = await begin();
  await privacy.set(personId, false);
  await privacy.set(personId, true);
  const late = await end();
  const line = await say();
  expect([await late(), await line()]).toEqual([GONE, { text: 'hello', withheld: 'private' }]);
});

it('what a door brings when a later private time is over goes as well', async () => {
  const { privacy } = privateTalk();
  const { personId, begin } = await someone();
  await privacy.set(personId, true);
  const sentAt = new Date();
  await privacy.set(personId, false);
  const between = new Date();
  await privacy.set(personId, true);
  await privacy.set(personId, false);
  expect(await (await (await begin(sentAt))())()).toEqual(GONE);
  expect(await (await (await begin(between))())()).toEqual(TOLD);
});

it.each([
  ['is not private now', false],
  ['is private again', true],
])(
  'empties what a restore has brought back of private talk that has ended, for one who %s',
  async (_, again) => {
    const { memory, privacy } = privateTalk();
    const { personId, row, say, wait } = await someone();
    const before = await say();
    await privacy.set(personId, true);
    const over = await say();
    // As a restore has it: the times are as they are now, the words as they were.
    const since = new Date();
    await talk.stores.query(
      `UPDATE people SET private_from = $2, privacy_asked_at = now(),
       private_ended = tstzmultirange(tstzrange(private_from, $3)) WHERE person_id = $1`,
      [personId, again ? since : null, since],
    );
    memory.since = again ? since.toISOString() : null;
    const now = await say();
    await wait();
    expect(await privacy.resume()).toBe(1);
    expect(await row()).toEqual({ withheld: again, ...AGREED });
    expect([await before(), await over(), await now()]).toEqual([
      TOLD,
      GONE,
      again ? { text: 'hello', withheld: 'private' } : TOLD,
    ]);
  },
);

it('an end writes nothing again that an earlier one emptied', async () => {
  const { privacy } = privateTalk();
  const { personId, begin, say } = await someone();
  await privacy.set(personId, true);
  await say();
  await begin();
  // A call of the turn that has begun stays.
  await talk.stores.query(
    `INSERT INTO tool_calls (id, key, person_id, companion_id, turn_id, tool, pin, place, arguments, status, result)
     VALUES (gen_random_uuid(), gen_random_uuid()::text, $1, 'mira', gen_random_uuid(), 'order', 'pin', '{}',
       '{"to": "Ann"}', 'done', 'sent')`,
    [personId],
  );
  await privacy.set(personId, false);
  const versions = () =>
    talk.stores.query(
      `SELECT xmin::text AS version, text AS words FROM inbox WHERE person_id = $1 AND outcome IS NOT NULL
       UNION ALL SELECT xmin::text, result FROM tool_calls WHERE person_id = $1`,
      [personId],
    );
  const before = await versions();
  expect(before.map(({ words }) => words)).toEqual(['', null]);
  await privacy.set(personId, true);
  await privacy.set(personId, false);
  expect(await versions()).toEqual(before);
});

it('carries two changes of one person out one after the other', async () => {
  const { memory, privacy } = privateTalk();
  const { personId, row } = await someone();
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  let changes = 0;
  memory.onChange = () => ((changes += 1) === 1 ? held : Promise.resolve());
  const beginning = privacy.set(personId, true);
  const ending = privacy.set(personId, false);
  release();
  const [begun, ended] = await Promise.all([beginning, ending]);
  const isPrivate = memory.since !== null;
  expect([begun.private, ended.private]).toEqual([true, false]);
  expect(await row()).toEqual({ withheld: isPrivate, ...AGREED });
});

it('a change waits while as many orders are carried out as the pool bears', async () => {
  const { privacy } = privateTalk();
  const { personId } = await someone();
  const steps = new EventEmitter();
  const isEnded = once(steps, 'end');
  const orders = [1, 2, 3].map(() => talk.locks.alone(randomUUID(), 0, () => isEnded));
  let isSet = false;
  const setting = privacy.set(personId, true).then(() => (isSet = true));
  await setTimeout(300);
  expect(isSet).toBe(false);
  steps.emit('end');
  await Promise.all([...orders, setting]);
});

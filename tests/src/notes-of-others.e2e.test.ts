import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscordDouble, eventually, ScriptedModel, type DiscordMessage } from '@kith/testing';
import { startSuite, type Suite } from './suite.js';

let suite: Suite;
let model: ScriptedModel;
let discord: DiscordDouble;

beforeAll(async () => {
  [model, discord] = await Promise.all([ScriptedModel.start(), DiscordDouble.start()]);
  suite = await startSuite(
    {
      CHAT_MODELS: 'compatible:scripted',
      COMPATIBLE_BASE_URL: `${model.url}/v1`,
      CHAT_TOOLS: 'true',
      DISCORD_TOKEN: discord.token,
      DISCORD_API_BASE: discord.api,
    },
    { placement: 'together' },
  );
  await discord.waitForReady();
}, 120_000);
afterEach(() => model.reset());
afterAll(async () => {
  await suite.stop();
  await Promise.all([model.stop(), discord.stop()]);
});

/** Notes anywhere with this word. */
async function notesWith(word: string): Promise<string[]> {
  const rows = await suite.query<{ place: string }>(
    `SELECT 'core' AS place FROM core_blocks WHERE text ~ $1 UNION ALL SELECT 'task' FROM tasks WHERE text ~ $1
     UNION ALL SELECT 'archive' FROM memories WHERE writer = 'companion' AND text ~ $1`,
    [word],
  );
  return rows.map(({ place }) => place).toSorted();
}

/** Every table in which this stands. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await suite.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await suite.query(`SELECT 1 FROM "${name}" AS row WHERE row::text ~ $1 LIMIT 1`, [text]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** Opens a channel that two share, in which each waits for the answer to what they say. */
function shared(own: string) {
  const place = discord.channel(discord.guild(`Home of ${own}`), 'general');
  const [bob, ann] = [discord.user(`bob-${own}`), discord.user(`ann-${own}`)];
  const say = async (who: typeof bob, text: string): Promise<DiscordMessage> => {
    const message = discord.say(who, text, place, { mentions: [discord.bot] });
    await discord.waitForMessage((reply) => reply.message_reference?.message_id === message.id);
    return message;
  };
  return { bob, ann, say };
}

/** Finds the person whose account this is. */
async function personOf({ id }: { id: string }): Promise<string> {
  const [found] = await suite.query<{ personId: string }>(
    `SELECT person_id AS "personId" FROM identities WHERE subject = $1`,
    [id],
  );
  return found!.personId;
}

function erase(personId: string) {
  return suite.api(`/v1/people/${personId}`, { method: 'DELETE' });
}

/** Tells the companion something in a channel that two share, of which it notes something for the other one. */
async function tellAndNote(secret: string, own: string) {
  const { bob, ann, say } = shared(own);
  model.next({ kind: 'reply', reply: 'I see.' });
  const told = await say(bob, `My safe opens with ${secret}.`);
  const toolCalls = [
    { name: 'core_memory_append', arguments: { label: 'human', content: `Knows of ${secret}.` } },
    { name: 'task_add', arguments: { text: `Ask who else knows ${secret}`, priority: 2 } },
    { name: 'archival_memory_insert', arguments: { content: `Heard that ${secret} opens it.` } },
  ];
  model.next({ kind: 'reply', reply: { toolCalls } });
  const ownNote = { name: 'core_memory_append', arguments: { label: 'human', content: `Paints ${own}.` } };
  model.next({ kind: 'reply', reply: { toolCalls: [ownNote] } });
  model.next({ kind: 'reply', reply: 'Noted.' });
  await say(ann, `I paint ${own}. What did Bob say?`);
  expect(await notesWith(secret)).toEqual(ALL);
  expect(await notesWith(own)).toEqual(['core']);
  const personId = await personOf(bob);
  const forBob = { name: 'test', personId, reason: 'to test' };
  const { key } = (await suite.api('/v1/keys', { body: forBob })).body as { key: string };
  return { told, key, personId };
}

const ALL = ['archive', 'core', 'task'];
type Told = Awaited<ReturnType<typeof tellAndNote>>;
const forget = (key: string, body: object) => suite.api('/v1/memories/forget', { key, body });

describe('what is noted for one person, and repeats another’s words', () => {
  it.each<[string, string, string, (told: Told) => unknown]>([
    ['forgets the message', 'zebra4711', 'tulips', ({ key, told }) => forget(key, { messageIds: [told.id] })],
    ['forgets everything', 'heron5822', 'lilies', ({ key }) => forget(key, { all: true })],
    ['deletes the message', 'otter6933', 'roses', ({ told }) => discord.remove(told)],
    ['edits the message', 'badger7044', 'irises', ({ told }) => discord.edit(told, 'My safe is open.')],
    ['is erased', 'weasel8155', 'asters', ({ personId }) => erase(personId)],
  ])('goes when that one %s, and nothing else does', async (_, secret, own, go) => {
    const told = await tellAndNote(secret, own);
    await go(told);
    await eventually('it is gone', async () => (await notesWith(secret)).length === 0);
    expect(await notesWith(own)).toEqual(['core']);
    const forAnUndo = ['memory_sealed_rows', 'sealed_lines'];
    await eventually('it is nowhere else', async () =>
      (await tablesWith(secret)).every((table) => forAnUndo.includes(table)),
    );
  });

  it.each<[string, string, string, (told: Told) => unknown]>([
    [
      'forgets the message',
      'gecko1177',
      'poppies',
      ({ key, told }) => forget(key, { messageIds: [told.id] }),
    ],
    ['forgets everything', 'lemur2288', 'crocuses', ({ key }) => forget(key, { all: true })],
    ['deletes the message', 'moose3399', 'violets', ({ told }) => discord.remove(told)],
    ['edits the message', 'hyena4400', 'orchids', ({ told }) => discord.edit(told, 'My safe is empty.')],
    ['is erased', 'camel5511', 'dahlias', ({ personId }) => erase(personId)],
  ])(
    'goes once retention has taken the lines, when that one %s, with all that was made of their words',
    async (_, secret, own, go) => {
      const told = await tellAndNote(secret, own);
      const [said] = await suite.query<{ turnId: string }>(
        `SELECT turn_id AS "turnId" FROM inbox WHERE external_id = $1`,
        [told.told.id],
      );
      await eventually('it is remembered', async () => (await tablesWith(secret)).includes('memories'));
      await suite.query(
        `WITH habit AS (
           INSERT INTO quirks (id, companion_id, kind, text, strength, origin, day)
           VALUES (gen_random_uuid(), 'mira', 'interest', $1, 1, 'reflection', now()) RETURNING id)
         INSERT INTO quirk_sources (quirk_id, turn_id, person_id, audience)
         SELECT id, $2::uuid, $3::uuid, 'direct' FROM habit`,
        [secret, said!.turnId, told.personId],
      );
      await suite.query(`UPDATE inbox SET text = ''`);
      await suite.query('DELETE FROM transcript');
      await go(told);
      const forAnUndo = ['memory_sealed_rows', 'personality_sealed_rows'];
      await eventually('it is nowhere', async () =>
        (await tablesWith(secret)).every((table) => forAnUndo.includes(table)),
      );
      expect(await notesWith(own)).toEqual(['core']);
      expect(await tablesWith('safe is empty')).toEqual([]);
      expect(await suite.query('SELECT 1 FROM transcript')).toEqual([]);
    },
  );

  it('comes back with an undo, unless the message was deleted meanwhile', async () => {
    const { told, key } = await tellAndNote('marten9266', 'daisies');
    const { body } = await forget(key, { messageIds: [told.id] });
    expect(await notesWith('marten9266')).toEqual([]);
    const undo = () =>
      suite.api('/v1/memories/forget/undo', {
        key,
        body: { receipt: (body as { receipt: string }).receipt },
      });
    expect((await undo()).status).toBe(200);
    expect(await notesWith('marten9266')).toEqual(ALL);
    const again = await forget(key, { messageIds: [told.id] });
    expect(await notesWith('marten9266')).toEqual([]);
    discord.remove(told);
    await eventually('it is taken up', async () => {
      const orders = await suite.query(
        `SELECT 1 FROM forget_orders WHERE reason = 'deleted' AND what ->> 'source' = $1 AND finished_at IS NOT NULL`,
        [told.id],
      );
      return orders.length > 0;
    });
    const { receipt } = again.body as { receipt: string };
    await suite.api('/v1/memories/forget/undo', { key, body: { receipt } });
    expect(await notesWith('marten9266')).toEqual([]);
    expect(await notesWith('daisies')).toEqual(['core']);
  });
});

it('a promise to one that repeats the words of another goes when that one is erased', async () => {
  const { bob, ann, say } = shared('peonies');
  model.next({ kind: 'reply', reply: 'I see.' });
  await say(bob, 'My pet is called stoat5599.');
  model.next({ kind: 'reply', reply: 'I will ask you tomorrow how the stoat5599 went.' });
  await say(ann, 'What did Bob say?');
  const promises = () =>
    suite.query(`SELECT 1 FROM intentions WHERE kind = 'promise' AND intentions::text ~ 'stoat5599'`);
  await eventually('it is kept', async () => (await promises()).length === 1);
  const personId = await personOf(bob);
  await erase(personId);
  await eventually('the erasure ends', async () => {
    const sql = 'SELECT 1 FROM erasures WHERE erased_id = $1 AND finished_at IS NOT NULL';
    return (await suite.query(sql, [personId])).length === 1;
  });
  expect(await promises()).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErasureView } from '@kith/contracts';
import {
  componentsOf,
  DiscordDouble,
  eventually,
  type DiscordChannel,
  type DiscordMessage,
} from '@kith/testing';
import { startSuite, type Suite } from './suite.js';

let discord: DiscordDouble;
let suite: Suite;
let general: DiscordChannel;

beforeAll(async () => {
  discord = await DiscordDouble.start();
  general = discord.channel(discord.guild('Home'), 'general');
  suite = await startSuite({
    DISCORD_TOKEN: discord.token,
    DISCORD_API_BASE: discord.api,
    TURN_DEBOUNCE_MS: '150',
    OUTREACH_SCAN_EVERY_MS: '1000',
    LEFT_SERVERS_DAYS: '0',
  });
  await discord.waitForReady();
}, 120_000);

afterAll(async () => {
  await suite.stop();
  await discord.stop();
});

/** Every turn of what was accepted has ended. */
async function settled(): Promise<void> {
  await eventually('no message without an outcome, no reply undelivered', async () => {
    const [open] = await suite.query<{ n: string }>(
      `SELECT (SELECT count(*) FROM inbox WHERE outcome IS NULL) + (SELECT count(*) FROM outbox WHERE status = 'pending') AS n`,
    );
    return Number(open!.n) === 0;
  });
}

async function personOf(subject: string): Promise<string> {
  const row = await eventually('the person', async () => {
    const rows = await suite.query<{ person_id: string }>(
      `SELECT person_id FROM identities WHERE door = 'discord' AND subject = $1`,
      [subject],
    );
    return rows[0];
  });
  return row.person_id;
}

async function memoriesOf(subject: string): Promise<{ text: string; audience: string }[]> {
  return suite.query('SELECT text, audience FROM memories WHERE person_id = $1', [await personOf(subject)]);
}

/** Every table in which this stands anywhere, whatever its columns are called. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await suite.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await suite.query(`SELECT 1 FROM "${name}" AS row WHERE row::text ILIKE $1 LIMIT 1`, [
        `%${text}%`,
      ]);
      return rows.length === 0 ? [] : [name];
    }),
  );
  return found.flat().toSorted();
}

describe('in Discord', () => {
  it('a mention gets exactly one reply, to that message', async () => {
    const ann = discord.user('ann');
    const before = discord.sentTo(general).length;
    const message = discord.say(ann, 'hello there!', general, { mentions: [discord.bot] });
    const sent = await discord.waitForMessage((reply) => reply.message_reference?.message_id === message.id);
    expect(sent.body).toMatchObject({ enforce_nonce: true });
    await settled();
    expect(discord.sentTo(general)).toHaveLength(before + 1);
    const [row] = await suite.query<{ id: string }>('SELECT id FROM outbox ORDER BY created_at DESC LIMIT 1');
    const delivery = { status: 'delivered', attempts: 1, lastError: null, platformIds: [sent.message.id] };
    expect(await suite.api(`/v1/outbox/${row!.id}`)).toMatchObject({ status: 200, body: delivery });
  });

  it('the same message delivered three times gets one reply, also by another process', async () => {
    const ben = discord.user('ben');
    const message = discord.say(ben, 'only once please', general, { mentions: [discord.bot] });
    discord.redeliver(message);
    discord.redeliver(message);
    const replies = () =>
      discord
        .sentTo(general)
        .filter(({ message: reply }) => reply.message_reference?.message_id === message.id);
    await eventually('a reply', () => replies().length > 0);
    // A new process knows nothing of what the old one saw; the inbox does.
    suite.stack.service('discord-bot').process.kill('SIGKILL');
    const identified = discord.gateway.identifies.length;
    // Somebody new, whom Discord tells nobody of later: only the old session knows.
    const stranger = discord.user('stranger');
    discord.dm(stranger, 'is anybody there?');
    await eventually('the bot to come back', () => discord.gateway.identifies.length > identified, 30_000);
    await discord.waitForReady();
    discord.redeliver(message);
    const next = discord.say(ben, 'and now another', general, { mentions: [discord.bot] });
    // A delivery that died with the process is taken up once its lock is over, and what follows it waits for it.
    await discord.waitForMessage((reply) => reply.message_reference?.message_id === next.id, 30_000);
    await eventually(
      'an answer to the stranger',
      () => discord.sentTo(discord.dmChannel(stranger)).length > 0,
    );
    await settled();
    expect(replies()).toHaveLength(1);
    expect(discord.sentTo(discord.dmChannel(stranger))).toHaveLength(1);
  });

  it('a burst becomes one turn', async () => {
    const cat = discord.user('cat');
    const dm = discord.dmChannel(cat);
    for (const line of ['so', 'today I saw a heron', 'by the canal']) discord.dm(cat, line);
    await eventually('a reply', () => discord.sentTo(dm).length > 0);
    await settled();
    expect(discord.sentTo(dm)).toHaveLength(1);
  });

  it('what was said in a DM is not recalled in a channel, and is in the DM', async () => {
    const dan = discord.user('dan');
    const dm = discord.dmChannel(dan);
    discord.dm(dan, 'My secret hobby is collecting porcelain owls.');
    await eventually('a reply', () => discord.sentTo(dm).length > 0);
    await eventually('the memory', async () =>
      (await memoriesOf(dan.id)).some(({ audience }) => audience === 'direct'),
    );
    const asked = discord.say(dan, 'what is my secret hobby, the porcelain owls?', general, {
      mentions: [discord.bot],
    });
    const inChannel = await discord.waitForMessage(
      (reply) => reply.message_reference?.message_id === asked.id,
    );
    expect(inChannel.message.content).not.toContain('collecting porcelain');
    const [turn] = await suite.query<{ trace: { recalled: unknown[] } }>(
      `SELECT t.trace FROM turns t JOIN inbox i ON i.turn_id = t.turn_id WHERE i.external_id = $1`,
      [asked.id],
    );
    expect(turn!.trace.recalled).toEqual([]);
    const before = discord.sentTo(dm).length;
    discord.dm(dan, 'what was my secret hobby with the owls?');
    await eventually('a reply in the DM', () => discord.sentTo(dm).length > before);
    expect(discord.sentTo(dm).at(-1)!.message.content).toContain('porcelain owls');
  });

  it('slash commands answer: status, memories, personality with its mood card', async () => {
    const eli = discord.user('eli');
    discord.dm(eli, 'I have a garden with a pear tree.');
    await eventually('the memory', async () => (await memoriesOf(eli.id)).length > 0);
    // On a busy machine a part may be out of reach for a while: the answer says so, and somebody asks again.
    const ask = (command: string, subcommand: string | null) =>
      eventually(`an answer to /${command}`, async () => {
        const answer = await discord.waitForAnswer(discord.slash(eli, command, subcommand), 15_000);
        return answer.content.includes('out of reach') ? undefined : answer;
      });
    const [status, memories, personality] = await Promise.all([
      ask('companion', 'status'),
      ask('memories', 'list'),
      ask('personality', null),
    ]);
    expect(JSON.stringify(status).length).toBeGreaterThan(50);
    expect(JSON.stringify(memories)).toContain('pear tree');
    expect(personality.content).toContain('Now:');
    expect(personality.attachments).toMatchObject([{ filename: 'mood.png', content_type: 'image/png' }]);
  });
});

/** A zone in which it is about noon. */
function noonZone(): string {
  const ahead = new Date().getUTCHours() - 12;
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead < 0 ? ahead : `+${ahead}`}`;
}

describe('writing first', () => {
  it('reaches who opted in, by DM, and nobody else', async () => {
    const fay = discord.user('fay');
    const gus = discord.user('gus');
    for (const person of [fay, gus]) {
      discord.dm(person, 'Ask me tomorrow how the interview at the bakery went.');
      await eventually('a reply', () => discord.sentTo(discord.dmChannel(person)).length > 0);
    }
    const answer = discord.slash(fay, 'companion', 'settings', { outreach: 'on', 'daily-cap': 3 });
    await discord.waitForAnswer(answer, 15_000);
    const ids = await Promise.all([fay, gus].map(({ id }) => personOf(id)));
    await eventually('both intentions', async () => {
      const rows = await suite.query('SELECT 1 FROM intentions WHERE person_id = ANY($1)', [ids]);
      return rows.length === 2;
    });
    // Tomorrow comes at once, at noon, outside everyone's quiet hours; and they last spoke a while ago.
    await suite.query(`UPDATE intentions SET due_at = now() - interval '1 minute', exact = true`);
    await suite.query(
      `UPDATE outreach_settings
       SET quiet_from = '00:00', quiet_until = '00:00', last_spoke_at = now() - interval '3 hours',
         time_zone = $1, zone_named = true`,
      [noonZone()],
    );
    const before = discord.sentTo(discord.dmChannel(fay)).length;
    await eventually('the outreach', () => discord.sentTo(discord.dmChannel(fay)).length > before, 30_000);
    expect(discord.sentTo(discord.dmChannel(fay)).at(-1)!.message.content).toContain('interview');
    await settled();
    expect(discord.sentTo(discord.dmChannel(fay))).toHaveLength(before + 1);
    expect(discord.sentTo(discord.dmChannel(gus))).toHaveLength(1);
    const why = await discord.waitForAnswer(discord.slash(fay, 'companion', 'why'), 15_000);
    expect(why.content).toContain('You asked for it');
    expect(why.content).toContain('how the interview at the bakery went');
  });

  it('writes first no more once a message is edited to say so, or says so in a channel, and tells how to end that', async () => {
    const ida = discord.user('ida');
    const use = () =>
      discord.waitForAnswer(discord.slash(ida, 'companion', 'settings', { outreach: 'on' }), 15_000);
    const becomes = async (optedIn: boolean) => {
      const personId = await personOf(ida.id);
      const isOn = 'SELECT 1 FROM outreach_settings WHERE person_id = $1 AND opted_in = $2';
      return eventually(`outreach is ${optedIn ? 'on' : 'off'}`, async () => {
        return (await suite.query(isOn, [personId, optedIn])).length > 0;
      });
    };
    const again = '/companion settings outreach: on';
    const replyTo = async (text: string) => {
      const before = discord.sentTo(general).length;
      discord.say(ida, text, general);
      return eventually('the reply', () => discord.sentTo(general)[before]?.message.content);
    };
    discord.dm(ida, 'hello');
    await eventually('a reply', () => discord.sentTo(discord.dmChannel(ida)).length > 0);
    await use();
    await becomes(true);
    const typo = discord.dm(ida, 'Stop mesaging me');
    await eventually('a reply', () => discord.sentTo(discord.dmChannel(ida)).length > 1);
    await settled();
    discord.edit(typo, 'Stop messaging me');
    await becomes(false);
    await use();
    await becomes(true);
    expect(await replyTo(`hey <@${discord.bot.id}> why did you stop messaging me?`)).not.toContain(again);
    expect(await replyTo(`hey <@${discord.bot.id}> stop messaging me`)).toContain(again);
    await becomes(false);
    expect(await replyTo(`<@${discord.bot.id}> just kidding, keep writing to me!`)).toContain(again);
    await settled();
    await becomes(false);
    await use();
    await becomes(true);
    // Said to nobody, until the mention is added.
    discord.edit(discord.say(ida, 'stop messaging me', general), `<@${discord.bot.id}> stop messaging me`);
    await settled();
    await becomes(false);
  });

  it('says in the channel where it was asked to what was told there, and elsewhere once that is closed', async () => {
    const hal = discord.user('hal');
    const use = (options: Record<string, string | number>, place: DiscordChannel) =>
      discord.waitForAnswer(discord.slash(hal, 'companion', 'settings', options, place), 15_000);
    const told = async (text: string) => {
      const { length } = discord.sentTo(general);
      discord.say(hal, text, general, { mentions: [discord.bot] });
      await eventually('a reply', () => discord.sentTo(general).length > length);
      await settled();
    };
    const comesDue = async () => {
      const person = await personOf(hal.id);
      await eventually('the reason', async () => {
        const due = await suite.query(
          `UPDATE intentions SET due_at = now() - interval '1 minute', exact = true
           WHERE person_id = $1 AND status = 'open' AND due_at > now() RETURNING 1`,
          [person],
        );
        return due.length > 0;
      });
      await suite.query(
        `UPDATE outreach_settings SET quiet_from = '00:00', quiet_until = '00:00',
           last_spoke_at = now() - interval '3 hours' WHERE person_id = $1`,
        [person],
      );
    };
    const allowed = await use({ outreach: 'here', 'daily-cap': 5, timezone: noonZone() }, general);
    expect(allowed.content).toContain(`in <#${general.id}>`);

    discord.dm(hal, 'Ask me tomorrow how my secret date went.');
    await eventually('a reply', () => discord.sentTo(discord.dmChannel(hal)).length > 0);
    await comesDue();
    await told('Ask me tomorrow how the marathon went.');
    await comesDue();
    const mention = `<@${hal.id}>`;
    const first = await discord.waitForMessage(
      ({ channel_id, content }) => channel_id === general.id && content.startsWith(mention),
      30_000,
    );
    expect(first.message.content).toContain('marathon');
    expect(first.message.mentions.map(({ id }) => id)).toEqual([hal.id]);
    await settled();
    expect(discord.sentTo(general).some(({ message }) => message.content.includes('secret'))).toBe(false);
    expect(discord.sentTo(discord.dmChannel(hal))).toHaveLength(1);

    await use({ outreach: 'on' }, discord.dmChannel(hal));
    await told('Ask me tomorrow how the concert went.');
    const closed = new RegExp(`channels/${general.id}/messages`);
    await eventually('nothing is under way', async () => {
      const rows = await suite.query(`SELECT 1 FROM outreach_attempts WHERE status = 'queued'`);
      return rows.length === 0;
    });
    await suite.query(`UPDATE intentions SET status = 'dropped' WHERE about LIKE '%secret%'`);
    discord.fail({ path: closed, status: 403, code: 50013, message: 'Missing Permissions' });
    await comesDue();
    await eventually(
      'the direct message',
      () => discord.sentTo(discord.dmChannel(hal)).some(({ message }) => message.content.includes('concert')),
      30_000,
    );
    const attempts = await suite.query(
      `SELECT channel_id AS channel, status, problem FROM outreach_attempts
       WHERE person_id = $1 ORDER BY decided_at DESC LIMIT 2`,
      [await personOf(hal.id)],
    );
    const refused = expect.stringContaining('it comes as a direct message');
    expect(attempts).toMatchObject([{ channel: null }, { channel: general.id, problem: refused }]);
    const why = await discord.waitForAnswer(discord.slash(hal, 'companion', 'why'), 15_000);
    expect(why.content).toContain('it comes as a direct message');
  });
});

describe('a server that the bot is removed from', () => {
  it('loses what was said there once its time is over, and nothing else', async () => {
    const guild = discord.guild('Elsewhere');
    const lobby = discord.channel(guild, 'lobby');
    const jo = discord.user('jo');
    discord.dm(jo, 'I like mirabelles.');
    await eventually('a reply', () => discord.sentTo(discord.dmChannel(jo)).length > 0);
    const said = discord.say(jo, 'My boat is called Zephyrine.', lobby, { mentions: [discord.bot] });
    await discord.waitForMessage((reply) => reply.message_reference?.message_id === said.id);
    await eventually('both memories', async () => {
      const kept = await memoriesOf(jo.id);
      return new Set(kept.map(({ audience }) => audience)).size === 2;
    });
    discord.removeBot(guild);
    await eventually('every service knows', async () => {
      const left = await suite.query(
        'SELECT 1 FROM place_orders WHERE within = $1 AND "left" AND carried_out_at IS NOT NULL',
        [guild.id],
      );
      return left.length === 1;
    });
    await suite.api('/v1/jobs/retention/run', { method: 'POST', body: {} });
    const isGone = async (words: string) => (await tablesWith(words)).length === 0;
    await eventually('nothing of it', () => isGone('Zephyrine'), 30_000);
    // The services' lists of left places go last.
    await eventually('nothing of the place', () => isGone(lobby.id), 30_000);
    expect(await tablesWith('mirabelles')).toContain('memories');
    expect(await memoriesOf(jo.id)).not.toEqual([]);
  }, 60_000);
});

describe('a person who is erased', () => {
  const SECRET = 'Quillfeather';

  it('is gone from every store, stays gone when workers come late, and is somebody new afterwards', async () => {
    const hal = discord.user('hal');
    const ida = discord.user('ida');
    const dm = discord.dmChannel(hal);
    discord.dm(hal, `My cat is called ${SECRET}. Ask me tomorrow how ${SECRET} is.`);
    await eventually('a reply', () => discord.sentTo(dm).length > 0);
    for (const user of [hal, ida]) {
      const said = discord.say(user, `I like ${user === hal ? SECRET : 'marzipan'}!`, general, {
        mentions: [discord.bot],
      });
      await discord.waitForMessage((reply) => reply.message_reference?.message_id === said.id);
    }
    await discord.waitForAnswer(discord.slash(hal, 'companion', 'settings', { outreach: 'on' }), 15_000);
    const personId = await personOf(hal.id);
    const { key } = (await suite.api('/v1/keys', { body: { name: 'test', personId, reason: 'to test' } }))
      .body as { key: string };
    const notice = await discord.waitForMessage(({ content }) => content.includes('acts as you'), 15_000);
    expect(notice.message).toMatchObject({
      channel_id: dm.id,
      content: expect.stringContaining('“to test”'),
    });
    const core = { method: 'PUT', key, body: { text: `Has a cat called ${SECRET}.` } };
    expect((await suite.api('/v1/memories/core/human', core)).status).toBe(200);
    await eventually('what follows the turns', async () => {
      const tables = await tablesWith(personId);
      return [
        'memories',
        'memory_vectors',
        'felt_turns',
        'relationships',
        'intentions',
        'discord_cursors',
      ].every((table) => tables.includes(table));
    });

    const asked = await discord.waitForAnswer(discord.slash(hal, 'companion', 'erase-me'), 15_000);
    expect(asked.content).toContain('can’t be undone');
    // Memory comes too late to the last turn, and to the order; and who gives the order dies over it.
    suite.stack.service('memory').process.kill('SIGSTOP');
    const before = discord.sentTo(dm).length;
    discord.dm(hal, `${SECRET} says hello.`);
    await eventually('a reply without memory', () => discord.sentTo(dm).length > before, 20_000);
    await settled();
    const pressed = discord.press(hal, asked, buttonOf(asked, 'Erase me'));
    expect((await discord.waitForAnswer(pressed, 20_000)).content).toContain('being removed');
    const receipt = async () => (await suite.api(`/v1/erasures/${personId}`)).body as ErasureView;
    expect(await receipt()).toMatchObject({ askedBy: 'person', finishedAt: null });
    expect((await suite.api('/v1/me', { key })).status).toBe(401);
    suite.stack.service('gateway').process.kill('SIGKILL');
    suite.stack.service('memory').process.kill('SIGCONT');
    await eventually(
      'the end of the erasure',
      async () => {
        const done = await suite.query('SELECT 1 FROM erasures WHERE finished_at IS NOT NULL');
        return done.length === 1;
      },
      60_000,
    );

    const { stores } = await receipt();
    expect(stores).toMatchObject({
      gateway: { people: 1, identities: 1, api_keys: 1, inbox: 3, transcript: 6 },
      memory: { core_blocks: 1 },
      outreach: { outreach_settings: 1, intentions: 1 },
      discord: { discord_cursors: 1 },
    });
    expect(stores['memory']!['memories']).toBeGreaterThan(1);
    const counted = Object.values(stores).flatMap((store) => Object.keys(store));
    const owned = await suite.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'person_id'`,
    );
    expect(counted.toSorted()).toEqual(owned.map(({ name }) => name).toSorted());

    // Discord still has their words: a bot that reads the channel up once more brings none of them back.
    suite.stack.service('discord-bot').process.kill('SIGKILL');
    discord.gateway.forgetSessions();
    await suite.query(`UPDATE discord_cursors SET last_message_id = '1'`);
    const { length: sessions } = discord.gateway.identifies;
    await eventually('a new session', () => discord.gateway.identifies.length > sessions, 30_000);
    const next = discord.say(ida, 'And now?', general, { mentions: [discord.bot] });
    await discord.waitForMessage((reply) => reply.message_reference?.message_id === next.id, 20_000);
    expect(await suite.query('SELECT 1 FROM identities WHERE subject = $1', [hal.id])).toEqual([]);
    expect(await tablesWith(SECRET)).toEqual([]);

    // Whoever writes again is met for the first time.
    const soFar = discord.sentTo(dm).length;
    discord.dm(hal, 'Hello. What is my cat called?');
    await eventually('a reply to somebody new', () => discord.sentTo(dm).length > soFar, 20_000);
    expect(discord.sentTo(dm).at(-1)!.message.content).not.toContain(SECRET);
    expect(await personOf(hal.id)).not.toBe(personId);
    await eventually('their first memory', async () => (await memoriesOf(hal.id)).length > 0);
    const late = suite.query(`INSERT INTO memory_handled_turns (turn_id, person_id) VALUES ($1, $1)`, [
      personId,
    ]);
    await expect(late).rejects.toMatchObject({ code: 'KE001' });
    expect(await tablesWith(SECRET)).toEqual([]);
    // The id stays where it names nobody: in the receipt, and in the log of what operators did.
    expect(await tablesWith(personId)).toEqual(['erasures', 'operator_actions']);
    expect(await tablesWith('marzipan')).toContain('transcript');
  }, 120_000);
});

function buttonOf(message: DiscordMessage, label: string): string {
  const button = componentsOf(message).find((component) => component['label'] === label);
  return String(button?.['custom_id']);
}

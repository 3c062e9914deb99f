import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { discordContract } from '@kith/contracts';
import {
  DiscordDouble,
  eventually,
  freshStores,
  type DiscordChannel,
  type DiscordUser,
  type FreshStores,
} from '@kith/testing';
import { CATCH_UP_PACE } from '../catch-up/catch-up-reader.js';
import { logged, runBot, runSuite, spawnBot, type RunningBot, type RunningService } from './run-bot.js';
import { SuiteState } from './suite-state.js';

let stores: FreshStores;
let discord: DiscordDouble;
let general: DiscordChannel;
let suite: RunningService;
let state: SuiteState;
const bots: RunningBot[] = [];
/** A tenth of the usual pauses between tries. */
const PACE = { ...CATCH_UP_PACE, waitMs: CATCH_UP_PACE.waitMs / 10 };
let environment: Record<string, string>;

beforeAll(async () => {
  stores = await freshStores();
});
beforeEach(async () => {
  discord = await DiscordDouble.start({ heartbeatIntervalMs: 500 });
  environment = { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api };
  general = discord.channel(discord.guild('Home'), 'general');
  state = new SuiteState();
  suite = await runSuite(stores.redisUrl, state);
});
afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.stop();
  await suite.stop();
  await discord.stop();
  await stores.query('TRUNCATE discord_cursors, discord_leaders');
});
afterAll(() => stores.stop());

async function startBot(): Promise<RunningBot> {
  const bot = await runBot(stores, environment, { catchUp: PACE });
  bots.push(bot);
  return bot;
}

async function connectedBot(): Promise<RunningBot> {
  const bot = await startBot();
  await discord.waitForReady();
  return bot;
}

async function stopBot(bot: RunningBot): Promise<void> {
  bots.splice(bots.indexOf(bot), 1);
  await bot.stop();
}

/** The bot ends while the gateway does not take what this one says. Returns the message. */
async function leaveUnheard(bot: RunningBot, user: DiscordUser): Promise<string> {
  state.gatewayDown = true;
  const { id } = discord.dm(user, 'is this heard?');
  await eventually('a try', () => state.turnedAway.includes(id));
  await stopBot(bot);
  state.gatewayDown = false;
  expect(received()).not.toContain(id);
  return id;
}

const received = () => state.received.map(({ messageId }) => messageId);
const heard = (id: string, timeoutMs?: number) =>
  eventually(`message ${id}`, () => received().includes(id), timeoutMs);
/** Time in which what was killed stops leading its shard (five seconds), and the next process starts and resumes. */
const TAKEOVER_MS = 30_000;

describe('what was said while no bot was there', () => {
  it('is read up at its start, in order, in DMs that are known and in channels', async () => {
    const ann = discord.user('Ann');
    const first = await connectedBot();
    const known = discord.dm(ann, 'hello');
    await heard(known.id);
    await stopBot(first);
    const missed = [
      discord.dm(ann, 'are you there?'),
      discord.dm(ann, 'hm'),
      discord.say(ann, 'anybody?', general, { mentions: [discord.bot] }),
    ];
    discord.say(ann, 'not for the bot', general);
    await connectedBot();
    const live = discord.dm(ann, 'ah, there');
    await heard(live.id);
    await heard(missed[2]!.id);
    // What the server knows of her comes along, as in a message that is heard.
    const inServer = state.received.find(({ messageId }) => messageId === missed[2]!.id);
    expect(inServer).toMatchObject({ within: { server: general.guild_id, roles: [] } });
    const inDm = [known.id, missed[0]!.id, missed[1]!.id, live.id];
    expect(received().filter((id) => inDm.includes(id))).toEqual(inDm);
    expect(received()).toHaveLength(5);
  });

  it('is heard where it asks for silence, in a DM, though it is too old to be answered', async () => {
    const ann = discord.user('Ann');
    const first = await connectedBot();
    const known = discord.dm(ann, 'hello');
    await heard(known.id);
    await stopBot(first);
    discord.gateway.forgetSessions(); // or the session that goes on would tell of them
    const old = discord.dm(ann, 'are you there?');
    const wish = discord.dm(ann, 'Stop messaging me.');
    environment['DISCORD_CATCH_UP_MINUTES'] = '0';
    await connectedBot();
    await heard(wish.id);
    await heard(discord.dm(ann, 'ah, there').id);
    expect(received()).not.toContain(old.id);
  });

  it('is read up after Discord ended the session', async () => {
    const ann = discord.user('Ann');
    await connectedBot();
    await heard(discord.dm(ann, 'hello').id);
    discord.gateway.forgetSessions(); // what is said now reaches no session
    const missed = discord.dm(ann, 'lost?');
    discord.gateway.pullCable();
    await heard(missed.id);
    expect(discord.gateway.identifies).toHaveLength(2);
  });

  it('is read up later when the gateway was away, and the cursor waits for it', async () => {
    const ann = discord.user('Ann');
    const first = await connectedBot();
    await heard(discord.dm(ann, 'hello').id);
    const stuck = await leaveUnheard(first, ann);
    await startBot();
    await heard(stuck);
  });
});

describe('an outage whose session Discord has forgotten', () => {
  /** The bot is away while this happens. */
  async function whileAway(happens: () => void | Promise<void>): Promise<void> {
    const bot = await connectedBot();
    await heard(discord.say(discord.user('Zoe'), 'hello', general, { mentions: [discord.bot] }).id);
    await stopBot(bot);
    discord.gateway.forgetSessions();
    await happens();
  }
  const mention = (text: string, channel = general) =>
    discord.say(discord.user('Ann'), text, channel, { mentions: [discord.bot] }).id;
  const chatter = (lines: number, channel = general) => {
    const ben = discord.user('Ben');
    for (let line = 0; line < lines; line += 1) discord.say(ben, `line ${line}`, channel);
  };
  const missed = async (bot: RunningBot) =>
    bot.parts.states.list().find(({ part }) => part === 'missed-messages')?.effect;

  it('is read up whole, however much was said between two mentions', async () => {
    const asked: string[] = [];
    await whileAway(() => {
      asked.push(mention('first'));
      chatter(60);
      asked.push(mention('second'));
      chatter(230);
      asked.push(mention('third'));
    });
    const bot = await connectedBot();
    for (const id of asked) await heard(id);
    expect(received().filter((id) => asked.includes(id))).toEqual(asked);
    expect(await missed(bot)).toBeUndefined();
  });

  it('is read up in a DM that only the bot has opened, by writing first or by a command there', async () => {
    const [ann, bea] = [discord.user('Ann'), discord.user('Bea')];
    await whileAway(async () => {
      const bot = await connectedBot();
      const outboxId = state.reply({ userId: ann.id }, 'How did it go?');
      await suite.messenger.enqueue(discordContract.deliver, { outboxId });
      await discord.waitForMessage(({ content }) => content === 'How did it go?');
      await eventually('the end of it', () => state.noted.length > 0);
      await eventually('registered commands', () => discord.commands.length > 0);
      await discord.waitForAnswer(discord.slash(bea, 'companion', 'status'));
      await eventually('both DMs', async () => {
        const rows = await stores.query('SELECT 1 FROM discord_cursors WHERE is_direct');
        return rows.length === 2;
      });
      await stopBot(bot);
      discord.gateway.forgetSessions();
    });
    const news = [discord.dm(ann, 'Well!'), discord.dm(bea, 'are you there?')];
    await connectedBot();
    for (const { id } of news) await heard(id);
  });

  it('is read up to the number an operator sets, the newest first, and what was passed over is told', async () => {
    environment['DISCORD_CATCH_UP_MESSAGES'] = '50';
    const asked: string[] = [];
    await whileAway(() => {
      asked.push(mention('too long ago'));
      chatter(60);
      asked.push(mention('just now'));
    });
    const bot = await connectedBot();
    await heard(asked[1]!);
    expect(received()).not.toContain(asked[0]);
    expect(await missed(bot)).toContain('DISCORD_CATCH_UP_MESSAGES');
  });

  it('is read up also after Discord refused the token in passing', async () => {
    const asked: string[] = [];
    await whileAway(() => void asked.push(mention('still waiting')));
    discord.fail({ method: 'GET', path: new RegExp(`${general.id}/messages$`), status: 401 });
    await connectedBot();
    await heard(asked[0]!);
  });

  it('is read up in threads, also in one that was archived meanwhile', async () => {
    const [open, archived] = [discord.thread(general, 'open'), discord.thread(general, 'archived')];
    const asked: string[] = [];
    const bot = await connectedBot();
    await heard(mention('hello', archived));
    await stopBot(bot);
    discord.gateway.forgetSessions();
    asked.push(mention('in a new thread', open), mention('before the archive', archived));
    discord.archive(archived);
    await connectedBot();
    for (const id of asked) await heard(id);
    // Rules for a channel hold in its threads.
    expect(state.received.map(({ within }) => within?.threadOf)).toEqual([
      general.id,
      general.id,
      general.id,
    ]);
  });

  it('is read up in a server that comes later than the others', async () => {
    const late = discord.guild('Late');
    const asked: string[] = [];
    await whileAway(() => {
      discord.outage(late);
      asked.push(mention('is anybody there?', discord.channel(late, 'quiet')));
    });
    await connectedBot();
    await heard(mention('what was said here is heard'));
    expect(received()).not.toContain(asked[0]);
    discord.addBot(late);
    await heard(asked[0]!);
  });

  it('is read up in a server that was out of reach for a while, once it is back', async () => {
    const away = discord.guild('Away');
    const quiet = discord.channel(away, 'quiet');
    await connectedBot();
    await heard(mention('this is heard', quiet));
    discord.outage(away);
    const asked = mention('is anybody there?', quiet);
    await heard(mention('the other servers go on'));
    expect(received()).not.toContain(asked);
    discord.addBot(away);
    await heard(asked);
    expect(received().filter((id) => id === asked)).toHaveLength(1);
  });

  it('is read up where the bot may not read at first, as soon as it may', async () => {
    const asked: string[] = [];
    await whileAway(() => {
      discord.deny(general, 'READ_MESSAGE_HISTORY');
      asked.push(mention('nobody reads this'));
    });
    const bot = await connectedBot();
    asked.push(mention('this one is heard'));
    await heard(asked[1]!);
    await eventually('a word to the operator', async () => (await missed(bot))?.includes('no permission'));
    discord.deny(general);
    await heard(asked[0]!);
    await eventually(
      'the operator to be told that it is read',
      async () => (await missed(bot)) === undefined,
    );
  });

  it('is read up without the messages that can not be read, each of which is told once', async () => {
    const asked: string[] = [];
    const odd: string[] = [];
    const oddly = (parts: object, channel = general) => {
      const message = discord.say(discord.user('Bea'), 'hostile words', channel, { mentions: [discord.bot] });
      odd.push(message.id);
      Object.assign(message, parts);
    };
    const failing = discord.user('Cleo');
    await whileAway(() => {
      asked.push(mention('before'));
      oddly({ author: null });
      oddly({ attachments: null });
      oddly({ mentions: [null] });
      // Read, and refused by the schema.
      oddly({ author: { ...discord.user('Dan'), id: 'x'.repeat(500) } });
      asked.push(mention('between'));
      discord.fail({ method: 'GET', path: new RegExp(`members/${failing.id}`), status: 500, times: 1_000 });
      asked.push(discord.say(failing, 'and I?', general, { mentions: [discord.bot] }).id, mention('after'));
    });
    const bot = await connectedBot();
    for (const id of asked) await heard(id);
    expect(received().filter((id) => [...asked, ...odd].includes(id))).toEqual(asked);
    const about = (id: string) => logged.filter((line) => line.includes(`"messageId":"${id}"`));
    for (const id of odd) expect(about(id)).toHaveLength(1);
    expect(logged.join('')).not.toContain('hostile words');
    expect(await missed(bot)).toBeUndefined();
    await eventually('the cursor behind them', async () => {
      const [row] = await stores.query<{ id: string }>(
        'SELECT last_message_id AS id FROM discord_cursors WHERE channel_id = $1',
        [general.id],
      );
      return row?.id === asked.at(-1);
    });
  });

  it('is put off when Discord refuses much, and forgets the places that it is shut out of', async () => {
    const bot = await connectedBot();
    const hidden = discord.channel(discord.guild('Elsewhere'), 'hidden');
    discord.deny(hidden, 'VIEW_CHANNEL');
    const threads = Array.from({ length: 150 }, (_, number) => discord.thread(hidden, `thread ${number}`));
    for (const thread of threads) discord.archive(thread);
    await stopBot(bot);
    discord.gateway.forgetSessions();
    await stores.query(
      `INSERT INTO discord_cursors (channel_id, is_direct, last_message_id)
       SELECT unnest($1::text[]), false, '1'`,
      [threads.map(({ id }) => id)],
    );
    const again = await connectedBot();
    const kept = async () => (await stores.query('SELECT 1 FROM discord_cursors')).length;
    await eventually('the places that are put off', async () =>
      (await missed(again))?.includes('50 put off'),
    );
    expect(again.parts.requests.count).toBe(100);
    // The last one may be about to be forgotten.
    await eventually('the others to be all that is kept', async () => (await kept()) === 50);
  });

  it('keeps nobody waiting who writes or asks meanwhile, of however many places', async () => {
    const ann = discord.user('Ann');
    const first = await connectedBot();
    await heard(discord.dm(ann, 'hello').id);
    await stopBot(first);
    discord.gateway.forgetSessions();
    // Read in this order, and hers last.
    await stores.query(
      `INSERT INTO discord_cursors (channel_id, is_direct, last_message_id, updated_at)
       SELECT place::text, true, '1', now() + interval '1 hour' FROM generate_series(1000, 1299) AS place`,
    );
    const second = await connectedBot();
    const reads = () =>
      discord.journal.requests.filter(({ path }) => /\/1\d{3}\/messages$/.test(path)).length;
    await eventually('the reads to wait for their turn', () => reads() > 25);
    const before = reads();
    const command = discord.slash(ann, 'personality');
    await heard(discord.dm(ann, 'are you there?').id);
    await discord.waitForAnswer(command);
    // Discord's client sends 25 a second.
    expect(reads() - before).toBeLessThan(80);
    const lines = logged.length;
    await stopBot(second);
    // The next process reads the others.
    expect(logged.slice(lines).filter((line) => line.includes('some messages were skipped'))).toEqual([]);
  });

  it('leaves a place that Discord does not show for the next time, whatever is heard there meanwhile', async () => {
    const asked: string[] = [];
    await whileAway(() => {
      asked.push(mention('still waiting'));
      discord.deny(general, 'READ_MESSAGE_HISTORY');
    });
    const bot = await connectedBot();
    await heard(mention('heard live'));
    await stopBot(bot);
    discord.gateway.forgetSessions();
    discord.deny(general);
    await connectedBot();
    await heard(asked[0]!);
  });
});

describe('a place that could not be read before a restart', () => {
  it('is read where its cursor was, whatever is heard there in the session that is resumed', async () => {
    const mention = (text: string) =>
      discord.say(discord.user('Ann'), text, general, { mentions: [discord.bot] }).id;
    const first = await connectedBot();
    await heard(mention('hello'));
    await stopBot(first);
    discord.gateway.forgetSessions();
    const unread = mention('still waiting');
    discord.deny(general, 'READ_MESSAGE_HISTORY');
    const second = await connectedBot();
    await heard(mention('heard live'));
    await stopBot(second);
    const replayed = mention('heard again');
    const third = await connectedBot();
    await heard(replayed);
    await eventually('the new session', () => discord.gateway.identifies.length === 3);
    await heard(mention('heard in the new session'));
    expect(received()).not.toContain(unread);
    discord.deny(general);
    await heard(unread);
    await stopBot(third);
  });
});

describe('a channel that the bot was shut out of for a while', () => {
  it('is read up when it is back', async () => {
    const ann = discord.user('Ann');
    await connectedBot();
    await heard(discord.say(ann, 'hello', general, { mentions: [discord.bot] }).id);
    discord.deny(general, 'VIEW_CHANNEL');
    const unseen = discord.say(ann, 'can you hear me?', general, { mentions: [discord.bot] });
    const live = discord.dm(ann, 'and here?');
    await heard(live.id);
    expect(received()).not.toContain(unseen.id);
    discord.deny(general);
    await heard(unseen.id);
  });
});

describe('the session with Discord', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'is resumed by the next process after %s: it hears the first DM of somebody new, and what was changed',
    async (signal) => {
      const { gateway } = discord;
      const ann = discord.user('Ann');
      const first = await spawnBot(stores, environment);
      await discord.waitForReady(20_000);
      const early = discord.dm(ann, 'hello');
      await heard(early.id);
      // A process that is killed before leaves nothing to resume.
      await eventually('the session to be kept', async () => {
        const kept = await stores.query('SELECT 1 FROM discord_leaders WHERE session_id IS NOT NULL');
        return kept.length === 1;
      });
      await first.end(signal);
      await eventually('nobody listening', () => gateway.connected === 0);
      discord.edit(early, 'hello!');
      const news = ['is anybody there?', 'I am new'].map((text) => discord.dm(discord.user('Bea'), text));
      const mention = discord.say(ann, 'and here?', general, { mentions: [discord.bot] });
      await startBot();
      for (const { id } of [...news, mention]) await heard(id, TAKEOVER_MS);
      await eventually('the edit', () => state.revised.some(({ messageId }) => messageId === early.id));
      await eventually('the new session', () => gateway.identifies.length === 2);
      expect(gateway.resumes).toHaveLength(1);
      expect(gateway.closes).not.toContain(1000);
      await eventually('the old session to be left', () => gateway.connected === 1);
      expect(new Set(received()).size).toBe(4);
    },
  );

  it('tells of no roles when it is resumed: a message that mentions one is read up after it', async () => {
    const home = discord.guild('Home');
    const rolesIn = discord.channel(home, 'roles');
    const first = await connectedBot();
    const ann = discord.user('Ann');
    await heard(discord.say(ann, 'hello', rolesIn, { mentions: [discord.bot] }).id);
    await stopBot(first);
    const others = discord.say(ann, '<@&1> what is up?', rolesIn);
    const called = discord.say(ann, `<@&${home.botRoleId}> what is up?`, rolesIn);
    const mention = discord.say(ann, 'and here?', rolesIn, { mentions: [discord.bot] });
    await startBot();
    await heard(mention.id);
    await heard(called.id);
    expect(discord.gateway.resumes).toHaveLength(1);
    expect(received()).not.toContain(others.id);
    const next = discord.say(ann, 'and now?', rolesIn, { mentions: [discord.bot] });
    await heard(next.id);
    await eventually('the cursor behind it', async () => {
      const [row] = await stores.query<{ id: string }>(
        'SELECT last_message_id AS id FROM discord_cursors WHERE channel_id = $1',
        [rolesIn.id],
      );
      return row?.id === next.id;
    });
  });

  it('tells of no places when it is resumed: the channel of a thread is found for its message', async () => {
    const ann = discord.user('Ann');
    const first = await connectedBot();
    await heard(discord.say(ann, 'hello', general, { mentions: [discord.bot] }).id);
    await stopBot(first);
    const places = [general, discord.thread(general, 'plans')];
    const asked = places.map((place) => discord.say(ann, 'and here?', place, { mentions: [discord.bot] }));
    await startBot();
    for (const { id } of asked) await heard(id);
    expect(discord.gateway.resumes).toHaveLength(1);
    const threads = asked.map(({ id }) => state.received.find(({ messageId }) => messageId === id)?.within);
    expect(threads.map((within) => within?.threadOf)).toEqual([undefined, general.id]);
  });

  it('is not resumed when Discord refuses: what is known is read up', async () => {
    const ann = discord.user('Ann');
    const first = await connectedBot();
    await heard(discord.dm(ann, 'hello').id);
    await stopBot(first);
    discord.gateway.forgetSessions();
    const missed = discord.dm(ann, 'are you there?');
    await startBot();
    await heard(missed.id);
    expect(discord.gateway.resumes).toHaveLength(1);
    expect(discord.gateway.identifies).toHaveLength(2);
  });

  it('is resumed before what the gateway service has not accepted', async () => {
    const first = await connectedBot();
    const stuck = await leaveUnheard(first, discord.user('Bea'));
    await startBot();
    await heard(stuck);
  });
});

describe('a connection without answers to its heartbeats', () => {
  it('is left, and resumed without a new session', async () => {
    await startBot();
    await discord.waitForReady();
    discord.gateway.acknowledge(false);
    await eventually('the zombie to be left', () => discord.gateway.closes.length > 0, 10_000);
    discord.gateway.acknowledge(true);
    await eventually('a resume', () => discord.gateway.resumes.length > 0, 10_000);
    expect(discord.gateway.closes).not.toContain(1000);
    expect(discord.gateway.identifies).toHaveLength(1);
  });
});

describe('two bot processes', () => {
  it('do not both connect; the other one takes over when the first leaves', async () => {
    const first = await startBot();
    await discord.waitForReady();
    const second = await startBot();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(discord.gateway.connected).toBe(1);
    expect(discord.gateway.identifies).toHaveLength(1);
    await stopBot(first);
    await eventually('the other one', () => discord.gateway.identifies.length === 2, 10_000);
    expect(await second.messenger.ask(discordContract.status, {})).toMatchObject({ state: 'ready' });
  });

  it('a holder that died is replaced when its time is over', async () => {
    await stores.query(
      `INSERT INTO discord_leaders (shard, holder, held_until) VALUES (0, $1, now() + interval '3 seconds')`,
      [randomUUID()],
    );
    const bot = await startBot();
    expect(await bot.messenger.ask(discordContract.status, {})).toMatchObject({ state: 'standby' });
    await eventually('its turn', () => discord.gateway.identifies.length === 1, 10_000);
  });
});

describe('an edit and a deletion', () => {
  it('are told to the gateway, after the message itself', async () => {
    const ann = discord.user('Ann');
    await startBot();
    await discord.waitForReady();
    const message = discord.dm(ann, 'I like rain');
    discord.edit(message, 'I like sun');
    await eventually('the edit', () => state.revised.length === 1);
    expect(received()).toContain(message.id);
    discord.remove(message);
    await eventually('the deletion', () => state.revised.length === 2);
    const told = { door: 'discord', messageId: message.id };
    expect(state.revised).toEqual([
      { ...told, text: 'I like sun' },
      { ...told, text: null },
    ]);
  });

  it('call the bot by an edit, once, where a message of a server did not', async () => {
    const ann = discord.user('Ann');
    await connectedBot();
    // From here on nothing is read over REST, where a message reads as it was edited.
    const first = discord.say(ann, `<@${discord.bot.id}> hello`, general);
    await heard(first.id);
    const message = discord.say(ann, 'what is up?', general);
    discord.edit(message, `<@${discord.bot.id}> what is up?`);
    await heard(message.id);
    expect(state.received).toMatchObject([
      { messageId: first.id },
      { messageId: message.id, text: 'what is up?' },
    ]);
    discord.edit(message, `<@${discord.bot.id}> what was up?`);
    await eventually('both edits', () => state.revised.length === 2);
    const next = discord.say(ann, `<@${discord.bot.id}> and you?`, general);
    await heard(next.id);
    expect(received()).toEqual([first.id, message.id, next.id]);
  });

  it('take back a message in which the bot is mentioned no longer, without its words', async () => {
    const ann = discord.user('Ann');
    const channel = discord.channel(discord.guild('Home'), 'general');
    await startBot();
    await discord.waitForReady();
    const message = discord.say(ann, `<@${discord.bot.id}> what is up?`, channel);
    discord.edit(message, 'what is up, Bob?');
    await eventually('the edit', () => state.revised.length === 1);
    expect(received()).toContain(message.id);
    expect(state.revised).toEqual([{ door: 'discord', messageId: message.id, text: null }]);
  });
});

describe('a deleted place', () => {
  it('is told to the gateway after its messages, a channel with its threads, and is not read up any more', async () => {
    const ann = discord.user('Ann');
    const guild = discord.guild('Home');
    const general = discord.channel(guild, 'general');
    const bot = await startBot();
    await discord.waitForReady();
    const [alone, under] = [discord.thread(general, 'alone'), discord.thread(general, 'under')];
    const cursors = () => stores.query<{ id: string }>('SELECT channel_id AS id FROM discord_cursors');
    const noted = () =>
      stores.query<{ places: string[] }>('SELECT places FROM discord_servers WHERE server_id = $1', [
        guild.id,
      ]);
    const said = [general, alone, under].map((where) =>
      discord.say(ann, `<@${discord.bot.id}> hello`, where),
    );
    await eventually('their cursors', async () => (await cursors()).length === 3);

    discord.deleteChannel(alone);
    await eventually('the thread', () => state.deleted.length === 1);
    expect(state.deleted).toMatchObject([{ door: 'discord', within: alone.id, places: [alone.id] }]);
    expect(received()).toEqual(expect.arrayContaining(said.map(({ id }) => id)));

    // Discord announces an archived thread no more, and the next process hears of the deletion in a session resumed.
    discord.archive(under);
    await stopBot(bot);
    discord.deleteChannel(general);
    await startBot();
    await eventually('the channel', () => state.deleted.length === 3);
    expect(state.deleted.flatMap(({ places }) => places).toSorted()).toEqual(
      [general, alone, under].map(({ id }) => id).toSorted(),
    );
    await eventually('nothing known of them', async () => {
      const [row] = await noted();
      return (await cursors()).length === 0 && row?.places.length === 0;
    });
    expect(state.left.filter(({ within }) => within === guild.id)).toEqual([]);
  });

  it('is told also where it was deleted while no session was there to say so', async () => {
    const ann = discord.user('Ann');
    const guild = discord.guild('Home');
    const [kept, gone] = [discord.channel(guild, 'kept'), discord.channel(guild, 'gone')];
    const bot = await connectedBot();
    const under = discord.thread(gone, 'under');
    for (const where of [kept, gone, under])
      await heard(discord.say(ann, 'hello', where, { mentions: [discord.bot] }).id);
    await stopBot(bot);
    discord.gateway.forgetSessions();
    discord.deleteChannel(gone);
    await startBot();
    await eventually('nothing known of them', async () => {
      const [row] = await stores.query<{ places: string[]; threads: object }>(
        'SELECT places, threads FROM discord_servers WHERE server_id = $1',
        [guild.id],
      );
      return row?.places.length === 1 && row.places[0] === kept.id && Object.keys(row.threads).length === 0;
    });
    const ordered = () => new Set(state.deleted.flatMap(({ places }) => places));
    await eventually('both orders', () => ordered().size >= 2);
    expect(ordered()).toEqual(new Set([gone.id, under.id]));
  });
});

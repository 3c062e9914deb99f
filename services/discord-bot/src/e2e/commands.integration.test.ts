import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CoreRecord, discordContract, MemoryRecord } from '@kith/contracts';
import {
  componentsOf,
  DiscordDouble,
  eventually,
  FaultProxy,
  isEphemeral,
  type DiscordMessage,
  type DiscordUser,
  freshStores,
  type FreshStores,
  ifStarted,
} from '@kith/testing';
import { runBot, runSuite, type RunningBot, type RunningService } from './run-bot.js';
import { SuiteState } from './suite-state.js';
import { taskOf } from './memory-double.js';
import { CharacterDouble } from './character-double.js';
import { GatewayDouble } from './gateway-double.js';

let stores: FreshStores;
let discord: DiscordDouble;
let suite: RunningService;
let bot: RunningBot;
let alice: DiscordUser;
let redisOfBot: FaultProxy;
const state = new SuiteState();

beforeAll(async () => {
  stores = await freshStores();
  discord = await DiscordDouble.start();
  alice = discord.user('Alice');
  suite = await runSuite(stores.redisUrl, state);
  const redis = new URL(stores.redisUrl);
  redisOfBot = await FaultProxy.start({ host: redis.hostname, port: Number(redis.port) });
  redis.host = `127.0.0.1:${redisOfBot.port}`;
  bot = await runBot(
    { ...stores, redisUrl: redis.href },
    { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api },
  );
  await eventually('registered commands', () => discord.commands.length > 0);
});

afterAll(async () => {
  await ifStarted(bot)?.stop();
  await ifStarted(suite)?.stop();
  await ifStarted(discord)?.stop();
  await ifStarted(redisOfBot)?.stop();
  await ifStarted(stores)?.stop();
});

beforeEach(() => {
  state.memories = [];
  state.isForgettingHeldUp = false;
  state.isOrderLocked = false;
});

type Options = Parameters<DiscordDouble['slash']>[3];

async function use(
  command: string,
  subcommand: string | null,
  options: Options = {},
): Promise<DiscordMessage> {
  const interaction = discord.slash(alice, command, subcommand, options);
  const answer = await discord.waitForAnswer(interaction);
  // Deferred, and for the person alone, whatever it is.
  expect(interaction.callback).toBe(5);
  expect(isEphemeral(answer)).toBe(true);
  return answer;
}

function buttonOf(message: DiscordMessage, label: string): string {
  const button = componentsOf(message).find((component) => component['label'] === label);
  return String(button?.['custom_id']);
}

describe('slash commands', () => {
  it('are registered under their names', () => {
    expect(discord.commands.map(({ name }) => name)).toEqual(['companion', 'memories', 'personality']);
  });

  it('/personality says who it is and shows its mood as a picture, with words for who can not see it', async () => {
    const answer = await use('personality', null);
    expect(answer.content).toContain('**Mira**, curious and warm');
    expect(answer.content).toContain('Now: moderately relaxed.');
    const [card] = answer.attachments;
    expect(card).toMatchObject({
      filename: 'mood.png',
      content_type: 'image/png',
      description: expect.stringContaining('Mira is moderately relaxed'),
      width: 1_520,
    });
    expect(discord.fileOf(card!).subarray(1, 4).toString()).toBe('PNG');
  });

  it('/companion settings shows what is, and changes what is given', async () => {
    expect((await use('companion', 'settings')).content).toContain('Writing first: **off**');
    const changed = await use('companion', 'settings', {
      outreach: 'on',
      timezone: 'Europe/Berlin',
      'daily-cap': 2,
    });
    expect(changed.content).toContain('Saved.');
    expect(state.settings).toMatchObject({ optedIn: true, timeZone: 'Europe/Berlin', dailyCap: 2 });
    const byCity = { timezone: 'madrid', 'weekly-cap': 4, 'topics-off': 'work, my ex' };
    expect((await use('companion', 'settings', byCity)).content).toContain('**work**, **my ex**');
    expect(state.settings).toMatchObject({ timeZone: 'Europe/Madrid', weeklyCap: 4 });
    await use('companion', 'settings', { timezone: 'Europe/Berlin' });
    const wrong = await use('companion', 'settings', { timezone: 'Mars/Olympus' });
    expect(wrong.content).toContain('Nothing was changed. `timezone`');
    expect(state.settings.timeZone).toBe('Europe/Berlin');
  });

  it('/companion settings allows outreach here only where it and the member may write', async () => {
    const channel = discord.channel(discord.guild('Orchard'), 'general');
    const thread = discord.thread(channel, 'pears');
    const here = async (place: typeof channel) => {
      const asked = discord.slash(alice, 'companion', 'settings', { outreach: 'here' }, place);
      return (await discord.waitForAnswer(asked)).content;
    };
    for (const [place, permission] of [
      [channel, 'SEND_MESSAGES'],
      [channel, 'VIEW_CHANNEL'],
      [thread, 'SEND_MESSAGES_IN_THREADS'],
    ] as const) {
      discord.deny(channel, permission);
      expect(await here(place)).toMatch(/^Nothing was changed: .*View Channel and Send Messages/u);
      discord.deny(channel);
    }
    expect(state.settings.channel).toBeNull();
    discord.deny(channel, 'SEND_MESSAGES');
    expect(await here(thread)).toContain('Saved.');
    discord.deny(channel);
    expect(await here(channel)).toContain('Saved.');
    state.settings.channel = null;
    discord.denyPerson(channel, alice, 'SEND_MESSAGES');
    expect(await here(channel)).toMatch(/^Nothing was changed: you cannot write/u);
    expect(state.settings.channel).toBeNull();
    expect(await here(thread)).toContain('Saved.');
    state.quietChannels.add(channel.id);
    expect(await here(thread)).toMatch(/^Nothing was changed: whoever runs me/u);
    discord.denyPerson(channel, alice, 'SEND_MESSAGES_IN_THREADS');
    expect(await here(thread)).toMatch(/^Nothing was changed: you cannot write/u);
  });

  it('are not taken for a DM where they are used in a channel', async () => {
    const bea = discord.user('Bea');
    const channel = discord.channel(discord.guild('Meadow'), 'general');
    const status = (...place: [channel?: typeof channel]) =>
      discord.waitForAnswer(discord.slash(bea, 'companion', 'status', {}, ...place));
    await status(channel);
    await status();
    const cursors = (id: string) =>
      stores.query('SELECT is_direct FROM discord_cursors WHERE channel_id = $1', [id]);
    await eventually('her DM is noted', async () => (await cursors(discord.dmChannel(bea).id)).length === 1);
    expect(await cursors(channel.id)).toEqual([]);
  });

  it('/companion why tells why it wrote', async () => {
    expect((await use('companion', 'why')).content).toBe('It has not written to you first.');
    state.attempts = [
      {
        id: randomUUID(),
        companionId: 'mira',
        kind: 'request',
        sources: ['turn:1'],
        because: 'You asked for it: “my exam”',
        decidedAt: '2026-03-01T10:00:00.000Z',
        status: 'failed',
        problem: 'DMs are closed',
        channelId: null,
      },
    ];
    expect((await use('companion', 'why')).content).toContain(
      '<t:1772359200:R> You asked for it: “my exam” (it did not come: DMs are closed)',
    );
  });

  it('/memories list and search show what is kept, and say so when nothing is', async () => {
    expect((await use('memories', 'list')).content).toContain('Nothing is kept about you yet');
    state.remember('has a cat called Miso');
    expect((await use('memories', 'list')).content).toContain('has a cat called Miso');
    expect((await use('memories', 'search', { query: 'cat' })).content).toContain('has a cat called Miso');
  });

  it('/memories list goes by pages', async () => {
    for (let number = 1; number <= 23; number += 1) state.remember(`thing ${number}.`);
    const first = await use('memories', 'list');
    expect(first.content).toContain('Page 1 of 3, 23 memories');
    const last = await use('memories', 'list', { page: 9 });
    expect(last.content).toContain('Page 3 of 3');
    expect(last.content).toContain('thing 23.');
    const next = await discord.waitForAnswer(discord.press(alice, first, buttonOf(first, 'Older')));
    expect(next.content).toContain('Page 2 of 3');
    expect(next.content).toContain('thing 11.');
  });

  it('/memories correct and pin change one of them, and say so when there is none', async () => {
    const cat = state.remember('has a cat called Miso');
    const id = cat.id.slice(-6);
    const corrected = await use('memories', 'correct', { id, text: 'has a cat called Mochi' });
    expect(corrected.content).toContain('has a cat called Mochi');
    expect((await use('memories', 'pin', { id })).content).toContain('(pinned, fact)');
    expect((await use('memories', 'pin', { id: 'nothing' })).content).toContain(
      'No memory of yours has the id',
    );
  });

  it('/memories private stops remembering, and export hands everything over', async () => {
    expect((await use('memories', 'private', { on: true })).content).toContain('Private from now on');
    expect((await use('memories', 'private', { on: false })).content).toContain('I remember again');
    state.remember('has a cat called Miso');
    const updatedAt = '2026-03-01T10:00:00Z';
    const noted = { label: 'human' as const, updatedBy: 'companion' as const, updatedAt };
    const audience = 'channel:discord:1';
    state.core = [
      { ...noted, text: 'Alice, a baker.', audience: 'direct' },
      { ...noted, text: 'Alice hosts the quiz.', audience },
    ];
    const { content, attachments } = await use('memories', 'export');
    expect(content).toContain('Every memory of you that I have');
    expect(content).toContain('tasks are in');
    const lines = discord.fileOf(attachments[0]!).toString().trimEnd().split('\n');
    const [miso, ...blocks] = lines.map((line) => JSON.parse(line) as unknown);
    // `kith memories import` takes them.
    expect(MemoryRecord.parse(miso)).toMatchObject({ companion: 'mira', text: 'has a cat called Miso' });
    expect(blocks.map((block) => CoreRecord.parse(block))).toEqual([
      { core: 'human', companion: 'mira', text: 'Alice, a baker.' },
      { core: 'human', companion: 'mira', text: 'Alice hosts the quiz.', audience },
    ]);
  });

  it('/memories about tells what is known, as a file where a message cannot hold it', async () => {
    state.remember('has a cat called Miso');
    expect((await use('memories', 'about')).content).toContain('- has a cat called Miso');
    state.remember('likes long words '.repeat(200));
    expect((await use('memories', 'about')).content).toBe('What I know of you:');
  });

  it('/memories forget forgets what was found, once it is confirmed', async () => {
    state.remember('has a cat called Miso');
    const dog = state.remember('is afraid of dogs');
    const question = await use('memories', 'forget', { query: 'cat' });
    expect(question.content).toContain('Forget this memory, and the 1 line of your talk it came from?');
    expect(state.memories).toHaveLength(2);
    const pressed = await discord.waitForAnswer(discord.press(alice, question, buttonOf(question, 'Forget')));
    expect(pressed.content).toBe(
      'Forgotten: 1 memory and 1 line of our talk. In ten minutes it is gone for good.',
    );
    expect(state.memories).toEqual([dog]);
    const [screen, undo] = [{ ...pressed, components: [...pressed.components] }, buttonOf(pressed, 'Undo')];
    const undone = await discord.waitForAnswer(discord.press(alice, { ...screen }, undo));
    expect(undone.content).toBe('I have it back: 1 memory and 1 line of our talk.');
    expect(undone.components).toEqual([]);
    expect(state.memories).toHaveLength(2);
    const again = await discord.waitForAnswer(discord.press(alice, { ...screen }, undo));
    expect(again.content).toContain('it is back already, or gone for good');
  });

  it('/memories forget says that an order is noted where it was broken off, and can take it back', async () => {
    state.remember('has a cat called Miso');
    const question = await use('memories', 'forget', { query: 'cat' });
    state.isForgettingHeldUp = true;
    const pressed = await discord.waitForAnswer(discord.press(alice, question, buttonOf(question, 'Forget')));
    expect(pressed.content).toContain('It is noted, and I forget it');
    const undone = await discord.waitForAnswer(discord.press(alice, pressed, buttonOf(pressed, 'Undo')));
    expect(undone.content).toContain('It is noted, and I bring it back');
    expect(buttonOf(undone, 'Undo')).toContain('undo:take:');
  });

  it('/memories forget keeps its Undo where that cannot be noted yet', async () => {
    state.remember('has a cat called Miso');
    const question = await use('memories', 'forget', { query: 'cat' });
    const pressed = await discord.waitForAnswer(discord.press(alice, question, buttonOf(question, 'Forget')));
    state.isOrderLocked = true;
    const refused = await discord.waitForAnswer(discord.press(alice, pressed, buttonOf(pressed, 'Undo')));
    expect(refused.content).toContain('Please try again in a minute');
    state.isOrderLocked = false;
    const undone = await discord.waitForAnswer(discord.press(alice, refused, buttonOf(refused, 'Undo')));
    expect(undone.content).toBe('I have it back: 1 memory and 1 line of our talk.');
    expect(state.memories).toHaveLength(1);
  });

  it('/memories forget keeps everything when the person thinks again', async () => {
    state.remember('has a cat called Miso');
    const question = await use('memories', 'forget', { all: true });
    expect(question.content).toContain('**everything**');
    const pressed = await discord.waitForAnswer(discord.press(alice, question, buttonOf(question, 'Keep')));
    expect(pressed.content).toBe('Nothing was forgotten.');
    expect(state.memories).toHaveLength(1);
  });

  it('/memories forget asks what to forget when it is not told', async () => {
    expect((await use('memories', 'forget')).content).toContain('Say what to forget');
  });

  it('/companion tools lists what may be used where it is asked', async () => {
    expect((await use('companion', 'tools')).content).toContain(
      '`send_note` (asks you first): Sends a note.',
    );
    const guild = discord.guild('Toolshed');
    const channel = discord.channel(guild, 'general');
    const among = await discord.waitForAnswer(discord.slash(alice, 'companion', 'tools', {}, channel));
    expect(among.content).toBe('No tools may be used here.');
    const thread = discord.thread(channel, 'tools');
    await discord.waitForAnswer(discord.slash(alice, 'companion', 'tools', {}, thread));
    expect(state.toolPlaces.slice(-3)).toMatchObject([
      { server: null, channel: null, threadOf: null, roles: [] },
      { server: guild.id, channel: channel.id, threadOf: null },
      { server: guild.id, channel: thread.id, threadOf: channel.id },
    ]);
  });

  it('/companion tasks lists one’s own where they may show, and ends them', async () => {
    expect((await use('companion', 'tasks')).content).toMatch(/^No tasks yet\./u);
    const channel = discord.channel(discord.guild('Greenhouse'), 'general');
    const told = `channel:discord:${channel.id}`;
    state.tasks = [taskOf('plan the *surprise*', 'direct'), taskOf('water the ferns', told)];
    const [secret, open] = state.tasks.map(({ id }) => id.slice(-6));
    const alone = await use('companion', 'tasks');
    expect(alone.content).toContain(`- \`${secret}\` plan the surprise (waits for rain)`);
    expect(alone.content).toContain('water the ferns');
    const among = async (options: Options) => {
      const answer = await discord.waitForAnswer(
        discord.slash(alice, 'companion', 'tasks', options, channel),
      );
      expect(isEphemeral(answer)).toBe(true);
      return answer.content;
    };
    expect(await among({})).toContain('water the ferns');
    expect(await among({})).not.toContain('surprise');
    expect(await among({ drop: secret! })).toContain('No task of yours here');
    const both = await among({ done: open!, drop: secret! });
    expect(both).toMatch(/^Done: water the ferns\nNo task of yours here has the id/u);
    expect(await among({})).toContain('No tasks here yet.');
    expect((await use('companion', 'tasks', { drop: secret! })).content).toBe('Dropped: plan the surprise');
    expect(state.tasks.map((task) => task.state)).toEqual(['dropped', 'done']);
  });

  it('a question about a tool is answered by its buttons, to the person alone, and the reply stays', async () => {
    const id = randomUUID();
    const target = { channelId: discord.dmChannel(alice).id, userId: alice.id };
    const outboxId = state.reply(target, 'I would send it. May I?', {
      questions: [{ id, tool: 'send_note' }],
    });
    await bot.messenger.enqueue(discordContract.deliver, { outboxId });
    const { message: reply } = await discord.waitForMessage(({ content }) => content.includes('May I?'));
    const pressed = await discord.waitForAnswer(
      discord.press(alice, reply, buttonOf(reply, 'Allow send_note')),
    );
    expect(isEphemeral(pressed)).toBe(true);
    expect(pressed.content).toBe('Done.\n```\nsent ˋˋˋ@everyone\n```');
    expect(state.toolAnswers).toMatchObject([{ questionId: id, answer: 'yes' }]);
    expect(reply.content).toContain('May I?');
  });

  it('a question about a tool is shown whole before it is allowed', async () => {
    const id = randomUUID();
    const given = { to: 'Bob', note: 'words '.repeat(500) };
    const text = '🔧 May I use “send_note”?';
    state.questions = [{ id, tool: 'send_note', arguments: given, text, expiresAt: '2026-03-01T10:00:00Z' }];
    const target = { channelId: discord.dmChannel(alice).id, userId: alice.id };
    const outboxId = state.reply(target, 'A long note. May I?', { questions: [{ id, tool: 'send_note' }] });
    await bot.messenger.enqueue(discordContract.deliver, { outboxId });
    const { message: reply } = await discord.waitForMessage(({ content }) => content.includes('A long note'));
    const seen = await discord.waitForAnswer(discord.press(alice, reply, buttonOf(reply, 'See all')));
    expect(isEphemeral(seen)).toBe(true);
    expect(seen.content).toContain(text);
    expect(JSON.parse(discord.fileOf(seen.attachments[0]!).toString())).toEqual(given);
    expect(buttonOf(seen, 'Allow send_note')).toBe(`tool:yes:${id}`);

    state.questions = [];
    const other = await discord.waitForAnswer(discord.press(alice, reply, buttonOf(reply, 'See all')));
    expect(other.content).toContain('No such question');
    expect(other.attachments).toEqual([]);
  });

  it('gives a later press on a question the answer of the first: nothing more is done, and nobody noted anew', async () => {
    state.remember('has a cat called Miso');
    const question = await use('memories', 'forget', { all: true });
    const screen = { ...question, components: [...question.components] };
    const press = (label: string) => discord.press(alice, { ...screen }, buttonOf(screen, label));
    const first = await discord.waitForAnswer(press('Forget'));
    const { content, components } = first;
    expect(state.memories).toEqual([]);
    state.remember('a new one');
    state.people.delete(alice.id);
    for (const label of ['Forget', 'Keep'])
      expect(await discord.waitForAnswer(press(label))).toMatchObject({ content, components });
    expect(state.memories).toHaveLength(1);
    expect(state.people.has(alice.id)).toBe(false);
  });
});

describe('with memory down', () => {
  beforeAll(async () => {
    await suite.stop();
    suite = await runSuite(stores.redisUrl, state, [GatewayDouble, CharacterDouble]);
  });

  it('commands on memories say that a part is out of reach', async () => {
    expect((await use('memories', 'list')).content).toContain('out of reach right now');
  });

  it('/companion status shows the rest and names what does not answer', async () => {
    const { content } = await use('companion', 'status');
    expect(content).toContain('**Mira**');
    expect(content).toContain('memory does not answer');
    expect(content).toContain('memory is out of reach');
    expect(content).toContain('Writing first: on');
  });

  it('say so at once while Redis is down, and work again when it is back', async () => {
    await redisOfBot.set('refuse');
    await eventually('its absence', async () => (await use('companion', 'status')).content.includes('Redis'));
    await redisOfBot.set('open');
    await eventually('its return', async () => (await use('personality', null)).content.includes('**Mira**'));
  });
});

// The last one: from here on this bot sends nothing for ten minutes.
describe('with too much refused by Discord', () => {
  it('commands are not answered; a command that came too late is counted among it', async () => {
    const { requests, desk } = bot.parts;
    const { count } = requests;
    discord.fail({ path: /callback$/, status: 404, code: 10062, message: 'Unknown interaction' });
    discord.slash(alice, 'personality');
    await eventually('the refusal', () => requests.count === count + 1);
    while (!requests.isTooMany)
      requests.note({ status: 403, headers: new Headers() }, `${discord.api}/v10/channels/1/messages`);
    const asked = discord.journal.requests.length;
    discord.slash(alice, 'personality');
    const after = discord.dm(alice, 'hello?');
    await eventually('what came after it', () =>
      state.received.some(({ messageId }) => messageId === after.id),
    );
    await desk.drain();
    expect(discord.journal.requests).toHaveLength(asked);
  });
});

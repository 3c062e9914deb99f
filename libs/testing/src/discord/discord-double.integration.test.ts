import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Client,
  ComponentType,
  Events,
  GatewayIntentBits,
  MessageFlags,
  Partials,
  Routes,
  type Message,
} from 'discord.js';
import { eventually } from '../eventually.js';
import { componentsOf, DiscordDouble, isEphemeral } from './discord-double.js';
import { INTENTS } from './discord-gateway.js';

let double: DiscordDouble;
let client: Client | undefined;

afterEach(async () => {
  await client?.destroy();
  client = undefined;
  await double.stop();
});

async function connect(extra: GatewayIntentBits[] = []): Promise<{ heard: Message[]; client: Client<true> }> {
  client = new Client({
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.DirectMessages,
      ...extra,
    ],
    partials: [Partials.Channel],
    rest: { api: double.api, retries: 0 },
  });
  client.on(Events.Error, () => undefined);
  const heard: Message[] = [];
  client.on(Events.MessageCreate, (message) => {
    if (!message.author.bot) heard.push(message);
    double.journal.changed();
  });
  const ready = new Promise((resolve) => client?.once(Events.ClientReady, resolve));
  await client.login(double.token);
  await ready;
  return { heard, client: client as Client<true> };
}

async function post(
  path: string,
  body: unknown,
  authorized = true,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${double.api}/v10${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(authorized ? { authorization: `Bot ${double.token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: response.status === 204 ? null : await response.json() };
}

describe('the gateway of the Discord double', () => {
  it('brings a client up and lets it hear mentions and DMs, but not the words of others', async () => {
    double = await DiscordDouble.start();
    const alice = double.user('Alice');
    const general = double.channel(double.guild('Home'), 'general');
    const { heard } = await connect();
    double.say(alice, `hello <@${double.bot.id}>`, general);
    double.say(alice, 'nothing for the bot', general);
    double.dm(alice, 'psst');
    await double.journal.until('three messages', () => heard.length === 3 || undefined, 5_000);
    expect(heard.map(({ content }) => content)).toEqual([`hello <@${double.bot.id}>`, '', 'psst']);
    expect(heard[0]?.mentions.users.has(double.bot.id)).toBe(true);
    expect(double.gateway.identifies[0]?.['intents']).toBe(
      INTENTS.guilds | INTENTS.guildMessages | INTENTS.directMessages,
    );
  });

  it('replays what a cut connection missed when the client resumes, without a second identify', async () => {
    double = await DiscordDouble.start();
    const alice = double.user('Alice');
    const { heard } = await connect();
    double.gateway.cut(4000);
    double.dm(alice, 'said while you were away');
    await double.journal.until('the missed message', () => heard[0], 10_000);
    expect(heard.map(({ content }) => content)).toEqual(['said while you were away']);
    expect(double.gateway.resumes).toHaveLength(1);
    expect(double.gateway.identifies).toHaveLength(1);
  });

  it('tells of a deleted thread and of a deleted channel, and of no thread or message in it', async () => {
    double = await DiscordDouble.start();
    const channel = double.channel(double.guild('Brief'), 'brief');
    const [alone, under] = [double.thread(channel, 'alone'), double.thread(channel, 'under')];
    const ann = double.user('Ann');
    const said = double.say(ann, 'hello', under);
    const { client } = await connect();
    const heard: unknown[] = [];
    client.on(Events.Raw, ({ t, d }: { t: string; d: { id: string } }) => heard.push([t, d.id]));
    double.deleteChannel(alone);
    double.deleteChannel(channel);
    await eventually('both', () => heard.length >= 2);
    expect(heard).toEqual([
      ['THREAD_DELETE', alone.id],
      ['CHANNEL_DELETE', channel.id],
    ]);
    expect(double.world.messages.has(said.id)).toBe(false);
  });

  it('asks for a reconnect (op 7) and is resumed', async () => {
    double = await DiscordDouble.start();
    await connect();
    double.gateway.askToReconnect();
    await double.journal.until('a resume', () => double.gateway.resumes[0], 10_000);
    await double.waitForReady();
  });

  it('ends a session (op 9 false), which is identified anew and has missed what was said', async () => {
    double = await DiscordDouble.start();
    const alice = double.user('Alice');
    const { heard, client: bot } = await connect();
    const back = new Promise((resolve) => bot.once(Events.ShardReady, resolve));
    double.gateway.invalidate(false);
    double.dm(alice, 'said into the gap');
    await back;
    expect(double.gateway.identifies).toHaveLength(2);
    expect(heard).toEqual([]);
  });

  it('takes an unanswered heartbeat for a zombie connection, which the client resumes', async () => {
    double = await DiscordDouble.start({ heartbeatIntervalMs: 300 });
    await connect();
    double.gateway.acknowledge(false);
    await double.journal.until('a resume', () => double.gateway.resumes[0], 10_000);
    double.gateway.acknowledge(true);
    expect(double.gateway.closes.some((code) => code === 1000)).toBe(false);
  });

  it('closes with 4004 on a wrong token and 4014 on an intent that was not granted', async () => {
    double = await DiscordDouble.start();
    client = new Client({
      intents: [GatewayIntentBits.Guilds, GatewayIntentBits.MessageContent],
      rest: { api: double.api },
    });
    const closed = new Promise<number>((resolve) =>
      client?.on(Events.ShardDisconnect, ({ code }) => resolve(code)),
    );
    client.on(Events.ShardError, () => undefined);
    await expect(client.login(double.token)).rejects.toThrow('disallowed intents');
    expect(await closed).toBe(4014);
    const second = new Client({ intents: [], rest: { api: double.api } });
    await expect(second.login('wrong')).rejects.toMatchObject({ code: 'TokenInvalid' });
  });
});

describe('a session of the Discord double', () => {
  interface Event {
    op: number;
    s: number | null;
    t: string | null;
    d: { session_id?: string; content?: string } | boolean | null;
  }

  /** A socket that says hello's answer, and what it is told. */
  async function open(answer: object): Promise<{ heard: Event[]; close: (code: number) => Promise<void> }> {
    const socket = new WebSocket(`ws://127.0.0.1:${double.port}/gateway`);
    const heard: Event[] = [];
    socket.addEventListener('message', ({ data }) => heard.push(JSON.parse(String(data)) as Event));
    const isClosed = new Promise((resolve) => socket.addEventListener('close', resolve));
    await eventually('hello', () => heard.length > 0);
    socket.send(JSON.stringify(answer));
    await eventually('an answer', () => heard.length > 1);
    const close = async (code: number) => {
      const count = double.gateway.closes.length;
      socket.close(code);
      await isClosed;
      await eventually('its close', () => double.gateway.closes.length > count);
    };
    return { heard, close };
  }

  const begin = () => open({ op: 2, d: { token: double.token, intents: INTENTS.directMessages } });
  const resume = (id: unknown, seq: unknown) =>
    open({ op: 6, d: { token: double.token, session_id: id, seq } });

  async function left(code: number): Promise<[string, number]> {
    const { heard, close } = await begin();
    const ready = heard[1]!;
    await close(code);
    return [(ready.d as { session_id: string }).session_id, ready.s!];
  }

  it('tells another connection what was missed, by its numbers, and then that it is resumed', async () => {
    double = await DiscordDouble.start();
    const [id, seq] = await left(4200);
    double.dm(double.user('Alice'), 'one');
    double.dm(double.user('Ben'), 'two');
    const { heard } = await resume(id, seq);
    await eventually('its end', () => heard.some(({ t }) => t === 'RESUMED'));
    const told = heard.slice(1).map(({ t, s }) => [t, s]);
    expect(told).toEqual([
      ['MESSAGE_CREATE', seq + 1],
      ['MESSAGE_CREATE', seq + 2],
      ['RESUMED', seq + 3],
    ]);
    const { heard: again } = await resume(id, seq + 1);
    await eventually('its end', () => again.filter(({ t }) => t === 'RESUMED').length === 2);
    expect(again[1]?.d).toMatchObject({ content: 'two' });
    await eventually('one connection', () => double.gateway.connected === 1);
  });

  it('is refused once it was ended with 1000, or left for minutes', async () => {
    let now = Date.now();
    double = await DiscordDouble.start({ now: () => now });
    const refusal = { op: 9, d: false };
    const { heard: ended } = await resume(...(await left(1000)));
    expect(ended[1]).toMatchObject(refusal);
    const [id, seq] = await left(4200);
    now += 5 * 60_000;
    const { heard } = await resume(id, seq);
    expect(heard[1]).toMatchObject(refusal);
  });
});

describe('the REST side of the Discord double', () => {
  it('answers a repeated nonce with the first message and makes no second', async () => {
    double = await DiscordDouble.start();
    const channel = double.dmChannel(double.user('Alice'));
    const body = { content: 'once', nonce: 'n-1', enforce_nonce: true };
    const first = await post(`/channels/${channel.id}/messages`, body);
    const second = await post(`/channels/${channel.id}/messages`, body);
    expect(second.body).toEqual(first.body);
    expect(double.sentTo(channel)).toHaveLength(1);
    expect(double.journal.repeatedNonces).toEqual(['n-1']);
    const { client: bot } = await connect();
    expect(first.body).toMatchObject({ nonce: 'n-1' });
    const [kept] = (await bot.rest.get(`/channels/${channel.id}/messages`)) as object[];
    expect(kept).not.toHaveProperty('nonce');
    await post(`/channels/${channel.id}/messages`, { content: 'again', nonce: 'n-1' });
    expect(double.sentTo(channel)).toHaveLength(2);
  });

  it('lets nothing be changed in an archived thread until a message or the bot wakes it', async () => {
    double = await DiscordDouble.start();
    const thread = double.thread(double.channel(double.guild('Home'), 'general'), 'a thread');
    const { client: bot } = await connect();
    const message = double.say(double.bot, 'hello', thread);
    double.archive(thread);
    const path = `/channels/${thread.id}/messages/${message.id}` as const;
    for (const refused of [
      bot.rest.patch(path, { body: { content: 'bye' } }),
      bot.rest.put(`${path}/reactions/%F0%9F%91%8D/@me`),
      bot.rest.delete(path),
    ])
      await expect(refused).rejects.toMatchObject({ code: 50083 });
    await bot.rest.patch(`/channels/${thread.id}`, { body: { archived: false } });
    await bot.rest.delete(path);
    expect(double.world.messages.has(message.id)).toBe(false);
    double.archive(thread);
    await post(`/channels/${thread.id}/messages`, { content: 'awake' });
    expect(thread.archived).toBe(false);
  });

  it('refuses what Discord refuses: too long, empty, a long nonce, no token, closed DMs', async () => {
    double = await DiscordDouble.start();
    const alice = double.user('Alice');
    const path = `/channels/${double.dmChannel(alice).id}/messages`;
    expect(await post(path, { content: 'x'.repeat(2_001) })).toMatchObject({
      status: 400,
      body: { code: 50035 },
    });
    expect(await post(path, { content: ' ' })).toMatchObject({ status: 400, body: { code: 50006 } });
    expect(await post(path, { content: 'x', nonce: 'n'.repeat(26) })).toMatchObject({ status: 400 });
    expect(await post(path, { content: 'x' }, false)).toMatchObject({ status: 401 });
    double.closeDms(alice);
    expect(await post(path, { content: 'x' })).toMatchObject({ status: 403, body: { code: 50007 } });
    expect(double.journal.sent).toEqual([]);
    expect(double.journal.invalidRequests).toBe(2);
  });

  it('takes files as discord.js uploads them, keeps the ones an edit lists, and hands out their bytes', async () => {
    double = await DiscordDouble.start();
    const channel = double.channel(double.guild('Home'), 'general');
    const { client: bot } = await connect();
    const place = await bot.channels.fetch(channel.id);
    if (!place?.isSendable()) throw new Error('no such channel');
    const sent = await place.send({
      files: [
        { attachment: Buffer.from('one'), name: 'the first.txt', description: 'in words' },
        { attachment: Buffer.from('two'), name: 'second.txt' },
      ],
    });
    const [first, second] = [...sent.attachments.values()];
    expect(first).toMatchObject({ name: 'the_first.txt', description: 'in words', size: 3 });
    const message = double.world.messages.get(sent.id)!;
    expect(message.attachments.map((file) => double.fileOf(file).toString())).toEqual(['one', 'two']);

    await sent.edit({ attachments: [second!], files: [{ attachment: Buffer.from('three'), name: '3.txt' }] });
    expect(message.attachments.map((file) => double.fileOf(file).toString())).toEqual(['two', 'three']);
  });

  it('refuses a file that is listed and not there, eleven of them, and too many bytes', async () => {
    double = await DiscordDouble.start();
    const channel = double.channel(double.guild('Home'), 'general');
    const { client: bot } = await connect();
    const place = await bot.channels.fetch(channel.id);
    if (!place?.isSendable()) throw new Error('no such channel');
    const listed = { content: 'look', attachments: [{ id: '0', filename: 'missing.png' }] };
    expect(await post(`/channels/${channel.id}/messages`, listed)).toMatchObject({
      status: 400,
      body: { code: 50146 },
    });
    const files = (count: number, bytes: number) =>
      Array.from({ length: count }, (_, n) => ({ attachment: Buffer.alloc(bytes), name: `${n}.bin` }));
    await expect(place.send({ files: files(11, 1) })).rejects.toMatchObject({ code: 50035 });
    await expect(place.send({ files: files(1, 11 * 1024 * 1024) })).rejects.toMatchObject({ code: 40005 });
    expect(double.journal.sent).toEqual([]);
  });

  it('pages messages by before and after', async () => {
    double = await DiscordDouble.start();
    const { client: bot } = await connect();
    const alice = double.user('Alice');
    const [one, two, three] = ['1', '2', '3'].map((text) => double.dm(alice, text));
    const channelId = double.dmChannel(alice).id;
    const read = async (query: string): Promise<string[]> => {
      const list = await bot.rest.get(Routes.channelMessages(channelId), {
        query: new URLSearchParams(query),
      });
      return (list as { content: string }[]).map(({ content }) => content);
    };
    expect(await read(`before=${three?.id}`)).toEqual(['2', '1']);
    expect(await read(`after=${one?.id}`)).toEqual(['3', '2']);
    expect(await read(`after=${one?.id}&limit=1`)).toEqual(['2']);
    expect(await read(`before=${two?.id}&limit=1`)).toEqual(['1']);
  });

  it('waits out a rate limit, passes errors on, and loses answers when told to', async () => {
    double = await DiscordDouble.start();
    const { client: bot } = await connect();
    const path = Routes.channelMessages(double.dmChannel(double.user('Alice')).id);
    double.rateLimit({ path: /messages$/, retryAfterMs: 50 });
    await bot.rest.post(path, { body: { content: 'after the limit' } });
    expect(double.journal.requests.filter(({ status }) => status === 429)).toHaveLength(1);
    double.fail({ path: /messages$/, status: 403, code: 50013, message: 'Missing Permissions' });
    await expect(bot.rest.post(path, { body: { content: 'no' } })).rejects.toMatchObject({ code: 50013 });
    double.loseAnswer({ path: /messages$/ });
    await expect(bot.rest.post(path, { body: { content: 'lost' } })).rejects.toThrow();
    expect(double.journal.sent.map(({ message }) => message.content)).toEqual(['after the limit', 'lost']);
  });
});

describe('interactions of the Discord double', () => {
  it('takes a deferred ephemeral answer with a button, and the press of it', async () => {
    double = await DiscordDouble.start();
    const alice = double.user('Alice');
    const { client: bot } = await connect();
    await bot.application.commands.set([{ name: 'ping', description: 'Pings.' }]);
    bot.on(Events.InteractionCreate, (interaction) => {
      void (async () => {
        if (interaction.isChatInputCommand()) {
          await interaction.deferReply({ flags: MessageFlags.Ephemeral });
          const button = { type: 2, style: 1, label: 'Again', custom_id: 'again' } as const;
          await interaction.editReply({
            content: 'pong',
            components: [{ type: ComponentType.ActionRow, components: [button] }],
          });
        } else if (interaction.isButton()) {
          await interaction.deferUpdate();
          await interaction.editReply({ content: 'pong pong', components: [] });
        }
      })();
    });
    const answer = await double.waitForAnswer(double.slash(alice, 'ping'));
    expect(answer.content).toBe('pong');
    expect(isEphemeral(answer)).toBe(true);
    expect(componentsOf(answer)).toHaveLength(1);
    const pressed = await double.waitForAnswer(double.press(alice, answer, 'again'));
    expect(pressed.content).toBe('pong pong');
    expect(pressed.components).toEqual([]);
  });

  it('voids an interaction after three seconds, and its token after fifteen minutes', async () => {
    let now = Date.now();
    double = await DiscordDouble.start({ now: () => now });
    const alice = double.user('Alice');
    const { client: bot } = await connect();
    await bot.application.commands.set([{ name: 'ping', description: 'Pings.' }]);
    const late = double.slash(alice, 'ping');
    now += 3_001;
    const callback = (interaction: {
      id: string;
      token: string;
    }): Promise<{ status: number; body: unknown }> =>
      post(`/interactions/${interaction.id}/${interaction.token}/callback`, { type: 5 }, false);
    expect(await callback(late)).toMatchObject({ status: 404, body: { code: 10062 } });
    const inTime = double.slash(alice, 'ping');
    expect((await callback(inTime)).status).toBe(204);
    expect(await callback(inTime)).toMatchObject({ status: 400, body: { code: 40060 } });
    now += 15 * 60_000;
    const followUp = await post(`/webhooks/1/${inTime.token}`, { content: 'too late' }, false);
    expect(followUp).toMatchObject({ status: 401, body: { code: 50027 } });
  });

  it('lets nobody use a command that is not registered', async () => {
    double = await DiscordDouble.start();
    const alice = double.user('Alice');
    expect(() => double.slash(alice, 'nope')).toThrow('/nope is not registered');
  });
});

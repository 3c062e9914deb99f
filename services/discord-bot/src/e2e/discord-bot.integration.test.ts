import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CALLED, WORDLESS_REPLY, discordContract, gatewayContract } from '@kith/contracts';
import {
  DiscordDouble,
  eventually,
  type DiscordChannel,
  type DiscordUser,
  freshStores,
  type FreshStores,
  type DiscordGuild,
  type DiscordMessage,
  ifStarted,
} from '@kith/testing';
import { MessageFlags } from 'discord.js';
import { chunkMessage } from '../delivery/chunk-message.js';
import { nonceOf } from '../delivery/nonce-of.js';
import { logged, runBot, runSuite, type RunningBot, type RunningService } from './run-bot.js';
import { SuiteState } from './suite-state.js';

let stores: FreshStores;
let discord: DiscordDouble;
let suite: RunningService;
let bot: RunningBot;
const state = new SuiteState();
let alice: DiscordUser;
let general: DiscordChannel;

beforeAll(async () => {
  stores = await freshStores();
  discord = await DiscordDouble.start();
  alice = discord.user('Alice');
  general = discord.channel(discord.guild('Home'), 'general');
  suite = await runSuite(stores.redisUrl, state);
  bot = await runBot(stores, { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api });
  await eventually('registered commands', () => discord.commands.length > 0);
});

afterAll(async () => {
  await ifStarted(bot)?.stop();
  await ifStarted(suite)?.stop();
  await ifStarted(discord)?.stop();
  await ifStarted(stores)?.stop();
});

beforeEach(() => {
  discord.clearFaults();
  state.gatewayDown = false;
});

const receivedOf = (messageId: string) => state.received.filter((request) => request.messageId === messageId);
const resultsOf = (outboxId: string) =>
  state.noted.filter((noted) => noted.outboxId === outboxId).map(({ result }) => result);

async function deliver(outboxId: string, results = 1): Promise<ReturnType<typeof resultsOf>> {
  await bot.messenger.enqueue(discordContract.deliver, { outboxId });
  return eventually('the result of a delivery', () => {
    const noted = resultsOf(outboxId);
    return noted.length >= results ? noted : undefined;
  });
}

describe('messages', () => {
  it('hands a mention over once, with the mention taken out and the place named', async () => {
    const message = discord.say(alice, `<@${discord.bot.id}> how are you?`, general);
    const [request] = await eventually('the message', () => {
      const found = receivedOf(message.id);
      return found.length > 0 ? found : undefined;
    });
    expect(request).toMatchObject({
      from: { door: 'discord', subject: alice.id, displayName: 'Alice' },
      place: { door: 'discord', externalId: general.id, kind: 'channel' },
      text: 'how are you?',
      sentAt: message.timestamp,
    });
    const next = discord.dm(alice, 'and here');
    await eventually('the DM', () => receivedOf(next.id).length > 0);
    expect(receivedOf(message.id)).toHaveLength(1);
    expect(receivedOf(next.id)[0]?.place).toEqual({
      door: 'discord',
      externalId: discord.dmChannel(alice).id,
      kind: 'direct',
    });
  });

  it('takes a reply to the bot as spoken to it, and leaves everything else alone', async () => {
    const own = await deliver(state.reply({ channelId: general.id, userId: alice.id }, 'I am well.'));
    expect(own[0]?.kind).toBe('delivered');
    const { message: said } = await discord.waitForMessage(({ content }) => content === 'I am well.');
    // Discord draws no preview of what a link in it leads to.
    expect(said.flags).toBe(MessageFlags.SuppressEmbeds);
    const chatter = discord.say(alice, 'talking to others', general);
    const robot = { ...discord.user('Robot'), bot: true };
    const fromRobot = discord.say(robot, `<@${discord.bot.id}> beep`, general);
    const reply = discord.say(alice, 'good to hear', general, { replyTo: said });
    await eventually('the reply', () => receivedOf(reply.id).length > 0);
    expect([chatter, fromRobot].flatMap(({ id }) => receivedOf(id))).toEqual([]);
  });

  it('hands a message over once, however often Discord delivers it', async () => {
    const message = discord.dm(alice, 'once or thrice');
    discord.redeliver(message);
    discord.redeliver(message);
    const next = discord.dm(alice, 'something else');
    await eventually('the next message', () => receivedOf(next.id).length > 0);
    expect(receivedOf(message.id)).toHaveLength(1);
  });

  it('keeps trying, in order, while the gateway can not take it', async () => {
    state.gatewayDown = true;
    const first = discord.dm(alice, 'first');
    const second = discord.dm(alice, 'second');
    await new Promise((resolve) => setImmediate(resolve));
    expect(receivedOf(first.id)).toEqual([]);
    state.gatewayDown = false;
    await eventually('both messages', () => receivedOf(second.id).length > 0);
    const order = state.received.map(({ messageId }) => messageId);
    expect(order.indexOf(first.id)).toBeLessThan(order.indexOf(second.id));
  });

  it('shows typing once a message is accepted, and not past the end of its turn', async () => {
    const bob = discord.user('Bob');
    const channel = discord.dmChannel(bob);
    const shown = () => discord.journal.typing.filter((channelId) => channelId === channel.id).length;
    discord.dm(bob, 'hello');
    await eventually('typing', () => shown() === 1);
    await suite.messenger.announce(gatewayContract.turnEnded, {
      turnId: randomUUID(),
      conversationId: state.idIn(state.conversations, channel.id),
      companionId: 'mira',
      personId: state.idIn(state.people, bob.id),
      door: 'discord',
      origin: 'message',
      outcome: 'silent',
      endedAt: new Date().toISOString(),
    });
    // While typing is on, further messages add no request before its next beat, eight seconds on: one that
    // comes sooner shows that it had stopped.
    const again = async () => {
      const { id } = discord.dm(bob, 'still there?');
      await eventually('the message', () => receivedOf(id).length > 0);
      return shown() > 1;
    };
    await eventually('typing anew', again, 6_000);
  });

  it('hears what was said while its connection was cut', async () => {
    discord.gateway.cut(4000);
    const message = discord.dm(alice, 'are you there?');
    await eventually('the missed message', () => receivedOf(message.id).length === 1);
  });
});

describe('deliveries', () => {
  it('sends a long reply in chunks with nonces, answering the message, pinging nobody', async () => {
    const asked = discord.say(alice, `<@${discord.bot.id}> tell me all`, general);
    const text = `<@${alice.id}> ${'a sentence of some length. '.repeat(120)}`;
    const target = { channelId: general.id, userId: alice.id, replyToMessageId: asked.id };
    const outboxId = state.reply(target, text);
    const [result] = await deliver(outboxId);
    const sent = discord
      .sentTo(general)
      .filter(({ body }) => String(body['nonce']).startsWith(nonceOf(outboxId, 0).slice(0, -1)));
    expect(sent.map(({ body }) => body['nonce'])).toEqual([nonceOf(outboxId, 0), nonceOf(outboxId, 1)]);
    expect(result).toEqual({ kind: 'delivered', platformIds: sent.map(({ message }) => message.id) });
    expect(sent.map(({ body }) => body['enforce_nonce'])).toEqual([true, true]);
    expect(sent.flatMap(({ message }) => message.mentions)).toEqual([]);
    expect(sent.map(({ message }) => message.message_reference?.message_id)).toEqual([asked.id, undefined]);
  });

  it('sends without the reference when the message it answers is gone', async () => {
    const target = { channelId: general.id, userId: alice.id, replyToMessageId: '1' };
    const [result] = await deliver(state.reply(target, 'too late'));
    expect(result?.kind).toBe('delivered');
  });

  it('waits for its turn, as often as it is told to', async () => {
    const outboxId = state.reply({ channelId: general.id, userId: alice.id }, 'in my turn');
    state.outbox.get(outboxId)!.waits = 2;
    expect((await deliver(outboxId))[0]).toMatchObject({ kind: 'delivered' });
    expect(discord.sentTo(general).at(-1)!.message.content).toBe('in my turn');
  });

  it('does not send twice when the answer to the first send was lost', async () => {
    const outboxId = state.reply({ channelId: general.id, userId: alice.id }, 'said once');
    discord.loseAnswer({ method: 'POST', path: /messages$/ });
    const results = await deliver(outboxId, 2);
    expect(results.map(({ kind }) => kind)).toEqual(['retry', 'delivered']);
    expect(discord.sentTo(general).filter(({ message }) => message.content === 'said once')).toHaveLength(1);
    expect(discord.journal.repeatedNonces).toContain(nonceOf(outboxId, 0));
  });

  it('goes on with the next chunk when it was cut off between two', async () => {
    const text = 'a chunk of words. '.repeat(300);
    const outboxId = state.reply({ channelId: general.id, userId: alice.id }, text);
    // discord.js tries a request that meets a 503 four times.
    discord.fail({ method: 'POST', path: /messages$/, status: 503, after: 1, times: 4 });
    const results = await deliver(outboxId, 2);
    const sent = discord.sentTo(general).slice(-3);
    const ids = sent.map(({ message }) => message.id);
    expect(results).toEqual([
      expect.objectContaining({ kind: 'retry', sent: ids.slice(0, 1) }),
      { kind: 'delivered', platformIds: ids },
    ]);
    expect(sent.map(({ body }) => body['nonce'])).toEqual([0, 1, 2].map((chunk) => nonceOf(outboxId, chunk)));
    expect(state.notedSent.get(outboxId)).toEqual([ids.slice(0, 1), ids.slice(0, 2)]);
  });

  it.each([
    // Each of the two parts is posted once more, and Discord answers with the one that it has.
    ['knows its nonce', undefined, 11],
    // They are found in the channel.
    ['has forgotten its nonce', new Date(Date.now() - 3_600_000), 9],
  ])(
    'sends no part twice that Discord took and answered with an error, where it %s',
    async (_, tried, posted) => {
      const channel = discord.dmChannel(discord.user('Lea'));
      // Its first two parts say the same.
      const text = `${'a chunk of words. '.repeat(250)}The end.`;
      const target = { channelId: channel.id, userId: alice.id };
      const outboxId = state.reply(target, text, tried && { firstTriedAt: tried });
      const posts = { method: 'POST', path: new RegExp(`${channel.id}/messages$`) };
      // discord.js tries a request that meets a 503 four times.
      for (const after of [0, tried ? 0 : 1])
        discord.fail({ ...posts, status: 503, after, times: 4, isDone: true });
      const results = await deliver(outboxId, 3);
      const sent = discord.sentTo(channel).map(({ message }) => message);
      expect(results).toMatchObject([
        { kind: 'retry', sent: [] },
        { kind: 'retry', sent: [sent[0]!.id] },
        { kind: 'delivered', platformIds: sent.map(({ id }) => id) },
      ]);
      expect(sent.map(({ content }) => content)).toEqual(chunkMessage(text));
      expect(sent[0]!.content).toBe(sent[1]!.content);
      const ofChannel = discord.journal.requests.filter(
        ({ method, path }) => method === 'POST' && posts.path.test(path),
      );
      expect(ofChannel).toHaveLength(posted);
    },
  );

  it('arrive also after Discord refused the token in passing', async () => {
    const channel = discord.dmChannel(discord.user('Pia'));
    const target = { channelId: channel.id, userId: alice.id };
    discord.fail({ method: 'POST', path: new RegExp(`${channel.id}/messages$`), status: 401 });
    const results = await deliver(state.reply(target, 'all the same'), 2);
    expect(results).toMatchObject([{ kind: 'retry', reason: 'Discord 401/0: 401' }, { kind: 'delivered' }]);
  });

  it('looks in the channel for what may have arrived long ago, and not at what others said', async () => {
    const bob = discord.user('Bob');
    const target = { channelId: discord.dmChannel(bob).id, userId: bob.id };
    const arrived = state.reply(target, 'same words', { firstTriedAt: new Date(Date.now() - 3_600_000) });
    discord.dm(bob, 'same words');
    const { id } = discord.world.addMessage(discord.dmChannel(bob), discord.bot, { content: 'same words' });
    expect((await deliver(arrived))[0]).toEqual({ kind: 'delivered', platformIds: [id] });
    const lost = state.reply(target, 'other words', { firstTriedAt: new Date(Date.now() - 3_600_000) });
    discord.dm(bob, 'other words');
    await deliver(lost);
    expect(discord.sentTo(discord.dmChannel(bob)).map(({ message }) => message.content)).toEqual([
      'other words',
    ]);
  });

  it('takes no message of another reply that says the same for its own, to end with it or to delete it', async () => {
    const channel = discord.dmChannel(discord.user('Noa'));
    const target = { channelId: channel.id, userId: alice.id };
    const again = (isUnwanted?: boolean) =>
      state.reply(target, 'good night', { firstTriedAt: new Date(Date.now() - 3_600_000), isUnwanted });
    const sent = () =>
      discord.sentTo(channel).filter(({ message }) => discord.world.messages.has(message.id));
    await deliver(state.reply(target, 'good night'));
    expect(await deliver(again())).toMatchObject([{ kind: 'delivered' }]);
    expect(sent()).toHaveLength(2);
    const forgotten = again();
    state.outbox.get(forgotten)!.isForgotten = true;
    expect(await deliver(forgotten)).toEqual([{ kind: 'forgotten' }]);
    expect(sent()).toHaveLength(2);
    const unwanted = again(true);
    await bot.messenger.enqueue(discordContract.deliver, { outboxId: unwanted });
    await eventually('the question', () => state.absent.includes(unwanted));
    expect(sent()).toHaveLength(2);
  });

  it('takes no message for its own that was there before its first try, whatever a clock says', async () => {
    const erin = discord.user('Erin');
    const target = { channelId: discord.dmChannel(erin).id, userId: erin.id };
    await deliver(state.reply(target, 'the same apology'));
    // As to a bot whose clock was put an hour ahead: the first try seems to be long ago.
    const later = { firstTriedAt: new Date(Date.now() - 3_600_000), tries: 0 };
    await deliver(state.reply(target, 'the same apology', later));
    expect(discord.sentTo(discord.dmChannel(erin))).toHaveLength(2);
  });

  it('opens the DM for what the companion starts', async () => {
    const carol = discord.user('Carol');
    const [result] = await deliver(state.reply({ userId: carol.id }, 'thought of you'));
    expect(result?.kind).toBe('delivered');
    expect(discord.sentTo(discord.dmChannel(carol)).map(({ message }) => message.content)).toEqual([
      'thought of you',
    ]);
  });

  it('knows again what the companion started and what arrived unnoticed, also where it would not be sent any more', async () => {
    const fay = discord.user('Fay');
    const outboxId = state.reply({ userId: fay.id }, 'how was it?', { isUnwanted: true });
    discord.loseAnswer({ method: 'POST', path: /messages$/ });
    const results = await deliver(outboxId, 2);
    const sent = discord.sentTo(discord.dmChannel(fay)).map(({ message }) => message.id);
    expect(sent).toHaveLength(1);
    expect(results).toMatchObject([{ kind: 'retry' }, { kind: 'delivered', platformIds: sent }]);
    expect(state.absent).not.toContain(outboxId);
  });

  it.each([true, false])(
    'asks about what the companion started and what did not arrive (unwanted by now: %s)',
    async (isUnwanted) => {
      const gus = discord.user('Gus');
      const outboxId = state.reply({ userId: gus.id }, 'how was it?', { isUnwanted });
      // discord.js tries a request that meets a 503 four times.
      discord.fail({ method: 'POST', path: /messages$/, status: 503, times: 4 });
      await deliver(outboxId, isUnwanted ? 1 : 2);
      await eventually('no job left', async () => {
        const counts = await bot.messenger.jobs.counts(discordContract.deliver);
        return Object.values(counts).every((count) => count === 0);
      });
      expect(state.absent.filter((id) => id === outboxId)).toHaveLength(1);
      expect(discord.sentTo(discord.dmChannel(gus))).toHaveLength(isUnwanted ? 0 : 1);
      expect(resultsOf(outboxId).map(({ kind }) => kind)).toEqual(
        isUnwanted ? ['retry'] : ['retry', 'delivered'],
      );
    },
  );

  it('asks anew about what the companion started and a rate limit holds up', async () => {
    const ivy = discord.user('Ivy');
    const dm = discord.dmChannel(ivy);
    const outboxId = state.reply({ userId: ivy.id }, 'how was it?', { isUnwanted: false });
    discord.rateLimit({ method: 'POST', path: /messages$/, retryAfterMs: 3_000 });
    const held = deliver(outboxId);
    await eventually('its try', () => state.outbox.get(outboxId)?.attempt === 1);
    state.outbox.get(outboxId)!.isUnwanted = true;
    expect((await held)[0]).toMatchObject({ kind: 'retry', reason: 'Discord took too long' });
    await eventually('the question', () => state.absent.includes(outboxId));
    // Requests to a channel go one after the other.
    await deliver(state.reply({ channelId: dm.id, userId: ivy.id }, 'an answer'));
    expect(discord.sentTo(dm).map(({ message }) => message.content)).toEqual(['an answer']);
  });

  it('mentions and pings whom it writes to first in a channel, and nobody else', async () => {
    const text = `how did it go? <@${discord.user('Erin').id}>`;
    const outboxId = state.reply({ channelId: general.id, userId: alice.id, mention: true }, text);
    expect((await deliver(outboxId))[0]).toMatchObject({ kind: 'delivered' });
    const { message } = discord.sentTo(general).at(-1)!;
    expect(message.content).toBe(`<@${alice.id}> ${text}`);
    expect(message.mentions.map(({ id }) => id)).toEqual([alice.id]);
  });

  it('writes nothing in a channel to somebody who has left its server', async () => {
    const fay = discord.user('Fay');
    discord.leave(fay, discord.world.guilds.get(general.guild_id!)!);
    const before = discord.sentTo(general).length;
    const outboxId = state.reply({ channelId: general.id, userId: fay.id, mention: true }, 'and your exam?');
    const reason = 'whoever it is for may no longer write there';
    expect((await deliver(outboxId))[0]).toMatchObject({ kind: 'failed', unreachable: 'place', reason });
    expect(discord.sentTo(general)).toHaveLength(before);
  });

  it('knows again what reached a channel unnoticed before whoever it is for left', async () => {
    const gil = discord.user('Gil');
    const target = { channelId: general.id, userId: gil.id, mention: true };
    const outboxId = state.reply(target, 'and your exam?', { isUnwanted: false });
    discord.loseAnswer({ method: 'POST', path: /messages$/ });
    const delivering = deliver(outboxId, 2);
    await eventually('its arrival', () => discord.sentTo(general).at(-1)!.message.content.includes(gil.id));
    discord.leave(gil, discord.world.guilds.get(general.guild_id!)!);
    const { id } = discord.sentTo(general).at(-1)!.message;
    expect(await delivering).toMatchObject([{ kind: 'retry' }, { kind: 'delivered', platformIds: [id] }]);
  });

  it('writes nothing in a channel, or a thread of it, to somebody who may look into it or write there no more', async () => {
    const ida = discord.user('Ida');
    const staff = discord.channel(discord.world.guilds.get(general.guild_id!)!, 'staff');
    const thread = discord.thread(staff, 'plans');
    const write = ({ id }: { id: string }) =>
      deliver(state.reply({ channelId: id, userId: ida.id, mention: true }, 'and your exam?'));
    expect((await write(thread))[0]).toMatchObject({ kind: 'delivered' });
    discord.denyPerson(staff, ida, 'SEND_MESSAGES');
    expect((await write(staff))[0]).toMatchObject({ kind: 'failed', unreachable: 'place' });
    expect((await write(thread))[0]).toMatchObject({ kind: 'delivered' });
    discord.denyPerson(staff, ida, 'VIEW_CHANNEL');
    for (const place of [staff, thread])
      expect((await write(place))[0]).toMatchObject({ kind: 'failed', unreachable: 'place' });
    expect(discord.sentTo(staff)).toHaveLength(0);
  });

  it('writes nothing first in a thread of a channel that the operator keeps quiet', async () => {
    const ken = discord.user('Ken');
    const calm = discord.channel(discord.world.guilds.get(general.guild_id!)!, 'calm');
    const thread = discord.thread(calm, 'plans');
    const write = () =>
      deliver(state.reply({ channelId: thread.id, userId: ken.id, mention: true }, 'and your exam?'));
    expect((await write())[0]).toMatchObject({ kind: 'delivered' });
    state.quietChannels.add(calm.id);
    expect((await write())[0]).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('quiet'),
      unreachable: 'place',
    });
    expect(discord.sentTo(thread)).toHaveLength(1);
  });

  it('puts off what it would write in a channel to somebody who is in a time-out there', async () => {
    const jan = discord.user('Jan');
    const home = discord.world.guilds.get(general.guild_id!)!;
    const write = () =>
      deliver(state.reply({ channelId: general.id, userId: jan.id, mention: true }, 'and your exam?'));
    const before = discord.sentTo(general).length;
    discord.timeOut(jan, home, new Date(Date.now() + 60_000));
    expect((await write())[0]).toMatchObject({ kind: 'failed', unreachable: null, passes: true });
    expect(discord.sentTo(general)).toHaveLength(before);
    discord.timeOut(jan, home, new Date(Date.now() - 1));
    expect((await write())[0]).toMatchObject({ kind: 'delivered' });
  });

  it('says that a person with closed DMs is unreachable, and does not try again', async () => {
    const dave = discord.user('Dave');
    discord.closeDms(dave);
    const outboxId = state.reply({ userId: dave.id }, 'hello?');
    const [result] = await deliver(outboxId);
    expect(result).toMatchObject({ kind: 'failed', unreachable: 'person' });
    await eventually('no job left', async () => {
      const counts = await bot.messenger.jobs.counts(discordContract.deliver);
      return Object.values(counts).every((count) => count === 0);
    });
    expect(resultsOf(outboxId)).toHaveLength(1);
  });

  it('waits out a rate limit within the send, and fails for good without permission', async () => {
    discord.rateLimit({ path: /messages$/, retryAfterMs: 200 });
    const target = { channelId: general.id, userId: alice.id };
    expect((await deliver(state.reply(target, 'patience')))[0]?.kind).toBe('delivered');
    discord.fail({ path: /messages$/, status: 403, code: 50013, message: 'Missing Permissions' });
    const [result] = await deliver(state.reply(target, 'not allowed'));
    expect(result).toEqual({
      kind: 'failed',
      reason: expect.stringMatching(/^Discord 403\/50013: Missing Permissions; the bot may not write there/),
      unreachable: 'place',
      sent: [],
      said: '',
    });
  });

  it('deletes all of a forgotten reply whose parts arrived unnoticed, also parts that say the same', async () => {
    const channel = discord.dmChannel(discord.user('Max'));
    const text = 'a chunk of words. '.repeat(330);
    const outboxId = state.reply({ channelId: channel.id, userId: alice.id }, text, { tries: 1 });
    const ids = chunkMessage(text).map(
      (content) => discord.world.addMessage(channel, discord.bot, { content }).id,
    );
    expect(new Set(chunkMessage(text).slice(0, -1)).size).toBe(1);
    Object.assign(state.outbox.get(outboxId)!, { sent: ids.slice(0, 1), isForgotten: true });
    expect(await deliver(outboxId)).toEqual([{ kind: 'forgotten' }]);
    expect(ids.filter((id) => discord.world.messages.has(id))).toEqual([]);
  });

  describe('a message that Discord refuses to delete', () => {
    const refuse = (messageId: string) =>
      discord.fail({ method: 'DELETE', path: new RegExp(messageId), status: 403, code: 50013, times: 2 });
    const isThere = (messageId: string) => discord.world.messages.has(messageId);
    /** The job that is to delete it, once it waits for its next try. */
    const waiting = (messageId: string, tries: number) =>
      eventually('the job', async () => {
        const jobs = await bot.messenger.jobs.queueOf(discordContract.deleteMessage).getDelayed();
        return jobs.find(({ id, attemptsMade }) => id === messageId && attemptsMade === tries);
      });
    /** Has it tried again until Discord no longer refuses, without waiting for the time of each try. */
    async function goesLater(messageId: string) {
      const first = await waiting(messageId, 0);
      expect(isThere(messageId)).toBe(true);
      const { payload } = first.data;
      expect(payload).toEqual({ channelId: expect.any(String), messageId });
      await first.promote();
      await (await waiting(messageId, 1)).promote();
      await eventually('it is gone', () => !isThere(messageId));
      const about = logged.filter((line) => line.includes(messageId));
      expect(about.some((line) => line.includes('403/50013'))).toBe(true);
      expect(about.join('')).not.toContain('secret');
    }

    it('is deleted later where its words were forgotten', async () => {
      const channel = discord.dmChannel(discord.user('Ned'));
      const { id } = discord.world.addMessage(channel, discord.bot, { content: 'a secret' });
      const outboxId = state.reply({ channelId: channel.id, userId: alice.id }, 'a secret', { tries: 1 });
      Object.assign(state.outbox.get(outboxId)!, { sent: [id], isForgotten: true });
      refuse(id);
      expect(await deliver(outboxId)).toEqual([{ kind: 'forgotten' }]);
      await goesLater(id);
    });

    it('is deleted later where its person was erased while it was sent', async () => {
      const channel = discord.dmChannel(discord.user('Oda'));
      const outboxId = state.reply({ channelId: channel.id, userId: alice.id }, 'a secret of many words');
      discord.rateLimit({ path: new RegExp(`${channel.id}/messages$`), retryAfterMs: 500 });
      const delivered = deliver(outboxId);
      await eventually('its try', () => state.outbox.get(outboxId)?.attempt === 1);
      state.outbox.delete(outboxId);
      discord.fail({ method: 'DELETE', path: new RegExp(channel.id), status: 403, code: 50013, times: 2 });
      await delivered;
      await goesLater(discord.sentTo(channel)[0]!.message.id);
    });

    it('does not stand for a part of a reply that says the same', async () => {
      const channel = discord.dmChannel(discord.user('Quin'));
      const { id } = discord.world.addMessage(channel, discord.bot, { content: 'a secret' });
      refuse(id);
      await bot.parts.deletions.remove(channel.id, [id]);
      const target = { channelId: channel.id, userId: alice.id };
      const longAgo = new Date(Date.now() - 3_600_000);
      const [result] = await deliver(state.reply(target, 'a secret', { firstTriedAt: longAgo }));
      await goesLater(id);
      const left = discord.sentTo(channel).map(({ message }) => message.id);
      expect(result).toEqual({ kind: 'delivered', platformIds: left });
      expect(left.every(isThere)).toBe(true);
    });

    it('is left alone where its channel is gone', async () => {
      const channel = discord.channel(discord.guild('Passing'), 'general');
      const { id } = discord.world.addMessage(channel, discord.bot, { content: 'a secret' });
      discord.fail({ method: 'DELETE', path: new RegExp(id), status: 404, code: 10003 });
      await bot.parts.deletions.remove(channel.id, [id]);
      expect(await bot.messenger.jobs.queueOf(discordContract.deleteMessage).getJob(id)).toBeUndefined();
    });
  });

  describe('deletes a reply that arrives after a rate limit, where meanwhile', () => {
    /** Has a reply held up, lets something happen to it meanwhile, and returns the ends of its tries. */
    async function heldUp(text: string, meanwhile: (outboxId: string) => void, tries: number) {
      const outboxId = state.reply({ channelId: general.id, userId: alice.id }, text);
      const limited = () => discord.journal.requests.filter(({ status }) => status === 429).length;
      const before = limited();
      discord.rateLimit({ path: /messages$/, retryAfterMs: 1_000 });
      const delivered = deliver(outboxId, tries);
      await eventually('the limit', () => limited() > before);
      meanwhile(outboxId);
      const kinds = (await delivered).map(({ kind }) => kind);
      const sent = discord.sentTo(general).find(({ message }) => message.content === text);
      await eventually('it is gone', () => sent && !discord.world.messages.has(sent.message.id));
      return kinds;
    }

    it('its words were forgotten', async () => {
      const forget = (outboxId: string) => void (state.outbox.get(outboxId)!.isForgotten = true);
      expect(await heldUp('to be forgotten', forget, 2)).toEqual(['delivered', 'forgotten']);
    });

    it('its person was erased', async () => {
      const erase = (outboxId: string) => void state.outbox.delete(outboxId);
      expect(await heldUp('to be erased', erase, 1)).toEqual(['delivered']);
    });

    it('its person was erased, and Discord’s answers were lost', async () => {
      const erase = (outboxId: string) => {
        state.outbox.delete(outboxId);
        // Discord's client repeats a request whose answer is lost.
        for (let lost = 0; lost < 4; lost += 1) discord.loseAnswer({ method: 'POST', path: /messages$/ });
      };
      expect(await heldUp('to be erased unanswered', erase, 1)).toEqual(['retry']);
    });
  });

  it('gives no sign that a reply was refused to whoever was erased while it was sent', async () => {
    const message = discord.say(alice, 'hm', general);
    const target = { channelId: general.id, userId: alice.id, replyToMessageId: message.id };
    const outboxId = state.reply(target, 'too late');
    const limited = () => discord.journal.requests.filter(({ status }) => status === 429).length;
    const before = limited();
    discord.rateLimit({ path: /messages$/, retryAfterMs: 1_000 });
    const delivering = deliver(outboxId);
    await eventually('the limit', () => limited() > before);
    state.outbox.delete(outboxId);
    discord.fail({ method: 'POST', path: /messages$/, status: 403, code: 50013 });
    expect(await delivering).toMatchObject([{ kind: 'failed' }]);
    await eventually('no job left', async () => {
      const counts = await bot.messenger.jobs.counts(discordContract.deliver);
      return Object.values(counts).every((count) => count === 0);
    });
    expect(discord.journal.reactions.filter(({ messageId }) => messageId === message.id)).toEqual([]);
  });

  it('does nothing for a reply that is no longer wanted', async () => {
    const before = discord.journal.sent.length;
    await bot.messenger.enqueue(discordContract.deliver, { outboxId: randomUUID() });
    await deliver(state.reply({ channelId: general.id, userId: alice.id }, 'the next one'));
    expect(discord.journal.sent.length).toBe(before + 1);
  });
});

describe('a message without words', () => {
  const textOf = async ({ id }: DiscordMessage) =>
    (await eventually('the message', () => receivedOf(id)[0])).text;
  const picture = {
    id: '1',
    filename: 'cat.png',
    content_type: 'image/png',
    size: 1,
    url: '',
    proxy_url: '',
  };

  it.each<[string, (user: DiscordUser) => DiscordMessage, string]>([
    ['a bare mention', (user) => discord.say(user, `<@${discord.bot.id}>`, general), CALLED],
    ['a picture', (user) => discord.dm(user, '', { attachments: [picture] }), '[sent a picture: cat.png]'],
    [
      'a voice message',
      (user) => discord.dm(user, '', { attachments: [{ ...picture, duration_secs: 3 }], flags: 8192 }),
      '[sent a voice message: 3 seconds]',
    ],
    [
      'a sticker',
      (user) => discord.dm(user, '', { sticker_items: [{ id: '1', name: 'wave', format_type: 1 }] }),
      '[sent a sticker: wave]',
    ],
    [
      'a poll',
      (user) =>
        discord.dm(user, '', {
          poll: { question: { text: 'Tea?' }, answers: [{ answer_id: 1, poll_media: { text: 'yes' } }] },
        }),
      '[sent a poll: Tea? yes]',
    ],
  ])('is heard: %s', async (_, say, text) => {
    expect(await textOf(say(discord.user('Gil')))).toBe(text);
  });

  it('is heard as a reply also with the mention off, without the words that Discord keeps back', async () => {
    const gil = discord.user('Gil');
    const said = discord.world.addMessage(general, discord.bot, { content: 'Shall we?' });
    const quiet = discord.say(gil, 'yes!', general, { replyTo: said, ping: false });
    expect(await textOf(quiet)).toBe(WORDLESS_REPLY);
    expect(receivedOf(quiet.id)[0]).toMatchObject({ quote: { name: null, text: 'Shall we?' } });
    const loud = discord.say(gil, 'yes!', general, { replyTo: said });
    expect(await textOf(loud)).toBe('yes!');
  });
});

describe('a place where the bot may not do everything', () => {
  const ask = (channel: DiscordChannel) =>
    discord.say(discord.user('Fay'), `<@${discord.bot.id}> hello?`, channel);
  const targetOf = (message: DiscordMessage) => ({
    channelId: message.channel_id,
    userId: message.author.id,
    replyToMessageId: message.id,
  });
  const heard = (message: DiscordMessage) =>
    eventually('the message', () => state.received.find(({ messageId }) => messageId === message.id));
  const reactedTo = (message: DiscordMessage) =>
    discord.journal.reactions.filter(({ messageId }) => messageId === message.id).map(({ emoji }) => emoji);
  const dmsTo = ({ author }: DiscordMessage) =>
    discord.sentTo(discord.dmChannel(author)).map(({ message }) => message.content);
  let guild: DiscordGuild;
  let channel: DiscordChannel;
  beforeAll(() => {
    guild = discord.guild('Strict');
  });
  beforeEach(() => {
    channel = discord.channel(guild, `channel ${randomUUID()}`);
  });

  it('is known before anybody thinks of an answer, and the person gets a sign', async () => {
    discord.deny(channel, 'SEND_MESSAGES');
    const message = ask(channel);
    expect((await heard(message)).answerable).toBe('not');
    await eventually('a reaction', () => reactedTo(message).length === 1);
    expect(discord.journal.typing).not.toContain(channel.id);
    expect(dmsTo(message)).toEqual([]);
  });

  it('is told by DM, once, where the bot may not even react', async () => {
    discord.deny(channel, 'SEND_MESSAGES', 'ADD_REACTIONS');
    const message = ask(channel);
    const [why] = await eventually('a DM', () => dmsTo(message).length > 0 && dmsTo(message));
    expect(why).toContain(`<#${channel.id}>`);
    await heard(discord.say(message.author, `<@${discord.bot.id}> and now?`, channel));
    await heard(discord.dm(message.author, 'I see'));
    expect(dmsTo(message)).toHaveLength(1);
  });

  it('ends in silence for whoever takes no DMs, and the next one is heard', async () => {
    discord.deny(channel, 'SEND_MESSAGES', 'ADD_REACTIONS');
    const message = ask(channel);
    discord.closeDms(message.author);
    await heard(message);
    await heard(discord.dm(alice, 'still there?'));
    expect(dmsTo(message)).toEqual([]);
  });

  it('gets an answer by name, where only the history is missing', async () => {
    discord.deny(channel, 'READ_MESSAGE_HISTORY');
    const message = ask(channel);
    expect((await heard(message)).answerable).toBe('by-message');
    const target = { ...targetOf(message), withoutReference: true as const };
    expect((await deliver(state.reply(target, 'hello!')))[0]?.kind).toBe('delivered');
    const [sent] = discord.sentTo(channel);
    expect(sent!.message.content).toBe(`<@${message.author.id}> hello!`);
    expect(sent!.message.message_reference).toBeUndefined();
  });

  it('gets the answer also when the history went away meanwhile', async () => {
    const message = ask(channel);
    await heard(message);
    discord.deny(channel, 'READ_MESSAGE_HISTORY');
    expect((await deliver(state.reply(targetOf(message), 'hello!')))[0]?.kind).toBe('delivered');
    expect(discord.sentTo(channel).map((one) => one.message.message_reference)).toEqual([undefined]);
  });

  it('whose AutoMod refuses the words is told apart, with a sign and without a second try', async () => {
    discord.blockWords(guild, ['cheese']);
    const message = ask(channel);
    await heard(message);
    const results = await deliver(state.reply(targetOf(message), 'I like cheese.'));
    expect(results).toEqual([
      { kind: 'failed', unreachable: null, sent: [], said: '', reason: expect.stringContaining('200000') },
    ]);
    await eventually('a reaction', () => reactedTo(message).length === 1);
    expect(discord.sentTo(channel)).toEqual([]);
  });

  it('says how much of an answer arrived before it was refused', async () => {
    discord.blockWords(guild, ['cheese']);
    const message = ask(channel);
    await heard(message);
    const first = 'a chunk of words. '.repeat(100).trim();
    const [result] = await deliver(state.reply(targetOf(message), `${first}\n\n${'cheese '.repeat(100)}`));
    const sent = discord.sentTo(channel).map((one) => one.message);
    expect(sent.map(({ content }) => content)).toEqual([first]);
    expect(result).toMatchObject({ kind: 'failed', sent: sent.map(({ id }) => id), said: first });
  });

  it('that was deleted meanwhile is told by DM', async () => {
    const message = ask(channel);
    await heard(message);
    discord.deleteChannel(channel);
    const [result] = await deliver(state.reply(targetOf(message), 'too late'));
    expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('10003') });
    await eventually('a DM', () => dmsTo(message).some((text) => text.includes('gone')));
    expect(dmsTo(message)).not.toContain('too late');
  });
});

describe('status', () => {
  it('tells who it is and where', async () => {
    await discord.waitForReady();
    await expect(suite.messenger.ask(discordContract.status, {})).resolves.toEqual({
      state: 'ready',
      user: discord.bot.username,
      guilds: discord.world.guilds.size,
      problem: null,
    });
  });
});

describe('a key that an operator made to act as somebody', () => {
  /** Person to be told, and the key. */
  async function tell(user: DiscordUser, scopes = ['chat']): Promise<string> {
    const keyId = randomUUID();
    state.keyNotices.set(keyId, {
      discordUserId: user.id,
      name: 'help',
      reason: 'lost their phone',
      scopes,
      madeAt: '2026-11-22T09:00:00.000Z',
    });
    await suite.messenger.enqueue(discordContract.tellOfKey, { keyId });
    return keyId;
  }
  const toldOf = (user: DiscordUser) =>
    discord.sentTo(discord.dmChannel(user)).map(({ message }) => message.content);
  const noJobIsLeft = async () => {
    const counts = await suite.messenger.jobs.counts(discordContract.tellOfKey);
    return ['active', 'waiting', 'delayed'].every((state) => (counts[state] ?? 0) === 0) && counts;
  };

  it('is told to them by DM, with the reason, once, also when Discord fails at first', async () => {
    const gil = discord.user('Gil');
    discord.fail({ method: 'POST', path: /channels\/\d+\/messages$/, status: 503, times: 2 });
    await tell(gil);
    await eventually('the DM', () => toldOf(gil).length > 0, 15_000);
    expect(toldOf(gil)).toHaveLength(1);
    expect(toldOf(gil)[0]).toContain('acts as you. It may: chat.');
    expect(toldOf(gil)[0]).toContain('“lost their phone”');
  });

  it('is told also where it holds a scope more often than a message has room for', async () => {
    const ivy = discord.user('Ivy');
    await tell(
      ivy,
      Array.from({ length: 400 }, () => 'chat'),
    );
    await eventually('the DM', () => toldOf(ivy).length > 0);
    expect(toldOf(ivy)[0]).toContain('It may: chat.');
  });

  it('is no failure where they take no DMs, and nothing where the key is gone', async () => {
    const hed = discord.user('Hed');
    discord.closeDms(hed);
    await tell(hed);
    await suite.messenger.enqueue(discordContract.tellOfKey, { keyId: randomUUID() });
    const counts = await eventually('its end', noJobIsLeft);
    expect(counts['failed'] ?? 0).toBe(0);
    expect(toldOf(hed)).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { discordContract, gatewayContract, type ChatEvent } from '@kith/contracts';
import { Broadcasts } from '@kith/messaging';
import { DiscordDouble, eventually, freshStores, type FreshStores } from '@kith/testing';
import { runBot, runSuite, type RunningService } from './run-bot.js';
import { SuiteState } from './suite-double.js';

let stores: FreshStores;
let discord: DiscordDouble;
let suite: RunningService;
let bot: RunningService;
const state = new SuiteState();

beforeAll(async () => {
  stores = await freshStores();
  discord = await DiscordDouble.start();
  suite = await runSuite(stores.redisUrl, state);
  bot = await runBot(stores, { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api });
  await discord.waitForReady();
});
afterAll(async () => {
  await bot.stop();
  await suite.stop();
  await discord.stop();
  await stores.stop();
});

/** Someone writes, and the turn that answers begins. */
async function beginTurn(text: string) {
  const user = discord.user(`Ann ${randomUUID()}`);
  const channel = discord.dmChannel(user);
  const message = discord.dm(user, text);
  await eventually('the message', () => state.received.some(({ messageId }) => messageId === message.id));
  await eventually('the typing', () => discord.journal.typing.includes(channel.id));
  const turnId = randomUUID();
  const conversationId = state.idIn(state.conversations, channel.id);
  const publish = (event: ChatEvent) =>
    suite.app.get(Broadcasts).publish(`conversation.${conversationId}`, { inboxIds: ['1'], event });
  await publish({ type: 'turn', turnId, messageIds: [message.id], recalled: [], mood: null, degraded: [] });
  const target = { channelId: channel.id, userId: user.id };
  return {
    turnId,
    conversationId,
    channel,
    target,
    user,
    say: (words: string) => publish({ type: 'token', turnId, text: words }),
  };
}

async function deliver(turnId: string, target: { channelId: string; userId: string }, text: string) {
  const outboxId = state.reply(target, text, { turnId });
  await suite.messenger.enqueue(discordContract.deliver, { outboxId });
  return eventually('the settlement', () => state.settled.find((one) => one.outboxId === outboxId));
}

describe('a reply that takes its time', () => {
  it('is shown while it is written, and its message becomes the reply', async () => {
    const { turnId, channel, target, say } = await beginTurn('tell me a story');
    await say('Once upon a time');
    const [shown] = await eventually('a beginning', () => {
      const sent = discord.sentTo(channel);
      return sent.length > 0 && sent;
    });
    expect(shown!.message.content).toBe('Once upon a time …');
    await say(' there was an owl who lived in a clock');
    await eventually('an edit', () =>
      discord.journal.edits.some(({ message }) => message.content.includes('in a clock …')),
    );
    const settled = await deliver(turnId, target, 'Once upon a time there was an owl. The end.');
    expect(settled.result).toEqual({ kind: 'delivered', platformIds: [shown!.message.id] });
    expect(discord.sentTo(channel)).toHaveLength(1);
    expect(discord.world.messages.get(shown!.message.id)!.content).toBe(
      'Once upon a time there was an owl. The end.',
    );
    expect(await stores.query('SELECT 1 FROM discord_live_replies')).toEqual([]);
  });

  it('is taken back when its turn ends without one', async () => {
    const { turnId, conversationId, channel, user, say } = await beginTurn('never mind');
    await say('Well, if you ask me');
    await eventually('a beginning', () => discord.sentTo(channel).length > 0);
    await suite.messenger.announce(gatewayContract.turnEnded, {
      turnId,
      conversationId,
      companionId: 'mira',
      personId: state.idIn(state.people, user.id),
      door: 'discord',
      origin: 'message',
      outcome: 'silent',
      endedAt: new Date().toISOString(),
    });
    await eventually('its end', () => discord.journal.deleted.length === 1);
    await eventually('no trace of it', async () => {
      return (await stores.query('SELECT 1 FROM discord_live_replies')).length === 0;
    });
  });

  it('is one message also when nobody knows whether its beginning arrived', async () => {
    const { turnId, channel, target } = await beginTurn('are you there?');
    // As a process leaves it that died between noting and sending.
    await stores.query('INSERT INTO discord_live_replies (turn_id, channel_id) VALUES ($1, $2)', [
      turnId,
      channel.id,
    ]);
    expect((await deliver(turnId, target, 'Yes.')).result.kind).toBe('delivered');
    expect(discord.sentTo(channel)).toHaveLength(1);
  });

  it('is sent whole when it is there at once', async () => {
    const { turnId, channel, target, say } = await beginTurn('hi');
    await say('Hello');
    const settled = await deliver(turnId, target, 'Hello.');
    expect(settled.result.kind).toBe('delivered');
    expect(discord.sentTo(channel).map(({ message }) => message.content)).toEqual(['Hello.']);
    expect(discord.journal.edits.filter(({ message }) => message.channel_id === channel.id)).toEqual([]);
  });
});

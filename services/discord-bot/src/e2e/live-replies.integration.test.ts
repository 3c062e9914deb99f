import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { discordContract, gatewayContract, type ChatEvent } from '@kith/contracts';
import { Broadcasts } from '@kith/messaging';
import {
  DiscordDouble,
  eventually,
  freshStores,
  type DiscordChannel,
  type FreshStores,
  type SentMessage,
} from '@kith/testing';
import { Redis } from 'ioredis';
import { runBot, runSuite, type RunningService } from './run-bot.js';
import { SuiteState } from './suite-double.js';

let stores: FreshStores;
let discord: DiscordDouble;
let suite: RunningService;
let bot: RunningService;
let redis: Redis;
const state = new SuiteState();

beforeAll(async () => {
  stores = await freshStores();
  redis = new Redis(stores.redisUrl);
  discord = await DiscordDouble.start();
  suite = await runSuite(stores.redisUrl, state);
  bot = await runBot(stores, { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api });
  await discord.waitForReady();
});
afterAll(async () => {
  await bot.stop();
  await suite.stop();
  await discord.stop();
  redis.disconnect();
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
  // A real turn takes longer to begin than the bot to listen.
  await eventually('the bot listens', async () => {
    const heard = await redis.pubsub('CHANNELS', `*conversation.${conversationId}`);
    return heard.length === 1;
  });
  const publish = (event: ChatEvent) =>
    suite.app.get(Broadcasts).publish(`conversation.${conversationId}`, { inboxIds: ['1'], event });
  const begin = (messageIds: string[]) =>
    publish({ type: 'turn', turnId, messageIds, recalled: [], mood: null, degraded: [] });
  await begin([message.id]);
  const target = { channelId: channel.id, userId: user.id };
  return {
    turnId,
    conversationId,
    channel,
    target,
    user,
    begin,
    say: (words: string) => publish({ type: 'token', turnId, text: words }),
  };
}

/** The first message the channel shows. */
function beginningIn(channel: DiscordChannel): Promise<SentMessage> {
  return eventually('a beginning', () => discord.sentTo(channel)[0]);
}

async function deliver(turnId: string, target: { channelId: string; userId: string }, text: string) {
  const outboxId = state.reply(target, text, { turnId });
  await suite.messenger.enqueue(discordContract.deliver, { outboxId });
  return eventually('the settlement', () => state.settled.find((one) => one.outboxId === outboxId));
}

async function endSilently(turnId: string, conversationId: string, userId: string): Promise<void> {
  await suite.messenger.announce(gatewayContract.turnEnded, {
    turnId,
    conversationId,
    companionId: 'mira',
    personId: state.idIn(state.people, userId),
    door: 'discord',
    origin: 'message',
    outcome: 'silent',
    endedAt: new Date().toISOString(),
  });
}

async function noteOf(turnId: string): Promise<Record<string, unknown> | undefined> {
  return (await stores.query('SELECT * FROM discord_live_replies WHERE turn_id = $1', [turnId]))[0];
}

/** A note of a message of which nobody knows whether it arrived. */
async function noteUnsure(turnId: string, channelId: string, opening: string, at: Date): Promise<void> {
  await stores.query(
    'INSERT INTO discord_live_replies (turn_id, channel_id, opening, started_at) VALUES ($1, $2, $3, $4)',
    [turnId, channelId, opening, at],
  );
}

/** What the bot said without noting it. */
async function sendAsBot(channelId: string, content: string): Promise<string> {
  const response = await fetch(`${discord.api}/v10/channels/${channelId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  });
  return ((await response.json()) as { id: string }).id;
}

describe('a reply that takes its time', () => {
  it('is shown while it is written, and its message becomes the reply', async () => {
    const { turnId, channel, target, say } = await beginTurn('tell me a story');
    await say('Once upon a time');
    const shown = await beginningIn(channel);
    expect(shown.message.content).toBe('Once upon a time …');
    await say(' there was an owl who lived in a clock');
    await eventually('an edit', () =>
      discord.journal.edits.some(({ message }) => message.content.includes('in a clock …')),
    );
    const settled = await deliver(turnId, target, 'Once upon a time there was an owl. The end.');
    expect(settled.result).toEqual({ kind: 'delivered', platformIds: [shown.message.id] });
    expect(discord.sentTo(channel)).toHaveLength(1);
    expect(discord.world.messages.get(shown.message.id)!.content).toBe(
      'Once upon a time there was an owl. The end.',
    );
    expect(await noteOf(turnId)).toMatchObject({
      message_id: shown.message.id,
      closed_at: expect.any(Date),
    });
  });

  it('is noted without words soon after, by which time nothing else can be shown', async () => {
    const { turnId, channel, target, say } = await beginTurn('what is my word');
    await say('Your word is');
    const shown = await beginningIn(channel);
    const wordless = { message_id: shown.message.id, opening: null, final_text: null };
    await deliver(turnId, target, 'Your word is owl.');
    expect(await noteOf(turnId)).toMatchObject({ final_text: 'Your word is owl.' });
    await stores.query(
      `UPDATE discord_live_replies SET closed_at = closed_at - interval '25 seconds' WHERE turn_id = $1`,
      [turnId],
    );
    const note = await eventually(
      'the words to go',
      async () => {
        const found = await noteOf(turnId);
        return found?.['final_text'] === null && found;
      },
      20_000,
    );
    expect(note).toMatchObject(wordless);
    // A delivery that comes again still finds it.
    await deliver(turnId, target, 'Your word is owl.');
    expect(discord.sentTo(channel)).toHaveLength(1);
  }, 30_000);

  it('is one message also when its delivery died before it could say so, and comes again', async () => {
    const { turnId, channel, target, say } = await beginTurn('and another one?');
    await say('There was a mouse');
    await beginningIn(channel);
    await deliver(turnId, target, 'There was a mouse. The end.');
    // The same row once more, as after a kill between the send and its settlement.
    expect((await deliver(turnId, target, 'There was a mouse. The end.')).result.kind).toBe('delivered');
    expect(discord.sentTo(channel)).toHaveLength(1);
  });

  it('is not begun any more by a process that hears of it after its delivery', async () => {
    const { turnId, channel, target, say } = await beginTurn('quick');
    await deliver(turnId, target, 'Done.');
    await say('Do');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(discord.sentTo(channel).map(({ message }) => message.content)).toEqual(['Done.']);
  });

  it('leaves nothing half behind when it can not be sent', async () => {
    const { turnId, channel, target, say } = await beginTurn('try this');
    await say('I will try');
    const shown = await beginningIn(channel);
    discord.fail({ method: 'PATCH', path: /messages/, status: 403, code: 50013 });
    expect((await deliver(turnId, target, 'I will try it now.')).result.kind).toBe('failed');
    expect(discord.journal.deleted).toContain(shown.message.id);
  });

  it('waits behind an earlier reply of its channel that is still on its way', async () => {
    const { turnId, channel, target, say } = await beginTurn('second');
    discord.fail({ method: 'POST', path: new RegExp(`${channel.id}/messages$`), status: 503, times: 10_000 });
    const earlier = state.reply(target, 'To the first.');
    await suite.messenger.enqueue(discordContract.deliver, { outboxId: earlier });
    await eventually('a try that failed', () => state.settled.some(({ outboxId }) => outboxId === earlier));
    await say('To the second');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await noteOf(turnId)).toBeUndefined();
    discord.clearFaults();
    await eventually('the first', () => discord.sentTo(channel).length > 0);
    await deliver(turnId, target, 'To the second, too.');
    expect(discord.sentTo(channel).map(({ message }) => message.content)[0]).toBe('To the first.');
  });

  it('is withdrawn when it comes to answer a newer message as well', async () => {
    const { turnId, channel, user, begin, say } = await beginTurn('what is up');
    await say('Not much');
    const shown = await beginningIn(channel);
    const newer = discord.dm(user, 'with you?');
    await eventually('the newer', () => state.received.some(({ messageId }) => messageId === newer.id));
    await begin([newer.id]);
    await eventually('it is gone', () => discord.journal.deleted.includes(shown.message.id));
    const note = await eventually('the note to say so', async () => {
      const found = await noteOf(turnId);
      return found?.['message_id'] === null && found;
    });
    expect(note).toMatchObject({ opening: null });
  });

  it('is taken back when its turn ends without one', async () => {
    const { turnId, conversationId, channel, user, say } = await beginTurn('never mind');
    await say('Well, if you ask me');
    const shown = await beginningIn(channel);
    await endSilently(turnId, conversationId, user.id);
    await eventually('its end', () => discord.journal.deleted.includes(shown.message.id));
    await eventually('its note', async () => (await noteOf(turnId))?.['opening'] === null);
  });

  it('is one message also when nobody knows whether its beginning arrived', async () => {
    const { turnId, channel, target } = await beginTurn('are you there?');
    // As a process leaves it that died between noting and sending.
    await noteUnsure(turnId, channel.id, 'Ye …', new Date());
    expect((await deliver(turnId, target, 'Yes.')).result.kind).toBe('delivered');
    expect(discord.sentTo(channel)).toHaveLength(1);
  });

  it('is one message also when that was so long ago that Discord has forgotten the nonce', async () => {
    const { turnId, channel, target } = await beginTurn('still there?');
    await noteUnsure(turnId, channel.id, 'Sti …', new Date(Date.now() - 10 * 60_000));
    const id = await sendAsBot(channel.id, 'Sti …');
    const settled = await deliver(turnId, target, 'Still here.');
    expect(settled.result).toEqual({ kind: 'delivered', platformIds: [id] });
    expect(discord.sentTo(channel)).toHaveLength(1);
    expect(discord.world.messages.get(id)!.content).toBe('Still here.');
  });

  it('is taken back also when nobody noted that it arrived', async () => {
    const { turnId, conversationId, channel, user } = await beginTurn('forget it');
    await noteUnsure(turnId, channel.id, 'For …', new Date());
    const id = await sendAsBot(channel.id, 'For …');
    await endSilently(turnId, conversationId, user.id);
    await eventually('its end', () => discord.journal.deleted.includes(id));
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

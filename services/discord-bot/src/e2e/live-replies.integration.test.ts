import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  chatEventsChannel,
  discordContract,
  gatewayContract,
  type ChatEvent,
  type DiscordTarget,
} from '@kith/contracts';
import { Broadcasts } from '@kith/messaging';
import {
  DiscordDouble,
  eventually,
  freshStores,
  type DiscordChannel,
  type FreshStores,
  type SentMessage,
} from '@kith/testing';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { Redis } from 'ioredis';
import { chunkMessage } from '../delivery/chunk-message.js';
import { logged, runBot, runSuite, type RunningService } from './run-bot.js';
import { SuiteState } from './suite-state.js';

let stores: FreshStores;
let discord: DiscordDouble;
let suite: RunningService;
let bot: RunningService;
let redis: Redis;
const state = new SuiteState();
/** Twice the usual pace, and a clear-up whose rounds follow each other as soon as they may. */
const PACE = { updateEveryMs: 50, showAfterMs: 750, editEveryMs: 750, clearUpEveryMs: 1_000 };
/** Time after which what has not been shown will not be. */
const NEVER_SHOWN_MS = PACE.showAfterMs + 1_000;

beforeAll(async () => {
  stores = await freshStores();
  redis = new Redis(stores.redisUrl);
  discord = await DiscordDouble.start();
  suite = await runSuite(stores.redisUrl, state);
  bot = await runBot(stores, { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api }, { live: PACE });
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
async function beginTurn(text: string, place?: DiscordChannel) {
  const user = discord.user(`Ann ${randomUUID()}`);
  const channel = place ?? discord.dmChannel(user);
  const message = discord.say(user, text, channel);
  await eventually('the message', () => state.received.some(({ messageId }) => messageId === message.id));
  await eventually('the typing', () => discord.journal.typing.includes(channel.id));
  const turnId = randomUUID();
  const conversationId = state.idIn(state.conversations, channel.id);
  // A real turn takes longer to begin than the bot to listen.
  await eventually('the bot listens', async () => {
    const heard = await redis.pubsub('CHANNELS', `*${chatEventsChannel('discord', conversationId)}`);
    return heard.length === 1;
  });
  const publish = (event: ChatEvent) =>
    suite.app
      .get(Broadcasts)
      .publish(chatEventsChannel('discord', conversationId), { inboxIds: ['1'], event });
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
    message,
    begin,
    say: (words: string) => publish({ type: 'token', turnId, text: words }),
  };
}

/** The first message the channel shows. */
function beginningIn(channel: DiscordChannel): Promise<SentMessage> {
  return eventually('a beginning', () => discord.sentTo(channel)[0]);
}

async function deliver(turnId: string, target: DiscordTarget, text: string) {
  const outboxId = state.reply(target, text, { turnId });
  await suite.messenger.enqueue(discordContract.deliver, { outboxId });
  return eventually('the result', () => state.noted.find((one) => one.outboxId === outboxId));
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

/** A note of a message of which nobody knows whether it arrived, after those that did. */
async function noteUnsure(
  turnId: string,
  channelId: string,
  opening: string,
  at: Date,
  arrived: string[] = [],
): Promise<void> {
  await stores.query(
    `INSERT INTO discord_live_replies (turn_id, channel_id, opening, started_at, message_ids)
      VALUES ($1, $2, $3, $4, $5)`,
    [turnId, channelId, opening, at, arrived],
  );
}

/** Finds messages the bot sent without noting them. */
async function sendAsBot(channelId: string, content: string): Promise<string> {
  const response = await fetch(`${discord.api}/v10/channels/${channelId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  });
  return ((await response.json()) as { id: string }).id;
}

// Each is of a channel of its own, and most of it is waiting.
describe('a reply that takes its time', () => {
  it.concurrent('is shown while it is written, and its message becomes the reply', async () => {
    const { turnId, channel, target, say } = await beginTurn('tell me a story');
    await say('Once upon a time');
    const shown = await beginningIn(channel);
    expect(shown.message.content).toBe('Once upon a time …');
    await say(' there was an owl who lived in a clock');
    await eventually('an edit', () =>
      discord.journal.edits.some(({ message }) => message.content.includes('in a clock …')),
    );
    const noted = await deliver(turnId, target, 'Once upon a time there was an owl. The end.');
    expect(noted.result).toEqual({ kind: 'delivered', platformIds: [shown.message.id] });
    expect(discord.sentTo(channel)).toHaveLength(1);
    expect(discord.world.messages.get(shown.message.id)!.content).toBe(
      'Once upon a time there was an owl. The end.',
    );
    expect(await noteOf(turnId)).toMatchObject({
      message_ids: [shown.message.id],
      closed_at: expect.any(Date),
    });
  });

  it.concurrent('is noted without words soon after, by which time nothing else can be shown', async () => {
    const { turnId, channel, target, say } = await beginTurn('what is my word');
    await say('Your word is');
    const shown = await beginningIn(channel);
    const wordless = { message_ids: [shown.message.id], opening: null, final_texts: [] };
    await deliver(turnId, target, 'Your word is owl.');
    expect(await noteOf(turnId)).toMatchObject({ final_texts: ['Your word is owl.'] });
    await stores.query(
      `UPDATE discord_live_replies SET closed_at = closed_at - interval '25 seconds' WHERE turn_id = $1`,
      [turnId],
    );
    const note = await eventually('the words to go', async () => {
      const found = await noteOf(turnId);
      return (found?.['final_texts'] as string[]).length === 0 && found;
    });
    expect(note).toMatchObject(wordless);
    // A delivery that comes again still finds it.
    await deliver(turnId, target, 'Your word is owl.');
    expect(discord.sentTo(channel)).toHaveLength(1);
  });

  it.concurrent('is one message also when its delivery died before it could say so, and comes again', async () => {
    const { turnId, channel, target, say } = await beginTurn('and another one?');
    await say('There was a mouse');
    await beginningIn(channel);
    await deliver(turnId, target, 'There was a mouse. The end.');
    // The same row once more, as after a kill between the send and the note of its result.
    expect((await deliver(turnId, target, 'There was a mouse. The end.')).result.kind).toBe('delivered');
    expect(discord.sentTo(channel)).toHaveLength(1);
  });

  it.concurrent('is not begun any more by a process that hears of it after its delivery', async () => {
    const { turnId, channel, target, say } = await beginTurn('quick');
    await deliver(turnId, target, 'Done.');
    await say('Do');
    await new Promise((resolve) => setTimeout(resolve, NEVER_SHOWN_MS));
    expect(discord.sentTo(channel).map(({ message }) => message.content)).toEqual(['Done.']);
  });

  it.concurrent('leaves nothing half behind when it can not be sent', async () => {
    const { turnId, channel, target, say } = await beginTurn('try this');
    await say('I will try');
    const shown = await beginningIn(channel);
    discord.fail({ method: 'PATCH', path: new RegExp(shown.message.id), status: 403, code: 50013 });
    expect((await deliver(turnId, target, 'I will try it now.')).result.kind).toBe('failed');
    expect(discord.journal.deleted).toContain(shown.message.id);
  });

  it.concurrent('is taken back whole where what it says is forgotten before its rest was sent', async () => {
    const { turnId, channel, target, say } = await beginTurn('tell it');
    await say('It was');
    const shown = await beginningIn(channel);
    const first = discord.say(discord.bot, 'The first part.', channel);
    const outboxId = state.reply(target, 'The first part. And the rest.', { turnId });
    Object.assign(state.outbox.get(outboxId)!, { sent: [first.id], isForgotten: true });
    await suite.messenger.enqueue(discordContract.deliver, { outboxId });
    await eventually('its end', () =>
      [shown.message.id, first.id].every((id) => discord.journal.deleted.includes(id)),
    );
    await eventually('its result', () =>
      state.noted.some((one) => one.outboxId === outboxId && one.result.kind === 'forgotten'),
    );
  });

  it.concurrent('waits behind an earlier reply of its channel that is still on its way', async () => {
    const { turnId, channel, target, say } = await beginTurn('second');
    const path = new RegExp(`${channel.id}/messages$`);
    const refusal = { method: 'POST', path, status: 503, times: 10_000 };
    discord.fail(refusal);
    const earlier = state.reply(target, 'To the first.');
    await suite.messenger.enqueue(discordContract.deliver, { outboxId: earlier });
    await eventually('a try that failed', () => state.noted.some(({ outboxId }) => outboxId === earlier));
    await say('To the second');
    await new Promise((resolve) => setTimeout(resolve, NEVER_SHOWN_MS));
    expect(await noteOf(turnId)).toBeUndefined();
    discord.clearFaults(refusal);
    await eventually('the first', () => discord.sentTo(channel).length > 0);
    await deliver(turnId, target, 'To the second, too.');
    expect(discord.sentTo(channel).map(({ message }) => message.content)[0]).toBe('To the first.');
  });

  it.concurrent('is withdrawn when it comes to answer a newer message as well', async () => {
    const { turnId, channel, user, begin, say } = await beginTurn('what is up');
    await say('Not much');
    const shown = await beginningIn(channel);
    const newer = discord.dm(user, 'with you?');
    await eventually('the newer', () => state.received.some(({ messageId }) => messageId === newer.id));
    await begin([newer.id]);
    await eventually('it is gone', () => discord.journal.deleted.includes(shown.message.id));
    const note = await eventually('the note to say so', async () => {
      const found = await noteOf(turnId);
      return (found?.['message_ids'] as string[]).length === 0 && found;
    });
    expect(note).toMatchObject({ opening: null });
  });

  it.concurrent('is taken back when its turn ends without one', async () => {
    const { turnId, conversationId, channel, user, say } = await beginTurn('never mind');
    await say('Well, if you ask me');
    const shown = await beginningIn(channel);
    await endSilently(turnId, conversationId, user.id);
    await eventually('its end', () => discord.journal.deleted.includes(shown.message.id));
    const noted = `SELECT 1 FROM discord_live_replies WHERE turn_id = $1 AND message_ids = '{}'`;
    await eventually('its note', async () => (await stores.query(noted, [turnId])).length === 1);
  });

  it.concurrent('is taken back where its end was never heard of, once its turn is known to have no reply', async () => {
    const lost = await beginTurn('what do you say');
    await lost.say('Well, if you ask me');
    const open = await beginTurn('and you?');
    await open.say('I am not sure');
    const ids = [lost, open].map(async ({ channel }) => (await beginningIn(channel)).message.id);
    const [lostId, openId] = await Promise.all(ids);
    state.silentTurns.add(lost.turnId);
    await stores.query(
      `UPDATE discord_live_replies SET started_at = started_at - interval '4 minutes' WHERE turn_id = ANY ($1)`,
      [[lost.turnId, open.turnId]],
    );
    await eventually('its end', () => discord.journal.deleted.includes(lostId!));
    // Nothing is known of that one yet, and its delivery may still come.
    expect(discord.journal.deleted).not.toContain(openId);
    const { result } = await deliver(open.turnId, open.target, 'I am not sure at all.');
    expect(result).toEqual({ kind: 'delivered', platformIds: [openId] });
  });

  it.concurrent('is left to a job where Discord refuses to take it back', async () => {
    const { turnId, conversationId, channel, user, say } = await beginTurn('never mind');
    await say('Well, if you ask me');
    const { id } = (await beginningIn(channel)).message;
    discord.fail({ method: 'DELETE', path: new RegExp(id), status: 403, code: 50013 });
    await endSilently(turnId, conversationId, user.id);
    const job = await eventually('the job', () =>
      bot.messenger.jobs.queueOf(discordContract.deleteMessage).getJob(id),
    );
    await job.promote();
    await eventually('its end', () => discord.journal.deleted.includes(id));
  });

  it.concurrent('is taken back when its person is erased, by the end of its turn or by the erasure', async () => {
    const erased = async () => {
      const turn = await beginTurn('forget me');
      await turn.say('Well, if you ask me');
      const shown = await beginningIn(turn.channel);
      await eventually('its note', async () => (await noteOf(turn.turnId))?.['opening'] === null);
      const personId = state.idIn(state.people, turn.user.id);
      await stores.query(`INSERT INTO erasures (erased_id, asked_by) VALUES ($1, 'person')`, [personId]);
      return { ...turn, personId, messageId: shown.message.id };
    };
    const ended = await erased();
    await endSilently(ended.turnId, ended.conversationId, ended.user.id);
    await eventually('its end', () => discord.journal.deleted.includes(ended.messageId));
    const unheard = await erased();
    await suite.messenger.ask(discordContract.erase, { personId: unheard.personId, preview: false });
    expect(discord.journal.deleted).toContain(unheard.messageId);
    expect(await noteOf(unheard.turnId)).toBeUndefined();
  });

  it.concurrent('is one message also when nobody knows whether its beginning arrived', async () => {
    const { turnId, channel, target } = await beginTurn('are you there?');
    // As a process leaves it that died between noting and sending.
    await noteUnsure(turnId, channel.id, 'Ye …', new Date());
    expect((await deliver(turnId, target, 'Yes.')).result.kind).toBe('delivered');
    expect(discord.sentTo(channel)).toHaveLength(1);
  });

  it.concurrent('pings whom it names, also in a message that is sent again', async () => {
    const { turnId, channel, target, user } = await beginTurn('are you there?');
    await noteUnsure(turnId, channel.id, `<@${user.id}> Ye …`, new Date());
    const { result } = await deliver(turnId, { ...target, withoutReference: true }, 'Yes.');
    expect(result.kind).toBe('delivered');
    const [sent, ...more] = discord.sentTo(channel);
    expect(sent?.message.mentions.map(({ id }) => id)).toEqual([user.id]);
    expect(more).toEqual([]);
  });

  it.concurrent('is one message also when that was so long ago that Discord has forgotten the nonce', async () => {
    const { turnId, channel, target } = await beginTurn('still there?');
    await noteUnsure(turnId, channel.id, 'Sti …', new Date(Date.now() - 10 * 60_000));
    const id = await sendAsBot(channel.id, 'Sti …');
    const noted = await deliver(turnId, target, 'Still here.');
    expect(noted.result).toEqual({ kind: 'delivered', platformIds: [id] });
    expect(discord.sentTo(channel)).toHaveLength(1);
    expect(discord.world.messages.get(id)!.content).toBe('Still here.');
  });

  it.concurrent('is taken back also when nobody noted that it arrived', async () => {
    const { turnId, conversationId, channel, user } = await beginTurn('forget it');
    await noteUnsure(turnId, channel.id, 'For …', new Date());
    const id = await sendAsBot(channel.id, 'For …');
    await endSilently(turnId, conversationId, user.id);
    await eventually('its end', () => discord.journal.deleted.includes(id));
  });

  it.concurrent('is sent whole when it is there at once', async () => {
    const { turnId, channel, target, say } = await beginTurn('hi');
    await say('Hello');
    const noted = await deliver(turnId, target, 'Hello.');
    expect(noted.result.kind).toBe('delivered');
    expect(discord.sentTo(channel).map(({ message }) => message.content)).toEqual(['Hello.']);
    expect(discord.journal.edits.filter(({ message }) => message.channel_id === channel.id)).toEqual([]);
  });
});

describe('a reply in a channel that takes its time', () => {
  it.concurrent('refers to what it answers in its first message alone', async () => {
    const channel = discord.channel(discord.guild('Home'), 'stories');
    const { turnId, say, message } = await beginTurn(`<@${discord.bot.id}> a story`, channel);
    const words = 'Once upon a time there was an owl. '.repeat(80);
    await say(words);
    const shown = await eventually(
      'the second message',
      () => discord.sentTo(channel).length === 2 && discord.sentTo(channel),
      10_000,
    );
    expect(shown.map((one) => one.message.message_reference?.message_id)).toEqual([message.id, undefined]);
    const target = { channelId: channel.id, userId: message.author.id, replyToMessageId: message.id };
    expect((await deliver(turnId, target, words)).result.kind).toBe('delivered');
    expect(discord.sentTo(channel)).toHaveLength(2);
  });

  it.concurrent('is shown and delivered also when the history went away before it began', async () => {
    const channel = discord.channel(discord.guild('Sudden'), 'stories');
    const { turnId, say, message } = await beginTurn(`<@${discord.bot.id}> a story`, channel);
    // As a session that was only resumed: nobody told the bot.
    discord.world.denied.set(channel.id, PermissionFlagsBits.ReadMessageHistory);
    await say('Once upon a time');
    const shown = await beginningIn(channel);
    expect(shown.message.message_reference).toBeUndefined();
    const target = { channelId: channel.id, userId: message.author.id, replyToMessageId: message.id };
    const { result } = await deliver(turnId, target, 'Once upon a time. The end.');
    expect(result).toEqual({ kind: 'delivered', platformIds: [shown.message.id] });
  });

  it.concurrent('becomes the reply also where its thread was archived meanwhile', async () => {
    const thread = discord.thread(discord.channel(discord.guild('Quiet'), 'stories'), 'a long one');
    const { turnId, say, target } = await beginTurn(`<@${discord.bot.id}> a story`, thread);
    await say('Once upon a time');
    const shown = await beginningIn(thread);
    discord.archive(thread);
    const { result } = await deliver(turnId, target, 'Once upon a time. The end.');
    expect(result).toEqual({ kind: 'delivered', platformIds: [shown.message.id] });
    expect(discord.world.messages.get(shown.message.id)!.content).toBe('Once upon a time. The end.');
  });

  it.concurrent('is taken back also where its thread was archived meanwhile', async () => {
    const thread = discord.thread(discord.channel(discord.guild('Silent'), 'stories'), 'a short one');
    const { turnId, conversationId, user, say } = await beginTurn(`<@${discord.bot.id}> a story`, thread);
    await say('Once upon a time');
    const shown = await beginningIn(thread);
    discord.archive(thread);
    await endSilently(turnId, conversationId, user.id);
    await eventually('its end', () => discord.journal.deleted.includes(shown.message.id));
  });

  it.concurrent('names and pings whom it answers from the first, where it may not refer to the message', async () => {
    const channel = discord.channel(discord.guild('Strict'), 'no history');
    discord.deny(channel, 'READ_MESSAGE_HISTORY');
    const { turnId, say, user } = await beginTurn(`<@${discord.bot.id}> a story`, channel);
    await say('Once upon a time');
    const shown = await beginningIn(channel);
    expect(shown.message.content).toBe(`<@${user.id}> Once upon a time …`);
    expect(shown.body['allowed_mentions']).toMatchObject({ users: [user.id] });
    const names = () => discord.world.messages.get(shown.message.id)!.mentions.map(({ id }) => id);
    await say(' there was a fox.');
    await eventually('an edit', () =>
      discord.journal.edits.some(({ message }) => message.id === shown.message.id),
    );
    expect(names()).toEqual([user.id]);
    const target = { channelId: channel.id, userId: user.id, withoutReference: true as const };
    const noted = await deliver(turnId, target, 'Once upon a time. The end.');
    expect(noted.result).toEqual({ kind: 'delivered', platformIds: [shown.message.id] });
    expect(discord.world.messages.get(shown.message.id)!.content).toBe(
      `<@${user.id}> Once upon a time. The end.`,
    );
    expect(names()).toEqual([user.id]);
  });
});

describe('a long reply that takes its time', () => {
  const sentences = (count: number) =>
    Array.from({ length: count }, (_, at) => `This is sentence ${at} of a long story.`).join(' ');
  /** A message is full at 2,000 characters. */
  const LONG = sentences(70);

  /** A reply whose second message has begun. */
  async function beginLong() {
    const turn = await beginTurn('tell me a long story');
    await turn.say(LONG);
    const shown = await eventually(
      'the second message',
      () => discord.sentTo(turn.channel).length === 2 && discord.sentTo(turn.channel),
      10_000,
    );
    return { ...turn, ids: shown.map(({ message }) => message.id), shown };
  }

  const saidIn = (channel: DiscordChannel) =>
    discord.sentTo(channel).map(({ message }) => discord.world.messages.get(message.id)?.content);

  it.concurrent('goes on in a second message, and both become the reply', async () => {
    const { turnId, channel, target, ids, say } = await beginLong();
    const [first] = chunkMessage(LONG);
    expect(discord.world.messages.get(ids[0]!)!.content).toBe(first);
    const more = ' And then it came to an end at last.';
    await say(more);
    await eventually('an edit of the second', () =>
      discord.journal.edits.some(
        ({ message }) => message.id === ids[1] && message.content.endsWith('last. …'),
      ),
    );
    const noted = await deliver(turnId, target, LONG + more);
    expect(noted.result).toEqual({ kind: 'delivered', platformIds: ids });
    expect(saidIn(channel)).toEqual(chunkMessage(LONG + more));
    // The same row once more, as after a kill between the last edit and the note of its result.
    expect((await deliver(turnId, target, LONG + more)).result).toEqual(noted.result);
    expect(discord.sentTo(channel)).toHaveLength(2);
  });

  it.concurrent('is edited no faster than Discord allows, whichever of its messages it is in', async () => {
    const { channel } = await beginLong();
    const times = discord.journal.requests
      .filter(({ method, path }) => method !== 'GET' && path.includes(`${channel.id}/messages`))
      .map(({ at }) => at);
    for (const [at, time] of times.entries())
      if (at > 0) expect(time - times[at - 1]!).toBeGreaterThan((PACE.editEveryMs * 2) / 3);
  });

  it.concurrent('leaves no second message behind when it becomes shorter', async () => {
    const { turnId, channel, target, ids } = await beginLong();
    const noted = await deliver(turnId, target, 'In short: it ended well.');
    expect(noted.result).toEqual({ kind: 'delivered', platformIds: [ids[0]] });
    expect(saidIn(channel)).toEqual(['In short: it ended well.', undefined]);
  });

  it.concurrent('is taken back whole when its turn ends without one', async () => {
    const { turnId, conversationId, user, ids } = await beginLong();
    await endSilently(turnId, conversationId, user.id);
    await eventually('its end', () => ids.every((id) => discord.journal.deleted.includes(id)));
  });

  it.concurrent('keeps what arrived where its second message can not be finished, and nothing half', async () => {
    const { turnId, target, ids } = await beginLong();
    discord.fail({ method: 'PATCH', path: new RegExp(ids[1]!), status: 403, code: 50013 });
    const { result } = await deliver(turnId, target, LONG);
    expect(result).toMatchObject({ kind: 'failed', sent: [ids[0]], said: chunkMessage(LONG)[0] });
    await eventually('its end', () => discord.journal.deleted.includes(ids[1]!));
    expect(discord.journal.deleted).not.toContain(ids[0]);
    const told = logged.filter((line) => line.includes(turnId) || line.includes('not delivered'));
    expect(told).not.toEqual([]);
    expect(logged.filter((line) => line.includes('This is sentence'))).toEqual([]);
  });

  it.concurrent('is sent anew from the message on that somebody deleted', async () => {
    const { turnId, channel, target, ids } = await beginLong();
    discord.fail({ method: 'PATCH', path: new RegExp(ids[0]!), status: 404, code: 10008 });
    const { result } = await deliver(turnId, target, LONG);
    expect(result.kind).toBe('delivered');
    expect(discord.journal.deleted).toEqual(expect.arrayContaining(ids));
    expect(saidIn(channel).filter(Boolean)).toEqual(chunkMessage(LONG));
  });

  it.concurrent('loses no part of it where a message that is deleted only later was to be one', async () => {
    const { turnId, channel, target, ids } = await beginLong();
    // As a moderator does. The next message is to go, too, and Discord refuses that.
    discord.world.messages.delete(ids[0]!);
    discord.fail({ method: 'DELETE', path: new RegExp(ids[1]!), status: 403, code: 50013 });
    // The first part is sent anew, and the second meets errors at first.
    const posts = { method: 'POST', path: new RegExp(`${channel.id}/messages$`) };
    discord.fail({ ...posts, status: 503, after: 1, times: 4 });
    const outboxId = state.reply(target, LONG, { turnId });
    await suite.messenger.enqueue(discordContract.deliver, { outboxId });
    await eventually('its end', () =>
      state.noted.some((one) => one.outboxId === outboxId && one.result.kind === 'delivered'),
    );
    const job = await bot.messenger.jobs.queueOf(discordContract.deleteMessage).getJob(ids[1]!);
    await job!.promote();
    await eventually('the late deletion', () => discord.journal.deleted.includes(ids[1]!));
    expect(saidIn(channel).filter(Boolean)).toEqual(chunkMessage(LONG));
  });

  it.concurrent('is its messages also where Discord took the second and answered with an error', async () => {
    const { turnId, channel, target, say } = await beginTurn('tell me a long story');
    // discord.js tries a request that meets a 503 four times.
    const posts = { method: 'POST', path: new RegExp(`${channel.id}/messages$`) };
    discord.fail({ ...posts, status: 503, after: 1, times: 4, isDone: true });
    await say(LONG);
    const shown = await eventually(
      'the second message',
      () => discord.sentTo(channel).length === 2 && discord.sentTo(channel),
      10_000,
    );
    const text = `${LONG} ${LONG}`;
    const noted = await deliver(turnId, target, text);
    expect(noted.result).toMatchObject({ kind: 'delivered' });
    expect(saidIn(channel)).toEqual(chunkMessage(text));
    expect(
      discord
        .sentTo(channel)
        .map(({ message }) => message.id)
        .slice(0, 2),
    ).toEqual(shown.map(({ message }) => message.id));
  });

  it.each([
    ['while Discord knows its nonce', 0],
    ['when Discord has forgotten its nonce', 10 * 60_000],
  ])('is two messages also when nobody knows whether the second arrived, %s', async (_, agoMs) => {
    const { turnId, channel, target } = await beginTurn('and a long one?');
    const first = await sendAsBot(channel.id, 'This is the first');
    const opening = 'This is the second …';
    await noteUnsure(turnId, channel.id, opening, new Date(Date.now() - agoMs), [first]);
    const second = agoMs === 0 ? null : await sendAsBot(channel.id, opening);
    const { result } = await deliver(turnId, target, LONG);
    expect(result).toEqual({ kind: 'delivered', platformIds: [first, second ?? expect.any(String)] });
    expect(saidIn(channel)).toEqual(chunkMessage(LONG));
  });
});

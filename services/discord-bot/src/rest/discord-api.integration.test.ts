import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DiscordDouble, ifStarted } from '@kith/testing';
import { DiscordApi } from './discord-api.js';
import { InvalidRequests } from './invalid-requests.js';

let discord: DiscordDouble;
let api: DiscordApi;

beforeAll(async () => {
  discord = await DiscordDouble.start();
  api = new DiscordApi({ token: discord.token, apiBase: discord.api }, new InvalidRequests(() => undefined));
});

afterAll(async () => {
  ifStarted(api)?.close();
  await ifStarted(discord)?.stop();
});

it('tells of a message that was given up why, also while it waited behind another', async () => {
  const channel = discord.channel(discord.guild('Home'), 'general');
  const post = (content: string, signal?: AbortSignal) =>
    api.createMessage(channel.id, { content, nonce: content, replyTo: undefined, ...(signal && { signal }) });
  await post('before');
  discord.rateLimit({ path: /messages$/, retryAfterMs: 1_000 });
  const first = post('first');
  await expect(post('behind', AbortSignal.timeout(100))).rejects.toThrow(
    expect.objectContaining({ name: 'TimeoutError' }),
  );
  await first;
  await post('after');
  expect(discord.sentTo(channel).map(({ message }) => message.content)).toEqual(['before', 'first', 'after']);
});

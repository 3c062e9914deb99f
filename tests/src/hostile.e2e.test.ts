import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscordDouble, eventually, type DiscordChannel } from '@kith/testing';
import { startSuite, type Suite } from './suite.js';

/** Each of these once kept a service busy for minutes, or for ever, and was read up again after a restart. */
const HOSTILE = [
  `I left ${'A-'.repeat(48)}A.`,
  `yes ${'love it really '.repeat(26)}n`,
  `ask me${' '.repeat(5_000)}x`,
  `# a${' '.repeat(4_000)}b`,
  '< '.repeat(2_000),
];
/** Facts are read twenty seconds after they are said: what follows a message is over by then on a busy machine, too. */
const FOLLOWED_WITHIN_MS = 60_000;
/** Takes far less when nothing is blocked. */
const ANSWERED_WITHIN_MS = 20_000;

let discord: DiscordDouble;
let suite: Suite;
let general: DiscordChannel;

beforeAll(async () => {
  discord = await DiscordDouble.start();
  general = discord.channel(discord.guild('Home'), 'general');
  suite = await startSuite(
    { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api, TURN_DEBOUNCE_MS: '150' },
    { placement: 'together' },
  );
  await discord.waitForReady();
}, 120_000);

afterAll(async () => {
  await suite.stop();
  await discord.stop();
});

/** The answer to a mention in the channel. */
async function answerTo(name: string, text: string): Promise<string> {
  const said = discord.say(discord.user(name), text, general, { mentions: [discord.bot] });
  const sent = await discord.waitForMessage(
    (reply) => reply.message_reference?.message_id === said.id,
    ANSWERED_WITHIN_MS,
  );
  return sent.message.content;
}

describe('messages made to keep a reader busy', () => {
  it('keep nobody else from being answered, remembered, felt, written to and recalled', async () => {
    const mallory = await suite.newPerson('Mallory');
    const honest = await suite.newPerson('Ada');
    // Short answers are read as answers to what was said before them.
    for (const message of ['Hello!', ...HOSTILE])
      await suite.say(message, { key: mallory.key, conversation: 'hostile' });
    const mention = `<@${discord.bot.id}>`;
    discord.say(discord.user('mallory'), `a ${`${mention} `.repeat(24)}x`, general, {
      mentions: [discord.bot],
    });

    expect(await answerTo('ben', 'hello there!')).not.toBe('');
    const said = await suite.say(
      'I live in Lisbon. Ask me tomorrow how my exam went. Thank you, I love you!',
      { key: honest.key },
    );
    expect(said.reply).not.toBe('');

    // Every turn of the hostile ones and of the honest one is read to its end by each reader.
    const unread = `
      SELECT t.turn_id FROM turns t WHERE NOT EXISTS (
        SELECT 1 FROM memory_handled_turns JOIN personality_handled_turns USING (turn_id)
          JOIN outreach_handled_turns USING (turn_id) WHERE turn_id = t.turn_id)`;
    await eventually(
      'all turns to be followed up',
      async () => (await suite.query(unread)).length === 0,
      FOLLOWED_WITHIN_MS,
    );
    const heldOf = ({ personId }: { personId: string }, table: string, condition: string) =>
      suite.query(`SELECT 1 FROM ${table} WHERE person_id = $1 AND ${condition}`, [personId]);
    await eventually(
      'the fact',
      async () => (await heldOf(honest, 'memories', `kind = 'fact' AND text LIKE '%Lisbon%'`)).length === 1,
      FOLLOWED_WITHIN_MS,
    );
    await eventually(
      'the hostile lines to be read',
      async () => (await heldOf(mallory, 'memories', `kind = 'episode' AND read_at IS NULL`)).length === 0,
      FOLLOWED_WITHIN_MS,
    );
    expect(await heldOf(honest, 'intentions', `about LIKE '%exam%'`)).toHaveLength(1);
    expect(await heldOf(honest, 'affect_events', 'true')).not.toEqual([]);

    const recalled = await suite.say('Where do I live?', { key: honest.key, conversation: 'another' });
    expect(recalled.reply).toContain('Lisbon');
    expect(await answerTo('ben', 'are you still there?')).not.toBe('');
    expect(await suite.api('/v1/memories', { key: mallory.key })).toMatchObject({ status: 200 });
  }, 240_000);
});

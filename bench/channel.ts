// How long members wait who all mention the companion at once in one Discord channel.   npm run bench:channel
import { DiscordDouble } from '@kith/testing';
import { spread, writeResult } from './figures.ts';
import { startOwnSuite } from './own-suite.ts';

const MEMBERS = 50;
/** Time a hosted model takes for a short answer. */
const MODEL_MS = 1_000;
const WITHIN_MS = 180_000;

const discord = await DiscordDouble.start();
const suite = await startOwnSuite(() => ({ DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api }));
try {
  await discord.waitForReady();
  const channel = discord.channel(discord.guild('Home'), 'general');
  const members = Array.from({ length: MEMBERS }, (_, number) => discord.user(`member ${number}`));
  suite.model.always({ kind: 'slow', firstByteMs: MODEL_MS });
  const round = async (text: string) => {
    const started = performance.now();
    return Promise.all(
      members.map(async (member) => {
        const said = discord.say(member, `<@${discord.bot.id}> ${text}`, channel, {
          mentions: [discord.bot],
        });
        await discord.waitForMessage((reply) => reply.message_reference?.message_id === said.id, WITHIN_MS);
        return performance.now() - started;
      }),
    );
  };
  const waits = {
    'first message of each': spread(await round('Hello, I am new here.')),
    'second message of each': spread(await round('I keep bees and like rain.')),
  };
  const title = 'wait for a reply, ms';
  console.log(`${title}: ${MEMBERS} members at once in one channel, a model that takes ${MODEL_MS} ms`);
  console.table(waits);
  await writeResult('channel', { [title]: waits });
} finally {
  await suite[Symbol.asyncDispose]();
  await discord.stop();
}

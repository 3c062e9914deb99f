import {
  AppError,
  gatewayContract,
  healthContract,
  memoryContract,
  outreachContract,
  personalityContract,
  SERVICES,
} from '@kith/contracts';
import type { MoodCardFacts } from '@kith/mood-card';
import type { ChatInputCommandInteraction } from 'discord.js';
import type { ConnectionStatus } from '../connection/discord-connection.js';
import type { CommandContext } from './command-context.js';
import {
  describeAttempts,
  describePersonality,
  describeSettings,
  describeStatus,
} from './describe-companion.js';
import { readSettingsChange, type SettingsOptions } from './read-settings-change.js';

const SHOWN_ATTEMPTS = 8;
const QUIET_CHANNEL = 'Nothing was changed: whoever runs me does not want me to write first in this channel.';

/** Each part is asked at once and stands for itself: what does not answer is named, the rest is shown. */
export async function showStatus(context: CommandContext, connection: ConnectionStatus): Promise<string> {
  const { messenger, companionId, personId } = context;
  const [companion, memories, outreach, models, services] = await Promise.all([
    orNull(messenger.ask(personalityContract.companion, { companionId })),
    orNull(messenger.ask(memoryContract.stats, { personId })),
    orNull(messenger.ask(outreachContract.settings, { personId })),
    orNull(messenger.ask(gatewayContract.models, {})),
    Promise.all(
      SERVICES.map(async (name) => ({ name, health: await orNull(messenger.ask(healthContract(name), {})) })),
    ),
  ]);
  return describeStatus({
    companion,
    connection,
    services,
    memories,
    outreach: outreach?.settings ?? null,
    models: models?.chat ?? null,
  });
}

/** Ends without an answer what this person said here and is not answered yet. */
export async function stopAnswering(
  { messenger, companionId }: CommandContext,
  { user, channelId, guildId }: Pick<ChatInputCommandInteraction, 'user' | 'channelId' | 'guildId'>,
): Promise<string> {
  const { stopped } = await messenger.ask(gatewayContract.stop, {
    from: { door: 'discord', subject: user.id, displayName: user.displayName.slice(0, 100) || user.id },
    place: { door: 'discord', externalId: channelId, kind: guildId === null ? 'direct' : 'channel' },
    companionId,
  });
  return stopped === 0 ? 'There is nothing to stop.' : 'Stopped. Nothing that was on its way will come.';
}

export async function changeSettings(
  { messenger, personId }: CommandContext,
  options: SettingsOptions,
  { channelId, guildId }: Pick<ChatInputCommandInteraction, 'channelId' | 'guildId'>,
): Promise<string> {
  const read = readSettingsChange(options, guildId === null ? null : channelId);
  if ('problem' in read) return read.problem;
  if (read.change === null) {
    const { settings } = await messenger.ask(outreachContract.settings, { personId });
    return describeSettings(settings, false);
  }
  const asked = messenger.ask(outreachContract.change, { personId, change: read.change });
  const settings = await asked.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'forbidden') return null;
    throw error;
  });
  return settings === null ? QUIET_CHANNEL : describeSettings(settings, true);
}

/** Why did you write? */
export async function showWhy({ messenger, personId }: CommandContext): Promise<string> {
  const { attempts } = await messenger.ask(outreachContract.attempts, { personId, limit: SHOWN_ATTEMPTS });
  return describeAttempts(attempts);
}

/** The companion in words, and what its card is drawn from; null while its mood is out of reach. */
export async function showPersonality({
  messenger,
  companionId,
  personId,
  now,
}: CommandContext): Promise<{ text: string; card: MoodCardFacts | null }> {
  const [companion, mood] = await Promise.all([
    messenger.ask(personalityContract.companion, { companionId }),
    orNull(messenger.ask(personalityContract.mood, { companionId, personId, now: now.toISOString() })),
  ]);
  return { text: describePersonality(companion, mood), card: mood && { companion, mood } };
}

/** The answer, or null when there is none: the caller shows what is missing. */
function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch(() => null);
}

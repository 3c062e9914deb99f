import { Routes, type APIGuildMember } from 'discord-api-types/v10';
import type { Client } from 'discord.js';
import { codeOf } from '../rest/code-of.js';

/**
 * Reads people's names and roles in a server, which messages that are read over REST lack. Leaves out people whom Discord
 * does not tell of, such as somebody who left: they are answered all the same.
 * @param isLastTry true leaves out people for whom Discord fails, too: nobody must hold up a place for ever
 * @throws if Discord is away, or fails for one of them: the place is read again then
 */
export async function membersOf(
  { rest }: Pick<Client, 'rest'>,
  guildId: string,
  userIds: Iterable<string>,
  { signal, isLastTry }: { signal: AbortSignal; isLastTry: boolean },
): Promise<Map<string, APIGuildMember>> {
  const members = new Map<string, APIGuildMember>();
  for (const userId of new Set(userIds)) {
    const member = await rest.get(Routes.guildMember(guildId, userId), { signal }).catch((error: unknown) => {
      // By a code of its API Discord says that it does not tell of them.
      if (typeof codeOf(error) === 'number' || (isLastTry && statusOf(error) !== undefined)) return null;
      throw error;
    });
    if (member) members.set(userId, member as APIGuildMember);
  }
  return members;
}

/** Reads the status of an answer of Discord's; undefined where there was none. */
function statusOf(error: unknown): unknown {
  return (error as { status?: unknown } | null)?.status;
}

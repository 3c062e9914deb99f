import { Routes, type APIGuildMember } from 'discord-api-types/v10';
import type { Client } from 'discord.js';
import { codeOf } from '../rest/code-of.js';

/**
 * Reads what a server knows of some people: their names and roles there, which messages that are read over REST leave
 * out. One after the other, each once. Leaves out whom Discord does not tell of, such as somebody who went: they are
 * answered all the same.
 * @throws if Discord is away: the place is read again then
 */
export async function membersOf(
  { rest }: Pick<Client, 'rest'>,
  guildId: string,
  userIds: Iterable<string>,
  signal: AbortSignal,
): Promise<Map<string, APIGuildMember>> {
  const members = new Map<string, APIGuildMember>();
  for (const userId of new Set(userIds)) {
    const member = await rest.get(Routes.guildMember(guildId, userId), { signal }).catch(nobody);
    if (member) members.set(userId, member as APIGuildMember);
  }
  return members;
}

/** Takes what Discord answers, by a code of its API, for a person of whom it does not tell. */
function nobody(error: unknown): null {
  if (typeof codeOf(error) === 'number') return null;
  throw error;
}

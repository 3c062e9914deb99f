import { Routes, type APIGuildMember } from 'discord-api-types/v10';
import type { Client } from 'discord.js';

/**
 * Reads what a server knows of some people: their names and roles there, which messages that are read over REST leave
 * out. One after the other, each once. Leaves out whom Discord does not tell of, such as somebody who went: they are
 * answered all the same.
 */
export async function membersOf(
  { rest }: Pick<Client, 'rest'>,
  guildId: string,
  userIds: Iterable<string>,
): Promise<Map<string, APIGuildMember>> {
  const members = new Map<string, APIGuildMember>();
  for (const userId of new Set(userIds)) {
    const member = await rest.get(Routes.guildMember(guildId, userId)).catch(() => null);
    if (member) members.set(userId, member as APIGuildMember);
  }
  return members;
}

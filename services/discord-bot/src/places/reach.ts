import { PermissionFlagsBits } from 'discord-api-types/v10';
import type { Client } from 'discord.js';
import { writingIn } from '../rest/may-write.js';

/** Permissions of the bot in a place. */
export interface Reach {
  /** Needed to read missed messages, to refer to a message, and to react. */
  canReadHistory: boolean;
  canSend: boolean;
  canReact: boolean;
}

/** In a DM all is allowed until Discord says otherwise. */
const ALL: Reach = { canReadHistory: true, canSend: true, canReact: true };

/** Reads the bot's permissions in a channel or thread from its roles; null where they are not known. */
export function reachIn({ channels, user }: Client, channelId: string): Reach | null {
  const channel = channels.cache.get(channelId);
  if (!channel || !user) return null;
  if (channel.isDMBased()) return ALL;
  const me = channel.guild.members.me;
  const granted = me && channel.permissionsFor(me);
  if (!granted) return null;
  // A member in a time-out may look and read, and nothing else.
  const isSilenced = me.isCommunicationDisabled() && !granted.has(PermissionFlagsBits.Administrator);
  const has = (permission: bigint) => granted.has(permission);
  const isThread = channel.isThread();
  const canView = has(PermissionFlagsBits.ViewChannel);
  const canReadHistory = canView && has(PermissionFlagsBits.ReadMessageHistory);
  const mayWrite = has(writingIn(isThread));
  // A message wakes an archived thread, but not one that is locked.
  const isLocked = isThread && channel.locked === true && !has(PermissionFlagsBits.ManageThreads);
  return {
    canReadHistory,
    canSend: canView && mayWrite && !isSilenced && !isLocked,
    canReact: canReadHistory && has(PermissionFlagsBits.AddReactions) && !isSilenced && !isLocked,
  };
}

import type { DiscordChannel, DiscordWorld } from './discord-world.js';

/** Permissions that the double knows, by Discord's names. */
export const PERMISSIONS = {
  ADD_REACTIONS: 1n << 6n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
} as const;
export type Permission = keyof typeof PERMISSIONS;

/** All but Administrator, which no overwrite could take anything from. */
export const EVERY_PERMISSION = 0x1fffffffffffffn & ~(1n << 3n);

/** Tells whether the bot may do this in the channel. A thread has its channel's permissions. */
export function mayBot(world: DiscordWorld, channel: DiscordChannel, permission: Permission): boolean {
  const of = channel.parent_id === undefined ? channel.id : channel.parent_id;
  const denied = world.denied.get(of) ?? 0n;
  // Who can't see a channel can do nothing in it.
  return (denied & PERMISSIONS.VIEW_CHANNEL) === 0n && (denied & PERMISSIONS[permission]) === 0n;
}

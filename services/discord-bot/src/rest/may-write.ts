import { OverwriteType, PermissionFlagsBits, type APIOverwrite, type APIRole } from 'discord-api-types/v10';

const { Administrator, SendMessages, SendMessagesInThreads, ViewChannel } = PermissionFlagsBits;

/** Parts of a server that tell who may look into its channels. */
export interface SeenGuild {
  id: string;
  owner_id: string;
  roles: readonly Pick<APIRole, 'id' | 'permissions'>[];
}

/** Right to write: `not now` during a time-out. */
export type MayWrite = 'yes' | 'not now' | 'no';

/** Member of a server, and until when they may only look on there. */
export interface SeenMember {
  id: string;
  roles: readonly string[];
  communication_disabled_until?: string | null;
}

/** Names the permission that writing takes: one in a thread, another in a channel. */
export function writingIn(isThread: boolean): bigint {
  return isThread ? SendMessagesInThreads : SendMessages;
}

/**
 * Tells whether a member may look into a channel with these overwrites, or a thread of it, and write there, as Discord
 * computes it: what their roles grant, then the channel's overwrites for everyone, their roles together, and themself. A
 * time-out is for neither owners nor administrators. Pure.
 */
export function mayWrite(
  guild: SeenGuild,
  { overwrites, isThread }: { overwrites: readonly APIOverwrite[]; isThread: boolean },
  member: SeenMember,
  now: Date,
): MayWrite {
  if (member.id === guild.owner_id) return 'yes';
  const all = guild.roles.filter(({ id }) => id === guild.id || member.roles.includes(id));
  const granted = all.reduce((sum, { permissions }) => sum | BigInt(permissions), 0n);
  if ((granted & Administrator) !== 0n) return 'yes';
  const ofRoles = overwrites.filter(({ type }) => type === OverwriteType.Role);
  const steps = [
    ofRoles.filter(({ id }) => id === guild.id),
    ofRoles.filter(({ id }) => id !== guild.id && member.roles.includes(id)),
    overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === member.id),
  ];
  const left = steps.reduce((now, step) => {
    const denied = step.reduce((sum, { deny }) => sum | BigInt(deny), 0n);
    const allowed = step.reduce((sum, { allow }) => sum | BigInt(allow), 0n);
    return (now & ~denied) | allowed;
  }, granted);
  const needed = ViewChannel | writingIn(isThread);
  if ((left & needed) !== needed) return 'no';
  return new Date(member.communication_disabled_until ?? 0) > now ? 'not now' : 'yes';
}

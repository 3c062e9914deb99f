import { firstOf } from '@kith/contracts';

export const DEFAULT_KEY_PREFIX = 'kith:';

/**
 * Every key of ours. BullMQ's are below `<prefix>bull:`. All requests of an owner (`<owner>.<verb>`) share a stream:
 * one service answers them, and one read, or one check for left-over entries, covers all of them.
 */
export function requestStream(keyPrefix: string, pattern: string): string {
  return `${keyPrefix}request:${ownerOf(pattern)}`;
}

/** Names the owner of a verb: `memory.recall` is memory's. */
export function ownerOf(pattern: string): string {
  return firstOf(pattern.split('.', 1));
}

export function eventStream(keyPrefix: string, pattern: string): string {
  return `${keyPrefix}event:${pattern}`;
}

/** Makes the key of one process of a service. Its name comes first, so that no other service may read it. */
export function replyStream(keyPrefix: string, service: string, clientId: string): string {
  return `${keyPrefix}reply:${service}:${clientId}`;
}

export function deadLetterStream(keyPrefix: string): string {
  return `${keyPrefix}dead`;
}

export function broadcastChannel(keyPrefix: string, channel: string): string {
  return `${keyPrefix}broadcast:${channel}`;
}

export function jobPrefix(keyPrefix: string): string {
  return `${keyPrefix}bull`;
}

import { lastOf } from '@kith/contracts';
import type { Claim } from '../inbox/claim.js';
import type { ToolUse } from './permission/decide-tool-use.js';
import type { ToolPlace } from './permission/find-permission.js';

/** Person and place that a turn's tools act for. They come from the claim, where no model can change them. */
export interface TurnAuthority extends Pick<ToolUse, 'origin' | 'door' | 'said' | 'isPresent'> {
  turnId: string;
  personId: string;
  conversationId: string;
  place: ToolPlace;
}

/** Age from which a message no longer speaks for somebody who is there. */
const PRESENT_MS = 15 * 60_000;

/** Reads from a claim who is present, where, and what they said themselves. Pure. */
export function authorityOf(claim: Claim, turnId: string, now: Date): TurnAuthority {
  const { personId, conversationId, companionId, burst } = claim;
  const last = lastOf(burst);
  const live = burst.filter(({ deleted, stopped }) => !deleted && !stopped);
  return {
    turnId,
    personId,
    conversationId,
    origin: last.origin,
    door: last.door,
    place: {
      companionId,
      server: last.target?.serverId ?? null,
      channel: claim.kind === 'channel' ? (last.target?.channelId ?? null) : null,
      threadOf: last.target?.threadOf ?? null,
      roles: claim.kind === 'direct' ? [] : (last.target?.roles ?? null),
    },
    said: last.origin === 'message' ? live.map(({ text }) => text) : [],
    isPresent: now.getTime() - last.sentAt.getTime() < PRESENT_MS,
  };
}

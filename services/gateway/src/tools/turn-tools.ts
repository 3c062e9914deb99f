import type { RecalledMemory } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { EarlierMessage } from '../conversations/talk.js';
import type { Claim } from '../inbox/claim.js';
import { amendTools } from './amend-tools.js';
import { archiveTool } from './archive-tool.js';
import { taskTools } from './task-tools.js';
import { coreTools } from './core-tools.js';
import { scheduleTool } from './schedule-tool.js';
import { searchConversation } from './search-conversation.js';
import { searchMemory } from './search-memory.js';
import type { ShownMemory } from '../steps/step-words.js';
import type { Tool } from './tool.js';
import type { TurnAuthority } from './turn-authority.js';

/** Part of a turn's context that its tools look at. */
interface SeenContext {
  earlier: readonly EarlierMessage[];
  recalled: readonly RecalledMemory[];
  companion: { name: string };
}

/**
 * Makes the tools of one turn: they see what its audience may hear, and nothing else.
 * @param shown what they come to show is added to it
 */
export function toolsOf(
  parts: { messenger: Messenger; database: Database },
  claim: Claim,
  { said, isPresent }: Pick<TurnAuthority, 'said' | 'isPresent'>,
  context: SeenContext,
  now: Date,
  shown: ShownMemory[],
): Tool[] {
  const seen = seenIn(claim, context);
  const companionName = context.companion.name;
  return [
    searchMemory(parts, claim, now, shown),
    searchConversation(parts, claim, shown),
    ...coreTools(parts, claim, seen.messageIds),
    ...taskTools(parts, claim, seen.messageIds),
    archiveTool(parts, claim, { companionName, sources: seen.messageIds, now }),
    // Only what somebody present says can put a memory right.
    ...(isPresent && said.length > 0
      ? amendTools(parts, claim, { companionName, sources: seen.messageIds, said })
      : []),
    ...(claim.burst[0]?.origin === 'heartbeat' ? [scheduleTool(parts, claim, seen.turnIds)] : []),
  ];
}

/** Messages that a note may name: as many as the contracts take. */
const MAX_MESSAGES = 200;
/** Turns that a note may name: as many as the contracts take. */
const MAX_TURNS = 100;

/**
 * Lists the messages that a note of the model's comes from: those it answers. Where nobody spoke it thinks over all
 * that it is shown, and what it notes goes with any of it.
 */
function seenIn(
  { burst }: Claim,
  { earlier, recalled }: SeenContext,
): { messageIds: string[]; turnIds: string[] } {
  const answered = burst.map(({ externalId }) => externalId);
  if (burst[0]?.origin !== 'heartbeat') return { messageIds: answered.slice(-MAX_MESSAGES), turnIds: [] };
  const shown = [
    ...recalled.flatMap(({ sources }) => sources),
    ...earlier.flatMap(({ externalId }) => externalId ?? []),
  ];
  return {
    messageIds: [...new Set([...answered, ...shown])].slice(-MAX_MESSAGES),
    turnIds: [...new Set(earlier.map(({ turnId }) => turnId))].slice(-MAX_TURNS),
  };
}

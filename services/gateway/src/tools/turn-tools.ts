import type { Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Claim } from '../inbox/claim.js';
import type { ShownMemory } from '../steps/step-words.js';
import { amendTools, archiveTool, coreTools, MEMORY_TOOLS } from './memory-tools.js';
import { noteOrigin, type NotedContext } from './note-origin.js';
import { SEARCH_TOOLS, searchConversation, searchMemory } from './search-tools.js';
import { scheduleTool, TASK_TOOLS, taskTools } from './task-tools.js';
import type { Tool, ToolDeclaration } from './tool.js';
import type { TurnAuthority } from './turn-authority.js';

/** Declarations of all tools of our own, which are made anew for each turn. */
export const BUILT_IN: readonly ToolDeclaration[] = [SEARCH_TOOLS, MEMORY_TOOLS, TASK_TOOLS].flatMap(
  (declared) => Object.values<ToolDeclaration>(declared),
);

/** Part of a turn's context that its tools look at. */
interface SeenContext extends NotedContext {
  companion: { name: string };
  /** Time zone of the person's clock; null where it is not known, and where others read. */
  timeZone: string | null;
  /** Time of the messages that the turn answers. */
  now: Date;
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
  shown: ShownMemory[],
): Tool[] {
  const origin = noteOrigin(claim, context, shown);
  const { timeZone, now } = context;
  const companionName = context.companion.name;
  return [
    searchMemory(parts, claim, { now, timeZone }, shown),
    searchConversation(parts, claim, { companionName, timeZone }, shown),
    ...coreTools(parts, claim, origin),
    ...taskTools(parts, claim, origin),
    archiveTool(parts, claim, { companionName, now, ...origin }),
    // Only what somebody present says can put a memory right.
    ...(isPresent && said.length > 0 ? amendTools(parts, claim, { companionName, said, ...origin }) : []),
    ...(claim.burst[0]?.origin === 'heartbeat' ? [scheduleTool(parts, claim, origin)] : []),
  ];
}

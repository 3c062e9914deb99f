import { memoryRoutes, type MemoryChange } from '@kith/contracts';
import type { CommandContext } from '../suite/command-context.js';
import { minuteOf } from '../terminal/value-words.js';
import { namedMemory } from './memory-pages.js';
import { MEMORY_COLUMNS } from './memory-columns.js';

/** Corrects, pins or releases a memory. */
export async function changeMemory(
  context: CommandContext,
  given: string,
  change: MemoryChange,
  asJson: boolean,
): Promise<void> {
  const { id } = await namedMemory(context, given);
  const changed = await context.api.call(memoryRoutes.change, { params: { id }, body: change });
  if (asJson) return context.terminal.json(changed);
  context.terminal.table([changed], MEMORY_COLUMNS);
}

/** Prints whether the caller's talk is remembered, after changing that where asked to. */
export async function changePrivacy(
  { api, terminal }: CommandContext,
  wanted: 'on' | 'off' | undefined,
  asJson: boolean,
): Promise<void> {
  const privacy =
    wanted === undefined
      ? await api.call(memoryRoutes.privacy)
      : await api.call(memoryRoutes.changePrivacy, { body: { private: wanted === 'on' } });
  if (asJson) return terminal.json(privacy);
  const since = privacy.since === null ? '' : ` since ${minuteOf(privacy.since)} (UTC)`;
  terminal.line(
    privacy.private ? `private${since}: nothing you say is remembered` : 'what you say is remembered',
  );
}

import type { MemoryView } from '@kith/contracts';
import { discordDate, fitLines, oneLine } from './draw.js';

// Ten of these fit a message.
const MAX_LINE_CHARACTERS = 150;

type Shown = Pick<MemoryView, 'text' | 'saidAt' | 'kind'>;

function memoryLine({ text, saidAt, kind }: Shown): string {
  const mark = kind === 'episode' ? '' : `(${kind}) `;
  return `- ${discordDate(saidAt)} ${mark}${oneLine(text, MAX_LINE_CHARACTERS)}`;
}

export function describeList(memories: readonly Shown[], total: number): string {
  if (memories.length === 0) return 'Nothing is kept about you yet. Talk a little, then look again.';
  const head =
    total > memories.length
      ? `The newest ${memories.length} of ${total} memories. Find others with \`/memories search\`.`
      : `All ${total === 1 ? 'there is: 1 memory' : `${total} memories`}.`;
  return fitLines([head, ...memories.map(memoryLine)]);
}

/** `degraded`: part of the search was out of reach. */
export function describeSearch(memories: readonly Shown[], degraded: boolean): string {
  if (memories.length === 0) return 'Nothing comes to mind for that.';
  const note = degraded ? ['Part of the search is out of reach right now; there may be more.'] : [];
  return fitLines(['What comes to mind, best first:', ...note, ...memories.map(memoryLine)]);
}

export function askToForget(memories: readonly Shown[]): string {
  const what = memories.length === 1 ? 'this memory' : `these ${memories.length} memories`;
  return fitLines([`Forget ${what}, for good?`, ...memories.map(memoryLine)]);
}

export function describeForgotten(rows: number): string {
  if (rows === 0) return 'There was nothing left to forget.';
  return `Forgotten: ${rows} ${rows === 1 ? 'memory' : 'memories'}, for good.`;
}

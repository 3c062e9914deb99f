import { counted, type MemoryView, type Privacy } from '@kith/contracts';
import { type CutLine, discordDate, fitTexts } from '../fitted-text.js';
import { shortId } from '../short-id.js';

/** Characters of a memory that its line shows at most: ten such lines mostly fit a message. */
const MAX_TEXT = 150;

type ShownMemory = Pick<MemoryView, 'id' | 'text' | 'saidAt' | 'kind' | 'shelf' | 'shelfReason' | 'pinned'>;

function memoryLine({ id, text, saidAt, kind, shelf, shelfReason, pinned }: ShownMemory): CutLine {
  const marks = [
    ...(pinned ? ['pinned'] : []),
    ...(kind === 'episode' ? [] : [kind]),
    ...(shelf === 'open' ? [] : [shelfReason === null ? shelf : `${shelf}: ${shelfReason}`]),
  ];
  const mark = marks.length === 0 ? '' : `(${marks.join(', ')}) `;
  return { frame: `- \`${shortId(id)}\` ${discordDate(saidAt)} ${mark}`, text };
}

/** Shows all of these memories, because the question is about each of them. */
function withMemories(head: readonly string[], memories: readonly ShownMemory[]): string {
  return fitTexts(head, memories.map(memoryLine), MAX_TEXT);
}

export function describeList(
  memories: readonly ShownMemory[],
  { page, pages, total }: { page: number; pages: number; total: number },
): string {
  if (total === 0) return 'Nothing is kept about you yet. Talk a little, then look again.';
  const all = `All ${total === 1 ? 'there is: 1 memory' : `${total} memories`}.`;
  const head = pages === 1 ? all : `Page ${page} of ${pages}, ${total} memories, the newest first.`;
  return withMemories([head], memories);
}

export function describeChanged(memory: ShownMemory): string {
  return withMemories(['It is kept like this now:'], [memory]);
}

export function describePrivacy({ private: isPrivate }: Pick<Privacy, 'private'>): string {
  return isPrivate
    ? 'Private from now on: I answer you as ever, and remember nothing of what you say until you turn this off.'
    : 'I remember again what you tell me from now on.';
}

/** `degraded`: part of the search was out of reach. */
export function describeSearch(memories: readonly ShownMemory[], degraded: boolean): string {
  if (memories.length === 0) return 'Nothing comes to mind for that.';
  const note = degraded ? ['Part of the search is out of reach right now; there may be more.'] : [];
  return withMemories(['What comes to mind, best first:', ...note], memories);
}

/** The question before forgetting: what and how much would go, and how long it can be taken back. */
export function askToForget(memories: readonly ShownMemory[], lines: number): string {
  const what = memories.length === 1 ? 'this memory' : `these ${memories.length} memories`;
  const talk =
    lines === 0
      ? ''
      : `, and the ${counted(lines, 'line')} of your talk ${memories.length === 1 ? 'it' : 'they'} came from`;
  const question = `Forget ${what}${talk}? You have ten minutes to take it back.`;
  return withMemories([question], memories);
}

/** Describes how much was forgotten. */
export function describeForgotten(rows: number, lines: number): string {
  if (rows + lines === 0) return 'There was nothing left to forget.';
  return `Forgotten: ${countedTalk(rows, lines)}. In ten minutes it is gone for good.`;
}

/**
 * Describes how much an undo has brought back; nothing where the forgotten messages still wait, or were deleted or named by
 * a later order since.
 */
export function describeRestored(rows: number, lines: number): string {
  if (rows + lines === 0) return 'It is taken back, apart from what was deleted or forgotten since.';
  return `I have it back: ${countedTalk(rows, lines)}.`;
}

function countedTalk(rows: number, lines: number): string {
  const counts = [
    ...(rows === 0 ? [] : [counted(rows, 'memory', 'memories')]),
    ...(lines === 0 ? [] : [`${counted(lines, 'line')} of our talk`]),
  ];
  return counts.join(' and ');
}

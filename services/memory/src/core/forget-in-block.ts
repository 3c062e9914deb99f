import type { CoreEdit } from '@kith/contracts';
import { z } from 'zod';
import { sharesWord } from '../words/analyse-text.js';

/** A passage of a block, and the messages it was written for. */
export const Origin = z.object({ text: z.string(), sources: z.array(z.string()) });
export type Origin = z.infer<typeof Origin>;

interface Block {
  text: string;
  origins: readonly Origin[];
}

/** Removes from a block what was written for forgotten messages; null where nothing was. */
export function forgetInBlock(
  block: Block,
  forgotten: readonly string[],
): { text: string; origins: Origin[] } | null {
  const isGone = ({ sources }: Origin) => sources.some((source) => forgotten.includes(source));
  const gone = block.origins.filter(isGone);
  if (gone.length === 0) return null;
  // Positions rather than words: passages overlap where an edit changed a part of one.
  const cut = new Set<number>();
  const searchedTo = new Map<string, number>();
  for (const { text } of gone) {
    const at = block.text.indexOf(text, searchedTo.get(text));
    if (at === -1) continue;
    searchedTo.set(text, at + text.length);
    for (let position = at; position < at + text.length; position += 1) cut.add(position);
  }
  const uncut = (passage: string) => {
    const at = block.text.indexOf(passage);
    return closeGaps(passage.split('').filter((_, n) => !cut.has(at + n)));
  };
  const text = uncut(block.text);
  const origins = block.origins
    .filter((origin) => !isGone(origin))
    .map((origin) => (text.includes(origin.text) ? origin : { ...origin, text: uncut(origin.text) }));
  return { text, origins: standing(text, origins) };
}

/** Lists the origins of a block after an edit: those whose words still stand there, as they read now, and the new one's. */
export function originsAfter(before: Block, edit: CoreEdit, after: string, sources: string[]): Origin[] {
  const kept =
    edit.kind === 'replace'
      ? before.origins.map((origin) => reword(before.text, origin, edit))
      : before.origins;
  const added = { text: (edit.kind === 'replace' ? edit.new : edit.text).trim(), sources };
  return standing(after, sources.length > 0 ? [...kept, added] : kept);
}

/**
 * Rewords an origin that an edit touched: the rest of its passage, with the new words, still comes from its messages.
 * Where other words replaced all of it, it stays as it is; its passage then stands nowhere in the block.
 */
function reword(
  block: string,
  origin: Origin,
  { old, new: words }: Extract<CoreEdit, { kind: 'replace' }>,
): Origin {
  const start = block.indexOf(origin.text);
  const end = start + origin.text.length;
  const from = block.indexOf(old);
  const to = from + old.length;
  if (start === -1 || to <= start || from >= end) return origin;
  const isWhole = from <= start && to >= end;
  if (isWhole && !sharesWord(origin.text, words)) return origin;
  const [head, tail] = [block.slice(start, Math.max(start, from)), block.slice(Math.min(to, end), end)];
  return { ...origin, text: `${head}${words}${tail}`.trim() };
}

function standing(text: string, origins: readonly Origin[]): Origin[] {
  return origins.filter((origin) => origin.text !== '' && text.includes(origin.text));
}

function closeGaps(characters: readonly string[]): string {
  return characters
    .join('')
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

import { memoryContract, type CoreEdit } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';
import type { Claim } from '../inbox/claim.js';
import { indented, unindented } from '../safety/prompt-text.js';
import type { NoteOrigin } from './note-origin.js';
import { declareTool, type Tool } from './tool.js';

/** The blocks a companion may write in itself. */
const OwnLabel = z.enum(['human', 'persona']);
/** Words of a block as a model gives them, who has read them indented. */
const Words = z.string().transform(unindented).pipe(z.string().max(1_200));
const Append = z.object({ label: OwnLabel, content: Words.pipe(z.string().trim().min(1)) });
const Replace = z.object({ label: OwnLabel, old_content: Words.pipe(z.string().min(1)), new_content: Words });

const label = { type: 'string', enum: OwnLabel.options };
const content = { type: 'string', description: 'in the third person, short' };

export const CORE_MEMORY_APPEND = declareTool(
  'core_memory_append',
  'Note something about them (human) or about how you are with them (persona) that you will always have in mind.',
  { label, content },
  { reads: [], changes: 'memory' },
);
export const CORE_MEMORY_REPLACE = declareTool(
  'core_memory_replace',
  'Put something right that you always have in mind: the old words exactly as they stand there, once.',
  { label, old_content: content, new_content: content },
  { reads: ['memories'], changes: 'memory' },
);

/** Letta's tools for what is always in mind, by their names: models know them. */
export function coreTools(
  { messenger }: { messenger: Messenger },
  { personId, companionId, audience }: Claim,
  { sourcesOf, begunAt }: NoteOrigin,
): Tool[] {
  const edit = async (label: 'human' | 'persona', change: CoreEdit, key: string) => {
    const where = { personId, companionId, audience, label };
    const { text } = await messenger.ask(memoryContract.editCore, {
      ...where,
      edit: change,
      by: 'companion',
      sources: sourcesOf(change.kind === 'replace' ? change.new : change.text),
      begunAt,
      key,
    });
    return `${label} now says:${indented(`\n${text}`)}`;
  };
  return [
    {
      ...CORE_MEMORY_APPEND,
      call: async (given, { key }) => {
        const parsed = Append.parse(given);
        return edit(parsed.label, { kind: 'append', text: parsed.content }, key);
      },
    },
    {
      ...CORE_MEMORY_REPLACE,
      call: async (given, { key }) => {
        const parsed = Replace.parse(given);
        return edit(parsed.label, { kind: 'replace', old: parsed.old_content, new: parsed.new_content }, key);
      },
    },
  ];
}

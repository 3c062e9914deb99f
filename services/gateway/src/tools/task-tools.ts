import { memoryContract, TaskState, type TaskView } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';
import type { Claim } from '../inbox/claim.js';
import type { NoteOrigin } from './note-origin.js';
import { declareTool, type Tool } from './tool.js';

/** Every property of a tool is required: most models leave it empty then, and some out. */
const Maybe = z.string().trim().max(300).default('');
const Add = z.object({
  text: z.string().trim().min(1).max(300),
  priority: z.coerce.number().int().min(1).max(3).catch(2),
  due: Maybe,
  waits_for: Maybe,
});
const Update = z.object({ number: z.coerce.number().int().positive(), state: TaskState, waits_for: Maybe });

const due = { type: 'string', description: 'when, as ISO 8601 with an offset; empty: no time' };
const waitsFor = { type: 'string', description: 'what it waits for first, in a few words; empty: nothing' };

export const TASK_ADD = declareTool(
  'task_add',
  'Keep something that you are to do for or with them, so that you have it in mind until it is done.',
  {
    text: { type: 'string', description: 'what is to be done, in a few words' },
    priority: { type: 'integer', enum: [1, 2, 3], description: '1 presses most' },
    ...{ due, waits_for: waitsFor },
  },
  { reads: [], changes: 'memory' },
);
export const TASK_UPDATE = declareTool(
  'task_update',
  'Say how a task stands: open, waiting for something, done, or dropped because they do not want it any more.',
  {
    number: { type: 'integer', description: 'its number' },
    state: { type: 'string', enum: TaskState.options },
    waits_for: waitsFor,
  },
  { reads: [], changes: 'memory' },
);

/** Makes the tools for what the companion means to do with a person. */
export function taskTools(
  { messenger }: { messenger: Messenger },
  { personId, companionId, audience }: Claim,
  { sourcesOf, begunAt }: NoteOrigin,
): Tool[] {
  const whose = { personId, by: 'companion' as const, begunAt };
  return [
    {
      ...TASK_ADD,
      call: async (given, { key }) => {
        const { text, priority, due: at, waits_for } = Add.parse(given);
        const task = await messenger.ask(memoryContract.addTask, {
          ...{ ...whose, companionId, audience, key, sources: sourcesOf(`${text} ${waits_for}`) },
          task: {
            text,
            priority,
            dueAt: at === '' ? null : at,
            waitsFor: waits_for === '' ? null : waits_for,
          },
        });
        return `Kept: ${wordTask(task)}`;
      },
    },
    {
      ...TASK_UPDATE,
      call: async (given, { key }) => {
        const { number, state, waits_for } = Update.parse(given);
        const task = await messenger.ask(memoryContract.changeTask, {
          ...{ ...whose, key, which: { companionId, audience, number }, sources: sourcesOf(waits_for) },
          change: { state, ...(waits_for !== '' && { waitsFor: waits_for }) },
        });
        return `Now: ${wordTask(task)}`;
      },
    },
  ];
}

/** Words a task for a prompt, on one line. */
export function wordTask({ number, text, state, priority, dueAt, waitsFor }: TaskView): string {
  const more = [
    state === 'open' ? '' : state,
    priority === 2 ? '' : `priority ${priority}`,
    dueAt === null ? '' : `due ${dueAt.slice(0, 16)}Z`,
    waitsFor === null ? '' : `waits for: ${waitsFor}`,
  ].filter(Boolean);
  return `${number}. ${text}${more.length > 0 ? ` (${more.join('; ')})` : ''}`;
}

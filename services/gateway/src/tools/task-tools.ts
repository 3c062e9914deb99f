import { IsoTime, memoryContract, outreachContract, TaskState, type TaskView } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';
import type { Claim } from '../inbox/claim.js';
import type { NoteOrigin } from './note-origin.js';
import { declareTool, NotDone, ownTool, type Tool } from './tool.js';

/** Every property of a tool is required: most models leave it empty then, and some out. */
const Maybe = z.string().trim().max(300).default('');
const Add = z.object({
  text: z.string().trim().min(1).max(300),
  priority: z.coerce.number().int().min(1).max(3).catch(2),
  due: Maybe,
  waits_for: Maybe,
});
const Update = z.object({ number: z.coerce.number().int().positive(), state: TaskState, waits_for: Maybe });
const Intend = z.object({ about: z.string().trim().min(1).max(300), at: IsoTime });

const due = { type: 'string', description: 'when, as ISO 8601 with an offset; empty: no time' };
const waitsFor = { type: 'string', description: 'what it waits for first, in a few words; empty: nothing' };

export const TASK_TOOLS = {
  add: declareTool(
    'task_add',
    'Keep something that you are to do for or with them, so that you have it in mind until it is done.',
    {
      text: { type: 'string', description: 'what is to be done, in a few words' },
      priority: { type: 'integer', enum: [1, 2, 3], description: '1 presses most' },
      due,
      waits_for: waitsFor,
    },
    { reads: [], changes: 'memory' },
  ),
  update: declareTool(
    'task_update',
    'Say how a task stands: open, waiting for something, done, or dropped because they do not want it any more.',
    {
      number: { type: 'integer', description: 'its number' },
      state: { type: 'string', enum: TaskState.options },
      waits_for: waitsFor,
    },
    { reads: [], changes: 'memory' },
  ),
  intend: declareTool(
    'schedule_intention',
    'Keep something to come back to with them, on a day. It is only kept for who allowed you to write first.',
    {
      about: { type: 'string', description: 'what to ask or say, in a few words' },
      at: { type: 'string', description: 'when, as ISO 8601 with an offset, such as 2027-03-05T15:00:00Z' },
    },
    { reads: [], changes: 'memory' },
  ),
};

/** Makes the tools for what the companion means to do with a person. */
export function taskTools(
  { messenger }: { messenger: Messenger },
  { personId, companionId, audience }: Claim,
  { sourcesOf, begunAt }: NoteOrigin,
): Tool[] {
  const whose = { personId, by: 'companion' as const, begunAt };
  return [
    ownTool(TASK_TOOLS.add, Add, async ({ text, priority, due: at, waits_for }, key) => {
      const task = await messenger.ask(memoryContract.addTask, {
        ...whose,
        companionId,
        audience,
        key,
        sources: sourcesOf(`${text} ${waits_for}`),
        task: { text, priority, dueAt: at === '' ? null : at, waitsFor: waits_for === '' ? null : waits_for },
      });
      return `Kept: ${wordTask(task)}`;
    }),
    ownTool(TASK_TOOLS.update, Update, async ({ number, state, waits_for }, key) => {
      const task = await messenger.ask(memoryContract.changeTask, {
        ...whose,
        key,
        which: { companionId, audience, number },
        sources: sourcesOf(waits_for),
        change: { state, ...(waits_for !== '' && { waitsFor: waits_for }) },
      });
      return `Now: ${wordTask(task)}`;
    }),
  ];
}

/** A reason to write on a day, for a companion that thinks by itself: whether it does is the scheduler's to decide. */
export function scheduleTool(
  { messenger }: { messenger: Messenger },
  { personId, companionId }: Claim,
  { sourcesOf, begunAt, turnIds }: NoteOrigin,
): Tool {
  return ownTool(TASK_TOOLS.intend, Intend, async ({ about, at }) => {
    const reason = { personId, companionId, about, at, turnIds, messageIds: sourcesOf(about), begunAt };
    const { kept, why } = await messenger.ask(outreachContract.intend, reason);
    if (!kept) throw new NotDone(`Not kept: ${why ?? 'not now'}.`);
    return `Kept for ${at}.`;
  });
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

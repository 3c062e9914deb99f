import { randomUUID } from 'node:crypto';
import {
  AppError,
  gatewayContract,
  memoryContract,
  notedError,
  present,
  type MemoryView,
  type TaskView,
} from '@kith/contracts';
import { handleContract } from '@kith/service-host';
import { STATE } from './suite-state.js';

const { list, recall, core, tasks, changeTask, describe, change } = memoryContract;
const { forget, undoForget, privacy } = gatewayContract;

/** Makes a task of a person's, alone or in a channel. */
export function taskOf(text: string, audience: TaskView['audience']): TaskView {
  const at = '2026-03-01T10:00:00Z';
  return {
    id: randomUUID(),
    companionId: 'mira',
    audience,
    number: 1,
    text,
    state: 'open',
    priority: 2,
    dueAt: null,
    waitsFor: 'rain',
    notedBy: 'companion',
    sources: [],
    createdAt: at,
    updatedAt: at,
  };
}

/** Memory, as far as the commands ask it: a word is found where it stands. */
export const MemoryDouble = handleContract(
  { list, recall, core, tasks, changeTask, describe, change, forget, undoForget, privacy },
  {},
  STATE,
  (state) => ({
    list: ({ companionId = 'mira', limit, cursor = '0' }) => {
      const { memories } = state;
      const end = Number(cursor) + limit;
      return {
        memories: memories.slice(Number(cursor), end).map((memory) => ({ ...memory, companionId })),
        nextCursor: end < memories.length ? String(end) : null,
        total: memories.length,
      };
    },
    recall: ({ query }) => {
      const why = { similarity: null, fused: 1, recency: 0, importance: 0, score: 1 };
      const memories = state.memories.map((memory) => {
        const lexicalRank = memory.text.includes(query) ? 1 : null;
        return { ...memory, why: { ...why, lexicalRank, denseRank: 1 } };
      });
      return { memories, passages: [], degraded: [], tookMs: 1 };
    },
    core: ({ audience }) => ({
      blocks: state.core.filter((block) => audience === null || block.audience === audience),
    }),
    tasks: () => ({ tasks: state.tasks }),
    changeTask: ({ which, change: to }) => {
      const task = present(state.tasks.find(({ id }) => 'id' in which && id === which.id));
      if (to.state) task.state = to.state;
      return task;
    },
    describe: () => {
      const lines = state.memories.map(({ id, text }) => ({ text, memoryIds: [id] }));
      const page = ['# Alice', ...lines.map(({ text }) => `- ${text}`)].join('\n');
      return { name: 'Alice', sections: [{ title: 'Who they are', lines }], page };
    },
    change: ({ id, change: { text, pinned } }) => {
      const at = state.memories.findIndex((memory) => memory.id === id);
      const changed = {
        ...present(state.memories[at]),
        ...(text && { text }),
        ...(pinned !== undefined && { pinned }),
      };
      state.memories[at] = changed;
      return changed;
    },
    forget: ({ what, preview }) => {
      const isMeant = ({ id, text }: MemoryView) =>
        what.kind === 'all' ||
        (what.kind === 'ids' && what.ids.includes(id)) ||
        (what.kind === 'query' && text.includes(what.query));
      const memories = state.memories.filter(isMeant);
      if (!preview && state.isForgettingHeldUp) throw notedError('it is noted', randomUUID(), null);
      const found = { rows: memories.length, points: 0, lines: memories.length, talk: [] };
      if (preview) return { ...found, receipt: null, undoUntil: null, memories };
      state.memories = state.memories.filter((memory) => !isMeant(memory));
      state.forgotten = memories;
      return { ...found, receipt: randomUUID(), undoUntil: new Date().toISOString(), memories: [] };
    },
    undoForget: () => {
      const { forgotten, isForgettingHeldUp, isOrderLocked } = state;
      if (isOrderLocked)
        throw new AppError('unavailable', 'it is being carried out already', { locked: true });
      if (isForgettingHeldUp) throw notedError('it is noted', randomUUID(), null);
      if (forgotten === null) throw new AppError('not_found', 'there is nothing to undo');
      state.memories.push(...forgotten);
      state.forgotten = null;
      return { rows: forgotten.length, lines: forgotten.length };
    },
    privacy: ({ private: isPrivate = false }) => ({
      private: isPrivate,
      since: isPrivate ? new Date().toISOString() : null,
    }),
  }),
);

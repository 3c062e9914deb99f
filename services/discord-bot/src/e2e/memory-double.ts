import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import {
  AppError,
  gatewayContract,
  memoryContract,
  notedError,
  type MemoryView,
  type PersonDescription,
  type Privacy,
  type RequestOutput,
  type ResponseInput,
  type TaskView,
} from '@kith/contracts';
import { Handles } from '@kith/messaging';
import { SuiteState } from './suite-state.js';

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
@Controller()
export class MemoryDouble {
  constructor(private readonly state: SuiteState) {}

  @Handles(memoryContract.list)
  onList({ companionId = 'mira', limit, cursor = '0' }: RequestOutput<typeof memoryContract.list>) {
    const { memories } = this.state;
    const end = Number(cursor) + limit;
    return {
      memories: memories.slice(Number(cursor), end).map((memory) => ({ ...memory, companionId })),
      nextCursor: end < memories.length ? String(end) : null,
      total: memories.length,
    };
  }

  @Handles(memoryContract.recall)
  onRecall({
    query,
  }: RequestOutput<typeof memoryContract.recall>): ResponseInput<typeof memoryContract.recall> {
    const why = { similarity: null, fused: 1, recency: 0, importance: 0, score: 1 };
    const memories = this.state.memories.map((memory) => {
      const lexicalRank = memory.text.includes(query) ? 1 : null;
      return { ...memory, why: { ...why, lexicalRank, denseRank: 1 } };
    });
    return { memories, passages: [], degraded: [], tookMs: 1 };
  }

  @Handles(memoryContract.core)
  onCore({ audience }: RequestOutput<typeof memoryContract.core>): ResponseInput<typeof memoryContract.core> {
    return { blocks: this.state.core.filter((block) => audience === null || block.audience === audience) };
  }

  @Handles(memoryContract.tasks)
  onTasks(): ResponseInput<typeof memoryContract.tasks> {
    return { tasks: this.state.tasks };
  }

  @Handles(memoryContract.changeTask)
  onChangeTask({ which, change }: RequestOutput<typeof memoryContract.changeTask>): TaskView {
    const task = this.state.tasks.find(({ id }) => 'id' in which && id === which.id)!;
    if (change.state) task.state = change.state;
    return task;
  }

  @Handles(memoryContract.describe)
  onDescribe(): PersonDescription {
    const lines = this.state.memories.map(({ id, text }) => ({ text, memoryIds: [id] }));
    const page = ['# Alice', ...lines.map(({ text }) => `- ${text}`)].join('\n');
    return { name: 'Alice', sections: [{ title: 'Who they are', lines }], page };
  }

  @Handles(gatewayContract.forget)
  onForget({ what, preview }: RequestOutput<typeof gatewayContract.forget>) {
    const isMeant = ({ id, text }: MemoryView) =>
      what.kind === 'all' ||
      (what.kind === 'ids' && what.ids.includes(id)) ||
      (what.kind === 'query' && text.includes(what.query));
    const memories = this.state.memories.filter(isMeant);
    if (!preview && this.state.isForgettingHeldUp) throw notedError('it is noted', randomUUID(), null);
    const found = { rows: memories.length, points: 0, lines: memories.length, talk: [] };
    if (preview) return { ...found, receipt: null, undoUntil: null, memories };
    this.state.memories = this.state.memories.filter((memory) => !isMeant(memory));
    this.state.forgotten = memories;
    return { ...found, receipt: randomUUID(), undoUntil: new Date().toISOString(), memories: [] };
  }

  @Handles(gatewayContract.undoForget)
  onUndoForget() {
    const { forgotten, isForgettingHeldUp, isOrderLocked } = this.state;
    if (isOrderLocked) throw new AppError('unavailable', 'it is being carried out already', { locked: true });
    if (isForgettingHeldUp) throw notedError('it is noted', randomUUID(), null);
    if (forgotten === null) throw new AppError('not_found', 'there is nothing to undo');
    this.state.memories.push(...forgotten);
    this.state.forgotten = null;
    return { rows: forgotten.length, lines: forgotten.length };
  }

  @Handles(memoryContract.change)
  onChange({ id, change }: RequestOutput<typeof memoryContract.change>): MemoryView {
    const at = this.state.memories.findIndex((memory) => memory.id === id);
    const { text, pinned } = change;
    const changed = {
      ...this.state.memories[at]!,
      ...(text && { text }),
      ...(pinned !== undefined && { pinned }),
    };
    this.state.memories[at] = changed;
    return changed;
  }

  @Handles(gatewayContract.privacy)
  onPrivacy({ private: isPrivate = false }: RequestOutput<typeof gatewayContract.privacy>): Privacy {
    return { private: isPrivate, since: isPrivate ? new Date().toISOString() : null };
  }
}

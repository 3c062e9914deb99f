import { describe, expect, it } from '@jest/globals';
import type { Contradiction, TaskView } from '@kith/contracts';
import { planQuestions } from './plan-questions.js';

const side = (id: string, text: string) => ({
  id: `00000000-0000-7000-8000-00000000000${id}`,
  text,
  sources: [`m${id}`],
  saidAt: `2026-01-0${id}T10:00:00Z`,
});
const birthdays: Contradiction = {
  sides: [side('1', 'Ann’s birthday is 4 May'), side('2', 'Ann’s birthday is 5 May')],
};
const task = (text: string, over: Partial<TaskView> = {}): TaskView => ({
  id: text,
  companionId: 'mira',
  audience: 'direct',
  number: 1,
  text,
  state: 'open',
  priority: 2,
  dueAt: null,
  waitsFor: null,
  notedBy: 'companion',
  sources: [],
  createdAt: '',
  updatedAt: '',
  ...over,
});

describe('what does not go together', () => {
  it('is asked about once, by both sides with their days', () => {
    const { ask, answeredTasks } = planQuestions([birthdays], []);
    expect(ask).toMatchObject([
      {
        text: 'Ask them where it fits which is so: “Ann’s birthday is 4 May” (2026-01-01) or “Ann’s birthday is 5 May” (2026-01-02)?',
        sources: ['m1', 'm2'],
      },
    ]);
    expect(answeredTasks).toEqual([]);
    const again = planQuestions([birthdays], [task(ask[0]!.text, { state: 'dropped' })]);
    expect(again).toEqual({ ask: [], answeredTasks: [] });
  });

  it('is asked about no more once it was answered, and other tasks stay', () => {
    const [asked] = planQuestions([birthdays], []).ask;
    const own = task('Ask them where it fits which is so: lunch?', { notedBy: 'person' });
    const tasks = [task(asked!.text), task('book the table'), own];
    expect(planQuestions([], tasks).answeredTasks.map(({ text }) => text)).toEqual([asked!.text]);
    expect(planQuestions([birthdays], tasks)).toEqual({ ask: [], answeredTasks: [] });
  });

  it('is two questions at a time at most, each of a task’s length', () => {
    const pairs = ['3', '5', '7'].map((id) => ({
      sides: [side(id, '😀'.repeat(400)), side(String(Number(id) + 1), `${id} ${'y'.repeat(400)}`)],
    }));
    const { ask } = planQuestions(pairs, []);
    expect(ask).toHaveLength(2);
    for (const { text, key } of ask) {
      expect(text.length).toBeLessThanOrEqual(300);
      expect(key.length).toBeLessThanOrEqual(120);
    }
    expect(planQuestions(pairs, [task(ask[0]!.text)]).ask).toHaveLength(1);
  });
});

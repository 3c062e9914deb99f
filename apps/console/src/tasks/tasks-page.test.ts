import { describe, expect, it } from '@jest/globals';
import type { TaskView } from '@kith/contracts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describeTask, TaskList } from './tasks-page.js';

const now = new Date('2026-03-01T12:00:00Z');
const task: TaskView = {
  id: '00000000-0000-7000-8000-000000000001',
  companionId: 'mira',
  audience: 'direct',
  number: 1,
  text: 'water <b>ferns</b>',
  state: 'open',
  priority: 2,
  dueAt: null,
  waitsFor: null,
  notedBy: 'companion',
  sources: [],
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
};
const nothing = () => Promise.resolve(true);
const shown = (tasks: TaskView[]) =>
  renderToStaticMarkup(
    createElement(TaskList, { tasks, name: 'Mira', now, change: nothing, remove: nothing }),
  );

describe('the list of tasks', () => {
  it('offers to end what is open, and to open or remove what is over', () => {
    const html = shown([task, { ...task, id: `${task.id.slice(0, -1)}2`, text: 'old', state: 'dropped' }]);
    expect(html).toContain('water &lt;b&gt;ferns&lt;/b&gt;');
    const [open = '', over = ''] = html.split('<h3>Over</h3>');
    expect(open).toMatch(/Done<\/button>.*Drop it<\/button>/u);
    expect(over).toMatch(/old.*dropped · .*Open again<\/button>.*Remove<\/button>/u);
  });

  it('says so when there is nothing', () => {
    expect(shown([])).toContain('No tasks yet. When you and Mira agree on something to do');
    expect(shown([])).not.toContain('Over');
  });

  it('says so where there may be more', () => {
    const many = Array.from({ length: 200 }, (_, n) => ({ ...task, id: `task ${n}` }));
    expect(shown(many)).toContain('These are the first 200 tasks.');
    expect(shown(many.slice(1))).not.toContain('the first');
  });

  it('says when a task is due, or was, and what it waits for', () => {
    const due = { ...task, dueAt: '2026-03-02T12:00:00Z', waitsFor: 'rain', state: 'waiting' as const };
    expect(describeTask(due, now, 'en')).toMatch(/^waits for rain · due Mar 2, 2026/u);
    expect(describeTask(due, new Date('2026-03-03T12:00:00Z'), 'en')).toContain('was due');
    expect(describeTask({ ...due, state: 'done' }, now)).toMatch(/^done · noted by/u);
  });
});

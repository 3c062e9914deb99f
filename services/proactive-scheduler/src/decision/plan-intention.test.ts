import { describe, expect, it } from '@jest/globals';
import { planIntention, TASK_SOURCE } from './plan-intention.js';

const now = new Date('2026-01-15T12:00:00Z');
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
const open = { id: 'one', about: 'call Ann', dueAt: hours(10), sources: [`${TASK_SOURCE}1`], status: 'open' };
const given = { about: 'call Ann', dueAt: hours(10), exact: true, sources: [`${TASK_SOURCE}1`, 'turn:2'] };
const when = { isOptedIn: true, now };

describe('what a companion thinks of by itself', () => {
  it('is created', () => {
    expect(planIntention([], given, when)).toEqual({ kind: 'create' });
    expect(planIntention([open], { ...given, dueAt: hours(12), sources: [] }, when).kind).toBe('create');
  });

  it('moves the reminder of its task to the sooner time, and changes its words', () => {
    expect(planIntention([open], { ...given, about: 'call Bob', dueAt: hours(20) }, when)).toEqual({
      kind: 'update',
      id: 'one',
      about: 'call Bob',
      dueAt: hours(10),
      sources: [`${TASK_SOURCE}1`, 'turn:2'],
    });
    expect(planIntention([open], { ...given, dueAt: hours(2) }, when)).toMatchObject({ dueAt: hours(2) });
  });

  it('is created for a task beside thirty others', () => {
    const others = Array.from({ length: 30 }, (_, n) => ({ ...open, about: `${n}`, sources: [`turn:${n}`] }));
    expect(planIntention(others, given, when)).toEqual({ kind: 'create' });
  });

  it('is created for a task that was due while nobody looked', () => {
    expect(planIntention([], { ...given, dueAt: hours(-5) }, when)).toEqual({ kind: 'create' });
  });

  it('is created anew for a task that was put off after they were reminded of it', () => {
    const done = { ...open, status: 'done' };
    expect(planIntention([done], { ...given, dueAt: hours(20) }, when)).toEqual({ kind: 'create' });
  });

  it.each([
    ['without consent', [], given, { isOptedIn: false, now }],
    ['for a time that is over', [], { ...given, dueAt: now, sources: [] }, when],
    ['for a task that was due hours ago', [], { ...given, dueAt: hours(-6) }, when],
    ['for later than a year', [], { ...given, dueAt: hours(24 * 367) }, when],
    ['for a task with the same reminder', [open], given, when],
    ['for a task that they were reminded of', [{ ...open, status: 'done' }], given, when],
    ['for a task that was said as they asked', [{ ...open, status: 'done', sources: [] }], given, when],
    ['with the same words at nearly that hour', [open], { ...given, sources: [] }, when],
    [
      'with the same words for a day',
      [open],
      { ...given, exact: false, dueAt: hours(90), sources: [] },
      when,
    ],
    [
      'beside thirty others',
      Array.from({ length: 30 }, () => open),
      { ...given, about: 'x', sources: [] },
      when,
    ],
  ])('is refused %s', (_, known, intention, allowed) => {
    expect(planIntention(known, intention, allowed).kind).toBe('refuse');
  });
});

import { expect, it } from '@jest/globals';
import type { NoticedReason } from '../reasons/notice-reasons.js';
import { decideUnsaid } from './decide-unsaid.js';

const dueAt = new Date('2026-01-16T08:00:00Z');
const given: NoticedReason = {
  kind: 'request',
  about: 'remind me to call mum',
  dueAt,
  asked: true,
  exact: true,
  byClock: true,
  yearly: false,
  leapDay: false,
};
const request = { kind: 'request', about: given.about, dueAt, yearly: false, asked: true, status: 'open' };
const promise = { ...request, kind: 'promise' };
const none = { noticed: [], outdated: [] };

it('makes a promise a request again where only the request is left', () => {
  expect(decideUnsaid(promise, true, { ...none, noticed: [given] })).toEqual({
    kind: 'change',
    to: 'request',
    asked: true,
  });
  const own: NoticedReason = { ...given, kind: 'promise', asked: false };
  expect(decideUnsaid(promise, true, { ...none, noticed: [own] })).toEqual({
    kind: 'change',
    to: 'promise',
    asked: false,
  });
  expect(decideUnsaid(promise, false, { ...none, noticed: [given] })).toEqual({ kind: 'keep' });
});

it('unsays own promises that are not given any more, and what is outdated', () => {
  expect(decideUnsaid(promise, true, none)).toEqual({ kind: 'unsay' });
  expect(decideUnsaid(promise, false, none)).toEqual({ kind: 'keep' });
  expect(decideUnsaid(request, true, none)).toEqual({ kind: 'keep' });
  expect(decideUnsaid(request, false, { ...none, outdated: [given] })).toEqual({ kind: 'unsay' });
});

it('unsays what was dropped only where it is not given any more', () => {
  const dropped = { ...request, status: 'dropped' };
  expect(decideUnsaid(dropped, false, { ...none, noticed: [given] })).toEqual({ kind: 'keep' });
  expect(decideUnsaid(dropped, false, none)).toEqual({ kind: 'unsay' });
});

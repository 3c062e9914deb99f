import { describe, expect, it } from '@jest/globals';
import { followUpsOf, planFollowUps, planHeartbeats, type Answer, type OpenTurn } from './plan-follow-ups.js';

const turn = (over: Partial<OpenTurn> = {}): OpenTurn => ({
  turnId: 't1',
  origin: 'message',
  outcome: 'answered',
  problem: null,
  isOld: false,
  ...over,
});
const done: Answer = { unfinished: new Set(), dead: new Set() };
const open: Answer = { unfinished: new Set(['t1']), dead: new Set() };
const dead: Answer = { unfinished: new Set(['t1']), dead: new Set(['t1']) };

describe('what follows a turn', () => {
  it('is everything, when the companion heard it', () => {
    expect(followUpsOf({ origin: 'message', outcome: 'apologised' })).toHaveLength(3);
  });

  it('is nothing, when the companion thought by itself', () => {
    expect(followUpsOf({ origin: 'heartbeat', outcome: 'silent' })).toEqual([]);
  });

  it('is that someone spoke, or how the outreach ended, when it did not', () => {
    expect(followUpsOf({ origin: 'message', outcome: 'silent' })).toEqual(['notice']);
    expect(followUpsOf({ origin: 'outreach', outcome: 'answered' })).toEqual(['notice']);
  });
});

describe('an open turn', () => {
  it('is done once every service has handled it', () => {
    const plan = planFollowUps([turn()], { remember: done, appraise: done, notice: done });
    expect(plan).toEqual({ done: ['t1'], order: [], problems: [] });
  });

  it('has ordered again what is not done, and only that', () => {
    const plan = planFollowUps([turn()], { remember: open, appraise: done, notice: done });
    expect(plan).toEqual({ done: [], order: [{ turnId: 't1', followUp: 'remember' }], problems: [] });
  });

  it('waits for a service that does not answer, and does not order blindly', () => {
    const plan = planFollowUps([turn()], { appraise: done, notice: done });
    expect(plan).toEqual({ done: [], order: [], problems: [] });
  });

  it('does not ask a service that has no part in it', () => {
    expect(planFollowUps([turn({ outcome: 'silent' })], { notice: done }).done).toEqual(['t1']);
  });

  it('of last month is open for memory alone, as the others may not know that they handled it', () => {
    expect(planFollowUps([turn({ isOld: true })], { remember: done }).done).toEqual(['t1']);
    const plan = planFollowUps([turn({ isOld: true })], { remember: open, appraise: open, notice: open });
    expect(plan).toEqual({ done: [], order: [{ turnId: 't1', followUp: 'remember' }], problems: [] });
  });

  it('stays open with its problem named while a job has used up its tries', () => {
    const plan = planFollowUps([turn()], { remember: dead, appraise: open, notice: done });
    expect(plan).toEqual({
      done: [],
      order: [{ turnId: 't1', followUp: 'appraise' }],
      problems: [{ turnId: 't1', problem: 'given up: remember' }],
    });
    const again = planFollowUps([turn({ problem: 'given up: remember' })], {
      remember: dead,
      appraise: done,
      notice: done,
    });
    expect(again.problems).toEqual([]);
  });

  it('loses its problem once an operator’s retry has worked', () => {
    const plan = planFollowUps([turn({ problem: 'given up: remember' })], {
      remember: done,
      appraise: done,
      notice: done,
    });
    expect(plan).toEqual({ done: ['t1'], order: [], problems: [{ turnId: 't1', problem: null }] });
  });
});

const full = { outcome: 'answered' as const, noticed: { fullness: 0.9, unsettled: 1 } };

describe('a turn', () => {
  it('gives reason to think where its talk is nearly too long, or what was told does not go together', () => {
    expect(planHeartbeats('message', 'direct', full)).toEqual(['pressure', 'contradiction']);
    const roomy = { ...full, noticed: { fullness: 0.8, unsettled: 0 } };
    expect(planHeartbeats('message', 'direct', roomy)).toEqual([]);
  });

  it('gives none in a channel, of the companion’s own accord, or where nobody was answered', () => {
    expect(planHeartbeats('message', 'channel', full)).toEqual([]);
    expect(planHeartbeats('heartbeat', 'direct', full)).toEqual([]);
    expect(planHeartbeats('message', 'direct', { ...full, outcome: 'apologised' })).toEqual([]);
  });
});

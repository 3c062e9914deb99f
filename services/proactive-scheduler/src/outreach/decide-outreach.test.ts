import { describe, expect, it } from '@jest/globals';
import { decideOutreach, type OutreachSituation } from './decide-outreach.js';

const NOW = new Date('2026-01-14T15:00:00Z');
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);

const intention = {
  id: 'interview',
  companionId: 'mira',
  about: 'ask me how the interview went',
  dueAt: minutes(-1),
  createdAt: new Date('2026-01-13T09:05:00Z'),
};

const settings = {
  optedIn: true,
  timeZone: 'Europe/Berlin',
  quietFrom: '22:00',
  quietUntil: '08:00',
  dailyCap: 1,
};

function decide(change: Partial<OutreachSituation> = {}, changedSettings: Partial<typeof settings> = {}) {
  return decideOutreach({
    settings: { ...settings, ...changedSettings },
    intentions: [intention],
    attempts: [],
    unanswered: 0,
    lastSpokeAt: null,
    unreachable: null,
    now: NOW,
    ...change,
  });
}

describe('decideOutreach', () => {
  it('reaches out for a due reason, in the words of the person who asked', () => {
    expect(decide()).toEqual({
      kind: 'reach-out',
      intention,
      reason:
        'On Tuesday, 13 January at 10:05 they asked you to come back to something, and now is the time. Their words: “ask me how the interview went”',
    });
  });

  it('takes the one that has been due longest', () => {
    const older = { ...intention, id: 'older', dueAt: minutes(-90) };
    expect(decide({ intentions: [intention, older] })).toMatchObject({ intention: { id: 'older' } });
  });

  it('keeps the reason within what the job carries', () => {
    const decision = decide({ intentions: [{ ...intention, about: 'long '.repeat(400) }] });
    expect(decision.kind === 'reach-out' && decision.reason.length).toBeLessThanOrEqual(500);
  });

  const sent = (decidedAt: Date) => ({ status: 'sent', decidedAt });

  it.each<[string, Partial<OutreachSituation>, Partial<typeof settings>, string, Date | null]>([
    ['without consent', {}, { optedIn: false }, 'not opted in', null],
    ['to whom no door reaches', { unreachable: 'DMs are closed' }, {}, 'unreachable', null],
    ['after two unanswered', { unanswered: 2 }, {}, 'unanswered', null],
    [
      'while one is on its way',
      { attempts: [{ status: 'queued', decidedAt: minutes(-3) }] },
      {},
      'one is under way',
      null,
    ],
    ['without a reason', { intentions: [] }, {}, 'nothing due', null],
    [
      'before the reason is due',
      { intentions: [{ ...intention, dueAt: minutes(5) }] },
      {},
      'nothing due',
      minutes(5),
    ],
    [
      'more than three days late',
      { intentions: [{ ...intention, dueAt: minutes(-3 * 24 * 60 - 1) }] },
      {},
      'nothing due',
      null,
    ],
    [
      'past the daily cap',
      { attempts: [sent(minutes(-60))] },
      {},
      'daily cap',
      new Date('2026-01-14T23:00:00Z'),
    ],
    ['with a cap of none', {}, { dailyCap: 0 }, 'daily cap', null],
    ['in quiet hours', {}, { quietFrom: '15:30' }, 'quiet hours', new Date('2026-01-15T07:00:00Z')],
    [
      'in quiet hours of their zone',
      {},
      { timeZone: 'Asia/Tokyo' },
      'quiet hours',
      new Date('2026-01-14T23:00:00Z'),
    ],
    ['into a conversation', { lastSpokeAt: minutes(-4) }, {}, 'in conversation', minutes(6)],
  ])('does not reach out %s', (_, change, changedSettings, why, until) => {
    expect(decide(change, changedSettings)).toEqual({ kind: 'wait', why, until });
  });

  it.each<[string, Partial<OutreachSituation>, Partial<typeof settings>]>([
    ['after one unanswered', { unanswered: 1 }, {}],
    ['ten minutes after they spoke', { lastSpokeAt: minutes(-10) }, {}],
    ['with room left under the cap', { attempts: [sent(minutes(-60))] }, { dailyCap: 2 }],
    [
      'when the last was yesterday on their clock',
      { attempts: [sent(new Date('2026-01-13T22:59:00Z'))] },
      {},
    ],
    [
      'when what was tried today never arrived',
      { attempts: [{ status: 'failed', decidedAt: minutes(-60) }] },
      {},
    ],
    ['almost three days late', { intentions: [{ ...intention, dueAt: minutes(-3 * 24 * 60 + 1) }] }, {}],
  ])('reaches out %s', (_, change, changedSettings) => {
    expect(decide(change, changedSettings).kind).toBe('reach-out');
  });

  it("counts the cap in the person's day and not in UTC's", () => {
    // 23:30 UTC of the 13th is 00:30 of the 14th in Berlin: today.
    expect(decide({ attempts: [sent(new Date('2026-01-13T23:30:00Z'))] })).toMatchObject({
      why: 'daily cap',
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import type { OutreachSettings, ReasonKind } from '@kith/contracts';
import {
  decideOutreach,
  type EarlierAttempt,
  type OpenIntention,
  type OutreachSituation,
} from './decide-outreach.js';

const NOW = new Date('2026-01-14T15:00:00Z');
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);

const intention: OpenIntention = {
  id: 'interview',
  companionId: 'mira',
  kind: 'request',
  about: 'ask me how the interview went',
  dueAt: minutes(-1),
  exact: true,
  createdAt: new Date('2026-01-13T09:05:00Z'),
  audience: 'direct',
  notBefore: null,
  asked: true,
};

const settings: OutreachSettings = {
  optedIn: true,
  direct: true,
  channel: null,
  timeZone: 'Europe/Berlin',
  quietFrom: '22:00',
  quietUntil: '08:00',
  dailyCap: 1,
  weeklyCap: 5,
  topicsOff: [],
};

function decide(change: Partial<OutreachSituation> = {}, changedSettings: Partial<OutreachSettings> = {}) {
  return decideOutreach({
    personId: 'ada',
    restriction: { ageState: 'unknown', restUntil: null },
    isBusy: false,
    settings: { ...settings, ...changedSettings },
    intentions: [intention],
    attempts: [],
    unanswered: 0,
    lastSpokeAt: null,
    unreachable: null,
    isChannelOff: false,
    now: NOW,
    ...change,
  });
}

describe('decideOutreach', () => {
  it('reaches out for a due reason', () => {
    expect(decide()).toEqual({ kind: 'reach-out', intention, place: { channelId: null } });
  });

  it('waits with one that came to nothing, and keeps to its time after that', () => {
    const again = (count: number) => decide({ intentions: [{ ...intention, notBefore: minutes(count) }] });
    expect(again(5)).toEqual({ kind: 'wait', why: 'nothing due', until: minutes(5) });
    expect(again(0)).toMatchObject({ kind: 'reach-out' });
    // One that was noted by a clock that was ahead.
    expect(again(365 * 24 * 60)).toMatchObject({ kind: 'reach-out' });
  });

  it('takes the one that has been due longest', () => {
    const older = { ...intention, id: 'older', dueAt: minutes(-90) };
    expect(decide({ intentions: [intention, older] })).toMatchObject({ intention: { id: 'older' } });
  });

  const sent = (decidedAt: Date, change: Partial<EarlierAttempt> = {}): EarlierAttempt => ({
    kind: 'request',
    status: 'sent',
    decidedAt,
    answeredAt: null,
    ...change,
  });
  const days = (count: number) => minutes(count * 24 * 60);

  it.each<[string, Partial<OutreachSituation>, Partial<OutreachSettings>, string, Date | null]>([
    ['without consent', {}, { optedIn: false }, 'not opted in', null],
    ['to whom no door reaches', { unreachable: 'DMs are closed' }, {}, 'unreachable', null],
    ['after two unanswered', { unanswered: 2 }, {}, 'unanswered', null],
    [
      'while one is on its way',
      { attempts: [sent(minutes(-3), { status: 'queued' })] },
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
    [
      'past the weekly cap',
      { attempts: [sent(days(-1)), sent(days(-5)), sent(days(-6)), sent(days(-7))] },
      { weeklyCap: 3 },
      'weekly cap',
      new Date('2026-01-14T23:00:00Z'),
    ],
    ['with a weekly cap of none', {}, { weeklyCap: 0 }, 'weekly cap', null],
    ['to a minor', { restriction: { ageState: 'minor', restUntil: null } }, {}, 'minor', null],
    [
      'in a time of rest',
      { restriction: { ageState: 'adult', restUntil: minutes(90) } },
      {},
      'rest',
      minutes(90),
    ],
    ['while something of theirs is under way', { isBusy: true }, {}, 'in conversation', minutes(1)],
    [
      'of its own accord about what they do not want to hear of',
      { intentions: [{ ...intention, kind: 'follow-up', asked: false }] },
      { topicsOff: ['the interview'] },
      'nothing due',
      null,
    ],
    [
      'as it promised without being asked, about what they do not want to hear of',
      { intentions: [{ ...intention, kind: 'promise', asked: false }] },
      { topicsOff: ['the interview'] },
      'nothing due',
      null,
    ],
    [
      'about another form of a word they do not want to hear of',
      { intentions: [{ ...intention, kind: 'date', asked: false, about: 'their exams' }] },
      { topicsOff: ['exam'] },
      'nothing due',
      null,
    ],
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

  it.each<[string, Partial<OutreachSituation>, Partial<OutreachSettings>]>([
    ['after one unanswered', { unanswered: 1 }, {}],
    ['ten minutes after they spoke', { lastSpokeAt: minutes(-10) }, {}],
    ['with room left under the cap', { attempts: [sent(minutes(-60))] }, { dailyCap: 2 }],
    [
      'when the last was yesterday on their clock',
      { attempts: [sent(new Date('2026-01-13T22:59:00Z'))] },
      {},
    ],
    ['when what was tried today never arrived', { attempts: [sent(minutes(-60), { status: 'failed' })] }, {}],
    ['about a topic that is off when they asked for it', {}, { topicsOff: ['interview'] }],
    [
      'about a topic that is off when they asked for it and it was promised',
      { intentions: [{ ...intention, kind: 'promise' }] },
      { topicsOff: ['interview'] },
    ],
    ['when the time of rest is over', { restriction: { ageState: 'unknown', restUntil: minutes(-1) } }, {}],
    ['when the weekly cap has room again', { attempts: [sent(days(-7))] }, { weeklyCap: 1 }],
    ['almost three days late', { intentions: [{ ...intention, dueAt: minutes(-3 * 24 * 60 + 1) }] }, {}],
  ])('reaches out %s', (_, change, changedSettings) => {
    expect(decide(change, changedSettings).kind).toBe('reach-out');
  });

  describe('right before quiet hours, which begin in four minutes', () => {
    const quietSoon = { quietFrom: '16:04' };
    const due = (atMinutes: number, change: Partial<OpenIntention> = {}) => ({
      intentions: [{ ...intention, dueAt: minutes(atMinutes), ...change }],
    });

    it('says what was asked for by the hour and is due before them, and does not wait for a talk to end', () => {
      expect(decide(due(3), quietSoon).kind).toBe('reach-out');
      expect(decide({ ...due(-1), lastSpokeAt: minutes(-2) }, quietSoon).kind).toBe('reach-out');
    });

    it('says nothing in the quiet hours before them, which end just as it is due', () => {
      expect(decide(due(3), { ...quietSoon, quietUntil: '16:03' })).toMatchObject({
        why: 'nothing due',
        until: minutes(3),
      });
    });

    it('reminds of a task that is due in them, and not within them', () => {
      const task = { kind: 'interest', exact: true } as const;
      expect(decide(due(5 * 60, task), quietSoon).kind).toBe('reach-out');
      expect(decide({ ...due(5 * 60, task), now: minutes(10) }, quietSoon).kind).toBe('wait');
      // Quiet hours end at eight: sixteen hours from now it is free to say.
      expect(decide(due(16 * 60 + 1, task), quietSoon).kind).toBe('wait');
      expect(decide(due(5 * 60, { ...task, exact: false }), quietSoon).kind).toBe('wait');
    });

    it('thinks of a day that is over after them in the hour before them, and otherwise when it is due', () => {
      const birthday = due(60, { kind: 'date', asked: false, exact: false });
      const soon = { ...quietSoon, quietUntil: '00:00' };
      expect(decide({ ...birthday, lastSpokeAt: minutes(-2) }, soon)).toMatchObject({
        why: 'in conversation',
      });
      const before = (count: number) => decide({ ...birthday, now: minutes(count) }, soon);
      for (const inTime of [-56, 3]) expect(before(inTime).kind).toBe('reach-out');
      for (const tooEarly of [-57, -24 * 60]) expect(before(tooEarly).kind).toBe('wait');
      expect(before(5)).toMatchObject({ why: 'nothing due' });
      // These end on that day.
      expect(decide(birthday, { ...quietSoon, quietUntil: '20:00' })).toMatchObject({ why: 'nothing due' });
    });

    it.each<[string, Partial<OutreachSituation>, string]>([
      ['what is due in them', due(5), 'nothing due'],
      ['what was not asked for', due(3, { kind: 'follow-up' }), 'nothing due'],
      ['what has a day and no hour', due(3, { exact: false }), 'nothing due'],
      ['a turn that is under way', { ...due(-1), isBusy: true }, 'in conversation'],
    ])('waits for %s', (_, change, why) => {
      expect(decide(change, quietSoon)).toMatchObject({ kind: 'wait', why });
    });

    it('keeps a named hour a few minutes past midnight, where the night is not quiet', () => {
      const now = new Date('2026-01-14T23:03:00Z');
      const late = { ...intention, dueAt: new Date('2026-01-14T22:58:00Z') };
      const noQuiet = { quietFrom: '00:00', quietUntil: '00:00' };
      expect(decide({ now, intentions: [late] }, noQuiet).kind).toBe('reach-out');
      expect(decide({ now, intentions: [{ ...late, exact: false }] }, noQuiet).kind).toBe('wait');
    });

    it('keeps to the minute while there is time for another look', () => {
      expect(decide(due(3)).kind).toBe('wait');
      expect(decide({ ...due(-1), lastSpokeAt: minutes(-4) }, { quietFrom: '16:12' }).kind).toBe('wait');
    });
  });

  it("counts the cap in the person's day and not in UTC's", () => {
    // 23:30 UTC of the 13th is 00:30 of the 14th in Berlin: today.
    expect(decide({ attempts: [sent(new Date('2026-01-13T23:30:00Z'))] })).toMatchObject({
      why: 'daily cap',
    });
  });

  it('prefers what was promised, then what was asked for, then a day, then what they told of', () => {
    const kinds: ReasonKind[] = ['need', 'interest', 'follow-up', 'date', 'request', 'promise'];
    let left = kinds.map((kind, n) => ({ ...intention, id: kind, kind, dueAt: minutes(n - 60) }));
    const order: string[] = [];
    while (left.length > 0) {
      const decision = decide({ intentions: left }, { dailyCap: 10 });
      if (decision.kind !== 'reach-out') throw new Error(decision.why);
      order.push(decision.intention.id);
      left = left.filter(({ id }) => id !== decision.intention.id);
    }
    expect(order).toEqual(kinds.toReversed());
  });

  describe('of its own accord', () => {
    const own: OpenIntention = { ...intention, kind: 'interest', exact: false, dueAt: minutes(-120) };
    const ignored = (decidedAt: Date) => sent(decidedAt, { kind: 'interest' });
    const answered = (decidedAt: Date) => ({ ...ignored(decidedAt), answeredAt: decidedAt });

    it.each<[string, EarlierAttempt[], number]>([
      ['not quite a day after one that was answered', [answered(minutes(-60))], 20],
      ['two of them after one that was not', [ignored(minutes(-60))], 40],
      ['four after two', [ignored(minutes(-60)), ignored(days(-3))], 80],
      [
        'only as many as since the last answer',
        [ignored(minutes(-60)), answered(days(-3)), ignored(days(-9))],
        40,
      ],
      [
        'a month at most',
        Array.from({ length: 9 }, (_, n) => ignored(days(-9 * n) < NOW ? days(-9 * n - 1) : days(-1))),
        640,
      ],
    ])('waits %s', (_, attempts, hours) => {
      const last = Math.max(...attempts.map(({ decidedAt }) => decidedAt.getTime()));
      const until = new Date(last + hours * 3_600_000);
      expect(decide({ intentions: [own], attempts }, { dailyCap: 10, weeklyCap: 50 })).toEqual({
        kind: 'wait',
        why: 'attention',
        until,
      });
    });

    it('leaves room for what was asked for and comes later that day', () => {
      const intentions = [own, { ...intention, dueAt: minutes(120) }];
      expect(decide({ intentions })).toMatchObject({ why: 'attention' });
      expect(decide({ intentions }, { dailyCap: 2 })).toMatchObject({ kind: 'reach-out', intention: own });
      const tomorrow = { ...intention, dueAt: minutes(24 * 60) };
      expect(decide({ intentions: [own, tomorrow] })).toMatchObject({ kind: 'reach-out', intention: own });
    });

    it('does not make what was asked for wait', () => {
      const attempts = [ignored(minutes(-60)), ignored(days(-1))];
      expect(decide({ attempts }, { dailyCap: 10 }).kind).toBe('reach-out');
    });
  });
});

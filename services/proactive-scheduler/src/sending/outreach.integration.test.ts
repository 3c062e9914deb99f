import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS, present } from '@kith/contracts';
import {
  NOON,
  attemptRecords,
  attempts,
  consents,
  dispatcher,
  ended,
  forgetting,
  gateway,
  handle,
  handleAgain,
  intend,
  jobs,
  lastSpoke,
  minutes,
  optIn,
  outreachEnded,
  personId,
  readIn,
  reason,
  records,
  refuse,
  sent,
  setUpOutreach,
  spoke,
  stores,
  turnRecords,
} from '../e2e/outreach-suite.js';

setUpOutreach();

describe('outreach', () => {
  it('lets go of reasons that came to their end, and of nothing that is still to come', async () => {
    await optIn();
    await intend(NOON, 'now');
    await intend(minutes(48 * 60), 'later');
    await records.decideFor(personId, NOON, false);
    const kept = async () =>
      (await records.overview(personId, NOON)).intentions.map(({ about }) => about).sort();
    await records.letGo(minutes(-1));
    expect(await kept()).toEqual(['later', 'now']);
    await records.letGo(minutes(1));
    expect(await kept()).toEqual(['later']);
    // It is on its way.
    expect(await attempts()).toHaveLength(1);
  });

  it('shows what was decided at one time in one order', async () => {
    const ids = [1, 2, 3].map((n) => `019a0000-0000-7000-8000-00000000000${n}`);
    for (const id of [ids[1], ids[0], ids[2]])
      await stores.query(
        `INSERT INTO outreach_attempts (id, person_id, companion_id, reason, decided_at)
         VALUES ($1, $2, 'mira', 'a reason', $3)`,
        [id, personId, NOON.toISOString()],
      );
    const { recent } = await records.overview(personId, NOON);
    expect(recent.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  it('asks for one outreach over two scans, for one due reason', async () => {
    await optIn();
    await intend(minutes(-1));
    await dispatcher.scan(NOON);
    await dispatcher.scan(minutes(0.5));
    expect(await jobs()).toBe(1);
    expect(await attempts()).toMatchObject([{ status: 'queued', companionId: 'mira', decidedAt: NOON }]);
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'done' }]);
  });

  it('decides once when two replicas scan at the same moment', async () => {
    await optIn();
    await intend(minutes(-1));
    await intend(minutes(-2), 'remind me to call mum');
    await Promise.all([dispatcher.scan(NOON), dispatcher.scan(NOON), dispatcher.scan(NOON)]);
    expect(await jobs()).toBe(1);
  });

  it('asks nothing for someone who has not opted in', async () => {
    await intend(minutes(-1));
    await dispatcher.scan(NOON);
    await consents.change(personId, { dailyCap: 5 }, NOON);
    await dispatcher.scan(NOON);
    expect(await jobs()).toBe(0);
    expect(await attempts()).toEqual([]);
  });

  it.each([{ timeZone: 'Europe/Berlin' }, { quietFrom: '23:00' }, { direct: false }, { channel: null }])(
    'keeps what was asked for before opting in, whatever else is set first: %j',
    async (change) => {
      await intend(minutes(60));
      await consents.change(personId, change, NOON);
      expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'open' }]);
      await optIn();
      await dispatcher.scan(minutes(61));
      expect(await jobs()).toBe(1);
    },
  );

  it('drops it at a plain no, also before opting in, and when the last place is withdrawn', async () => {
    await intend(minutes(60));
    await consents.change(personId, { optedIn: false }, NOON);
    await optIn();
    await intend(minutes(90), 'check in on me');
    await consents.change(personId, { direct: false }, NOON);
    const { intentions } = await records.overview(personId, NOON);
    expect(intentions.map(({ status }) => status)).toEqual(['dropped', 'dropped']);
  });

  it('asks again, under the same id, when the process ended between deciding and asking', async () => {
    await optIn();
    await intend(minutes(-1));
    // What a crash leaves: the decision is committed and nobody was asked.
    const { attempt } = await records.decideFor(personId, NOON, false);
    await dispatcher.scan(minutes(0.5));
    expect(await jobs()).toBe(0);
    await dispatcher.scan(minutes(1.5));
    await dispatcher.scan(minutes(2.5));
    expect(await jobs()).toBe(1);
    expect((await attempts()).map(({ id }) => id)).toEqual([attempt?.id]);
  });

  it('drops what is more than three days late, opted in or not', async () => {
    await intend(minutes(-3 * 24 * 60 - 1));
    await dispatcher.scan(NOON);
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'dropped' }]);
  });

  it('drops open reasons, and what was decided and not begun, at the moment of opting out', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    await intend(minutes(5), 'check in on me');
    await consents.change(personId, { optedIn: false }, NOON);
    await dispatcher.scan(minutes(10));
    expect(await jobs()).toBe(0);
    expect(await attempts()).toMatchObject([{ status: 'failed' }]);
    const { intentions } = await records.overview(personId, NOON);
    expect(intentions.map(({ status }) => status).sort()).toEqual(['done', 'dropped']);
  });

  it('stops after two unanswered, and starts again when the person has spoken', async () => {
    await optIn();
    await consents.change(personId, { dailyCap: 10 }, NOON);
    const reachOnce = async (now: Date) => {
      await intend(now, `remind me at ${now.toISOString()}`);
      const { decision } = await records.decideFor(personId, now, false);
      await sent(now);
      return decision.kind === 'reach-out' ? 'reach-out' : decision.why;
    };
    expect(await reachOnce(minutes(0))).toBe('reach-out');
    expect(await reachOnce(minutes(10))).toBe('reach-out');
    expect(await reachOnce(minutes(20))).toBe('unanswered');
    await spoke(minutes(25));
    expect(await reachOnce(minutes(40))).toBe('reach-out');
  });

  it('counts an outreach as unanswered once, however often its end is heard of', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    const turn = await outreachEnded({ endedAt: minutes(1) });
    await handle(turn, []);
    await handle(turn, []);
    const [row] = await stores.query('SELECT unanswered FROM outreach_settings WHERE person_id = $1', [
      personId,
    ]);
    expect(row).toEqual({ unanswered: 1 });
  });

  it('waits while no door reaches the person, until they speak', async () => {
    await optIn();
    await intend(minutes(-1));
    await refuse(minutes(-5));
    expect((await records.decideFor(personId, NOON, false)).decision).toMatchObject({ why: 'unreachable' });
    // Heard late: they were unreachable before they spoke.
    await spoke(minutes(1));
    await refuse(minutes(0.5));
    expect((await records.decideFor(personId, minutes(20), false)).decision.kind).toBe('reach-out');
  });

  it('keeps the reason that closed direct messages refused, and does not try it at every word', async () => {
    await optIn();
    await intend(minutes(-1));
    await dispatcher.scan(NOON);
    await sent(minutes(1));
    await refuse(minutes(2));
    await refuse(minutes(2));
    const decide = async (now: Date) => {
      const { decision } = await records.decideFor(personId, now, false);
      return decision.kind === 'wait' ? decision.why : decision.kind;
    };
    expect(await decide(minutes(20))).toBe('unreachable');
    await spoke(minutes(21));
    expect(await decide(minutes(32))).toBe('reach-out');
    await refuse(minutes(33));
    await spoke(minutes(34));
    expect(await decide(minutes(50))).toBe('nothing due');
    expect(await decide(minutes(70))).toBe('reach-out');
    await consents.change(personId, { optedIn: false }, minutes(71));
    await refuse(minutes(72));
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'done' }]);
    expect((await attempts()).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
  });

  it('waits while something of theirs is under way, or nobody can say', async () => {
    await optIn();
    await intend(minutes(-1));
    for (gateway.busy of [true, null]) await dispatcher.scan(NOON);
    expect(await jobs()).toBe(0);
    gateway.busy = false;
    await dispatcher.scan(NOON);
    expect(await jobs()).toBe(1);
  });

  it('says why it wrote, and from what', async () => {
    await optIn();
    await intend(minutes(-60), 'I have my exam today', { kind: 'follow-up' });
    await dispatcher.scan(NOON);
    await handle(await outreachEnded({ outcome: 'silent', reason: 'guilt', endedAt: NOON }), []);
    const [attempt] = await attemptRecords.list(personId, 10);
    expect(attempt).toMatchObject({
      kind: 'follow-up',
      status: 'failed',
      problem: 'its words put pressure on you',
    });
    expect(attempt?.because).toMatch(/^You told of something ahead, on .*: “I have my exam today”$/);
    expect(attempt?.reason).toMatch(/should be over by now/);
    expect(attempt?.sources).toEqual([expect.stringMatching(/^turn:/)]);
  });

  it('decides anew on what was dropped because nobody could tell whether it was still allowed', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    await handle(await outreachEnded({ outcome: 'dropped', reason: 'unasked', endedAt: NOON }), []);
    expect(await attempts()).toMatchObject([
      { status: 'failed', problem: 'nobody could tell whether it was still allowed' },
    ]);
    expect((await records.decideFor(personId, minutes(20), false)).decision.kind).toBe('reach-out');
  });

  /** Has an outreach end without a word. Returns whether its reason is open still. */
  const keptSilent = async (outcome: 'silent' | 'dropped', why: string, endedAt: Date) => {
    await handle(await outreachEnded({ outcome, reason: why, endedAt }), []);
    return (await records.overview(personId, NOON)).intentions.some(({ status }) => status === 'open');
  };

  it.each([
    ['silent', 'paused', 'it was paused'],
    ['silent', 'stale-outreach', 'it waited too long for its turn'],
    ['dropped', 'budget', 'the tokens of the day were used up'],
    ['dropped', 'person-budget', 'your tokens of the day were used up'],
    ['dropped', 'no-model', 'no model answered'],
  ] as const)(
    'comes later where its turn was %s because of what passes: %s',
    async (outcome, why, problem) => {
      await optIn();
      await intend(NOON);
      await dispatcher.scan(NOON);
      expect(await keptSilent(outcome, why, NOON)).toBe(true);
      expect(await attempts()).toMatchObject([{ status: 'failed', problem }]);
      // Not at each scan: it waits as long again as it is late.
      await dispatcher.scan(minutes(9));
      expect(await attempts()).toHaveLength(1);
      await dispatcher.scan(minutes(30));
      expect(await attempts()).toHaveLength(2);
      await keptSilent(outcome, why, minutes(30));
      await dispatcher.scan(minutes(59));
      expect(await attempts()).toHaveLength(2);
      await dispatcher.scan(minutes(60));
      await sent(minutes(61));
      expect((await attempts()).map(({ status }) => status)).toEqual(['sent', 'failed', 'failed']);
    },
  );

  it('does not come again where it was not to be said', async () => {
    await optIn();
    // Each at its own time: the latest attempt is the one that ends.
    for (const [n, why] of ['guilt', 'hook:words: not this', 'poison'].entries()) {
      await intend(minutes(-1));
      await records.decideFor(personId, minutes(n), false);
      expect(await keptSilent('dropped', why, minutes(n))).toBe(false);
    }
  });

  it('knows which of its messages were answered within a day', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    await sent(minutes(1));
    await spoke(minutes(25 * 60));
    expect(await attempts()).toMatchObject([{ status: 'sent', answeredAt: null }]);
    await spoke(minutes(23 * 60));
    expect(await attempts()).toMatchObject([{ answeredAt: minutes(23 * 60) }]);
  });

  it.each(['before it', 'together with it'])('knows an answer that is heard of %s', async (when) => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    const outreach = await readIn(await outreachEnded({ endedAt: minutes(1) }), []);
    const reply = await readIn(ended({ endedAt: minutes(5) }), []);
    if (when === 'before it') await turnRecords.handle([reply], NOON);
    await turnRecords.handle(when === 'before it' ? [outreach] : [outreach, reply], NOON);
    expect(await attempts()).toMatchObject([{ status: 'sent', answeredAt: minutes(5) }]);
  });

  it('does not write again for what it wrote for, when the message that asked for it is edited', async () => {
    await optIn();
    const turn = ended({ turnId: randomUUID() });
    const noticed = [
      reason(minutes(-10)),
      reason(minutes(60), 'remind me of the milk'),
      reason(minutes(-60), 'my birthday is on 14 January', { kind: 'date', yearly: true, exact: false }),
    ];
    const edit = async (now: Date, words: string) => {
      const order = { orderId: randomUUID(), personId, companionId: 'mira', before: null, undoUntil: null };
      const made = {
        turnIds: [turn.turnId],
        messageIds: [],
        memoryIds: [],
        replyTurnIds: [],
        isReread: true,
        isNoticedAgain: true,
      };
      await forgetting.forget({ ...order, ...made });
      const edited = noticed.map((one) => ({ ...one, about: `${words} ${one.about}` }));
      await handleAgain(turn, edited, [], now);
    };
    const open = async () =>
      (await records.overview(personId, NOON)).intentions
        .filter(({ status }) => status === 'open')
        .map(({ about, dueAt }) => [about, dueAt]);
    await handle(turn, noticed);
    expect((await records.decideFor(personId, NOON, false)).decision).toMatchObject({
      intention: { about: 'ask me how it went' },
    });
    await sent(minutes(1));
    await edit(minutes(20), 'well,');
    expect(await open()).toEqual([
      ['well, remind me of the milk', minutes(60)],
      ['well, my birthday is on 14 January', minutes(-60)],
    ]);
    // The day after, a birthday that was edited is the next one.
    await edit(minutes(24 * 60), 'so,');
    expect(await open()).toEqual([
      ['so, my birthday is on 14 January', new Date('2027-01-14T11:00:00Z')],
      ['so, remind me of the milk', minutes(60)],
    ]);
  });

  it('keeps what was told twice once', async () => {
    await intend(minutes(60), 'I have my exam today', { kind: 'follow-up' });
    expect(await intend(minutes(60), 'my exam is today', { kind: 'follow-up' })).toBe(0);
    expect(await intend(minutes(60), 'remind me of it')).toBe(1);
  });

  describe('after a clock was ahead for a while', () => {
    const AHEAD = new Date(Date.now() + 300 * DAY_MS);
    const decide = async (now: Date) => (await records.decideFor(personId, now, false)).decision;

    it('goes on with who spoke meanwhile', async () => {
      await optIn();
      await spoke(AHEAD);
      await intend(minutes(-1));
      expect(await decide(NOON)).toMatchObject({ kind: 'reach-out' });
      // It counts as unanswered all the same, and so does a refusal.
      await sent(minutes(1));
      expect((await records.overview(personId, minutes(1))).situation.unanswered).toBe(1);
      await refuse(minutes(2));
      expect(await decide(minutes(3))).toMatchObject({ why: 'unreachable' });
      await spoke(minutes(20));
      expect(await lastSpoke()).toEqual(minutes(20));
      expect(await decide(minutes(40))).toMatchObject({ kind: 'reach-out' });
    });

    it('knows the end of what it decided on', async () => {
      await optIn();
      await intend(minutes(-1));
      await records.decideFor(personId, NOON, false);
      await sent(minutes(-5));
      expect(await attempts()).toMatchObject([{ status: 'sent' }]);
    });

    it('does not write again of what was answered, before its end is heard of', async () => {
      await optIn();
      await intend(minutes(-1));
      const { attempt } = await records.decideFor(personId, NOON, false);
      await stores.query('UPDATE outreach_attempts SET decided_at = $1', [AHEAD.toISOString()]);
      gateway.answered = { id: present(attempt).id, at: minutes(1) };
      await dispatcher.scan(minutes(1));
      expect(await attempts()).toMatchObject([{ status: 'sent' }]);
      await sent(minutes(1));
      await dispatcher.scan(minutes(2));
      expect(await attempts()).toMatchObject([{ status: 'sent' }]);
      expect(await stores.query('SELECT unanswered FROM outreach_settings')).toEqual([{ unanswered: 1 }]);
    });

    it('counts nothing that was sent meanwhile, and ends what is still under way', async () => {
      await optIn();
      await intend(minutes(-1));
      await intend(minutes(-2), 'remind me to call mum');
      await records.decideFor(personId, NOON, false);
      await stores.query('UPDATE outreach_attempts SET decided_at = $1', [AHEAD.toISOString()]);
      await dispatcher.scan(NOON);
      expect(await attempts()).toMatchObject([{ status: 'failed' }, { status: 'queued' }]);
      await stores.query("UPDATE outreach_attempts SET status = 'sent', decided_at = $1", [
        AHEAD.toISOString(),
      ]);
      expect(await decide(minutes(60))).toMatchObject({ kind: 'reach-out' });
    });
  });

  it('marks what could not be delivered as failed', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    await sent(minutes(1));
    await refuse(minutes(2));
    expect(await attempts()).toMatchObject([{ status: 'failed' }]);
  });
});

it('writes of what somebody asked for and was promised, also where its topic is off', async () => {
  await optIn();
  await consents.change(personId, { topicsOff: ['work'] }, NOON);
  await intend(minutes(-1), 'remind me to send the work report', { kind: 'promise', asked: true });
  expect((await records.decideFor(personId, NOON, false)).decision).toMatchObject({ kind: 'reach-out' });
});

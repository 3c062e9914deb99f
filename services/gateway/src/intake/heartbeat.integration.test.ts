import { describe, expect, it } from '@jest/globals';
import { answered, withTalk } from '../e2e/talk.js';
import { FollowUps } from '../outcome/follow-ups.js';
import { testingIntake } from '../e2e/testing-intake.js';

const talk = withTalk();

/** Orders that a turn's end leads to, as the queue would be given them. */
async function ordersAfter(noticed: { fullness: number; unsettled: number }) {
  const speaker = await talk.place();
  await talk.accept(speaker, 'm1');
  const orders: { pattern: string; payload: unknown; delayMs: number }[] = [];
  const enqueue = async (job: { pattern: string }, payload: unknown, { delayMs = 0 } = {}) =>
    void orders.push({ pattern: job.pattern, payload, delayMs });
  const messenger = {
    canOrder: true,
    enqueue,
    announce: async () => undefined,
    handOver: async () => ({ ended: Promise.resolve() }),
  };
  const followUps = new FollowUps(messenger as never, undefined as never);
  await followUps.queue(await talk.claim(speaker), { ...answered(), noticed }, null);
  await followUps.drain();
  return { speaker, orders };
}

describe('a heartbeat that a turn gives reason for', () => {
  it('is ordered for the next pause, and begins once where the talk is', async () => {
    const { speaker, orders } = await ordersAfter({ fullness: 0.9, unsettled: 0 });
    const beat = { personId: speaker.personId, companionId: 'mira', why: 'pressure' as const };
    expect(orders).toMatchObject([
      { pattern: 'gateway.heartbeat', payload: { ...beat, conversationId: speaker.conversationId } },
    ]);
    expect(orders[0]!.delayMs).toBeGreaterThan(0);
    const given = { ...beat, day: '2027-01-02', conversationId: speaker.conversationId };
    const doors = testingIntake(talk.database);
    await doors.heartbeat(given);
    await doors.heartbeat(given);
    const stranger = await talk.place();
    await doors.heartbeat({ ...given, conversationId: stranger.conversationId });
    const begun = await talk.database.asSystem((tx) =>
      tx.inboxMessage.findMany({ where: { origin: 'heartbeat', personId: speaker.personId } }),
    );
    expect(begun).toMatchObject([{ conversationId: speaker.conversationId, target: null }]);
    expect(begun[0]!.text).toContain('told in short');
  });

  it.each([
    ['contradiction', 1],
    ['pressure', 3],
  ] as const)('for a %s begins a few times a day, in however many talks', async (why, most) => {
    const places = [await talk.place()];
    const { personId } = places[0]!;
    for (let n = 0; n < 5; n += 1) places.push(await talk.placeOf(personId));
    const doors = testingIntake(talk.database);
    for (const { conversationId } of places)
      await doors.heartbeat({ personId, companionId: 'mira', why, day: '2027-01-03', conversationId });
    const begun = await talk.database.asSystem((tx) =>
      tx.inboxMessage.findMany({ where: { origin: 'heartbeat', personId } }),
    );
    expect(begun).toHaveLength(most);
  });

  describe('of tasks', () => {
    const HOUR_MS = 3_600_000;
    const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
    /** Orders for tasks of one person, each with the hours from now at which it was noted and is due. */
    async function begunFor(
      tasks: { noted: number; due: number }[],
      reminders: number | null = 0,
      outcome = 'silent',
    ): Promise<number> {
      const { personId } = await talk.place();
      const order = { personId, companionId: 'mira', why: 'task' as const, day: '2027-01-02' };
      for (const { noted, due } of tasks) {
        await testingIntake(talk.database).heartbeat({
          ...order,
          task: { notedAt: inHours(noted), dueAt: inHours(due) },
        });
        await end(personId, reminders, outcome);
      }
      const [row] = await talk.stores.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM inbox WHERE origin = 'heartbeat' AND person_id = $1`,
        [personId],
      );
      return row!.count;
    }

    /** Ends what was begun, as its turn does: with the reminders that were kept, or null where none could be. */
    async function end(whose: string, reminders: number | null, outcome: string): Promise<void> {
      await talk.stores.query(
        `WITH ended AS (
           UPDATE inbox SET outcome = $3, ended_at = now(), turn_id = gen_random_uuid()
           WHERE origin = 'heartbeat' AND person_id = $1 AND outcome IS NULL RETURNING *
         ) INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome, trace,
             started_at, ended_at)
           SELECT turn_id, conversation_id, person_id, 'mira', door, 'direct', origin, outcome, $2, received_at, ended_at
           FROM ended`,
        [whose, JSON.stringify({ heartbeat: { reminders } }), outcome],
      );
    }

    it('is none for one that the last has thought of', async () => {
      const tasks = [
        { noted: -3, due: 0.5 },
        { noted: -2, due: 0.7 },
      ];
      expect(await begunFor(tasks)).toBe(1);
      // The scheduler was away, or the turn failed.
      expect(await begunFor(tasks, null)).toBe(2);
      expect(await begunFor(tasks, null, 'failed')).toBe(2);
    });

    it('begins again for one that was noted since, a few times a day', async () => {
      // As if that were noted after the first has ended.
      const late = [
        { noted: -3, due: 0.5 },
        { noted: 0.1, due: 0.7 },
      ];
      expect(await begunFor(late)).toBe(2);
      expect(await begunFor(Array.from({ length: 12 }, (_, n) => ({ noted: n + 0.1, due: 20 })))).toBe(8);
    });

    it('begins again for one that was more than a day away then', async () => {
      const far = [
        { noted: -3, due: 0.5 },
        { noted: -2, due: 25 },
      ];
      expect(await begunFor(far)).toBe(2);
    });
  });

  it('is none where there is room and nothing is open', async () => {
    expect((await ordersAfter({ fullness: 0.3, unsettled: 0 })).orders).toEqual([]);
  });
});

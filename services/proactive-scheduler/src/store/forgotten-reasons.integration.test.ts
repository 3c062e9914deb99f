import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  NOON,
  attempts,
  consents,
  ended,
  forgetting,
  handle,
  handleAgain,
  january,
  minutes,
  optIn,
  personId,
  reason,
  records,
  sent,
  setUpOutreach,
  spoke,
  stores,
} from '../e2e/outreach-suite.js';

setUpOutreach();

interface Over {
  companionId?: string;
  turnIds?: string[];
  replyTurnIds?: string[];
  before?: string;
  undoUntil?: null;
}

/** Forgets what is named. Returns how to undo that. */
async function forget(over: Over) {
  const none = {
    companionId: null,
    messageIds: [],
    memoryIds: [],
    replyTurnIds: [],
    isReread: false,
    isNoticedAgain: false,
  };
  const undoUntil = new Date(Date.now() + 60_000).toISOString();
  const order = { orderId: randomUUID(), personId, turnIds: [], before: null, undoUntil, ...none, ...over };
  await forgetting.forget(order);
  return () => forgetting.undo({ ...order, turnIds: [] });
}

describe('what two orders forget', () => {
  const open = async () => (await records.overview(personId, NOON)).intentions.map(({ about }) => about);
  const everything = () => ({ before: new Date(Date.now() + 1_000).toISOString() });

  it.each(['the earlier one', 'the later one'])('comes back with the last undo, first %s', async (which) => {
    const turn = ended();
    await handle(turn, [reason(minutes(60), 'ask me about my exam')]);
    const one = await forget({ turnIds: [turn.turnId] });
    const all = await forget(everything());
    const [first, last] = which === 'the earlier one' ? [one, all] : [all, one];
    await first();
    expect(await open()).toEqual([]);
    await last();
    expect(await open()).toEqual(['ask me about my exam']);
  });

  it('stays away where its message was deleted or edited since, with the words of what was sent for it', async () => {
    await optIn();
    const turn = ended();
    await handle(turn, [reason(minutes(-1), 'ask me about my exam')]);
    await records.decideFor(personId, NOON, false);
    await sent(minutes(1));
    const words = () => stores.query('SELECT reason FROM outreach_attempts WHERE person_id = $1', [personId]);
    expect(await words()).toMatchObject([{ reason: expect.stringContaining('exam') }]);
    const undo = await forget({ turnIds: [turn.turnId] });
    await forget({ turnIds: [turn.turnId], undoUntil: null });
    await undo();
    expect([await open(), await words()]).toEqual([[], [{ reason: '' }]]);
  });

  it('stays dropped where its person opted out between an order and its undo', async () => {
    await optIn();
    const turn = ended();
    await handle(turn, [reason(minutes(60), 'ask me about my exam')]);
    const undo = await forget({ turnIds: [turn.turnId] });
    await consents.change(personId, { optedIn: false }, NOON);
    await undo();
    await optIn();
    const kept = await stores.query('SELECT status FROM intentions WHERE person_id = $1', [personId]);
    expect(kept).toEqual([{ status: 'dropped' }]);
  });

  it.each([1, 2])(
    'has its hour in the zone that its person named meanwhile, after %i orders',
    async (orders) => {
      const turn = ended();
      await handle(turn, [
        reason(january('15T09:00'), 'remind me to eat', { byClock: true }),
        reason(january('15T09:00'), 'check in on me'),
      ]);
      const undos = [];
      for (let n = 0; n < orders; n += 1) undos.push(await forget({ turnIds: [turn.turnId] }));
      await consents.change(personId, { timeZone: 'Asia/Tokyo' }, NOON);
      for (const undo of undos) await undo();
      const { intentions } = await records.overview(personId, NOON);
      const times = intentions.map(({ about, dueAt }) => `${about} ${dueAt.toISOString().slice(5, 16)}`);
      expect(times.toSorted()).toEqual(['check in on me 01-15T09:00', 'remind me to eat 01-15T00:00']);
    },
  );

  it('leaves what was sent for it answered, where it was answered between an order and its undo', async () => {
    await optIn();
    const turn = ended();
    await handle(turn, [reason(minutes(-1), 'ask me about my exam')]);
    await records.decideFor(personId, NOON, false);
    await sent(minutes(1));
    const undo = await forget({ turnIds: [turn.turnId] });
    await spoke(minutes(5));
    await undo();
    expect(await attempts()).toMatchObject([
      {
        reason: expect.stringContaining('exam'),
        because: expect.stringContaining('exam'),
        answeredAt: minutes(5),
      },
    ]);
  });
});

describe('what is forgotten with one companion', () => {
  it('leaves what another one means to say, and the words of what it said', async () => {
    await optIn();
    const [mira, wren] = [ended(), ended({ companionId: 'wren' })];
    await handle(wren, [reason(minutes(-1), 'ask me about my exam')]);
    await records.decideFor(personId, NOON, false);
    await sent(minutes(1));
    for (const turn of [mira, wren])
      await handle(turn, [reason(minutes(60), `remind me, ${turn.companionId}`)]);
    await handle(ended({ companionId: 'wren' }), [reason(minutes(60), 'remind me, wren')]);
    const undo = await forget({ turnIds: [wren.turnId] });
    await forget({ companionId: 'mira', before: new Date(Date.now() + 1_000).toISOString() });
    const { intentions } = await records.overview(personId, NOON);
    expect(intentions.map(({ about }) => about)).toEqual(['remind me, wren']);
    await undo();
    expect(await attempts()).toMatchObject([{ reason: expect.stringContaining('exam') }]);
  });
});

describe('a request that was said twice', () => {
  const ASKED = 'remind me at two to water the plants';
  const kept = async () =>
    (await records.overview(personId, NOON)).intentions.map(({ kind, turnId, sources, status }) => ({
      kind,
      turnId,
      status,
      sources: sources.map((source) => source.replace('turn:', '')),
    }));
  const standing = (turnIds: string[], over: { kind?: string; status?: string } = {}) => [
    { kind: 'request', status: 'open', turnId: turnIds[0], sources: turnIds, ...over },
  ];
  /** Says it in two turns. Returns their ids. */
  const sayTwice = async (dueAt = minutes(120), first: Parameters<typeof reason>[2] = {}) => {
    const turns = [ended(), ended()] as const;
    expect(await handle(turns[0], [reason(dueAt, ASKED, first)])).toBe(1);
    expect(await handle(turns[1], [reason(dueAt, ASKED.replace('remind', 'Remind'))])).toBe(0);
    return turns.map(({ turnId }) => turnId) as [string, string];
  };

  it('stays until both of its messages are gone', async () => {
    const [first, second] = await sayTwice();
    expect(await kept()).toEqual(standing([first, second]));
    await forget({ turnIds: [first], undoUntil: null });
    await forget({ turnIds: [first], undoUntil: null });
    expect(await kept()).toEqual(standing([second]));
    await forget({ turnIds: [second], undoUntil: null });
    expect(await kept()).toEqual([]);
  });

  it('stays with the first when the second is gone, and goes with both at once, or all', async () => {
    const [first, second] = await sayTwice();
    await forget({ turnIds: [second], undoUntil: null });
    expect(await kept()).toEqual(standing([first]));
    await forget({ turnIds: [first, second], undoUntil: null });
    expect(await kept()).toEqual([]);
    await sayTwice();
    await forget({ before: new Date(Date.now() + 1_000).toISOString() });
    expect(await kept()).toEqual([]);
  });

  it('is of both again with an undo, unless one is gone for good since', async () => {
    const [first, second] = await sayTwice();
    let undo = await forget({ turnIds: [first] });
    expect(await kept()).toEqual(standing([second]));
    await undo();
    expect(await kept()).toEqual(standing([first, second]));
    undo = await forget({ turnIds: [first] });
    await forget({ turnIds: [first], undoUntil: null });
    await undo();
    expect(await kept()).toEqual(standing([second]));
  });

  describe('of which orders take one message each, or both', () => {
    const sorted = async () => (await kept()).flatMap(({ sources }) => sources).toSorted();
    const inOrder = (turnIds: string[]) => turnIds.toSorted();

    it.each(['the earlier one', 'the later one'])('is of each with its undo, first %s', async (which) => {
      const [first, second] = await sayTwice();
      const [earlier, later] = [await forget({ turnIds: [first] }), await forget({ turnIds: [second] })];
      expect(await kept()).toEqual([]);
      await (which === 'the earlier one' ? earlier : later)();
      expect(await kept()).toEqual(standing([which === 'the earlier one' ? first : second]));
      await (which === 'the earlier one' ? later : earlier)();
      expect([(await kept()).length, await sorted()]).toEqual([1, inOrder([first, second])]);
    });

    it.each(['the earlier one', 'the later one'])(
      'is of the one that both name with the last undo, first %s',
      async (which) => {
        const [first, second] = await sayTwice();
        const [one, both] = [await forget({ turnIds: [first] }), await forget({ turnIds: [first, second] })];
        await (which === 'the earlier one' ? one : both)();
        expect(await sorted()).toEqual(which === 'the earlier one' ? [] : [second]);
        await (which === 'the earlier one' ? both : one)();
        expect([(await kept()).length, await sorted()]).toEqual([1, inOrder([first, second])]);
      },
    );

    it.each([
      ['named', (turnIds: string[]) => ({ turnIds })],
      ['kept before a time', () => ({ before: new Date(Date.now() + 1_000).toISOString() })],
    ])('comes back with the one that is not gone for good, where both were %s', async (_, which) => {
      const [first, second] = await sayTwice();
      const undo = await forget(which([first, second]));
      await forget({ turnIds: [first], undoUntil: null });
      expect(await kept()).toEqual([]);
      await undo();
      expect(await kept()).toEqual(standing([second]));
    });

    it('keeps a turn that says it between an order and its undo', async () => {
      const [first, second] = await sayTwice();
      const undo = await forget({ turnIds: [first] });
      const third = ended();
      await handle(third, [reason(minutes(120), ASKED)]);
      await undo();
      expect(await kept()).toEqual(standing([first, second, third.turnId]));
    });
  });

  it('is the request of the other where it was promised, also where the promise alone goes', async () => {
    const [first, second] = await sayTwice(minutes(120), { kind: 'promise' });
    const undo = await forget({ turnIds: [first] });
    expect(await kept()).toEqual(standing([second]));
    await undo();
    expect(await kept()).toEqual(standing([first, second], { kind: 'promise' }));
    await forget({ replyTurnIds: [first] });
    expect(await kept()).toEqual(standing([second]));
  });

  it('is not kept beside itself when a turn that it was left to is read again', async () => {
    const [first, second] = await sayTwice();
    await forget({ turnIds: [first], undoUntil: null });
    const turn = ended({ turnId: second });
    await handleAgain(turn, [reason(minutes(120), ASKED.toLowerCase())]);
    await handleAgain(turn, [reason(minutes(120), ASKED.toUpperCase())]);
    expect(await kept()).toEqual(standing([second]));
  });

  it('loses a turn whose words were read as they are no more, and stays with the other', async () => {
    const [first, second] = await sayTwice();
    const outdated = [reason(minutes(120), ASKED)];
    await handleAgain(ended({ turnId: first }), [], outdated);
    expect(await kept()).toEqual(standing([second]));
    await handleAgain(ended({ turnId: second }), [], outdated);
    expect(await kept()).toEqual([]);
  });

  it('is still written for when one message goes while that is under way, with its words', async () => {
    await optIn();
    const [first, second] = await sayTwice(minutes(-1));
    await records.decideFor(personId, NOON, false);
    await forget({ turnIds: [first], undoUntil: null });
    expect(await kept()).toEqual(standing([second], { status: 'done' }));
    const under = () => stores.query('SELECT status, reason, sources FROM outreach_attempts');
    expect(await under()).toMatchObject([
      { status: 'queued', reason: expect.stringContaining('plants'), sources: [`turn:${second}`] },
    ]);
    await forget({ turnIds: [second], undoUntil: null });
    expect(await under()).toMatchObject([{ status: 'failed', reason: '' }]);
  });

  it('is kept where it is said again while its first message is being deleted', async () => {
    const [first, second] = [ended(), ended()];
    await handle(first, [reason(minutes(120), ASKED)]);
    await Promise.all([
      forget({ turnIds: [first.turnId], undoUntil: null }),
      handle(second, [reason(minutes(120), ASKED)]),
    ]);
    expect(await kept()).toEqual(standing([second.turnId]));
  });
});

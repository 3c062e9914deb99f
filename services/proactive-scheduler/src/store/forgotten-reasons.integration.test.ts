import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  NOON,
  ended,
  forgetting,
  handle,
  minutes,
  optIn,
  personId,
  reason,
  records,
  sent,
  setUpOutreach,
  stores,
} from '../e2e/outreach-suite.js';

setUpOutreach();

describe('what two orders forget', () => {
  const open = async () => (await records.overview(personId, NOON)).intentions.map(({ about }) => about);
  const forget = async (over: { turnIds?: string[]; before?: string; undoUntil?: null }) => {
    const none = { companionId: null, messageIds: [], memoryIds: [], replyTurnIds: [], isReread: false };
    const undoUntil = new Date(Date.now() + 60_000).toISOString();
    const order = { orderId: randomUUID(), personId, turnIds: [], before: null, undoUntil, ...none, ...over };
    await forgetting.forget(order);
    return () => forgetting.undo({ ...order, turnIds: [] });
  };
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
});

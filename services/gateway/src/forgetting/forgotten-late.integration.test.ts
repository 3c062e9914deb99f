import { once, EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { memoryContract, outreachContract, type DiscordTarget, type ForgetNamed } from '@kith/contracts';
import type { Speaker } from '../conversations/conversations.js';
import { answered, NOTHING_FORGOTTEN, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import type { ForgetOrders } from './forget-orders.js';

const talk = withTalk();

/** Orders whose services hold nothing. */
function orders(): ForgetOrders {
  const answers: Partial<Record<string, unknown>> = {
    [memoryContract.forget.pattern]: NOTHING_FORGOTTEN,
    [memoryContract.findNoted.pattern]: { noted: [] },
    [memoryContract.undoForget.pattern]: { rows: 0, unread: [] },
    [outreachContract.forget.pattern]: { rows: 0, attemptIds: [] },
  };
  return talk.forgetOrders(async ({ pattern }: { pattern: string }) => answers[pattern] ?? { rows: 0 });
}

describe('a message that a door brings after its person had that time forgotten', () => {
  const MINUTE_MS = 60_000;
  const ago = (ms: number) => new Date(Date.now() - ms);
  const forgetting = (where: Speaker, what: ForgetNamed, keepTalk = false) =>
    orders().forget({ personId: where.personId, what, keepTalk, preview: false });

  const say = (where: Speaker, sentAt: Date, target: DiscordTarget | null = { userId: '1' }) =>
    talk.say(where, { text: 'late words', target, sentAt });

  /** Says something that was written at a time, which is answered. Returns how its line can be told. */
  async function lineOf(where: Speaker, ...how: [sentAt: Date, target?: DiscordTarget | null]) {
    await say(where, ...how);
    return answeredLine(where);
  }

  /** Answers what waits. Returns how its line can be told. */
  async function answeredLine(where: Speaker) {
    const turn = answered();
    await commitTurn(talk.database, await talk.claim(where), turn, false);
    const line = async () => {
      const [row] = await talk.stores.query(
        `SELECT text, withheld FROM transcript WHERE turn_id = $1 AND role = 'person'`,
        [turn.turnId],
      );
      return row;
    };
    return { line };
  }
  /**
   * Runs work while a message is being accepted that somebody else's order in its conversation holds up.
   * @param heldMs how long it is held up, unless the work is done before
   */
  async function whileAccepting<T>(
    where: Speaker,
    sentAt: Date,
    work: () => Promise<T>,
    onAccepted: () => unknown = () => undefined,
    heldMs = 500,
  ): Promise<T> {
    const steps = new EventEmitter();
    const [isHeld, mayGoOn] = [once(steps, 'held'), once(steps, 'on')];
    const other = talk.database.asSystem(async (tx) => {
      await tx.$queryRaw`
        SELECT 1 FROM conversations WHERE conversation_id = ${where.conversationId}::uuid FOR UPDATE`;
      steps.emit('held');
      await mayGoOn;
    });
    await isHeld;
    const accepted = say(where, sentAt).then(onAccepted);
    await setTimeout(200);
    const done = work();
    try {
      await Promise.race([done, setTimeout(heldMs, undefined, { ref: false })]);
    } finally {
      steps.emit('on');
      await Promise.all([other, accepted]);
    }
    return done;
  }
  const FORGOTTEN = { text: '', withheld: 'forgotten' };
  const TOLD = { text: 'late words', withheld: null };

  it('is answered and not kept, until they undo it', async () => {
    const where = await talk.place();
    const { receipt } = await forgetting(where, { kind: 'all' });
    const late = await lineOf(where, ago(MINUTE_MS));
    expect(await late.line()).toEqual(FORGOTTEN);
    expect(await (await lineOf(where, new Date())).line()).toEqual(TOLD);
    await orders().undo(where.personId, receipt!);
    expect(await late.line()).toEqual(TOLD);
    expect(await (await lineOf(where, ago(MINUTE_MS))).line()).toEqual(TOLD);
  });

  it('is forgotten if it is being accepted as they order it, and comes back if it is as they undo it', async () => {
    const where = await talk.place();
    const other = await talk.placeOf(where.personId);
    const { receipt } = await whileAccepting(where, ago(MINUTE_MS), () => forgetting(where, { kind: 'all' }));
    const forgotten = await answeredLine(where);
    expect(await forgotten.line()).toEqual(FORGOTTEN);
    await whileAccepting(other, ago(MINUTE_MS), () => orders().undo(where.personId, receipt!));
    expect(await (await answeredLine(other)).line()).toEqual(TOLD);
    expect(await forgotten.line()).toEqual(TOLD);
  });

  it('is waited for by no order that another one’s gave, and by no undo of it', async () => {
    const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
    await lineOf(ann, ago(MINUTE_MS));
    // He has a turn under way, which may note what she said.
    await say(bob, new Date());
    await talk.claim(bob);
    const elsewhere = await talk.placeOf(bob.personId);
    const ended: string[] = [];
    const accepting = (work: () => Promise<unknown>) =>
      whileAccepting(
        elsewhere,
        new Date(),
        () => work().then(() => ended.push('order')),
        () => ended.push('message'),
        // Shorter than an order waits, and long for one that does not.
        8_000,
      );
    let receipt: string | null = null;
    await accepting(async () => ({ receipt } = await forgetting(ann, { kind: 'all' })));
    const given = await talk.stores.query('SELECT 1 FROM forget_orders WHERE person_id = $1', [bob.personId]);
    expect(given).toHaveLength(1);
    await accepting(() => orders().undo(ann.personId, receipt!));
    expect(ended).toEqual(['order', 'message', 'order', 'message']);
  });

  it('is kept if it is from another time than the one they named', async () => {
    const where = await talk.place();
    const [from, to] = [ago(3 * MINUTE_MS).toISOString(), ago(2 * MINUTE_MS).toISOString()];
    await forgetting(where, { kind: 'period', from, to });
    expect(await (await lineOf(where, ago(4 * MINUTE_MS))).line()).toEqual(TOLD);
    expect(await (await lineOf(where, ago(2.5 * MINUTE_MS))).line()).toEqual(FORGOTTEN);
    expect(await (await lineOf(where, ago(MINUTE_MS))).line()).toEqual(TOLD);
  });

  it('is kept where their talk was to stay, where another did, and where an API tells it only now', async () => {
    const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
    await forgetting(ann, { kind: 'all' }, true);
    expect(await (await lineOf(ann, ago(MINUTE_MS))).line()).toEqual(TOLD);
    await forgetting(ann, { kind: 'all' });
    expect(await (await lineOf(bob, ago(MINUTE_MS))).line()).toEqual(TOLD);
    expect(await (await lineOf(ann, ago(MINUTE_MS), null)).line()).toEqual(TOLD);
    expect(await (await lineOf(ann, ago(MINUTE_MS))).line()).toEqual(FORGOTTEN);
  });
});

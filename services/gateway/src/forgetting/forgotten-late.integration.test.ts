import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { memoryContract, outreachContract, type DiscordTarget, type ForgetNamed } from '@kith/contracts';
import { pino } from 'pino';
import type { Speaker } from '../conversations/conversations.js';
import { answered, withTalk } from '../e2e/talk.js';
import { acceptMessage } from '../inbox/accept-message.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { TranscriptRedactor } from '../redaction/transcript-redactor.js';
import { ForgetOrders } from './forget-orders.js';

const talk = withTalk();

/** Orders whose services hold nothing. */
function orders(): ForgetOrders {
  const answers: Partial<Record<string, unknown>> = {
    [memoryContract.forget.pattern]: { rows: 0, points: 0, memories: [], sources: [], memoryIds: [] },
    [memoryContract.findNoted.pattern]: { noted: [] },
    [memoryContract.undoForget.pattern]: { rows: 0, unread: [] },
    [outreachContract.forget.pattern]: { rows: 0, attemptIds: [] },
  };
  const messenger = {
    ask: async ({ pattern }: { pattern: string }) => answers[pattern] ?? { rows: 0 },
    enqueue: async () => undefined,
  };
  const parts = [talk.database, talk.locks, new TranscriptRedactor(talk.database)] as const;
  return new ForgetOrders(...parts, messenger as never, pino({ level: 'silent' }), () => undefined);
}

describe('a message that a door brings after its person had that time forgotten', () => {
  const MINUTE_MS = 60_000;
  const ago = (ms: number) => new Date(Date.now() - ms);
  const forgetting = (where: Speaker, what: ForgetNamed, keepTalk = false) =>
    orders().forget({ personId: where.personId, what, keepTalk, preview: false });

  /** Says something that was written at a time, which is answered. Returns the line, and how it can be told. */
  async function lineOf(where: Speaker, sentAt: Date, target: DiscordTarget | null = { userId: '1' }) {
    await acceptMessage(talk.turnStores, {
      ...{ ...where, door: 'discord', externalId: randomUUID(), origin: 'message', text: 'late words' },
      ...{ target, sentAt },
    });
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

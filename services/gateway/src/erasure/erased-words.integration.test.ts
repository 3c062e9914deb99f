import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@kith/contracts';
import { marks, NOTHING_MADE, withTalk } from '../e2e/talk.js';
import { testingIntake } from '../e2e/testing-intake.js';
import { readQuoted } from '../inbox/read-quoted.js';
import type { MessageIntake } from '../intake/message-intake.js';
import { ErasureRecords } from './erasure-records.js';

const talk = withTalk();

type Message = Parameters<MessageIntake['message']>[0];

const account = () => ({ door: 'discord' as const, subject: randomUUID(), displayName: 'Ann' });
const place = { door: 'discord' as const, externalId: randomUUID(), kind: 'channel' as const };
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const message = (from: Message['from'], sentAt: string): Message => ({
  from,
  place,
  messageId: randomUUID(),
  text: 'My word is zebra81.',
  sentAt,
  answerable: 'by-reply',
});
const isKnown = async ({ subject }: Message['from']) =>
  (await talk.stores.query('SELECT 1 FROM identities WHERE subject = $1', [subject])).length > 0;

/** Somebody who said something in the channel, as this process and another one know them. */
async function somebody() {
  const from = account();
  const [here, elsewhere] = [testingIntake(talk.database), testingIntake(talk.database)];
  const first = message(from, ago(DAY_MS));
  const { personId } = await here.message(first);
  await elsewhere.message(message(from, ago(DAY_MS)));
  const erase = async () => {
    const records = new ErasureRecords(talk.database, marks);
    await records.begin(personId, 'person');
    await records.eraseRest(personId, NOTHING_MADE);
  };
  return { from, first, personId, here, elsewhere, erase };
}

describe('what somebody wrote before they were erased', () => {
  it('is not accepted again, by a process that knew them or one that did not, and makes nobody of the account', async () => {
    const { from, first, here, elsewhere, erase } = await somebody();
    await erase();
    for (const intake of [here, elsewhere, testingIntake(talk.database)])
      for (const late of [first, message(from, ago(60_000))])
        await expect(intake.message(late)).rejects.toMatchObject({ details: { erased: true } });
    expect(await isKnown(from)).toBe(false);
  });

  it('is told apart from what they write afterwards, as somebody new', async () => {
    const { from, first, personId, here, elsewhere, erase } = await somebody();
    await erase();
    const later = message(from, new Date(Date.now() + 1_000).toISOString());
    const again = await here.message(later);
    expect(again).toMatchObject({ duplicate: false });
    expect(again.personId).not.toBe(personId);
    for (const intake of [here, elsewhere])
      await expect(intake.message(first)).rejects.toMatchObject({ details: { erased: true } });
    const words = await talk.stores.query('SELECT external_id AS id FROM inbox WHERE person_id = $1', [
      again.personId,
    ]);
    expect(words).toEqual([{ id: later.messageId }]);
  });

  it('is refused while their erasure is about to be committed', async () => {
    const { from, erase } = await somebody();
    const late = message(from, ago(1_000));
    const outcomes = await Promise.allSettled([
      erase(),
      ...Array.from({ length: 8 }, () => testingIntake(talk.database).message({ ...late })),
    ]);
    const [erased] = outcomes;
    expect(erased.status).toBe('fulfilled');
    expect(await isKnown(from)).toBe(false);
    expect(await talk.stores.query('SELECT 1 FROM inbox WHERE external_id = $1', [late.messageId])).toEqual(
      [],
    );
  });

  it('is not told where another refers to it, unlike what they write afterwards', async () => {
    const { from, erase } = await somebody();
    const quoteOf = async (saidAt: string) => {
      const quote = { messageId: randomUUID(), name: 'Ann', text: 'zebra81' };
      const asked = { ...message(account(), ago(0)), quote: { ...quote, author: { ...from, saidAt } } };
      const speaker = await testingIntake(talk.database).message(asked);
      return talk.claim(speaker);
    };
    const waits = await quoteOf(ago(DAY_MS));
    expect(await readQuoted(talk.database, waits)).toMatchObject([{ text: 'zebra81' }]);
    await erase();
    expect(await readQuoted(talk.database, waits)).toEqual([]);
    // No companion was ever told it: nothing but the mark says whose it is.
    const kept = await talk.stores.query('SELECT quote FROM inbox WHERE id = $1', [waits.burst[0]!.id]);
    expect(kept).toEqual([{ quote: null }]);
    expect(await readQuoted(talk.database, await quoteOf(ago(1_000)))).toEqual([]);
    const later = await quoteOf(new Date(Date.now() + 1_000).toISOString());
    expect(await readQuoted(talk.database, later)).toMatchObject([{ text: 'zebra81' }]);
  });

  it('is known by a mark that does not name the account', async () => {
    const { from, erase } = await somebody();
    await erase();
    const kept = JSON.stringify(await talk.stores.query('SELECT * FROM erased_accounts'));
    expect(kept).toContain(marks.of(from));
    expect(kept).not.toContain(from.subject);
  });
});

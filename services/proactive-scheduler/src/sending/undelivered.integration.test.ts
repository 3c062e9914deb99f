import { describe, expect, it } from '@jest/globals';
import { present } from '@kith/contracts';
import {
  NOON,
  attemptRecords,
  attempts,
  consents,
  database,
  dispatcher,
  intend,
  minutes,
  optIn,
  personId,
  records,
  sent,
  setUpOutreach,
} from '../e2e/outreach-suite.js';

setUpOutreach();

describe('outreach that was given up on its way', () => {
  /** Has the latest outreach given up half an hour after it was written. */
  const giveUp = async (passes: boolean, at = minutes(31)) => {
    const [last] = await attempts();
    const given = {
      personId,
      attemptId: present(last).id,
      reason: 'given up after 100 tries: 502',
      passes,
      at,
    };
    await attemptRecords.endUndelivered(given);
  };
  const settingsRow = () =>
    database.asPerson(personId, (tx) => tx.outreachSetting.findUniqueOrThrow({ where: { personId } }));
  const stateOfReason = async () => (await records.overview(personId, NOON)).intentions[0]?.status;

  async function written(): Promise<void> {
    await optIn();
    await intend(NOON);
    await dispatcher.scan(NOON);
    await sent(minutes(1));
  }

  it('does not count as sent, and comes later where that passes', async () => {
    await written();
    await giveUp(true);
    await giveUp(true);
    expect(await attempts()).toMatchObject([{ status: 'failed', problem: 'given up after 100 tries: 502' }]);
    expect(await settingsRow()).toMatchObject({ unanswered: 0, unreachable: null });
    await dispatcher.scan(minutes(40));
    expect(await attempts()).toHaveLength(1);
    // It has not used up the day's only message.
    await dispatcher.scan(minutes(63));
    expect((await attempts()).map(({ status }) => status)).toEqual(['queued', 'failed']);
  });

  it('comes later also where its turn is heard of after that', async () => {
    await optIn();
    await intend(NOON);
    await dispatcher.scan(NOON);
    await giveUp(true);
    await sent(minutes(1));
    expect(await attempts()).toMatchObject([{ status: 'failed' }]);
    expect(await settingsRow()).toMatchObject({ unanswered: 0 });
    await dispatcher.scan(minutes(63));
    expect((await attempts()).map(({ status }) => status)).toEqual(['queued', 'failed']);
  });

  it('is over where its words were refused, or its person opted out', async () => {
    await written();
    await giveUp(false);
    expect([await stateOfReason(), (await settingsRow()).unanswered]).toEqual(['done', 0]);
    await intend(minutes(32));
    await dispatcher.scan(minutes(33));
    await sent(minutes(34));
    await consents.change(personId, { optedIn: false }, minutes(35));
    await giveUp(true, minutes(64));
    expect((await records.overview(personId, NOON)).intentions.map(({ status }) => status)).toEqual([
      'done',
      'done',
    ]);
  });
});

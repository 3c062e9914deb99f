import { describe, expect, it } from '@jest/globals';
import {
  consents,
  intentionRecords,
  minutes,
  NOON,
  optIn,
  personId,
  records,
  setUpOutreach,
} from '../e2e/outreach-suite.js';

setUpOutreach();

const keepOwn = (isStillKnown: () => Promise<boolean>) =>
  intentionRecords().keepOwn(
    { personId, companionId: 'wren' },
    { kind: 'interest', about: 'Ada likes bees', source: 'memory:1', audience: 'direct' },
    minutes(60),
    isStillKnown,
  );
const statuses = async () => (await records.overview(personId, NOON)).intentions.map(({ status }) => status);

describe('a reason of the companion’s own', () => {
  it('is kept where its person opted in, and what it is of is still known', async () => {
    expect(await keepOwn(async () => true)).toBe(false);
    await optIn();
    expect(await keepOwn(async () => false)).toBe(false);
    expect(await statuses()).toEqual([]);
    expect(await keepOwn(async () => true)).toBe(true);
    expect(await statuses()).toEqual(['open']);
  });

  it('is dropped by an opt-out that comes while it is stored', async () => {
    await optIn();
    let out: Promise<unknown> = Promise.resolve();
    await keepOwn(async () => {
      out = consents.change(personId, { optedIn: false }, NOON);
      return true;
    });
    await out;
    expect(await statuses()).toEqual(['dropped']);
  });
});

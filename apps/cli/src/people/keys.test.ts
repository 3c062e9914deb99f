import { describe, expect, it } from '@jest/globals';
import { useScriptedApi } from '../e2e/scripted-api.js';
import { planKey, stateOf } from './keys.js';

const ID = '019a0000-0000-7000-8000-0000aabbccdd';

describe('planKey', () => {
  const now = new Date('2026-06-01T00:00:00Z');

  it('tells a new person by name from one there is by id', () => {
    expect(planKey({ person: 'Ada', scope: 'chat, admin', expires: '2027-12-31' }, now)).toEqual({
      person: 'Ada',
      name: 'cli',
      scopes: ['chat', 'admin'],
      expiresAt: '2027-12-31T23:59:59.000Z',
    });
    expect(planKey({ person: ID, reason: 'lost theirs' }, now)).toMatchObject({
      personId: ID,
      reason: 'lost theirs',
      scopes: ['chat', 'memories', 'outreach'],
    });
  });

  it.each([
    [
      { person: 'Ada', scope: 'everything' },
      '--scope: one of chat, memories, import, outreach, audit, thoughts, companions, admin',
    ],
    [{ person: ' ' }, '--person: at least 1 character'],
    [{ person: ID, reason: ' x ' }, '--reason: at least 3 characters'],
    [{ person: 'Ada', expires: 'soon' }, 'is not a day'],
    [{ person: 'Ada', expires: '2027-02-30' }, '--expires: 2027-02-30 is not a day'],
    [{ person: 'Ada', expires: '2026-05-31' }, '--expires 2026-05-31 is past'],
  ])('refuses %j', (options, message) => {
    expect(() => planKey(options, now)).toThrow(message);
  });
});

describe('a key in a list', () => {
  const now = new Date('2026-06-01T00:00:00Z');

  it.each([
    [null, null, 'in force'],
    [null, '2026-07-01T00:00:00.000Z', 'until 2026-07-01'],
    [null, '2026-05-01T00:00:00.000Z', 'expired 2026-05-01'],
    ['2026-05-02T00:00:00.000Z', '2026-07-01T00:00:00.000Z', 'revoked 2026-05-02'],
  ])('revoked %p, expires %p: is %p', (revokedAt, expiresAt, words) => {
    expect(stateOf({ revokedAt, expiresAt }, now)).toBe(words);
  });
});

describe('the list of keys', () => {
  const { cli } = useScriptedApi();

  async function listed(...flags: string[]) {
    const { code, out, notes } = await cli(['keys', 'list', ...flags]);
    return { code, keys: new Set(out.match(/key-\d+/g)).size, notes };
  }

  it('says how more of them are shown, and shows them then, however many', async () => {
    const notes = 'there are more: say with --limit how many to show\n';
    expect(await listed()).toEqual({ code: 0, keys: 50, notes });
    expect(await listed('--limit', '249')).toEqual({ code: 0, keys: 249, notes });
    for (const limit of ['250', '1000'])
      expect(await listed('--limit', limit)).toEqual({ code: 0, keys: 250, notes: '' });
  });
});

describe('commands for keys', () => {
  const { api, cli } = useScriptedApi();

  it('send no key where its id is meant, and do not repeat it', async () => {
    const key = `kth_${'A'.repeat(49)}`;
    let isSent = false;
    for (const one of [ID, key])
      api.answers[`DELETE /v1/keys/${one}`] = () => ((isSent = true), { status: 204 });
    const notes = 'kith: a key is named by its id, which kith keys list shows, and not by itself\n';
    expect(await cli(['keys', 'revoke', ID, key])).toMatchObject({ code: 2, notes });
    expect(isSent).toBe(false);
  });

  it.each([
    ['Ada', 'new person'],
    [ID.toUpperCase(), 'person'],
  ])('tell whether %s is a person that there was', async (person, whose) => {
    api.answers['POST /v1/keys'] = () => ({ body: { id: ID, key: 'kth_1', personId: ID, scopes: ['chat'] } });
    const { notes } = await cli(['keys', 'create', '--person', person]);
    expect(notes).toBe(`shown this once; ${whose} ${ID}, may chat, id ${ID}\n`);
  });
});

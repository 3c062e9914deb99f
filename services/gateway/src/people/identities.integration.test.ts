import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Identities } from './identities.js';
import { broadcasts, marks, withTalk } from '../e2e/talk.js';

const talk = withTalk();

describe('an account', () => {
  it('makes one person of an account that speaks twice at once', async () => {
    const account = { door: 'discord' as const, subject: randomUUID(), displayName: 'Ben' };
    const people = await Promise.all(
      [1, 2, 3].map(() => new Identities(talk.database, broadcasts, marks).resolve(account)),
    );
    expect(new Set(people.map(({ personId }) => personId)).size).toBe(1);
  });
});

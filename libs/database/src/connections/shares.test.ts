import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Shares } from './shares.js';

/** Begins work of an owner, and tells how to end it. */
function begin(shares: Shares, owner: string, begun: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const done = shares.run(owner, 2, () => {
    begun.push(name);
    return promise;
  });
  return { end: () => resolve(undefined), done };
}

describe('a share', () => {
  it('lets so many of one owner run, the others in their order, and holds up nobody else', async () => {
    const shares = new Shares(5_000);
    const begun: string[] = [];
    const [first, ...others] = ['a', 'b', 'c', 'd'].map((name) => begin(shares, 'Ada', begun, name));
    const bob = begin(shares, 'Bob', begun, 'of Bob');
    expect(begun).toEqual(['a', 'b', 'of Bob']);
    first!.end();
    await first!.done;
    await sleep(0);
    expect(begun).toEqual(['a', 'b', 'of Bob', 'c']);
    for (const { end } of [...others, bob]) end();
    await Promise.all([...others, bob].map(({ done }) => done));
    expect(begun).toEqual(['a', 'b', 'of Bob', 'c', 'd']);
  });

  it('gives back the place of work that fails, and of work that gave up waiting', async () => {
    const shares = new Shares(20);
    const begun: string[] = [];
    const held = ['a', 'b'].map((name) => begin(shares, 'Ada', begun, name));
    await expect(begin(shares, 'Ada', begun, 'late').done).rejects.toMatchObject({
      code: 'unavailable',
      details: { locked: true },
    });
    for (const { end } of held) end();
    await Promise.all(held.map(({ done }) => done));
    const fail = () => shares.run('Ada', 2, () => Promise.reject(new Error('failed')));
    for (let n = 0; n < 3; n += 1) await expect(fail()).rejects.toThrow('failed');
    const last = begin(shares, 'Ada', begun, 'last');
    last.end();
    await last.done;
    expect(begun).toEqual(['a', 'b', 'last']);
  });
});

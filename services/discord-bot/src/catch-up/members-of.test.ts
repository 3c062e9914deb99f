import { expect, it } from '@jest/globals';
import type { Client } from 'discord.js';
import { membersOf } from './members-of.js';

it('asks for each of them once, and does without whom Discord does not tell of', async () => {
  const asked: string[] = [];
  const first = { signal: new AbortController().signal, isLastTry: false };
  const rest = {
    get: (route: string) => {
      asked.push(route);
      return route.endsWith('/8')
        ? Promise.reject(Object.assign(new Error('Unknown Member'), { code: 10_007 }))
        : Promise.resolve({ nick: 'Al' });
    },
  };
  const members = await membersOf({ rest } as unknown as Client, '1', ['7', '8', '7'], first);
  expect([...members]).toEqual([['7', { nick: 'Al' }]]);
  expect(asked).toEqual(['/guilds/1/members/7', '/guilds/1/members/8']);
});

it('does without somebody over whom Discord fails at the last try, and waits for a Discord that is away', async () => {
  const { signal } = new AbortController();
  const read = (isLastTry: boolean, error: Error) => {
    const rest = {
      get: (route: string) =>
        route.endsWith('/8') ? Promise.reject(error) : Promise.resolve({ nick: 'Al' }),
    };
    return membersOf({ rest } as unknown as Client, '1', ['8', '7'], { signal, isLastTry });
  };
  const failing = Object.assign(new Error('Internal Server Error'), { status: 500 });
  await expect(read(false, failing)).rejects.toThrow('Internal');
  expect([...(await read(true, failing))]).toEqual([['7', { nick: 'Al' }]]);
  await expect(read(true, new Error('socket hang up'))).rejects.toThrow('hang up');
});

import { expect, it } from '@jest/globals';
import type { Client } from 'discord.js';
import { membersOf } from './members-of.js';

it('asks for each of them once, and does without whom Discord does not tell of', async () => {
  const asked: string[] = [];
  const none = new AbortController().signal;
  const rest = {
    get: (route: string) => {
      asked.push(route);
      return route.endsWith('/8')
        ? Promise.reject(Object.assign(new Error('Unknown Member'), { code: 10_007 }))
        : Promise.resolve({ nick: 'Al' });
    },
  };
  const members = await membersOf({ rest } as unknown as Client, '1', ['7', '8', '7'], none);
  expect([...members]).toEqual([['7', { nick: 'Al' }]]);
  expect(asked).toEqual(['/guilds/1/members/7', '/guilds/1/members/8']);
  const away = { get: () => Promise.reject(new Error('socket hang up')) };
  await expect(membersOf({ rest: away } as unknown as Client, '1', ['7'], none)).rejects.toThrow('hang up');
});

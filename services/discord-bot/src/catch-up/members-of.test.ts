import { expect, it } from '@jest/globals';
import type { Client } from 'discord.js';
import { membersOf } from './members-of.js';

it('asks for each of them once, and does without whom Discord does not tell of', async () => {
  const asked: string[] = [];
  const rest = {
    get: (route: string) => {
      asked.push(route);
      return route.endsWith('/8')
        ? Promise.reject(new Error('Unknown Member'))
        : Promise.resolve({ nick: 'Al' });
    },
  };
  const members = await membersOf({ rest } as unknown as Client, '1', ['7', '8', '7']);
  expect([...members]).toEqual([['7', { nick: 'Al' }]]);
  expect(asked).toEqual(['/guilds/1/members/7', '/guilds/1/members/8']);
});

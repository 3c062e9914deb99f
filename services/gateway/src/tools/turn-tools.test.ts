import { expect, it } from '@jest/globals';
import type { TurnOrigin } from '@kith/contracts';
import type { Claim } from '../inbox/claim.js';
import { toolsOf } from './turn-tools.js';

const now = new Date('2027-03-01T08:00:00.000Z');
const nothing = { core: [], tasks: [], wishes: [], contradictions: [], recalled: [], passages: [] };
const context = {
  ...nothing,
  companion: { name: 'Mira' },
  quoted: [],
  kept: [],
  earlier: [],
  timeZone: null,
  now,
};

function namesIn(origin: TurnOrigin, authority: { said: string[]; isPresent: boolean }): string[] {
  const message = { origin, externalId: 'now', text: 'Hello!', receivedAt: now, sentAt: now, target: null };
  const claim = { personId: 'ann', companionId: 'mira', audience: 'direct', burst: [message] };
  const tools = toolsOf({} as never, claim as unknown as Claim, authority, context, []);
  return tools.map(({ traits }) => traits.name);
}

it('lets memories be put right by what somebody present says alone', () => {
  const amends = ['archival_memory_correct', 'archival_memory_withdraw'];
  expect(namesIn('message', { said: ['No!'], isPresent: true })).toEqual(expect.arrayContaining(amends));
  for (const absent of [
    { said: ['No!'], isPresent: false },
    { said: [], isPresent: true },
  ])
    expect(namesIn('message', absent).filter((name) => amends.includes(name))).toEqual([]);
});

it('lets a companion plan to write first while it thinks by itself alone', () => {
  const alone = { said: [], isPresent: true };
  expect(namesIn('heartbeat', alone)).toContain('schedule_intention');
  for (const origin of ['message', 'outreach'] as const)
    expect(namesIn(origin, alone)).not.toContain('schedule_intention');
});

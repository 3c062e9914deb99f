import { expect, it } from '@jest/globals';
import { OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import { mayWrite } from './may-write.js';

const VIEW = String(PermissionFlagsBits.ViewChannel);
const WRITE = String(PermissionFlagsBits.SendMessages);
const THREADS = String(PermissionFlagsBits.SendMessagesInThreads);
const ALL = String(BigInt(VIEW) | BigInt(WRITE) | BigInt(THREADS));
const ADMIN = String(PermissionFlagsBits.Administrator);
const [EVERYONE, STAFF, GUEST, ANN] = ['1', '2', '3', '9'] as const;
const guild = (everyone = ALL, staff = '0') => ({
  id: EVERYONE,
  owner_id: '8',
  roles: [
    { id: EVERYONE, permissions: everyone },
    { id: STAFF, permissions: staff },
    { id: GUEST, permissions: '0' },
  ],
});
const role = (id: string, allow: string, deny: string) => ({ id, type: OverwriteType.Role, allow, deny });
const NOW = new Date('2026-11-28T12:00:00Z');
const own = (allow: string, deny: string) => ({ id: ANN, type: OverwriteType.Member, allow, deny });
const staffOnly = [role(EVERYONE, '0', VIEW), role(STAFF, VIEW, '0')];

it.each([
  ['anybody, where nothing is said', guild(), [], [], 'yes'],
  ['nobody, where the server hides all', guild('0'), [], [], 'no'],
  ['staff in their channel', guild(), staffOnly, [STAFF], 'yes'],
  ['whoever lost the role no more', guild(), staffOnly, [], 'no'],
  [
    'who has a role that may and one that may not',
    guild(),
    [...staffOnly, role(GUEST, '0', VIEW)],
    [STAFF, GUEST],
    'yes',
  ],
  ['who is let in by name', guild(), [role(EVERYONE, '0', VIEW), own(VIEW, '0')], [], 'yes'],
  ['nobody who is shut out by name', guild(), [...staffOnly, own('0', VIEW)], [STAFF], 'no'],
  ['administrators everywhere', guild(ALL, ADMIN), [role(EVERYONE, '0', VIEW)], [STAFF], 'yes'],
])('lets in %s', (_, server, overwrites, roles, right) => {
  for (const isThread of [false, true])
    expect(mayWrite(server, { overwrites, isThread }, { id: ANN, roles }, NOW)).toBe(right);
});

it('asks for the right to write, which is another one in a thread', () => {
  const mayWriteHere = (denied: string, isThread: boolean) =>
    mayWrite(guild(), { overwrites: [role(EVERYONE, '0', denied)], isThread }, { id: ANN, roles: [] }, NOW);
  expect([mayWriteHere(WRITE, false), mayWriteHere(WRITE, true)]).toEqual(['no', 'yes']);
  expect([mayWriteHere(THREADS, false), mayWriteHere(THREADS, true)]).toEqual(['yes', 'no']);
});

it('lets in the owner', () => {
  const place = { overwrites: [role(EVERYONE, '0', VIEW)], isThread: false };
  expect(mayWrite(guild('0'), place, { id: '8', roles: [] }, NOW)).toBe('yes');
});

it('puts off whoever is in a time-out until it is over, but no owner or administrator', () => {
  const rightOf = (
    id: string,
    until: string | null,
    { roles = [] as string[], overwrites = staffOnly } = {},
  ) =>
    mayWrite(
      guild(ALL, ADMIN),
      { overwrites, isThread: false },
      { id, roles, communication_disabled_until: until },
      NOW,
    );
  const [before, after] = ['2026-11-28T11:59:59Z', '2026-11-28T12:00:01Z'];
  const open = { overwrites: [] };
  expect([before, after, null].map((until) => rightOf(ANN, until, open))).toEqual(['yes', 'not now', 'yes']);
  expect(rightOf(ANN, after)).toBe('no');
  expect([rightOf('8', after), rightOf(ANN, after, { roles: [STAFF] })]).toEqual(['yes', 'yes']);
});

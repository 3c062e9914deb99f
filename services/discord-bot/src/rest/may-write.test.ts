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
const own = (allow: string, deny: string) => ({ id: ANN, type: OverwriteType.Member, allow, deny });
const staffOnly = [role(EVERYONE, '0', VIEW), role(STAFF, VIEW, '0')];

it.each([
  ['anybody, where nothing is said', guild(), [], [], true],
  ['nobody, where the server hides all', guild('0'), [], [], false],
  ['staff in their channel', guild(), staffOnly, [STAFF], true],
  ['whoever lost the role no more', guild(), staffOnly, [], false],
  [
    'who has a role that may and one that may not',
    guild(),
    [...staffOnly, role(GUEST, '0', VIEW)],
    [STAFF, GUEST],
    true,
  ],
  ['who is let in by name', guild(), [role(EVERYONE, '0', VIEW), own(VIEW, '0')], [], true],
  ['nobody who is shut out by name', guild(), [...staffOnly, own('0', VIEW)], [STAFF], false],
  ['administrators everywhere', guild(ALL, ADMIN), [role(EVERYONE, '0', VIEW)], [STAFF], true],
])('lets in %s', (_, server, overwrites, roles, isLetIn) => {
  for (const isThread of [false, true])
    expect(mayWrite(server, { overwrites, isThread }, { id: ANN, roles })).toBe(isLetIn);
});

it('asks for the right to write, which is another one in a thread', () => {
  const mayWriteHere = (denied: string, isThread: boolean) =>
    mayWrite(guild(), { overwrites: [role(EVERYONE, '0', denied)], isThread }, { id: ANN, roles: [] });
  expect([mayWriteHere(WRITE, false), mayWriteHere(WRITE, true)]).toEqual([false, true]);
  expect([mayWriteHere(THREADS, false), mayWriteHere(THREADS, true)]).toEqual([true, false]);
});

it('lets in the owner', () => {
  expect(
    mayWrite(
      guild('0'),
      { overwrites: [role(EVERYONE, '0', VIEW)], isThread: false },
      { id: '8', roles: [] },
    ),
  ).toBe(true);
});

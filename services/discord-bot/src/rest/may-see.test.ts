import { expect, it } from '@jest/globals';
import { OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import { maySee } from './may-see.js';

const [VIEW, ADMIN] = [String(PermissionFlagsBits.ViewChannel), String(PermissionFlagsBits.Administrator)];
const [EVERYONE, STAFF, GUEST, ANN] = ['1', '2', '3', '9'] as const;
const guild = (everyone = VIEW, staff = '0') => ({
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
  ['administrators everywhere', guild(VIEW, ADMIN), [role(EVERYONE, '0', VIEW)], [STAFF], true],
])('lets in %s', (_, server, overwrites, roles, isSeen) => {
  expect(maySee(server, overwrites, { id: ANN, roles })).toBe(isSeen);
});

it('lets in the owner', () => {
  expect(maySee(guild('0'), [role(EVERYONE, '0', VIEW)], { id: '8', roles: [] })).toBe(true);
});

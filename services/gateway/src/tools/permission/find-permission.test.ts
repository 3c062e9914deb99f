import { describe, expect, it } from '@jest/globals';
import { findPermission, type ToolRule } from './find-permission.js';

const place = { companionId: 'mira', server: 's1', channel: 'c1', roles: ['r1'] };
const tool = { name: 'send_mail', allowedBy: 'operator' as const, pin: 'p1' };
const rule = (part: Partial<ToolRule> = {}): ToolRule => ({
  tool: 'send_mail',
  isAllowed: true,
  companionId: null,
  server: null,
  channel: null,
  role: null,
  pin: 'p1',
  ...part,
});
const find = (...rules: ToolRule[]) => findPermission(tool, place, rules);

describe('the permission of a tool', () => {
  it('needs a rule, unless it is built in', () => {
    expect(find()).toBe('not-allowed');
    expect(find(rule({ tool: 'other' }))).toBe('not-allowed');
    expect(find(rule())).toBe('allowed');
    expect(findPermission({ ...tool, allowedBy: 'built-in' }, place, [])).toBe('allowed');
  });

  it.each([{ companionId: 'noa' }, { server: 's2' }, { channel: 'c2' }, { role: 'r2' }])(
    'is not given by a rule for elsewhere: %j',
    (part) => expect(find(rule(part))).toBe('not-allowed'),
  );

  it('is given by a rule for this place and role', () => {
    expect(find(rule({ companionId: 'mira', server: 's1', channel: 'c1', role: 'r1' }))).toBe('allowed');
  });

  it('is taken by any rule that denies it here', () => {
    expect(find(rule({ channel: 'c1' }), rule({ isAllowed: false }))).toBe('denied');
    expect(find(rule(), rule({ isAllowed: false, channel: 'c2' }))).toBe('allowed');
    const denied = [rule({ isAllowed: false, pin: 'old' })];
    expect(findPermission({ ...tool, allowedBy: 'built-in' }, place, denied)).toBe('denied');
  });

  it('in a thread is that of its channel, and its own', () => {
    const inThread = (...rules: ToolRule[]) =>
      findPermission(tool, { ...place, channel: 't1', threadOf: 'c1' }, rules);
    expect(inThread(rule(), rule({ isAllowed: false, channel: 'c1' }))).toBe('denied');
    expect(inThread(rule(), rule({ isAllowed: false, channel: 't1' }))).toBe('denied');
    expect(inThread(rule({ channel: 'c1' }))).toBe('allowed');
    expect(inThread(rule({ channel: 'c2' }))).toBe('not-allowed');
  });

  it('of somebody whose roles are not known is denied by what denies a role, and not allowed by what allows it', () => {
    const unknown = { ...place, roles: null };
    expect(findPermission(tool, unknown, [rule({ role: 'r1' })])).toBe('not-allowed');
    expect(findPermission(tool, unknown, [rule(), rule({ role: 'r9', isAllowed: false })])).toBe('denied');
  });

  it('is gone once the tool has changed', () => {
    expect(find(rule({ pin: 'old' }))).toBe('changed');
    expect(find(rule({ pin: 'old' }), rule({ server: 's1' }))).toBe('allowed');
  });
});

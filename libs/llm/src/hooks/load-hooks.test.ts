import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadHooks } from './load-hooks.js';

const EXAMPLES = join(import.meta.dirname, '../../../../docs/hooks');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kith-hooks-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const start = "export default { name: 'a', order: 1, onFailure: 'open'";

describe('a folder of hooks', () => {
  it('is none where no setting names one', async () => {
    for (const none of [undefined, '']) expect((await loadHooks(none)).has('receive')).toBe(false);
  });

  it('holds a hook a file, and other files beside them', async () => {
    await write('one.mjs', `${start}, gate() {} };`);
    await write('notes.txt', 'not a hook');
    const hooks = await loadHooks(folder);
    expect([hooks.has('gate'), hooks.has('reply')]).toEqual([true, false]);
  });

  it.each([
    ['export const hook = 1;', 'exports no hook: write export default { … }'],
    [`${start} };`, 'has no function; it may have receive, gate, compose'],
    [`${start}, gate: 7 };`, 'gate: a function'],
    [`${start}, recieve() {} };`, 'Unrecognized key: "recieve"'],
    ["export default { name: 'a', order: 1, gate() {} };", 'onFailure: one of open, closed'],
    ["export default { name: 'a', onFailure: 'open', gate() {} };", 'order: is missing'],
    [`${start}, timeoutMs: 99999, gate() {} };`, 'timeoutMs: at most 10000'],
    ['export default {{', 'HOOKS_DIR: broken.mjs: '],
    ["throw new Error('no key')", 'no key'],
  ])('says in a line what is wrong with %s', async (text, problem) => {
    await write('broken.mjs', text);
    const error = (await loadHooks(folder).catch((thrown: unknown) => thrown)) as Error;
    expect(error.name).toBe('SettingsError');
    expect(error.message).toContain(problem);
    expect(error.message).toMatch(/^HOOKS_DIR: broken\.mjs: [^\n]+$/);
  });

  it('says so where it is not there, beside what else is wrong, and where two have one name', async () => {
    await expect(loadHooks(join(folder, 'none'), undefined, ['CHAT_MODELS: wrong, too'])).rejects.toThrow(
      /^HOOKS_DIR: the folder .* can not be read: .*\nCHAT_MODELS: wrong, too$/,
    );
    await write('one.mjs', `${start}, gate() {} };`);
    await write('two.mjs', `${start}, gate() {} };`);
    await expect(loadHooks(folder)).rejects.toThrow('two.mjs: name: another file has the name a');
  });

  it('may hold our examples', async () => {
    const hooks = await loadHooks(EXAMPLES);
    expect([hooks.has('receive'), hooks.has('compose'), hooks.has('afterInvoke')]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

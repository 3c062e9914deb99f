import { describe, expect, it } from '@jest/globals';
import { uuid7 } from '@kith/database';
import { withTalk } from '../e2e/talk.js';
import { effectTool } from './testing-tools.js';
import { ToolRegistry } from './tool-registry.js';
import { ToolRules } from './tool-rules.js';

const talk = withTalk();
const place = { companionId: null, server: null, channel: null, role: null };

/** Opens rules where one about a tool was made for an earlier form of it. */
async function open(tool: string, isAllowed: boolean, pin: string) {
  await talk.database.writer('system').$executeRaw`
    INSERT INTO tool_rules (id, tool, is_allowed, pin) VALUES (${uuid7()}::uuid, ${tool}, ${isAllowed}, ${pin})`;
  const here = effectTool('pad__write', []);
  const registry = new ToolRegistry(() => [{ kind: 'mcp', tools: () => [here], leftOut: () => null }]);
  return { rules: new ToolRules(talk.database, registry), pin: here.traits.pin };
}

describe('a rule', () => {
  it('is made for the form that its tool has now', async () => {
    const { rules, pin } = await open('pad__write', true, 'old');
    expect(await rules.list()).toMatchObject([{ tool: 'pad__write', allow: true, isCurrent: false }]);
    await rules.set({ ...place, tool: 'pad__write' }, true);
    expect(await rules.all()).toMatchObject([{ tool: 'pad__write', isAllowed: true, pin }]);
    await rules.set({ ...place, tool: 'pad__write' }, false);
    expect(await rules.all()).toMatchObject([{ tool: 'pad__write', isAllowed: false, pin }]);
    expect(await rules.list()).toMatchObject([{ allow: false, isCurrent: true }]);
    await rules.remove({ ...place, tool: 'pad__write' });
    expect(await rules.all()).toEqual([]);
  });

  it('may deny a tool whose server is away, and not allow it', async () => {
    const { rules } = await open('mail__send', true, 'as it was');
    await rules.set({ ...place, tool: 'mail__send' }, false);
    await rules.set({ ...place, tool: 'mail__read' }, false);
    await expect(rules.set({ ...place, tool: 'mail__send' }, true)).rejects.toThrow('no tool mail__send');
    await expect(rules.set({ ...place, tool: 'rememberr' }, false)).rejects.toThrow('no tool rememberr');
    expect(await rules.all()).toMatchObject([
      { tool: 'mail__send', isAllowed: false, pin: 'as it was' },
      { tool: 'mail__read', isAllowed: false, pin: '' },
    ]);
  });
});

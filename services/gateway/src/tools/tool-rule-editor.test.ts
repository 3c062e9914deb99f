import { describe, expect, it } from '@jest/globals';
import type { StoredRule } from './permission/tool-rules.js';
import { effectTool } from './testing-tools.js';
import { ToolRuleEditor } from './tool-rule-editor.js';

const place = { companionId: null, server: null, channel: null, role: null };
const made = { ...place, isAllowed: true, madeAt: new Date(0) };

function open(rules: StoredRule[]) {
  const tool = effectTool('pad__write', []);
  const set: unknown[] = [];
  const editor = new ToolRuleEditor(
    { traitsOf: (name) => (name === 'pad__write' ? tool.traits : undefined) },
    { all: async () => rules, set: async (rule) => void set.push(rule), remove: async () => undefined },
  );
  return { editor, set, pin: tool.traits.pin };
}

describe('a rule', () => {
  it('is made for the form that its tool has now', async () => {
    const { editor, set, pin } = open([{ ...made, tool: 'pad__write', pin: 'old' }]);
    await editor.set({ ...place, tool: 'pad__write' }, true);
    await editor.set({ ...place, tool: 'pad__write' }, false);
    expect(set).toMatchObject([
      { isAllowed: true, pin },
      { isAllowed: false, pin },
    ]);
  });

  it('may deny a tool whose server is away, and not allow it', async () => {
    const { editor, set } = open([{ ...made, tool: 'mail__send', pin: 'as it was' }]);
    await editor.set({ ...place, tool: 'mail__send' }, false);
    await editor.set({ ...place, tool: 'mail__read' }, false);
    await expect(editor.set({ ...place, tool: 'mail__send' }, true)).rejects.toThrow('no tool mail__send');
    await expect(editor.set({ ...place, tool: 'rememberr' }, false)).rejects.toThrow('no tool rememberr');
    expect(set).toMatchObject([
      { tool: 'mail__send', isAllowed: false, pin: 'as it was' },
      { tool: 'mail__read', isAllowed: false, pin: '' },
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { describeRule, describeTool } from './describe-tool.js';

describe('a tool in words', () => {
  it('says what it may do', () => {
    const tool = {
      name: 'pad__create_note',
      kind: 'mcp' as const,
      description: 'x',
      reads: ['outside'],
      changes: 'outside' as const,
      allowedBy: 'operator' as const,
      permission: 'not-allowed' as const,
      isGranted: false,
      parameters: [],
    };
    expect(describeTool(tool)).toBe(
      'not allowed yet · mcp · reads outside · changes things outside · asks you first',
    );
  });

  it('says where a rule holds, and that it does not hold for a new form', () => {
    const rule = { tool: 'a', allow: true, isCurrent: true, madeAt: '2026-01-01T00:00:00Z' };
    expect(describeRule(rule)).toBe('a is allowed everywhere');
    expect(describeRule({ ...rule, companion: 'mira', role: '7' })).toBe(
      'a is allowed with mira, for role 7',
    );
    expect(describeRule({ ...rule, isCurrent: false })).toContain('allow it anew');
  });
});

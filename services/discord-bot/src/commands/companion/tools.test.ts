import { describe, expect, it } from '@jest/globals';
import type { ToolQuestion, ToolView } from '@kith/contracts';
import { showTools } from './tools.js';

const question = (n: number, characters: number): ToolQuestion => ({
  id: `019a0000-0000-7000-8000-00000000000${n}`,
  tool: `tool_${n}`,
  arguments: {},
  text: `${n}${'x'.repeat(characters - 1)}`,
  expiresAt: '2026-03-01T10:00:00Z',
});
const tool: ToolView = {
  name: 'send_note',
  kind: 'http',
  description: 'Sends a note',
  reads: [],
  changes: 'outside',
  allowedBy: 'operator',
  permission: 'allowed',
  isGranted: false,
  parameters: [],
};

describe('tools and the questions that wait', () => {
  it('are shown with buttons for each question', () => {
    const { content, components } = showTools([tool], [question(1, 100), question(2, 100)]);
    expect(components).toHaveLength(2);
    expect(content).toContain(`2${'x'.repeat(99)}\n**Tools`);
    expect(content).toContain('- `send_note` (asks you first): Sends a note');
    expect(content).not.toContain('More waits');
  });

  it('have buttons only where the whole question is shown', () => {
    const { content, components } = showTools(
      [tool],
      [1, 2, 3].map((n) => question(n, 900)),
    );
    expect(JSON.stringify(components)).toContain('tool_2');
    expect(components).toHaveLength(2);
    expect(content).toContain(`2${'x'.repeat(899)}\nMore waits: answer these first.`);
    expect(content).not.toContain('3x');
    expect(content.length).toBeLessThan(2_000);
  });

  it('leave a short question for later where the one before it is too long', () => {
    const { content, components } = showTools(
      [tool],
      [question(1, 1_700), question(2, 800), question(3, 10)],
    );
    expect(components).toHaveLength(1);
    expect(content).toContain('More waits');
  });

  it('never have more questions than rows of buttons', () => {
    const { content, components } = showTools(
      [tool],
      [1, 2, 3, 4, 5, 6].map((n) => question(n, 10)),
    );
    expect(components).toHaveLength(5);
    expect(content).not.toContain('6x');
    expect(content).toContain('More waits');
  });
});

import { expect, it } from '@jest/globals';
import { askForTool, withoutWithdrawn } from './question-text.js';

const NOTE = `${askForTool('send_note')}\n· to: \`Bob\``;
const LAMP = askForTool('lamp');

it('leaves a reply as it is while all that it asks stands, and where it asks nothing', () => {
  for (const [reply, asked] of [
    [`Gladly.\n\n${NOTE}\n\n${LAMP}`, ['lamp', 'send_note']],
    ['Gladly.\n\nAnything else?', []],
    [`${askForTool('lamp')} is what I would ask.\n\nShall I?`, []],
  ] as const)
    expect(withoutWithdrawn(reply, asked)).toBe(reply);
});

it('says that a question was taken back in the place of the question', () => {
  const taken = expect.stringMatching(/^Gladly\.\n\n🔧 I was going to ask .*take that back/u);
  expect(withoutWithdrawn(`Gladly.\n\n${NOTE}\n\n${LAMP}`, [])).toEqual(taken);
  const told = withoutWithdrawn(`Gladly.\n\n${NOTE}\n\n${LAMP}`, ['lamp']);
  expect(told).toMatch(/^Gladly\.\n\n🔧 May I use “lamp”\?\n\n🔧 I was going/u);
  expect(told).not.toContain('Bob');
});

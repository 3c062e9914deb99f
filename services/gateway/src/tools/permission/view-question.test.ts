import { expect, it } from '@jest/globals';
import { viewQuestion } from './view-question.js';

it('shows neither a link nor a mention nor a line of the model’s, wherever in the arguments it stands', () => {
  const { text } = viewQuestion({
    ...{ id: 'q', tool: 'send_note', expiresAt: null },
    arguments: { send_to: 'Bob `@here`\nhttps://example.org', '@here\n[Allowed](https://x.org)': 'yes' },
  });
  expect(text.split('\n')).toEqual([
    '🔧 May I use “send_note”?',
    '· send_to: `Bob ˋ@hereˋ https://example.org`',
    '· _here__Allowed__https___x.org_: `yes`',
  ]);
});

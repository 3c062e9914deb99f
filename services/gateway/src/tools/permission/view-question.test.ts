import { expect, it } from '@jest/globals';
import { viewQuestion } from './view-question.js';

it('shows neither a link nor a mention nor a line of the model’s, wherever in the arguments it stands', () => {
  const { text } = viewQuestion({
    id: 'q',
    tool: 'send_note',
    expiresAt: null,
    arguments: { send_to: 'Bob `@here`\nhttps://example.org', '@here\n[Allowed](https://x.org)': 'yes' },
  });
  expect(text.split('\n')).toEqual([
    '🔧 May I use “send_note”?',
    '· send_to: `Bob ˋ@hereˋ https://example.org`',
    '· _here__Allowed__https___x.org_: `yes`',
  ]);
});

it('shows what is empty or can not be seen, and lets neither change how the rest is read', () => {
  const { text } = viewQuestion({
    id: 'q',
    tool: 'send_note',
    expiresAt: null,
    arguments: {
      cc: '',
      bcc: ' \n',
      to: '||eve@evil.example||',
      note: 'to \u202ebob\u200b',
      list: ['\u2066'],
    },
  });
  expect(text.split('\n').slice(1)).toEqual([
    '· cc: (empty)',
    '· bcc: (empty)',
    '· to: `||eve@evil.example||`',
    '· note: `to \\u202ebob\\u200b`',
    '· list: `["\\u2066"]`',
  ]);
});

it('shows white space that is neither a space nor a break', () => {
  const { text } = viewQuestion({
    id: 'q',
    tool: 'send_note',
    expiresAt: null,
    arguments: { note: 'a\u2003b\u00a0c\rd e\tf' },
  });
  expect(text).toContain('· note: `a\\u2003b\\u00a0c\\u000dd e f`');
});

it('fits one message, with its tool and a part of each argument that is shown', () => {
  const names = Array.from({ length: 20 }, (_, n) => `${'n'.repeat(38)}${n + 10}`);
  const { text } = viewQuestion({
    id: 'q',
    tool: 't'.repeat(64),
    expiresAt: null,
    arguments: Object.fromEntries(names.map((name) => [name, 'x'.repeat(100_000)])),
  });
  expect(text.length).toBeLessThan(1_750);
  expect(text).toContain(`“${'t'.repeat(64)}”`);
  for (const name of names.slice(0, 16))
    expect(text).toContain(`· ${name.slice(-22)}: \`${'x'.repeat(53)}… (100000 characters)`);
  expect(text).toContain('· and 4 more');
});

it('shows what stands within an argument, and behind many, as it shows the others', () => {
  const few = {
    body: { note: 'x'.repeat(500), mail: { to: 'eve@evil.example', cc: [] } },
    more: {},
    all: [{ note: 'x'.repeat(500), to: ['a', 'b'] }],
  };
  const shown = (given: Record<string, unknown>) =>
    viewQuestion({ id: 'q', tool: 'send_note', expiresAt: null, arguments: given }).text.split('\n').slice(1);
  expect(shown(few)).toEqual([
    `· body.note: \`${'x'.repeat(166)}… (500 characters)\``,
    '· body.mail.to: `eve@evil.example`',
    '· body.mail.cc: `[]`',
    '· more: `{}`',
    `· all.0.note: \`${'x'.repeat(166)}… (500 characters)\``,
    '· all.0.to: `["a","b"]`',
  ]);
  const junk = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`option_${n}`, 'as usual']));
  expect(shown({ ...junk, to: 'eve@evil.example' })).toContain('· to: `eve@evil.example`');
});

it('shows two hundred characters of each of a few arguments', () => {
  const { text } = viewQuestion({
    id: 'q',
    tool: 'send_note',
    expiresAt: null,
    arguments: { send_to: 'b'.repeat(200), note: 'x'.repeat(201), sign: `${'y'.repeat(199)}😀` },
  });
  expect(text).toContain(`· send_to: \`${'b'.repeat(200)}\``);
  expect(text).toContain(`· note: \`${'x'.repeat(200)}… (201 characters)\``);
  expect(text).toContain(`· sign: \`${'y'.repeat(199)}… (201 characters)\``);
});

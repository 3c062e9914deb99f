import { describe, expect, it } from '@jest/globals';
import { chunkMessage } from './chunk-message.js';
import { decideLiveEdit, type LiveState } from './decide-live-edit.js';

const state: LiveState = { text: 'Well, let me think', shown: null, firstTokenAt: 0, lastShownAt: 0 };

describe('a reply that is being written', () => {
  it('is shown when it takes longer than a moment', () => {
    expect(decideLiveEdit(state, 1_499)).toBeNull();
    expect(decideLiveEdit(state, 1_500)).toBe('Well, let me think');
    expect(decideLiveEdit({ ...state, text: ' ' }, 5_000)).toBeNull();
  });

  it('is edited at a pace, and when there is something to see', () => {
    const shown = { ...state, shown: 'Well,', lastShownAt: 2_000 };
    expect(decideLiveEdit(shown, 3_499)).toBeNull();
    expect(decideLiveEdit(shown, 3_500)).toBe('Well, let me think');
    expect(decideLiveEdit({ ...shown, text: 'Well, let' }, 9_000)).toBeNull();
  });

  it('that is begun anew waits until it is as long as what is shown', () => {
    const shown = { ...state, shown: 'Once upon a time there was', lastShownAt: 0 };
    expect(decideLiveEdit({ ...shown, text: 'A long time ago' }, 9_000)).toBeNull();
    const longer = 'A long time ago there lived an owl in a clock';
    expect(decideLiveEdit({ ...shown, text: longer }, 9_000)).toBe(longer);
  });
});

describe.each([
  ['paragraphs', `${'One sentence after the other. '.repeat(9)}\n\n`.repeat(30)],
  ['lines', `${'word '.repeat(30)}\n`.repeat(40)],
  ['one long line', 'word '.repeat(1_500)],
  ['code', `Look:\n\`\`\`ts\n${'const a = 1;\n'.repeat(400)}\`\`\`\n`],
])('a long reply in %s', (_, whole) => {
  it('grows with each edit, and leaves its first message as the reply will have it', () => {
    const shows: string[] = [];
    let live: LiveState = { ...state, text: '' };
    for (let length = 0, now = 2_000; length <= whole.length; length += 37, now += 1_500) {
      live = { ...live, text: whole.slice(0, length) };
      const content = decideLiveEdit(live, now);
      if (content === null) continue;
      shows.push(content);
      live = { ...live, shown: content, lastShownAt: now };
    }
    for (const [at, content] of shows.entries()) {
      expect(content.length).toBeLessThanOrEqual(2_000);
      if (at > 0) expect(content.length).toBeGreaterThan(shows[at - 1]!.length);
    }
    expect(shows.at(-1)).toBe(chunkMessage(whole)[0]);
  });
});

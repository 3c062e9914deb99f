import { describe, expect, it } from '@jest/globals';
import { chunkMessage } from './chunk-message.js';
import { decideLiveEdit, type LiveState } from './decide-live-edit.js';

const state: LiveState = { text: 'Well, let me think', shown: [], firstTokenAt: 0, lastShownAt: 0 };
const first = (content: string) => ({ index: 0, content });

describe('a reply that is being written', () => {
  it('is shown when it takes longer than a moment', () => {
    expect(decideLiveEdit(state, 1_499)).toBeNull();
    expect(decideLiveEdit(state, 1_500)).toEqual(first('Well, let me think …'));
    expect(decideLiveEdit({ ...state, text: ' ' }, 5_000)).toBeNull();
  });

  it('is edited at a pace, and when there is something to see', () => {
    const shown = { ...state, shown: ['Well, …'], lastShownAt: 2_000 };
    expect(decideLiveEdit(shown, 3_499)).toBeNull();
    expect(decideLiveEdit(shown, 3_500)).toEqual(first('Well, let me think …'));
    expect(decideLiveEdit({ ...shown, text: 'Well, let' }, 9_000)).toBeNull();
  });

  it('shows no spoiler whose end is still to come', () => {
    const shown = (text: string) => decideLiveEdit({ ...state, text }, 2_000)?.content;
    expect(shown('It ends so: ||the butler')).toBe('It ends so: …');
    expect(shown('||the butler')).toBeUndefined();
    expect(shown('It ends so: ||the butler did it||. Or ||the')).toBe(
      'It ends so: ||the butler did it||. Or …',
    );
    expect(shown('Write `a || b` for that')).toBe('Write `a || b` for that …');
    expect(shown('Write ``a ||b`` for that')).toBe('Write ``a ||b`` for that …');
    expect(shown('In words, a || b, or')).toBe('In words, a || b, or …');
    expect(shown('did it||. And so on')).toBe('did it||. And so on …');
    expect(shown('||a dangling one\n\nand what follows')).toBe('||a dangling one\n\nand what follows …');
    expect(shown('```\nif (a || b)')).toBe('```\nif (a || b)\n``` …');
  });

  it('that is begun anew waits until it is as long as what is shown', () => {
    const shown = { ...state, shown: ['Once upon a time there was …'], lastShownAt: 0 };
    expect(decideLiveEdit({ ...shown, text: 'A long time ago' }, 9_000)).toBeNull();
    const longer = 'A long time ago there lived an owl in a clock';
    expect(decideLiveEdit({ ...shown, text: longer }, 9_000)).toEqual(first(`${longer} …`));
  });

  it('that is begun anew after its first message was full touches neither until it is as long', () => {
    const shown = { ...state, shown: ['one '.repeat(499).trim(), `${'two '.repeat(50)}…`] };
    expect(decideLiveEdit({ ...shown, text: 'red '.repeat(520) }, 9_000)).toBeNull();
    expect(decideLiveEdit({ ...shown, text: 'red '.repeat(600) }, 9_000)?.index).toBe(0);
  });
});

describe.each([
  ['paragraphs', `${'One sentence after the other. '.repeat(9)}\n\n`.repeat(30)],
  ['lines', `${'word '.repeat(30)}\n`.repeat(40)],
  ['one long line', 'word '.repeat(1_500)],
  ['code', `Look:\n\`\`\`ts\n${'const a = 1;\n'.repeat(400)}\`\`\`\n`],
  ['one long word', 'x'.repeat(7_000)],
  ['a spoiler', `It ends so: ||${`${'word '.repeat(30)}\n\n`.repeat(40)}the end.|| And so on.`],
])('a long reply in %s', (_, whole) => {
  /** Every state of the channel, edit by edit. */
  function watch(): string[][] {
    const states: string[][] = [];
    let live: LiveState = { ...state, text: '' };
    for (let length = 0, now = 2_000; length <= whole.length + 400; length += 37, now += 1_500) {
      live = { ...live, text: whole.slice(0, length) };
      const edit = decideLiveEdit(live, now);
      if (edit === null) continue;
      const shown = [...live.shown];
      // One message after the other, none of them left out.
      expect(edit.index).toBeLessThanOrEqual(shown.length);
      shown[edit.index] = edit.content;
      states.push(shown);
      live = { ...live, shown, lastShownAt: now };
    }
    return states;
  }

  it('grows with each edit, within Discord’s limit', () => {
    const lengths = watch().map((shown) => shown.join('').length);
    for (const content of watch().flat()) expect(content.length).toBeLessThanOrEqual(2_000);
    // A full message loses the sign that there is more to come.
    for (const [at, length] of lengths.entries())
      if (at > 0) expect(length + ' …'.length).toBeGreaterThanOrEqual(lengths[at - 1]!);
  });

  it('goes on to the next message, and leaves each full one as the reply will have it', () => {
    const chunks = chunkMessage(whole);
    const states = watch();
    const last = states.at(-1)!;
    expect(chunks.length).toBeGreaterThan(2);
    expect(last).toHaveLength(chunks.length);
    expect(last.slice(0, -1)).toEqual(chunks.slice(0, -1));
    // Whenever there is a further message, the ones before it are done with.
    for (const shown of states) expect(shown.slice(0, -1)).toEqual(chunks.slice(0, shown.length - 1));
  });
});

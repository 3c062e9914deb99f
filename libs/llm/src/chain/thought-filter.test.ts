import { describe, expect, it } from '@jest/globals';
import { bestMsOf } from '@kith/testing';
import { ThoughtFilter } from './thought-filter.js';

function said(pieces: string[]): string {
  const filter = new ThoughtFilter();
  const shown = pieces.reduce((before, piece) => {
    const { text, isAnew } = filter.push(piece);
    return isAnew ? text : before + text;
  }, '');
  return shown + filter.end(false).text;
}

describe('ThoughtFilter', () => {
  it('drops the thoughts in front of an answer, however they are cut into pieces', () => {
    const text = '<think>She asks about tea.</think>\n\nGreen, please.';
    expect(said([text])).toBe('Green, please.');
    expect(said(Array.from(text))).toBe('Green, please.');
  });

  it('passes plain text on at once', () => {
    const filter = new ThoughtFilter();
    expect(filter.push('Hel')).toEqual({ text: 'Hel', isAnew: false });
    expect(filter.push('lo <think> you')).toEqual({ text: 'lo <think> you', isAnew: false });
  });

  it('gives back what only began like a thought', () => {
    expect(said(['<th', 'ree'])).toBe('<three');
    expect(said(['<thi'])).toBe('<thi');
  });

  it('keeps the thoughts apart, also those that come as such', () => {
    const filter = new ThoughtFilter();
    filter.think('Tea? ');
    for (const piece of Array.from('<think>\nShe asks.\n</think>\nGreen.')) filter.push(piece);
    expect(filter.thought).toBe('Tea? \nShe asks.');
    filter.think('x'.repeat(30_000));
    expect(filter.thought).toHaveLength(20_000);
  });

  it('says nothing of thoughts that never end', () => {
    expect(said(['<think>and', ' on and on'])).toBe('');
  });

  it('takes back thoughts that the prompt had opened, however they are cut into pieces', () => {
    const texts = [
      'My notes say… </think>Hello.',
      'She asks.\n</think>\n\nHello.',
      '</think> Hello.',
      `I'll say: "Hello."</think> Hello.`,
      'One odd ` here.\nNow then.\n</think>\n\nHello.',
      'So:\n```js\nsay(`a`)\n```</think>Hello.',
      'With ```x``` I write\n</think>\nHello.',
    ];
    for (const text of texts)
      for (const pieces of [[text], Array.from(text), text.split(/(?=<)/)])
        expect(said(pieces)).toBe('Hello.');
    const filter = new ThoughtFilter();
    filter.push('She asks.');
    expect(filter.push('</think> ')).toEqual({ text: '', isAnew: false });
    expect(filter.push('Hello')).toEqual({ text: 'Hello', isAnew: true });
    expect(filter.push(' to </think>\nyou')).toEqual({ text: ' to </think>\nyou', isAnew: false });
    expect(filter.thought).toBe('She asks.');
  });

  it.each([
    'Write `<think>` first and `</think>` last.',
    'It ends with `</think>`. Then come the words.',
    'So:\n```xml\n</think>\n```\nThat is all.',
    "It is called '</think>', I believe.",
    'So:\n```js\nsay(`a`)\n```\nor\n```xml\n<a></think>\n```',
    'Models end their thoughts with </think> and then speak.',
    'It is called "</think>", I believe.',
    'First <think>, then\n</think>\nand so on.',
    'It is less, as in 3 </ 4.',
  ])('takes nothing back where an end of thoughts is spoken of: %j', (text) => {
    expect(said([text])).toBe(text);
    expect(said(Array.from(text))).toBe(text);
  });

  it('takes nothing back where nothing follows', () => {
    expect(said(Array.from('Hello.</think>'))).toBe('Hello.');
    expect(said(['Hello.', '</think>\n'])).toBe('Hello.');
    expect(said(['Hello.</thi'])).toBe('Hello.</thi');
  });

  it('takes back what stands before an end of thoughts that only calls follow', () => {
    for (const end of ['</think>', '\n</think>\n\n', '</think>\n']) {
      const filter = new ThoughtFilter();
      for (const piece of Array.from(`I should look it up.${end}`)) filter.push(piece);
      expect(filter.end(true)).toEqual({ text: '', isAnew: true });
      expect(filter.thought).toBe('I should look it up.');
    }
    const filter = new ThoughtFilter();
    filter.push('She asks.</think>I look it up.');
    expect(filter.end(true)).toEqual({ text: '', isAnew: false });
  });

  it('reads a thought of a megabyte in a moment', () => {
    const thought = ['<think>', ...Array<string>(300_000).fill('and '), '</think>Tea.'];
    expect(said(thought)).toBe('Tea.');
    expect(bestMsOf(() => said(thought), 1_000)).toBeLessThan(1_000);
    const unopened = thought.slice(1);
    expect(said(unopened)).toBe('Tea.');
    expect(bestMsOf(() => said(unopened), 1_000)).toBeLessThan(1_000);
  });

  it.each([[], ['<think>Tea?</think>'], ['Tea?</think>']])(
    'reads blanks without end after %j in a moment',
    (...before) => {
      const blanks = [...before, ...Array<string>(100_000).fill('\n'), 'Tea.'];
      expect(bestMsOf(() => said(blanks), 1_000)).toBeLessThan(1_000);
      expect(said(blanks)).toBe('Tea.');
    },
  );
});

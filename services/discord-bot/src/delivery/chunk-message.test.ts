import { describe, expect, it } from '@jest/globals';
import { slowReadings } from '@kith/testing';
import fc from 'fast-check';
import { chunkMessage } from './chunk-message.js';

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const bare = (text: string): string => text.replaceAll(/\s+/g, '');
const fences = (text: string): number => [...text.matchAll(/`{3,}/g)].length;

describe('chunkMessage', () => {
  it('keeps the bot busy for no longer than 50 ms', () => {
    expect(slowReadings((text) => chunkMessage(text))).toEqual([]);
  }, 300_000);

  it('leaves a message that fits as it is', () => {
    expect(chunkMessage('hello')).toEqual(['hello']);
    expect(chunkMessage('x'.repeat(2_000))).toEqual(['x'.repeat(2_000)]);
  });

  it.each(['`', '``` ', '```a\n', '` ', 'a'])(
    'makes few messages of %j, whatever it is repeated to',
    (piece) => {
      const text = piece.repeat(20_000 / piece.length);
      const chunks = chunkMessage(text);
      // A chunk is filled by two fifths at least, and some hold the marks that close and open a block.
      expect(chunks.length).toBeLessThan(20_000 / (2_000 * 0.4) + 2);
      for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(2_000);
    },
  );

  it.each(['👨‍👩‍👧‍👦', '🇩🇪', '👍🏽', 'か\u3099'])('cuts within no %s of 2,000', (sign) => {
    const text = `ab${sign.repeat(2_000)}`;
    const chunks = chunkMessage(text);
    expect(chunks.join('')).toBe(text);
    for (const chunk of chunks) expect(chunk.replace(/^ab/, '').replaceAll(sign, '')).toBe('');
  });

  it('makes nothing of a blank text', () => {
    expect(chunkMessage(' \n ')).toEqual([]);
  });

  it('cuts at a paragraph rather than at a later line, sentence or word', () => {
    const text = `${words(8)}\n\nSecond one. With\nmore ${words(8)}`;
    expect(chunkMessage(text, 100)[0]).toBe(words(8));
  });

  it('cuts at a line, then a sentence, then a word, by what there is', () => {
    expect(chunkMessage('aaaa aaaa\nbb. bb bbbb', 15)).toEqual(['aaaa aaaa', 'bb. bb bbbb']);
    expect(chunkMessage('aaaa aaa. bbbb bbbb', 16)).toEqual(['aaaa aaa.', 'bbbb bbbb']);
    expect(chunkMessage('aaaa aaaa bbbb bbbb', 16)).toEqual(['aaaa aaaa', 'bbbb bbbb']);
  });

  it('closes a code block at the cut and opens it again with its language', () => {
    const code = Array.from({ length: 20 }, (_, index) => `const line${index} = ${index};`).join('\n');
    const chunks = chunkMessage(`\`\`\`ts\n${code}\n\`\`\``, 150);
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk).toMatch(/^```ts\n[^`]+\n```$/);
    const inside = chunks.map((chunk) => chunk.slice('```ts\n'.length, -'\n```'.length));
    expect(inside.join('\n')).toBe(code);
  });

  it('keeps a code block whole when there is a cut before it', () => {
    const block = '```py\nprint("one")\nprint("two")\n```';
    const chunks = chunkMessage(`${words(9)}\n${block}\nafter`, 80);
    expect(chunks).toContain(`${block}\nafter`);
  });

  it('sends no empty block when a cut falls just before the closing fence', () => {
    const text = `\`\`\`\n${'x'.repeat(40)}\n\`\`\`\n${words(12)}`;
    for (let limit = 45; limit < 80; limit += 1)
      for (const chunk of chunkMessage(text, limit)) expect(chunk).not.toMatch(/```\s*```/);
  });

  it('closes a spoiler at the cut and opens it again, also around code', () => {
    expect(chunkMessage('It was ||the butler who did it|| in the end', 26)).toEqual([
      'It was ||the butler||',
      '||who did it|| in the end',
    ]);
    // It ends just at the cut.
    expect(chunkMessage('aaaa ||bbbb bbbb || cccc cccc', 24)).toEqual(['aaaa ||bbbb bbbb||', 'cccc cccc']);
    expect(chunkMessage('||\n```\nlet a = 1;\nlet b = 2;\n```\n|| end', 30).length).toBeGreaterThan(1);
    expect(chunkMessage('look: ||```\nlet a = 1;\nlet b = 2;\n```|| end', 34)).toEqual([
      'look: ||```\nlet a = 1;\n```||',
      '||```\nlet b = 2;\n```|| end',
    ]);
  });

  it('hides nothing behind bars that stand for something else, however long the reply', () => {
    const text = `Say ||exit or stop.\n\n${'More words. '.repeat(10)}\n\n${'And more. '.repeat(10)}`;
    expect(chunkMessage(text, 100).join('').match(/\|\|/g)).toHaveLength(1);
  });

  it('closes a spoiler the model left open, and takes bars that mean something else as they are', () => {
    expect(chunkMessage('It was ||the butler')).toEqual(['It was ||the butler||']);
    for (const text of ['a || b', '`a ||b`', '||a dangling one\n\nand more', '```\nif (a ||b)\n```'])
      expect(chunkMessage(text)).toEqual([text]);
  });

  it('closes a block the model left open', () => {
    expect(chunkMessage('```js\nlet a;')).toEqual(['```js\nlet a;\n```']);
  });

  it('never parts a surrogate pair', () => {
    for (let limit = 10; limit < 14; limit += 1)
      for (const chunk of chunkMessage('🦊'.repeat(30), limit)) {
        expect(chunk).not.toMatch(/\p{Surrogate}/u);
        expect(chunk.length).toBeLessThanOrEqual(limit);
      }
  });

  const piece = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom('\n', '\n\n', '. ', ' ', '```', '```ts\n', '\n```\n', '🦊', '```\n'),
  );
  const anyText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  it('keeps within the limit and makes no blank or half-open chunk, whatever the text', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 60, max: 200 }), (text, limit) => {
        for (const chunk of chunkMessage(text, limit)) {
          expect(chunk.length).toBeLessThanOrEqual(limit);
          expect(chunk.trim()).not.toBe('');
          expect(fences(chunk) % 2).toBe(0);
        }
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it('hides in each chunk what the text hides, and nothing else', () => {
    const said = (letter: string) =>
      fc
        .array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom(' ', '. ', '\n', '\n\n')), {
          minLength: 1,
          maxLength: 20,
        })
        .map((parts) =>
          parts
            .map(([length, end]) => letter.repeat(length) + end)
            .join('')
            .trim(),
        );
    const part = fc.oneof(
      said('a'),
      said('z').map((text) => `||${text}||`),
      fc.constant('```\na ||a\n```'),
    );
    const texts = fc.array(part, { maxLength: 12 }).map((parts) => parts.join('\n'));
    fc.assert(
      fc.property(texts, fc.integer({ min: 60, max: 200 }), (text, limit) => {
        for (const chunk of chunkMessage(text, limit)) {
          expect(chunk.length).toBeLessThanOrEqual(limit);
          const words = chunk.replaceAll(/```[^]*?```/g, '');
          expect(words.replaceAll(/\|\|[^]+?\|\|/g, '')).not.toMatch(/[z|]/);
          for (const [hidden] of words.matchAll(/\|\|[^]+?\|\|/g)) expect(hidden).not.toContain('a');
        }
      }),
      { numRuns: 500, seed: 13 },
    );
  });

  it('loses and adds nothing but whitespace where there is no code', () => {
    const plain = fc.array(fc.string({ maxLength: 80 }), { maxLength: 30 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(plain, fc.integer({ min: 20, max: 200 }), (text, limit) => {
        const noCode = text.replaceAll(/[`|]/g, "'");
        expect(bare(chunkMessage(noCode, limit).join(''))).toBe(bare(noCode));
      }),
      { numRuns: 500, seed: 11 },
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { splitText } from '../words/split-text.js';
import { chunkDocument, MAX_CHARACTERS, wordChunk } from './chunk-document.js';

describe('the chunks of a document', () => {
  it('stand under their headings', () => {
    const chunks = chunkDocument(
      'Intro.\n\n# Bread\n\nFlour.\n\n## Rye\n\nSour.\n\n# Cake\n\n```\n# no heading\n```',
    );
    expect(chunks).toEqual([
      { path: [], text: 'Intro.' },
      { path: ['Bread'], text: 'Flour.' },
      { path: ['Bread', 'Rye'], text: 'Sour.' },
      { path: ['Cake'], text: '```\n# no heading\n```' },
    ]);
  });

  it.each([
    ['# Learning C#', 'Learning C#'],
    ['# Learning C# ##', 'Learning C#'],
    ['# Bread #', 'Bread'],
    ['# Bread \t###  ', 'Bread'],
  ])('have the words of the heading %j', (heading, words) => {
    expect(chunkDocument(`${heading}\n\nText.`)).toEqual([{ path: [words], text: 'Text.' }]);
  });

  it.each([
    ['of other signs', '```\n~~~\n# a\n```'],
    ['that is shorter', '````\n```\n# a\n````'],
    ['with words after it', '```\n``` js\n# a\n```'],
    ['that is longer', '~~~ js\n# a\n~~~~'],
    ['within a line', '```x``` is code.'],
  ])('end code where it ends, and not at a fence %s', (_, code) => {
    const [first, second] = chunkDocument(`# One\n\n${code}\n\n# Two\n\nText.`);
    expect(first).toEqual({ path: ['One'], text: code });
    expect(second).toEqual({ path: ['Two'], text: 'Text.' });
  });

  it('hold short paragraphs together and cut long ones between sentences, and lose no word', () => {
    const long = Array.from({ length: 120 }, (_, n) => `Sentence number ${n} is here.`).join(' ');
    const chunks = chunkDocument(`One.\n\nTwo.\n\n${long}`);
    expect(chunks[0]!.text.startsWith('One.\n\nTwo.')).toBe(true);
    expect(chunks.every(({ text }) => text.length <= MAX_CHARACTERS)).toBe(true);
    expect(
      chunks
        .map(({ text }) => text)
        .join(' ')
        .replaceAll(/\s+/g, ' '),
    ).toBe(`One. Two. ${long}`);
    expect(chunks.slice(1).every(({ text }) => /^\S/.test(text) && /[.]$/.test(text))).toBe(true);
  });

  it('have short headings, and lose none that stands alone', () => {
    const long = 'word '.repeat(5_000).trim();
    const chunks = chunkDocument(`# ${long}\n\n## a\n\nx\n\n## b\n\n## c\n`);
    expect(Math.max(...chunks.map(({ path }) => path.join(' › ').length))).toBeLessThan(130);
    const texts = chunks.map(({ text }) => text);
    expect(texts.slice(0, -3).join(' ')).toBe(long);
    expect(texts.slice(-3)).toEqual(['x', 'b', 'c']);
    expect(chunkDocument('## Open 9–5\n## Closed Sundays').map(({ text }) => text)).toEqual([
      'Open 9–5',
      'Closed Sundays',
    ]);
  });

  it('are a memory each, with the longest title and headings', () => {
    const headings = Array.from({ length: 6 }, (_, n) => `${'#'.repeat(n + 1)} ${'long '.repeat(24)}\n\n`);
    const body = `${'Some words here. '.repeat(200)}\n\n${'x'.repeat(2_000)}`;
    const chunks = chunkDocument(`${headings.join('')}${body}`);
    expect(chunks.every(({ path }) => path.length === 6)).toBe(true);
    const kept = chunks.map((chunk) => wordChunk('t'.repeat(120), chunk));
    expect(kept.flatMap((text) => splitText(text))).toEqual(kept);
    expect(
      chunks
        .map(({ text }) => text)
        .join('')
        .replaceAll(/\s/g, ''),
    ).toBe(body.replaceAll(/\s/g, ''));
  });

  it('cut what has no sentences and no spaces', () => {
    const chunks = chunkDocument('x'.repeat(2_000));
    expect(chunks.map(({ text }) => text.length)).toEqual([900, 900, 200]);
    expect(chunkDocument(`x${'😀'.repeat(1_000)}`).every(({ text }) => text.isWellFormed())).toBe(true);
    expect(chunkDocument(' \n\n ')).toEqual([]);
  });
});

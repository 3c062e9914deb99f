import { describe, expect, it } from '@jest/globals';
import { slowReadings } from '@kith/testing';
import { parseReply } from './reply-text.js';

describe('parseReply', () => {
  it('keeps the page busy for no longer than 50 ms, whatever a reply quotes', () => {
    expect(slowReadings(parseReply)).toEqual([]);
  }, 300_000);

  it('splits paragraphs at empty lines and keeps single breaks', () => {
    expect(parseReply('one\ntwo\n\n\nthree\n')).toEqual([
      { kind: 'paragraph', spans: [{ kind: 'text', text: 'one\ntwo' }] },
      { kind: 'paragraph', spans: [{ kind: 'text', text: 'three' }] },
    ]);
  });

  it('finds code, strong, emphasis and addresses', () => {
    expect(parseReply('**a** *b* `c*d*` https://kith.example/x?y=1.')).toEqual([
      {
        kind: 'paragraph',
        spans: [
          { kind: 'strong', text: 'a' },
          { kind: 'text', text: ' ' },
          { kind: 'emphasis', text: 'b' },
          { kind: 'text', text: ' ' },
          { kind: 'code', text: 'c*d*' },
          { kind: 'text', text: ' ' },
          { kind: 'link', text: 'https://kith.example/x?y=1', href: 'https://kith.example/x?y=1' },
          { kind: 'text', text: '.' },
        ],
      },
    ]);
  });

  it('keeps a fenced block as it is, also while it is still being written', () => {
    expect(parseReply('see\n```ts\nlet a = **b**;\n\n```\nok')).toEqual([
      { kind: 'paragraph', spans: [{ kind: 'text', text: 'see' }] },
      { kind: 'code', language: 'ts', text: 'let a = **b**;\n' },
      { kind: 'paragraph', spans: [{ kind: 'text', text: 'ok' }] },
    ]);
    expect(parseReply('```\nhalf')).toEqual([{ kind: 'code', language: null, text: 'half' }]);
  });

  it.each(['2 * 3 * 4', 'a ** b', '`', '*', 'javascript:alert(1)', '<b>bold</b>'])(
    'leaves %j as it was written',
    (text) => {
      expect(parseReply(text)).toEqual([{ kind: 'paragraph', spans: [{ kind: 'text', text }] }]);
    },
  );
});

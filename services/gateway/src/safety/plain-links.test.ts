import { describe, expect, it } from '@jest/globals';
import { bestMsOf } from '@kith/testing';
import fc from 'fast-check';
import { LinkFilter, plainLinks } from './plain-links.js';

const HOSTS = ['ok.example'];
const plain = (text: string) => plainLinks(text, HOSTS);

describe('links in a reply', () => {
  it('stay where the operator allows their host, or a host above it', () => {
    for (const text of [
      'See https://ok.example/a?b=c#d.',
      '<https://docs.ok.example>',
      'HTTP://OK.EXAMPLE:8080/x',
      '**https://ok.example**',
    ])
      expect(plain(text)).toBe(text);
    expect(plainLinks('https://any.example/x', ['*'])).toBe('https://any.example/x');
  });

  it.each([
    ['of other hosts', 'https://evil.example/x', 'https: //evil.example/x'],
    ['of hosts that only look alike', 'https://notok.example/', 'https: //notok.example/'],
    ['of hosts that begin with a point', 'https://.ok.example', 'https: //.ok.example'],
    ['of hosts with two points', 'https://a..ok.example/', 'https: //a..ok.example/'],
    ['behind an account', 'https://ok.example@evil.example/', 'https: //ok.example@evil.example/'],
    ...[300, 1_000].map((far): [string, string, string] => [
      `behind an account, ${far} marks later`,
      `https://ok.example${')'.repeat(far)}@e.x/`,
      `https: //ok.example${')'.repeat(far)}@e.x/`,
    ]),
    ['behind a backslash', 'https://ok.example\\@evil.example/', 'https: //ok.example\\@evil.example/'],
    ['with escapes in the host', 'https://ok.example%2eevil.example/', 'https: //ok.example%2eevil.example/'],
    ['with letters that look alike', 'https://ok.exаmple/', 'https: //ok.exаmple/'],
    [
      'going on after a letter beyond ASCII',
      'https://ok.example。evil.example',
      'https: //ok.example。evil.example',
    ],
    ['of other programs', 'steam://run/1 JavaScript://x', 'steam: //run/1 JavaScript: //x'],
    ['of other programs at an allowed host', 'steam://ok.example/x', 'steam: //ok.example/x'],
    ['one in another', 'https:http:////evil.example', 'https:http: ////evil.example'],
    ['two on end', 'https://https://evil.example', 'https: //https: //evil.example'],
    ['of invitations', 'discord.gg/abc Discord.com/invite/abc', 'discord.gg /abc Discord.com /invite/abc'],
  ])('can’t be followed %s', (_, text, shown) => {
    expect(plain(text)).toBe(shown);
  });

  it.each([
    ['[my bank](https://evil.example)', '[my bank] (https: //evil.example)'],
    ['[here](https://ok.example/x)', '[here] (https://ok.example/x)'],
    ['[here](<https://ok.example/x> "title")', '[here] (<https://ok.example/x> "title")'],
    ['![](https://ok.example/x?said=secret)', '![] (https://ok.example/x?said=secret)'],
    ['[![a](https://a.example)](https://b.example)', '[![a] (https: //a.example)] (https: //b.example)'],
    ['[https://ok.example](https://evil.example)', '[https://ok.example] (https: //evil.example)'],
    ['`[a](https://evil.example)', '`[a] (https: //evil.example)'],
  ])('are shown in full, and no picture is: %s', (text, shown) => {
    expect(plain(text)).toBe(shown);
  });

  it('leaves what is no link as it is', () => {
    const text = 'At 10:30 // or f(x)[0], 好的，谢谢。 <@123> <:smile:4> a/b\n```js\nx = [1]\n```';
    expect(plain(text)).toBe(text);
  });

  const hostile = fc
    .array(
      fc.constantFrom(
        'https',
        'http',
        ':',
        '//',
        '://',
        '/',
        ']',
        '(',
        '[',
        '!',
        '<',
        '>',
        '@',
        '\\',
        '%',
        ' ',
        '\n',
        '.',
        '`',
        'ok.example',
        'evil.example',
        'discord.gg',
        'a',
        'é',
        '好',
        '😀',
        '#',
        '?',
        '"',
        '*',
        'x'.repeat(300),
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join(''));

  it('are the same however the text comes in pieces', () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.nat(200), { maxLength: 30 }), (text, cuts) => {
        const filter = new LinkFilter(HOSTS);
        let told = '';
        let from = 0;
        for (const length of cuts) {
          told += filter.push(text.slice(from, from + length));
          from += length;
        }
        told += filter.push(text.slice(from)) + filter.end();
        expect(told).toBe(plain(text));
      }),
      { numRuns: 500 },
    );
  });

  it('never lead elsewhere, and never stand behind words, whatever is written', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = plain(text);
        expect(shown).not.toContain('](');
        expect(shown).not.toMatch(/discord\.gg[/\\]/);
        for (const [, host] of shown.matchAll(/[a-z]:\/\/(\S*)/gi))
          expect(host).toMatch(/^ok\.example($|:\d|[/?#)\]}>*_~|"'.,;:!`])/);
        expect(shown.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
      { numRuns: 1_000 },
    );
  });

  it('take no longer for being hostile', () => {
    for (const piece of ['a', 'a://', '](', 'https://ok.example', 'discord.gg', '[![', 'http:', '好://']) {
      const text = piece.repeat(Math.ceil(100_000 / piece.length));
      // Takes some 5 ms.
      expect(bestMsOf(() => plain(text), 500)).toBeLessThan(500);
    }
  });
});

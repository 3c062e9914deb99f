import { describe, expect, it } from '@jest/globals';
import { pageText } from './page-text.js';

const words = (html: string) => pageText(html, 1_000);

describe('the words of a page', () => {
  it.each([
    ['its title apart', '<title> A\n page </title><body>text', { title: 'A page', text: 'text' }],
    ['a line for each block', '<h1>One</h1><p>two <b>three</b><br>four', 'One\ntwo three\nfour'],
    ['nothing of menus and scripts', '<nav>Menu</nav><script>x()</script><p>a<footer>f</footer>', 'a'],
    [
      'of a form all but its controls',
      '<form><p>a<select><option>no</select><textarea>no</textarea><button>no</button> b</form>',
      'a b',
    ],
    ['what follows a menu that is never ended', '<div><nav>Menu<aside>no</aside></div><p>a', 'Menu\na'],
    [
      'a page within a menu that is never ended',
      '<body><nav>Menu<p>a<main>b</main>c</body>',
      'Menu\na\nb\nc',
    ],
    ['characters by their names', '<p>Tom &amp; J&eacute;r&ocirc;me', 'Tom & Jérôme'],
    ['no title of a drawing', '<svg><title>no</title></svg><p>a', { title: '', text: 'a' }],
  ])('are read: %s', (_, html, expected) => {
    expect(words(html)).toMatchObject(typeof expected === 'string' ? { text: expected } : expected);
  });

  it('are those of its article, where that is more than a teaser', () => {
    const html = (article: string) => `<div>Offers</div><article>${article}</article><div>More</div>`;
    expect(words(html('word '.repeat(100))).text).toBe('word '.repeat(100).trim());
    expect(words(html('short')).text).toBe('Offers\nshort\nMore');
  });

  it('are cut, and a page that is nested without end is given up', () => {
    expect(pageText('<p>word '.repeat(5_000), 100).text).toHaveLength(100);
    expect(pageText(`<p>a</p>${'<div>'.repeat(200_000)}b`, 100).text).toBe('a');
  });
});

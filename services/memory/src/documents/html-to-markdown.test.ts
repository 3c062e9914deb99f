import { describe, expect, it } from '@jest/globals';
import { bestMsOf } from '@kith/testing';
import { htmlToMarkdown } from './html-to-markdown.js';

describe('HTML as Markdown', () => {
  it.each([
    ['headings and paragraphs', '<h1>Pool</h1><p>Clean\n it.<p>Again.', '# Pool\n\nClean it.\n\nAgain.'],
    ['emphasis', 'on <b>Mondays</b> and <em>now</em>, <code>x</code>', 'on **Mondays** and _now_, `x`'],
    ['line breaks', 'one<br>two<br><br><br>three', 'one\ntwo\n\nthree'],
    ['lists', '<ul><li>a<ol start=3><li>b<li>c</ol><li>d</ul>e', '- a\n  3. b\n  4. c\n- d\n\ne'],
    ['code as it stands', '<pre>a\n  # b</pre>c', '```\na\n  # b\n```\n\nc'],
    ['code with fences in it', '<pre>```\na\n`````\n</pre>c', '``````\n```\na\n`````\n\n``````\n\nc'],
    ['tables by their rows', '<table><tr><td>a</td><td>b</td></tr><tr><td>c', 'a | b\nc'],
    [
      'empty cells where a row begins',
      '<table><tr><th></th><th>Mon</th><th></th><th>Tue</th></tr><tr><td>&nbsp;<td> <td><b>8</b></tr><tr><td>a<td>9',
      '| Mon |  | Tue\n| | **8**\na | 9',
    ],
    [
      'nothing of rows without words',
      '<table><tr><td></td><td></td></tr><tr><td></td><td>a</td></tr><tr><td><td></table>b',
      '| a\n\nb',
    ],
    ['a heading after an empty cell', '<table><tr><td></td><td><h2>One</h2><p>a', '## One\n\na'],
    ['code after an empty cell', '<table><tr><td></td><td><pre>a\nb</pre>', '```\na\nb\n```'],
    ['paragraphs in cells', '<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>', 'a\n\nb'],
    ['the words of links and images', '<a href="http://x">here</a> <img alt="a cat">', 'here a cat'],
    ['character references', 'Tom &amp; J&eacute;r&ocirc;me &#35;1', 'Tom & Jérôme #1'],
    ['a heading of several lines', '<h2>One<br>two <div>three</div></h2>x', '## One two three\n\nx'],
    ['what only looks like a heading or a fence', '<p># no</p><p>```</p>', '\\# no\n\n\\```'],
    ['nothing of what is not read', '<title>t</title><script>x()</script><style>p{}</style>a', 'a'],
    ['text in a head that never ends', '<head><meta charset=utf-8><body>a', 'a'],
    ['text of an element that has a name of every object', '<constructor>a</constructor>', 'a'],
    ['text in a form', '<form><input value=x><p>a</p><select><option>b</select></form>', 'a'],
  ])('keeps %s', (_, html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });

  it('refuses what is nested deeper than a browser would nest it', () => {
    expect(htmlToMarkdown(`${'<div>'.repeat(500)}x`)).toBe('x');
    expect(() => htmlToMarkdown('<div>'.repeat(3_000))).toThrow('nested deeper than 512 levels');
  });

  it('reads a book of many paragraphs in one pass', () => {
    const book = '<p>A line of a <i>book</i>.<br>'.repeat(30_000);
    expect(htmlToMarkdown(book).length).toBe(30_000 * 21 - 2);
    // Measured at 100 ms; the library before took minutes.
    expect(bestMsOf(() => htmlToMarkdown(book), 1_000)).toBeLessThan(1_000);
  });
});

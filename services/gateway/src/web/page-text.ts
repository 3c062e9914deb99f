import { Parser } from 'htmlparser2';

/** Elements that hold nothing to read. A form may hold a whole page: of it, only the controls do. */
const UNREAD = new Set(
  (
    'script style noscript iframe object template svg math select datalist textarea button video audio ' +
    'canvas'
  ).split(' '),
);
/** Elements that hold nothing of the page's own subject, if they end where their page says. */
const BESIDE = new Set('nav footer aside dialog menu'.split(' '));
/** Elements that begin and end a line. */
const LINES = new Set(
  (
    'address article blockquote br caption dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 header hr ' +
    'li main ol p pre section summary table td th tr ul'
  ).split(' '),
);
/** Depth of nesting that is read, as deep as browsers go: the parser's time grows with its square. */
const MAX_DEPTH = 512;
/** Characters of an article below which the whole page is told: a shorter one may be a teaser. */
const MIN_ARTICLE = 400;
/** Characters of a title: what is longer is meant for search engines. */
const MAX_TITLE = 200;

/** Reads the words of an HTML page: those of its article where it marks one. One pass, without a tree. */
export function pageText(html: string, maxCharacters: number) {
  const [whole, article]: [string[], string[]] = [[], []];
  const length = { whole: 0, article: 0 };
  let title = '';
  let [depth, unread, inArticle] = [0, 0, 0];
  let isTitle = false;
  /** Words of the elements beside the subject that are open, and where those of each begin. */
  const beside: { words: string[]; begins: number[] } = { words: [], begins: [] };
  const put = (text: string) => {
    if (unread > 0) return;
    if (beside.begins.length > 0) {
      beside.words.push(text);
      return;
    }
    whole.push(text);
    length.whole += text.length;
    if (inArticle === 0) return;
    article.push(text);
    length.article += text.length;
  };
  const step = (name: string, by: 1 | -1) => {
    depth += by;
    if (name === 'title' && unread === 0) isTitle = by === 1 && title === '';
    if (LINES.has(name)) put('\n');
    if (UNREAD.has(name)) unread += by;
    if (name === 'article' || name === 'main') inArticle += by;
  };
  /** Leaves the words of an element out; one that was never ended may hold the rest of the page. */
  const leave = (isEnded: boolean) => {
    const begin = beside.begins.pop() ?? 0;
    if (isEnded) beside.words.length = begin;
    if (beside.begins.length === 0) for (const text of beside.words.splice(0)) put(text);
  };
  const parser = new Parser({
    onopentag: (name) => {
      step(name, 1);
      if (BESIDE.has(name)) beside.begins.push(beside.words.length);
    },
    ontext: (text) => {
      // A line's end in the source is a space on the page.
      const words = text.replaceAll('\n', ' ');
      if (isTitle) title += words.slice(0, MAX_TITLE);
      else put(words);
    },
    onclosetag: (name, isImplied) => {
      if (BESIDE.has(name)) leave(!isImplied);
      step(name, -1);
    },
  });
  // In pieces, so that the rest of a page that is given up is not parsed.
  for (let at = 0; at < html.length && depth <= MAX_DEPTH && length.article <= maxCharacters; at += 4_096)
    parser.write(html.slice(at, at + 4_096));
  parser.end();
  const text = tidied(length.article >= MIN_ARTICLE ? article : whole);
  return { title: tidied([title]).slice(0, MAX_TITLE), text: text.slice(0, maxCharacters) };
}

/** Joins pieces: spaces are one space, lines have no empty one between them. */
function tidied(pieces: readonly string[]): string {
  const lines = pieces.join('').split('\n');
  return lines
    .map((line) => line.split(/\s+/).filter(Boolean).join(' '))
    .filter(Boolean)
    .join('\n');
}

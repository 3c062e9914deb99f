import { Parser } from 'htmlparser2';
import { beyond, LIMITS } from './document-limits.js';

/**
 * Turns HTML into Markdown in one pass, without a tree, so that its time grows with the length alone. Keeps structure,
 * emphasis, lists and code, and the words of links and images.
 * @throws AppError `invalid_request` for what is nested too deep or too long
 */
export function htmlToMarkdown(html: string): string {
  const writer = new MarkdownWriter();
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    ontext: (text) => writer.write(text),
    onclosetag: (name) => writer.close(name),
  });
  parser.end(html);
  return writer.text();
}

/** Elements that are not read: code, drawings, fields of forms. */
const UNREAD = new Set(
  'script style noscript iframe object template svg math select textarea button title'.split(' '),
);

/** Elements that begin and end a paragraph. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form ' +
    'header main nav ol p section summary table ul'
  ).split(' '),
);

/** Marks around words, by tag. A map, for a tag may be called `constructor`. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ['b', '**'],
  ['strong', '**'],
  ['em', '_'],
  ['i', '_'],
  ['code', '`'],
]);

/** Attributes of an element that are read. */
interface Attributes {
  alt?: string;
  start?: string;
}

/** Writes Markdown from the events of an HTML parser, within the limits of a document. */
class MarkdownWriter {
  private readonly pieces: string[] = [];
  private length = 0;
  private depth = 0;
  /** Count of open elements that are not read. */
  private unread = 0;
  private headings = 0;
  private preformatted = 0;
  /** Place of the fence of the open code among the pieces. */
  private fenceAt = 0;
  /** The open lists, each with the number of its next item; null without numbers. */
  private readonly lists: (number | null)[] = [];
  /** Cells that began in the open row since something was last written. */
  private cells = 0;
  /** Line ends after what was written last; a text begins as if after two. */
  private lineEnds = 2;
  private afterSpace = true;

  /** Beginnings of elements beside headings, blocks and marks. A map, as those of the marks. */
  private readonly openers: ReadonlyMap<string, (attributes: Attributes) => void> = new Map([
    ['li', () => this.openItem()],
    ['pre', () => this.openCode()],
    ['br', () => this.endLine(this.lineEnds + 1)],
    ['hr', () => this.rule()],
    ['tr', () => this.openRow()],
    ['td', () => this.openCell()],
    ['th', () => this.openCell()],
    ['img', ({ alt }: Attributes) => this.write(alt ?? '')],
  ]);

  open(name: string, attributes: Attributes): void {
    this.depth += 1;
    if (this.depth > LIMITS.depth) throw beyond('depth');
    if (UNREAD.has(name)) this.unread += 1;
    if (this.unread > 0) return;
    const heading = headingOf(name);
    const opener = this.openers.get(name);
    if (heading > 0) this.openHeading(heading);
    else if (BLOCKS.has(name)) this.openBlock(name, attributes);
    else if (opener) opener(attributes);
    else if (this.preformatted === 0) this.put(MARKS.get(name) ?? '');
  }

  close(name: string): void {
    this.depth -= 1;
    if (UNREAD.has(name)) this.unread -= 1;
    if (this.unread > 0 || UNREAD.has(name)) return;
    if (name === 'tr' || name === 'table') this.cells = 0;
    if (headingOf(name) > 0) {
      this.headings -= 1;
      this.pieces.push((this.pieces.pop() ?? '').trimEnd());
      this.endLine(2);
    } else if (BLOCKS.has(name)) {
      if (name === 'ul' || name === 'ol') this.lists.pop();
      this.endLine(this.lists.length > 0 ? 1 : 2);
    } else if (name === 'pre') this.closeCode();
    else if (this.preformatted === 0) this.put(MARKS.get(name) ?? '');
  }

  write(text: string): void {
    if (this.unread > 0) return;
    if (this.preformatted > 0) return this.put(text);
    // White space is one space, and none where a line begins.
    const words = text.replaceAll(/\s+/g, ' ');
    const shown = this.afterSpace && words.startsWith(' ') ? words.slice(1) : words;
    if (shown === '') return;
    // A text that begins like a heading or a fence is neither.
    const isMarked = this.lineEnds > 0 && this.headings === 0 && /^(?:#|```|~~~)/.test(shown);
    this.put(isMarked ? `\\${shown}` : shown);
    this.afterSpace = shown.endsWith(' ');
  }

  text(): string {
    return this.pieces.join('').trim();
  }

  private openHeading(level: number): void {
    this.beginMarkedLine(2);
    this.put(`${'#'.repeat(level)} `);
    this.afterSpace = true;
    this.headings += 1;
  }

  private openBlock(name: string, { start }: Attributes): void {
    this.endLine(this.lists.length > 0 ? 1 : 2);
    if (name === 'ul') this.lists.push(null);
    if (name === 'ol') this.lists.push(Number.parseInt(start ?? '', 10) || 1);
  }

  private openItem(): void {
    this.beginMarkedLine(1);
    const depth = this.lists.length;
    const number = this.lists.at(-1) ?? null;
    if (number !== null) this.lists[depth - 1] = number + 1;
    // From a few levels on, lists are indented alike.
    this.put(`${'  '.repeat(Math.min(Math.max(depth - 1, 0), 8))}${number === null ? '-' : `${number}.`} `);
    this.afterSpace = true;
  }

  private openRow(): void {
    this.endLine(1);
    this.cells = 0;
  }

  private openCell(): void {
    if (this.lineEnds === 0) this.put(' | ');
    else this.cells += 1;
    this.afterSpace = true;
  }

  private openCode(): void {
    this.beginMarkedLine(2);
    if (this.preformatted === 0) {
      this.fenceAt = this.pieces.length;
      this.put('```\n');
    }
    this.preformatted += 1;
  }

  private closeCode(): void {
    this.preformatted -= 1;
    if (this.preformatted > 0) return;
    // Longer than any fence within the code.
    const runs =
      this.pieces
        .slice(this.fenceAt + 1)
        .join('')
        .match(/`{3,}/g) ?? [];
    const fence = '`'.repeat(runs.reduce((longest, { length }) => Math.max(longest, length + 1), 3));
    this.put(`\n${fence}`);
    this.length += fence.length - 3;
    this.pieces[this.fenceAt] = `${fence}\n`;
    this.endLine(2);
  }

  private rule(): void {
    this.beginMarkedLine(2);
    this.put('---');
    this.endLine(2);
  }

  /** Ends the line before an element whose mark begins the next: no cells stand before it. */
  private beginMarkedLine(lineEnds: number): void {
    this.cells = 0;
    this.endLine(lineEnds);
  }

  /** Ends the line with so many line ends, at most two; in a heading, which is one line, with a space. */
  private endLine(lineEnds: number): void {
    if (this.headings > 0) return this.write(' ');
    const wanted = Math.min(lineEnds, 2);
    if (wanted <= this.lineEnds) return;
    this.put('\n'.repeat(wanted - this.lineEnds));
    this.lineEnds = wanted;
    this.afterSpace = true;
  }

  private put(piece: string): void {
    if (piece === '') return;
    if (this.cells > 0 && /\S/.test(piece)) {
      // Empty cells at the beginning of a row are told only where something follows.
      const empty = this.cells - 1;
      this.cells = 0;
      this.put('| '.repeat(empty));
    }
    this.length += piece.length;
    if (this.length > LIMITS.characters) throw beyond('characters');
    this.pieces.push(piece);
    this.lineEnds = 0;
    this.afterSpace = false;
  }
}

/** Gives a heading's level, 1 to 6; 0 for other elements. */
function headingOf(name: string): number {
  return name.length === 2 && name >= 'h1' && name <= 'h6' ? Number(name[1]) : 0;
}

import { MAX_MEMORY_CHARACTERS, splitText } from '../words/split-text.js';

/** Part of a document that can be read alone. */
export interface Chunk {
  /** Headings above it, outermost first. */
  path: string[];
  text: string;
}

/** Characters of a chunk: a paragraph or two, which a recall can show whole. */
export const MAX_CHARACTERS = 900;
/** Characters of a heading: it is repeated with each chunk below it. The rest of a longer one is text. */
const MAX_HEADING = 120;
/** The longest title that a document may have (`addDocument`): it is repeated with each chunk, too. */
const LONGEST_TITLE = 'x'.repeat(120);
/** Characters of a whole chunk; a shorter one is joined with what follows under the same heading. */
const MIN_CHARACTERS = 200;

/**
 * Cuts Markdown or plain text into chunks: at headings, then between paragraphs, then between sentences. No chunk is
 * longer than `MAX_CHARACTERS`, nor than a memory with its title and headings, and no word is lost. Pure.
 */
export function chunkDocument(markdown: string): Chunk[] {
  return sectionsOf(markdown).flatMap(({ path, body }) => {
    const most = Math.min(
      MAX_CHARACTERS,
      MAX_MEMORY_CHARACTERS - wordChunk(LONGEST_TITLE, { path, text: '' }).length,
    );
    const parts = body.split(/\n\s*\n/).flatMap((paragraph) => splitLong(paragraph, most));
    return join(parts, '\n\n', most, MIN_CHARACTERS).map((text) => ({ path, text }));
  });
}

/** Words a chunk as it is kept: what it is of, then its text. */
export function wordChunk(title: string, { path, text }: Chunk): string {
  return `[${[title, ...path].join(' › ')}] ${text}`;
}

/** Line that may begin or end code, with the rest of the line. */
const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/s;

interface Section {
  path: string[];
  body: string;
}

function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [];
  const path: string[] = [];
  let lines: string[] = [];
  let fence = '';
  const close = (nextDepth: number): void => {
    const body = lines.join('\n').trim();
    const own = path.at(-1);
    if (body !== '') sections.push({ path: path.filter(Boolean), body });
    // A heading with nothing below it is kept as text.
    else if (own !== undefined && nextDepth <= path.length)
      sections.push({ path: path.slice(0, -1).filter(Boolean), body: own });
    lines = [];
  };
  for (const line of markdown.replaceAll('\r\n', '\n').split('\n')) {
    fence = fenceAfter(line, fence);
    const heading = fence !== '' ? null : /^(#{1,6})\s+(\S.*)$/.exec(line.trimEnd());
    if (!heading) {
      lines.push(line);
      continue;
    }
    const [, { length: depth } = '', title = ''] = heading;
    close(depth);
    // A run of signs ends a heading only after a space: `C#` is a word.
    const words = title.replace(/(?:^|\s)#+$/, '').trimEnd();
    path.length = depth;
    path[depth - 1] = splitText(words, MAX_HEADING)[0] ?? '';
    if (words.length > MAX_HEADING) lines.push(words);
    for (let above = 0; above < depth; above += 1) path[above] ??= '';
  }
  close(0);
  return sections;
}

/**
 * Returns the fence that is open after a line, or nothing. One ends with as many of its own signs at least, alone on their
 * line; what has backticks after backticks is code within a line.
 */
function fenceAfter(line: string, open: string): string {
  const [, fence = '', rest = ''] = FENCE.exec(line) ?? [];
  if (open === '') return fence.startsWith('`') && rest.includes('`') ? '' : fence;
  return fence.startsWith(open) && rest.trim() === '' ? '' : open;
}

/** Cuts a paragraph into pieces that fit: by sentences, by words where a sentence is too long, and within one that is. */
function splitLong(paragraph: string, most: number): string[] {
  const text = paragraph.trim();
  if (text === '') return [];
  if (text.length <= most) return [text];
  const sentences = text.split(/(?<=[.!?。！？])\s+|\n/u);
  const parts = sentences.length > 1 ? sentences : text.split(/\s+/u);
  if (parts.length === 1) return splitText(text, most);
  return join(
    parts.flatMap((part) => splitLong(part, most)),
    ' ',
    most,
  );
}

/**
 * Joins neighbours, as many as fit.
 * @param most characters of a part
 * @param until the length from which nothing more is joined to a part
 */
function join(parts: readonly string[], between: string, most: number, until = most): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const fits = last !== undefined && last.length + between.length + part.length <= most;
    if (fits && last.length < until) joined[joined.length - 1] = `${last}${between}${part}`;
    else joined.push(part);
  }
  return joined;
}

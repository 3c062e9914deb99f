import { getDocumentProxy } from 'unpdf';
import { AppError } from '@kith/contracts/app-error';
import { beyond, LIMITS, refused } from './document-limits.js';
import { checkInflatedSize } from './check-inflated-size.js';

/** Type of a PDF, as far as it is read here: the package's own types name a module that does not come with it. */
interface Pdf {
  readonly numPages: number;
  getPage(number: number): Promise<{ streamTextContent(): AsyncIterable<TextContent>; cleanup(): void }>;
}

/**
 * Word that a line's end may divide, no part of a link, an address or a longer compound: `pre-` before an "and" stands for
 * a whole word. Of more letters than any word has, the text stays.
 */
const DIVIDED =
  /(?<![\p{L}\p{N}@/._-])(\p{L}{0,40}\p{Ll})([-\u00ad\u2010])\n(?!(?:and|or|to|und|oder|bis|et|ou|y|o|e)\b)(\p{Ll}{1,40})(?![\p{L}\p{N}]|[./@_][\p{L}\p{N}])/gu;

/**
 * Reads the text of a PDF, page by page: pages are the structure that every PDF has.
 * @throws AppError `invalid_request` for what is not a PDF, holds no text, or goes beyond a limit
 */
export async function pdfToMarkdown(bytes: Uint8Array): Promise<string> {
  checkInflatedSize(bytes);
  const options = { isEvalSupported: false, useSystemFonts: false, disableFontFace: true };
  const pdf = (await getDocumentProxy(bytes, options).catch(unreadable)) as Pdf;
  if (pdf.numPages > LIMITS.pages) throw beyond('pages', pdf.numPages);
  const used = { pieces: 0, characters: 0 };
  const pages: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) pages.push(await readPage(pdf, number, used));
  const text = withWholeWords(pages)
    // A line that begins like a heading or a fence is neither here.
    .map((page) => page.replaceAll(/^(?=#|[ \t]*(?:```|~~~))/gm, '\\'))
    .flatMap((page, n) => (page === '' ? [] : `# Page ${n + 1}\n\n${page}`));
  if (text.length === 0) throw refused('there is no text in this PDF');
  return text.join('\n\n');
}

/** Reads a page's text piece by piece, so that one without an end is left early. */
async function readPage(pdf: Pdf, number: number, used: { pieces: number; characters: number }) {
  let text = '';
  try {
    const page = await pdf.getPage(number);
    for await (const { items } of page.streamTextContent()) {
      used.pieces += items.length;
      if (used.pieces > LIMITS.pieces) throw beyond('pieces');
      for (const { str = '', hasEOL = false } of items) {
        text += hasEOL ? `${str}\n` : str;
        used.characters += str.length + 1;
      }
      if (used.characters > LIMITS.characters) throw beyond('characters');
    }
    page.cleanup();
  } catch (error) {
    unreadable(error);
  }
  return text.trim();
}

/** Joins words that a line's end divides, but for compounds: those have two parts that stand alone elsewhere in the text. */
function withWholeWords(pages: readonly string[]): string[] {
  const wordsIn = (page: string) =>
    page
      .replaceAll(DIVIDED, ' ')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const known = new Set(pages.flatMap(wordsIn));
  const joined = (divided: string, before: string, hyphen: string, after: string) => {
    const begin = before.toLowerCase();
    const isCompound =
      hyphen !== '\u00ad' && known.has(begin) && known.has(after) && !known.has(begin + after);
    return isCompound ? divided : before + after;
  };
  return pages.map((page) => page.replaceAll(DIVIDED, joined));
}

interface TextContent {
  readonly items: readonly { readonly str?: string; readonly hasEOL?: boolean }[];
}

function unreadable(error: unknown): never {
  if (error instanceof AppError) throw error;
  if (error instanceof Error && error.name === 'PasswordException')
    throw refused('a password protects this PDF: save a copy without one, and add that', {}, error);
  throw refused('this is not a readable PDF', {}, error);
}

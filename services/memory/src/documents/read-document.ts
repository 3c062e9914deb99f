import type { DocumentFormat } from '@kith/contracts';
import { chunkDocument, type Chunk } from './chunk-document.js';
import { beyond, LIMITS, refused } from './document-limits.js';

/**
 * Reads a document of any format into chunks. A hostile one may take any time and memory: `DocumentReader` runs this where
 * it can be ended.
 * @param content text, or base64 for a PDF
 * @throws AppError `invalid_request` for what can't be read, is empty, or goes beyond a limit
 */
export async function readDocument(content: string, format: DocumentFormat): Promise<Chunk[]> {
  const markdown = await toMarkdown(content, format);
  if (markdown.length > LIMITS.characters) throw beyond('characters');
  const chunks = chunkDocument(markdown);
  if (chunks.length === 0) throw refused('there is no text in it');
  if (chunks.length > LIMITS.parts) throw beyond('parts', chunks.length);
  return chunks;
}

/** Loads the reader of a format when a document has it: each document is read in a process of its own. */
async function toMarkdown(content: string, format: DocumentFormat): Promise<string> {
  switch (format) {
    case 'markdown':
      return content;
    case 'text':
      // A line that begins with # is no heading here.
      return content.replaceAll(/^(?=#)/gm, '\\');
    case 'html': {
      const { htmlToMarkdown } = await import('./html-to-markdown.js');
      return htmlToMarkdown(content);
    }
    case 'pdf': {
      const { pdfToMarkdown } = await import('./pdf-to-markdown.js');
      return pdfToMarkdown(new Uint8Array(Buffer.from(content, 'base64')));
    }
  }
}

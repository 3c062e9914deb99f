import { AppError, type DocumentFormat } from '@kith/contracts';
import TurndownService from 'turndown';
import { extractText, getDocumentProxy } from 'unpdf';

/**
 * A document as Markdown, whatever it came as.
 * @param content text, or base64 for a PDF
 * @throws AppError `invalid_request` for a PDF that can't be read, or in which there is no text
 */
export async function readDocument(content: string, format: DocumentFormat): Promise<string> {
  switch (format) {
    case 'markdown':
      return content;
    case 'text':
      // A line that begins with # is no heading here.
      return content.replaceAll(/^(?=#)/gm, '\\');
    case 'html':
      return fromHtml(content);
    case 'pdf':
      return fromPdf(content);
  }
}

function fromHtml(html: string): string {
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  turndown.remove(['script', 'style', 'noscript', 'iframe', 'object', 'form']);
  return turndown.turndown(html);
}

/** Pages are the structure that every PDF has. */
async function fromPdf(base64: string): Promise<string> {
  try {
    const pdf = await getDocumentProxy(new Uint8Array(Buffer.from(base64, 'base64')));
    const { text } = await extractText(pdf, { mergePages: false });
    const pages = text.map((page, n) => ({ page: page.trim(), n: n + 1 })).filter(({ page }) => page !== '');
    if (pages.length === 0)
      throw new AppError('invalid_request', 'there is no text in this PDF', { field: 'content' });
    return pages.map(({ page, n }) => `# Page ${n}\n\n${page.replaceAll(/^(?=#)/gm, '\\')}`).join('\n\n');
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      'invalid_request',
      'this is no PDF that can be read',
      { field: 'content' },
      { cause: error },
    );
  }
}

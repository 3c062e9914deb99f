import { Parser } from 'htmlparser2';
import { MarkdownWriter } from './markdown-writer.js';

/**
 * Turns HTML into Markdown in one pass, without a tree, so that its time grows with the length alone. Keeps structure,
 * emphasis, lists and code, and the words of links and images.
 * @throws AppError `invalid_request` for what is nested too deep or too long
 */
export function htmlToMarkdown(html: string): string {
  const writer = new MarkdownWriter();
  const parser = new Parser({
    onopentag: (name, { alt, start }) => writer.open(name, { alt, start }),
    ontext: (text) => writer.write(text),
    onclosetag: (name) => writer.close(name),
  });
  parser.end(html);
  return writer.text();
}

import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { counted, documentRoutes, type DocumentFormat } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import { readText, sizeOf } from '../input/files.js';
import type { CommandContext } from '../suite/command-context.js';

const FORMATS: Readonly<Record<string, DocumentFormat>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.txt': 'text',
  '.html': 'html',
  '.htm': 'html',
  '.pdf': 'pdf',
};
/**
 * The API takes a megabyte at once. JSON writes line ends and quotes in two characters, and base64 makes a PDF a third
 * larger.
 */
const MAX_BYTES = { pdf: 700_000, text: 900_000 };

/** Gives a companion a file to know. @throws CliError for a file that can't be read, or of no format we know */
export async function addDocument(
  { api, terminal }: CommandContext,
  file: string,
  options: { title?: string; companion?: string; json?: boolean },
): Promise<void> {
  const format = FORMATS[extname(file).toLowerCase()];
  if (!format) throw new CliError(`${file}: give a ${Object.keys(FORMATS).join(', ')} file`, 2);
  const size = await sizeOf(file);
  if (size === 0) throw new CliError(`${file} is empty`, 2);
  const most = MAX_BYTES[format === 'pdf' ? 'pdf' : 'text'];
  if (size > most) throw new CliError(`${file} is larger than ${most / 1_000} KB: cut it into parts`, 2);
  const content = await (format === 'pdf' ? readFile(file, 'base64') : readText(file));
  const title = (options.title ?? basename(file, extname(file))).replaceAll(/[\n[\]›]/g, ' ').slice(0, 120);
  const body = { title, format, content, companion: options.companion };
  const document = await api.call(documentRoutes.add, { body });
  if (options.json) return terminal.json(document);
  const aside = document.quarantined > 0 ? `, ${document.quarantined} of them in quarantine` : '';
  terminal.line(
    `${document.companion} knows "${document.title}" now: ${counted(document.chunks, 'part')}${aside}`,
  );
}

export async function listDocuments({ api, terminal }: CommandContext, asJson: boolean): Promise<void> {
  const { documents } = await api.call(documentRoutes.list);
  if (asJson) return terminal.json(documents);
  if (documents.length === 0) return terminal.note('no documents yet: kith documents add FILE');
  terminal.table(documents, [
    { header: 'id', value: ({ documentId }) => documentId },
    { header: 'added', value: ({ addedAt }) => addedAt.slice(0, 10) },
    { header: 'for', value: ({ companion }) => companion },
    { header: 'parts', value: ({ chunks }) => String(chunks), align: 'right' },
    { header: 'title', value: ({ title }) => title, flexible: true },
  ]);
}

export async function removeDocument({ api, terminal }: CommandContext, id: string): Promise<void> {
  const { chunks } = await api.call(documentRoutes.remove, { params: { id } });
  terminal.line(`removed, with its ${counted(chunks, 'part')}`);
}

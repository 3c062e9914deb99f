import { AppError, lazy, isUnavailable } from '@kith/contracts';
import { z } from 'zod';
import { parseInput } from '../../entrance/parse-input.js';
import type { FetchedPage, GuardedFetch } from '../../web/guarded-fetch.js';
import { declareTool, type Tool } from '../tool.js';

const pages = lazy('the reading of pages', () => import('../../web/page-text.js'));

/** Bytes of a page that are read: only its first parts are told. */
const MAX_BYTES = 1_000_000;
/** Characters that are told, with room for the title and address in what a model is ever told. */
const MAX_CHARACTERS = 3_500;
/** Bytes at the beginning of a page within which it names its encoding. */
const MAX_HEAD = 1_024;
const TYPES = ['text/', 'application/xhtml+xml', 'application/json'];

const Given = z.object({ url: z.string().trim().min(1).max(2_000) });

const DECLARED = declareTool(
  'read_page',
  'Read the words of a page on the web, at an address that they gave you.',
  { url: { type: 'string', description: 'the whole address, such as https://example.org/news' } },
  {
    reads: ['outside'],
    changes: 'nothing',
    allowedBy: 'operator',
    asks: [
      'open page',
      'read link',
      'open link',
      'look at link',
      'read article',
      'read site',
      'read website',
    ],
  },
);

/** Makes the tool that reads a page. An operator has to allow it. */
export function readPageTool(web: GuardedFetch): Tool {
  return {
    ...DECLARED,
    // It changes nothing, so a repeat does no harm.
    isRepeatable: true,
    call: async (given, { signal }) => {
      const { url } = parseInput(Given, given);
      const page = await fetchPage(web, url, signal);
      const words = wordsOf(page);
      const { title, text } = page.type.includes('html')
        ? (await pages()).pageText(words, MAX_CHARACTERS)
        : { title: '', text: words.slice(0, MAX_CHARACTERS) };
      if (text === '') throw new AppError('not_found', 'there is no text on that page');
      const heading = `Page: ${page.url.href.slice(0, 300)}${title && `\nTitle: ${title}`}`;
      return `${heading}\n\n${text}`;
    },
  };
}

async function fetchPage(web: GuardedFetch, url: string, signal: AbortSignal): Promise<FetchedPage> {
  try {
    return await web.get(url, { types: TYPES, maxBytes: MAX_BYTES, signal });
  } catch (error) {
    // A page that is away is no failure of the tool. The guard would block it after a few.
    if (!isUnavailable(error)) throw error;
    throw new AppError('not_found', error.message, {}, { cause: error });
  }
}

/** Decodes a page by the encoding that its server or the page itself names; else as UTF-8. */
function wordsOf({ bytes, charset }: FetchedPage): string {
  const head = bytes.subarray(0, MAX_HEAD).toString('latin1');
  const label = charset ?? /charset=["']?([\w-]{1,40})/i.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label.replaceAll('"', '')).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

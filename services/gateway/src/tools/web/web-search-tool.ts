import { AppError, jsonOf, oneLine } from '@kith/contracts';
import { z } from 'zod';
import { parseInput } from '../../entrance/parse-input.js';
import type { GuardedFetch } from '../../web/guarded-fetch.js';
import { declareTool, pinAt, type Tool } from '../tool.js';
import { searchRequest, type SearchHost, type WebHit } from './search-hosts.js';

/** Most hits that are told: as many as fit the longest result for a model. */
const MAX_HITS = 6;
/** Characters told of each: most titles and addresses whole, and two lines about it. Six come to some 3,500. */
const MAX_TITLE = 120;
const MAX_ADDRESS = 200;
const MAX_ABOUT = 260;
/** Bytes of an answer: some fifty hits with all that hosts say of them. */
const MAX_BYTES = 1_000_000;
/** Characters that hosts take. */
const MAX_QUERY = 400;

const Given = z.object({ query: z.string().trim().min(1).max(MAX_QUERY) });

const DECLARED = declareTool(
  'web_search',
  'Search the web for what they want to know, in a few words.',
  { query: { type: 'string', description: 'their words, as far as they do' } },
  {
    reads: ['outside'],
    changes: 'nothing',
    allowedBy: 'operator',
    asks: ['search online', 'search internet', 'look up', 'google'],
  },
);

/** Makes the tool that searches at a host of the operator's choice. An operator has to allow it. */
export function webSearchTool(web: GuardedFetch, settings: SearchHost, key: string): Tool {
  const { definition, traits } = DECLARED;
  return {
    definition,
    // Another host hears what people want to know: it has to be allowed anew.
    traits: { ...traits, pin: pinAt(traits.pin, `${settings.host} ${settings.base}`) },
    // It changes nothing, so a repeat does no harm.
    isRepeatable: true,
    call: async (given, { signal }) => {
      const { query } = parseInput(Given, given);
      const { url, headers, answer } = searchRequest(settings, key, query);
      const { origin, hostname } = new URL(url);
      const found = await web.get(url, {
        types: ['application/json'],
        maxBytes: MAX_BYTES,
        signal,
        headers,
        mayAsk: (host) => host === hostname,
      });
      const isWhole = !found.isCut && found.url.origin === origin;
      const hits = isWhole && jsonOf(answer, found.bytes.toString('utf8'));
      if (!hits) throw new AppError('unavailable', 'the search gave no usable answer');
      return worded(hits);
    },
  };
}

function worded(hits: readonly WebHit[]): string {
  if (hits.length === 0) return 'Nothing was found.';
  return hits
    .slice(0, MAX_HITS)
    .map(({ title, url, about }, at) =>
      [`${at + 1}. ${line(title, MAX_TITLE)}`, line(url, MAX_ADDRESS), line(about, MAX_ABOUT)].join('\n'),
    )
    .join('\n\n');
}

/** Puts what a host says in one line, without its marks for bold. */
function line(text: string, max: number): string {
  return oneLine(text.slice(0, 4 * max).replaceAll(/<\/?(?:strong|b|em)>/g, '')).slice(0, max);
}

import { z } from 'zod';

/** Request to a host of searches, and the form of its answer. */
interface SearchRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  answer: z.ZodType<WebHit[]>;
}

const Line = z.string().catch('');
const SearxngHit = z
  .object({ title: Line, url: Line, content: Line })
  .transform(({ content: about, ...hit }) => ({ ...hit, about }));
const BraveHit = z
  .object({ title: Line, url: Line, description: Line })
  .transform(({ description: about, ...hit }) => ({ ...hit, about }));
const SearxngAnswer = z.object({ results: z.array(SearxngHit) }).transform(({ results }) => results);
const BraveAnswer = z
  .object({ web: z.object({ results: z.array(BraveHit) }).catch({ results: [] }) })
  .transform(({ web }) => web.results);

/** Thing found on the web. */
export type WebHit = z.output<typeof SearxngHit>;

/** Hosts that are known, each with the address of its public interface, if it has one. */
const SEARCH_HOSTS = { searxng: null, brave: 'https://api.search.brave.com' } as const;

/** Host of searches that an operator chose, and its address. */
export interface SearchHost {
  host: keyof typeof SEARCH_HOSTS;
  base: string;
}

/** Reads `searxng:https://…`, `brave`, or `brave:https://…`; null for anything else. */
export function parseSearchHost(text: string): SearchHost | null {
  const [, host, given] = /^(searxng|brave)(?::(\S{1,500}))?$/.exec(text.trim()) ?? [];
  if (host !== 'searxng' && host !== 'brave') return null;
  const base = given ?? SEARCH_HOSTS[host];
  return base !== null && /^https?:$/.test(URL.parse(base)?.protocol ?? '') ? { host, base } : null;
}

/** Words the request for a search. */
export function searchRequest({ host, base }: SearchHost, key: string, query: string): SearchRequest {
  const address = (path: string, given: Record<string, string>) =>
    `${base.replace(/\/$/, '')}${path}?${new URLSearchParams(given).toString()}`;
  if (host === 'searxng') {
    return { url: address('/search', { q: query, format: 'json' }), headers: {}, answer: SearxngAnswer };
  }
  return {
    url: address('/res/v1/web/search', { q: query, text_decorations: 'false' }),
    headers: { 'x-subscription-token': key },
    answer: BraveAnswer,
  };
}

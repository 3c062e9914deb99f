import type { IncomingHttpHeaders } from 'node:http';

/** A model that the scripted host lists; other fields stand in the list as they are. */
export interface ScriptedOffer {
  id: string;
  [field: string]: unknown;
}

/** The answer to `GET …/models` in the form of the API whose path it is; null for another path. Anthropic's and OpenAI's share theirs. */
export function modelList(
  url: string,
  headers: IncomingHttpHeaders,
  offered: readonly ScriptedOffer[],
): unknown {
  const { pathname } = new URL(url, 'http://scripted');
  if (pathname === '/api/tags') {
    const modified_at = '2026-11-22T00:00:00.000000Z';
    return { models: offered.map(({ id, ...rest }) => ({ name: id, model: id, modified_at, ...rest })) };
  }
  if (pathname === '/v1/models' && 'anthropic-version' in headers) {
    const common = {
      type: 'model',
      created_at: '2026-11-22T00:00:00Z',
      lifecycle: 'active',
      retires_at: null,
    };
    const data = offered.map((offer) => ({ ...common, display_name: offer.id, ...offer }));
    return { data, has_more: false, first_id: offered[0]?.id ?? null, last_id: offered.at(-1)?.id ?? null };
  }
  if (/^\/v1(?:beta)?\/models$/.test(pathname) && url.includes('pageSize')) {
    return {
      models: offered.map(({ id, ...rest }) => ({
        name: `models/${id}`,
        supportedGenerationMethods: ['generateContent', 'countTokens'],
        inputTokenLimit: 1_048_576,
        ...rest,
      })),
    };
  }
  if (!/^(?:\/openai)?\/v1\/models$/.test(pathname)) return null;
  const data = offered.map((offer) => ({
    object: 'model',
    created: 1_700_000_000,
    owned_by: 'scripted',
    ...offer,
  }));
  return { object: 'list', data };
}

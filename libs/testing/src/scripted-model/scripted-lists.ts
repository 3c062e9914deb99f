/** A model that the scripted host lists; other fields stand in the list as they are. */
export interface ScriptedOffer {
  id: string;
  [field: string]: unknown;
}

/** The answer to `GET …/models` in the form of the API whose path it is; null for another path. */
export function modelList(url: string, offered: readonly ScriptedOffer[]): unknown {
  const { pathname } = new URL(url, 'http://scripted');
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

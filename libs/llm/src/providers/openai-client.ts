import type { OpenAI } from 'openai';

export interface OpenAiHost {
  /** `chutes`, `openai`, or the name that the settings give it. */
  name: string;
  /** Absent for hosts that want none. */
  apiKey: string | undefined;
  baseUrl: string;
}

/**
 * Opens OpenAI's SDK where a host is named, and only there: it takes some 30 MB.
 * @param fetch `eventFetch`, for a client that posts nothing but requests for streams
 */
export async function openAiClient(
  { apiKey, baseUrl }: Pick<OpenAiHost, 'apiKey' | 'baseUrl'>,
  fetch?: typeof globalThis.fetch,
): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  return new Client({
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl,
    maxRetries: 0, // ours are counted and bounded together
    logLevel: 'off', // the SDK would print chunks that it can't parse
    fetch,
    // The SDK would read these from the environment, for any host.
    organization: null,
    project: null,
  });
}

import { APIS, type ModelApi } from './scripted-request.js';

const OUT_OF_QUOTA = 'You exceeded your current quota, please check your plan and billing details.';

/** The 429 of an API that says when to come back: in a header, and Google's in the body alone. */
export function rateLimit(
  api: ModelApi,
  seconds: number,
): { headers: Record<string, string>; body: unknown } {
  if (api !== 'gemini') {
    const body = APIS[api].error(429, 'Rate limit reached for requests', 'rate_limit_exceeded');
    return { headers: { 'retry-after': String(seconds) }, body };
  }
  const type = 'type.googleapis.com/google.rpc.RetryInfo';
  const details = [{ '@type': type, retryDelay: `${seconds}s` }];
  const error = { code: 429, message: OUT_OF_QUOTA, status: 'RESOURCE_EXHAUSTED', details };
  return { headers: {}, body: { error } };
}

/** The answer of an API when the money is used up. Anthropic's is a 400. */
export function spendLimit(api: ModelApi): { status: number; body: unknown } {
  const { error } = APIS[api];
  if (api === 'anthropic') {
    const message = 'Your credit balance is too low to access the Anthropic API.';
    return { status: 400, body: error(400, message, 'invalid_request_error') };
  }
  if (api === 'ollama') {
    return { status: 429, body: error(429, 'you have reached your weekly usage limit, please upgrade', '') };
  }
  const code = api === 'gemini' ? 'resource_exhausted' : 'insufficient_quota';
  return { status: 429, body: error(429, OUT_OF_QUOTA, code) };
}

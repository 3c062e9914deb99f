import { describe, expect, it } from '@jest/globals';
import { classifyError } from './classify-error.js';
import { readFailure, readRetryAfter } from './read-failure.js';

const refusal = { message: '', opened: false };

describe('classifyError', () => {
  it.each([
    [{ status: 500 }, 'overloaded'],
    [{ status: 502 }, 'overloaded'],
    [{ status: 503 }, 'overloaded'],
    [{ status: 529 }, 'overloaded'],
    [{ status: 401 }, 'unauthorized'],
    [{ status: 403 }, 'unauthorized'],
    [{ status: 400, message: 'API key not valid. Please pass a valid API key.' }, 'unauthorized'],
    [{ status: 403, message: 'blocked by content filter' }, 'refused'],
    [{ status: 400, code: 'content_filter' }, 'refused'],
    [{ status: 404, code: 'model_not_found' }, 'no-such-model'],
    [
      {
        status: 400,
        code: 'model_decommissioned',
        message: 'The model `llama-3.3-70b-versatile` has been decommissioned',
      },
      'no-such-model',
    ],
    [
      { status: 404, message: 'models/gemini-2.5-flash is not found for API version v1beta' },
      'no-such-model',
    ],
    [{ status: 404, message: 'no such path' }, 'no-such-model'],
    [
      {
        status: 400,
        code: 'unsupported_value',
        message: "Unsupported value: 'temperature' is not supported with this model (param)",
      },
      'invalid-request',
    ],
    [{ status: 400, code: 'context_length_exceeded' }, 'too-long'],
    [{ status: 400, message: "This model's maximum context length is 4096 tokens." }, 'too-long'],
    [{ status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' }, 'too-long'],
    [{ status: 400, message: 'The input token count (9) exceeds the maximum number of tokens' }, 'too-long'],
    [
      { status: 400, message: 'The number of tokens to keep is greater than the context length.' },
      'too-long',
    ],
    [{ status: 413, message: 'Request too large for model `m`: Limit 6000, Requested 7000' }, 'too-long'],
    [{ status: 500, message: 'request (9 tokens) exceeds the available context size (8)' }, 'too-long'],
    [{ status: 413, message: '413 Request Entity Too Large' }, 'invalid-request'],
    [{ status: 400, message: 'max_tokens is too large: 9000' }, 'invalid-request'],
    [{ status: 400, code: 'tool_use_failed' }, 'garbled'],
    [{ status: 402 }, 'spend-limit'],
    [{ status: 400, message: 'Your credit balance is too low to access the Anthropic API.' }, 'spend-limit'],
    [{ status: 408 }, 'timeout'],
    [{}, 'unreachable'],
    [{ unreadable: true }, 'garbled'],
  ] as const)('reads %j as %s', (facts, kind) => {
    expect(classifyError({ ...refusal, ...facts })).toBe(kind);
  });

  it('tells the three kinds of 429 apart', () => {
    const quota = { ...refusal, status: 429, message: 'You exceeded your current quota, check your billing' };
    expect(classifyError({ ...refusal, status: 429, message: 'slow down' })).toBe('rate-limited');
    expect(classifyError(quota)).toBe('spend-limit');
    expect(classifyError({ ...quota, retryAfterMs: 7_000 })).toBe('rate-limited');
    expect(classifyError({ ...quota, code: 'insufficient_quota', retryAfterMs: 7_000 })).toBe('spend-limit');
  });

  it('takes no rate limit for a spend limit because it links to the billing page', () => {
    const message =
      'Rate limit reached for gpt-x on requests per min. Add a payment method: /account/billing';
    expect(classifyError({ ...refusal, status: 429, message })).toBe('rate-limited');
    const coded = { ...refusal, status: 429, code: 'rate_limit_exceeded', message: 'See your billing' };
    expect(classifyError(coded)).toBe('rate-limited');
  });

  it('takes what fails after a 200 for a cut stream, unless it says what no second try at once will mend', () => {
    expect(classifyError({ message: 'server_error', opened: true })).toBe('cut-stream');
    expect(classifyError({ message: '', code: 'overloaded_error', opened: true })).toBe('overloaded');
    expect(classifyError({ message: 'insufficient_quota', opened: true })).toBe('spend-limit');
    expect(classifyError({ message: 'Context size has been exceeded.', opened: true })).toBe('too-long');
    expect(classifyError({ message: '', status: 500, opened: true })).toBe('cut-stream');
    expect(classifyError({ message: 'Unexpected end', opened: true, unreadable: true })).toBe('garbled');
  });
});

describe('readFailure', () => {
  const kindOf = (error: object) => readFailure(error, { provider: 'host', opened: true }).kind;

  it.each([
    ['rate_limit_exceeded', 'rate-limited'],
    ['rate_limit_error', 'rate-limited'],
    ['invalid_prompt', 'invalid-request'],
    ['context_length_exceeded', 'too-long'],
    ['image_parse_error', 'invalid-request'],
    ['image_content_policy_violation', 'refused'],
    ['content_filter', 'refused'],
    ['authentication_error', 'unauthorized'],
    ['server_error', 'cut-stream'],
    ['tool_use_failed', 'garbled'],
    [429, 'rate-limited'],
    [400, 'invalid-request'],
    [502, 'cut-stream'],
    [20, 'cut-stream'],
  ])('reads the code %s within a stream as %s', (code, kind) => {
    expect(kindOf({ message: '', code })).toBe(kind);
    expect(kindOf({ message: '', error: { code, type: 'error' } })).toBe(kind);
  });
});

describe('readFailure of a refusal', () => {
  const refused = (told: object) =>
    readFailure(
      Object.assign(new Error(`400 ${JSON.stringify({ error: told })}`), {
        status: 400,
        error: { error: told },
      }),
      { provider: 'host', opened: false },
    ).kind;

  it('goes by the words of the host, and not by those of the model in its body', () => {
    const failed_generation = 'That model is no longer available, I have insufficient funds.';
    const told = { message: 'Failed to generate.', type: 'invalid_request_error', failed_generation };
    expect(refused(told)).toBe('invalid-request');
    expect(refused({ ...told, code: 'tool_use_failed' })).toBe('garbled');
    expect(refused({ ...told, message: 'The model `m` is no longer available' })).toBe('no-such-model');
  });
});

describe('the wait within the words of Google', () => {
  const waitOf = (delay: string) =>
    readFailure(new Error(`{"error":{"details":[{"retryDelay":"${delay}"}]}}`), {
      provider: 'host',
      opened: false,
    }).retryAfterMs;

  it('is read in seconds, and anything else for none', () => {
    expect(waitOf('7s')).toBe(7_000);
    expect(waitOf('34.5s')).toBe(34_500);
    // Not a number, it would keep the model from being asked for as long as the process lives.
    for (const delay of ['.s', '1.2.3s', 's']) expect(waitOf(delay)).toBeUndefined();
  });
});

describe('readRetryAfter', () => {
  const now = new Date('2026-05-03T10:00:00Z');

  it('reads seconds and dates', () => {
    expect(readRetryAfter('1.5', now)).toBe(1_500);
    expect(readRetryAfter('Sun, 03 May 2026 10:00:30 GMT', now)).toBe(30_000);
    expect(readRetryAfter('Sun, 03 May 2026 09:00:00 GMT', now)).toBe(0);
  });

  it('takes anything else for no answer', () => {
    expect(readRetryAfter('soon', now)).toBeUndefined();
    expect(readRetryAfter(null, now)).toBeUndefined();
  });
});

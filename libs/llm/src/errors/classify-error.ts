import type { ModelErrorKind } from './model-error.js';

/** Facts of a failure, from any SDK. */
export interface FailureFacts {
  /** HTTP status; absent when there was no answer. */
  status?: number | undefined;
  /** The body's own code or type, such as `insufficient_quota`. */
  code?: string | undefined;
  message: string;
  retryAfterMs?: number | undefined;
  /** True where the answer had begun with a 200. */
  opened: boolean;
  /** True where the answer could not be parsed. */
  unreadable?: boolean;
}

const SPENT = /insufficient_quota|billing|quota|credit|balance|spend|payment|hard.limit|usage.limit/i;
/** Words that decide alone. The looser ones above count only where there is no retry-after. */
const SURELY_SPENT =
  /insufficient_quota|billing_hard_limit|insufficient.(balance|credit|funds)|credit balance is too low/i;
/** Words about the pace, also of hosts that go on to advertise their billing page. */
const SURELY_TOO_FAST = /rate_limit_exceeded|rate limit reached/i;
/** Anthropic's word for an overload within a stream that had begun. */
const OVERLOADED = /overloaded/i;
const WRONG_KEY = /api.?key.(not.valid|invalid|expired)|invalid.api.?key|API_KEY_INVALID/i;
/** Words of a host that does not know a model, or has retired it. Counted only where the word "model" stands too. */
const GONE =
  /not.?found|not.?exist|decommissioned|deprecated|retired|shut ?down|no longer|not (available|supported)|unavailable|unknown|invalid.model/i;
/** Words of a prompt that a model can't hold. Not those of a body that is too large, which pictures make of it. */
const TOO_LONG =
  /context.?(?:length|size|window|limit|overflow)|(?:prompt|request) (?:is )?too (?:long|large)|maximum prompt length|token count.{0,40}exceeds/i;
const FILTERED = /content.?(filter|policy|management)|safety|moderation|prohibited/i;
/** Groq's code for a tool call that its model wrote badly, and may write well the next time. */
const MISWRITTEN = 'tool_use_failed';
/** Codes of failures within a stream that an immediate retry does not mend. */
const CODES: readonly (readonly [RegExp, ModelErrorKind])[] = [
  [/rate.?limit|too.?many|exhausted/i, 'rate-limited'],
  [FILTERED, 'refused'],
  [/authentication|api.?key|permission/i, 'unauthorized'],
  // The Responses API has a code for each way in which a picture can't be read.
  [/^invalid|image/i, 'invalid-request'],
];

/** Classifies a failure among those that look alike. Pure. */
export function classifyError(facts: FailureFacts): ModelErrorKind {
  if (facts.code === MISWRITTEN) return 'garbled';
  const said = `${facts.code ?? ''} ${facts.message}`;
  if (facts.opened) {
    if (SURELY_SPENT.test(said)) return 'spend-limit';
    if (OVERLOADED.test(said)) return 'overloaded';
    if (TOO_LONG.test(said)) return 'too-long';
    const coded = CODES.find(([pattern]) => pattern.test(facts.code ?? ''));
    if (coded) return coded[1];
    // Some hosts write the status that it would have had into the stream. One of their own trouble is a cut.
    if (facts.status !== undefined && facts.status < 500)
      return kindOfStatus(facts.status, said, facts.retryAfterMs);
    return facts.unreadable ? 'garbled' : 'cut-stream';
  }
  if (facts.status === undefined) return facts.unreadable ? 'garbled' : 'unreachable';
  return kindOfStatus(facts.status, said, facts.retryAfterMs);
}

function kindOfStatus(status: number, said: string, retryAfterMs: number | undefined): ModelErrorKind {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 402:
      return 'spend-limit';
    case 403:
      return FILTERED.test(said) ? 'refused' : 'unauthorized';
    case 408:
      return 'timeout';
    case 409:
    case 425:
      return 'overloaded';
    case 429:
      return isSpent(said, retryAfterMs) ? 'spend-limit' : 'rate-limited';
    default:
      break;
  }
  // Some small servers take it for a fault of their own.
  if (TOO_LONG.test(said)) return 'too-long';
  if (status >= 500) return 'overloaded';
  if (SURELY_SPENT.test(said)) return 'spend-limit'; // Anthropic answers an empty purse with 400
  if (WRONG_KEY.test(said)) return 'unauthorized'; // Gemini answers a bad key with 400
  // A 404 without a word is a wrong address: no model is there either, and asking again soon is of no use.
  if (status === 404 || isModelGone(status, said)) return 'no-such-model';
  return FILTERED.test(said) ? 'refused' : 'invalid-request';
}

/** OpenAI and Google say 404, Groq 400 or 404 with a code, some hosts 410 or 422. */
function isModelGone(status: number, said: string): boolean {
  return (
    [400, 404, 410, 422].includes(status) && /model/i.test(said) && GONE.test(said) && !/param/i.test(said)
  );
}

/** Google words its per-minute limit as a quota too: there the wait it names tells the two apart. */
function isSpent(said: string, retryAfterMs: number | undefined): boolean {
  if (SURELY_SPENT.test(said)) return true;
  return retryAfterMs === undefined && SPENT.test(said) && !SURELY_TOO_FAST.test(said);
}

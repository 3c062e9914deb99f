import { MAX_WAIT_BEFORE_NEXT_MS } from '../errors/decide-retry.js';
import { isAboutRequest, type ModelError, type ModelErrorKind } from '../errors/model-error.js';

/** Record of one model's recent tries. Plain data, which no change mutates. */
export interface Circuit {
  /** Failures in a row that speak of a sick host. */
  failures: number;
  /** Time until which it is not asked, by the monotonic clock; null while it is trusted. */
  openUntil: number | null;
  /** Length of the last such pause. */
  openMs: number;
  lastError: ModelErrorKind | null;
}

export const CLOSED: Circuit = { failures: 0, openUntil: null, openMs: 0, lastError: null };
/** Circuit of a model that thought and then said nothing: its host is well, and its status shows the error. */
export const SPEECHLESS: Circuit = { ...CLOSED, lastError: 'empty' };

/** Failures in a row before a host counts as sick: a single bad minute is not yet an outage. */
const SICK_AFTER = 5;
/** A short trouble costs replies of this model for this long only. Doubled with each probe that fails. */
const FIRST_OPEN_MS = 10_000;
/** Longest pause: a host that is back is asked again within two minutes. */
const MAX_OPEN_MS = 120_000;
/** Pauses after failures that an operator has to fix: asking again soon only costs time. */
const HOPELESS_MS: Partial<Record<ModelErrorKind, number>> = {
  'spend-limit': 600_000,
  unauthorized: 300_000,
  'no-such-model': 300_000,
};

/**
 * Tells whether the model may be asked. `probe`: its pause is over, and one caller finds out if it is well again. Pure.
 * @param now milliseconds of the monotonic clock
 */
export function mayAsk({ openUntil }: Circuit, now: number): 'yes' | 'probe' | 'no' {
  if (openUntil === null) return 'yes';
  return now >= openUntil ? 'probe' : 'no';
}

/**
 * Makes the circuit while one caller probes: the others wait for the outcome, but only so long.
 * @param waitMs time in which a sick host shows itself: that of its first token
 */
export function whileProbing(circuit: Circuit, now: number, waitMs: number): Circuit {
  return { ...circuit, openUntil: now + waitMs };
}

/**
 * Makes the circuit after a try that failed. A pause is lengthened by its probe alone: the other tries that fail during it
 * began before it, and say nothing new. A probe that fails late counts, also where a second one has begun by then: a host
 * that hangs would otherwise be asked by one caller after the other, and no pause of it would ever grow. A host that names
 * a longer wait than anybody waits for is left alone for it where another can be asked meanwhile: some lengthen it with
 * each request.
 * @param probing circuit that `whileProbing` made for this try; undefined where it is no probe
 * @param hasNext true where another model can be asked in its place
 */
export function afterFailure(
  circuit: Circuit,
  { kind, retryAfterMs = 0 }: Pick<ModelError, 'kind'> & Partial<Pick<ModelError, 'retryAfterMs'>>,
  now: number,
  probing: Circuit | undefined,
  hasNext = false,
): Circuit {
  // Within a pause only a probe's failure is counted, so this tells that no other probe has failed since it began.
  const isNews = circuit.openUntil === null || circuit.failures === probing?.failures;
  if (isAboutRequest(kind) || !isNews) return circuit;
  const failures = circuit.failures + 1;
  const hopelessMs = HOPELESS_MS[kind];
  if (hopelessMs !== undefined) {
    return { failures, openUntil: now + hopelessMs, openMs: hopelessMs, lastError: kind };
  }
  const isSick = failures >= SICK_AFTER;
  if (!isSick && !(hasNext && retryAfterMs > MAX_WAIT_BEFORE_NEXT_MS))
    return { ...circuit, failures, lastError: kind };
  const ownMs = isSick ? (circuit.openMs > 0 ? circuit.openMs * 2 : FIRST_OPEN_MS) : 0;
  const openMs = Math.min(Math.max(ownMs, hasNext ? retryAfterMs : 0), MAX_OPEN_MS);
  return { failures, openUntil: now + openMs, openMs, lastError: kind };
}

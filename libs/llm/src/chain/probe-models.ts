import { isAboutRequest, ModelError, type ModelErrorKind } from '../errors/model-error.js';
import { SpentError } from '../hooks/call-hooks.js';
import { afterFailure, CLOSED, mayAsk, SPEECHLESS, whileProbing, type Circuit } from './circuit-breaker.js';
import type { CallWatch } from './call-watch.js';
import { labelOf, runTry, type ChainEntry } from './run-try.js';

/** A host that is there answers a word within seconds, also one that thinks first. */
const PROBE_TIMEOUT_MS = 10_000;
/** A model that thinks first needs room for that; the answer itself is a word. */
const PROBE_TOKENS = 200;

/**
 * Asks each model that failed the last time for a word, unless its circuit says to wait, and notes how it went. So it is
 * known that a model is well again before a person's message tries it. Never throws.
 */
export async function probeModels(
  chain: readonly ChainEntry[],
  circuits: Map<string, Circuit>,
  watch: CallWatch,
): Promise<void> {
  await Promise.all(chain.map((entry) => probeModel(entry, circuits, watch)));
}

async function probeModel(entry: ChainEntry, circuits: Map<string, Circuit>, watch: CallWatch) {
  const model = labelOf(entry);
  const circuit = circuits.get(model);
  if (!circuit?.lastError) return;
  const leave = mayAsk(circuit, performance.now());
  if (leave === 'no') return;
  const probing = leave === 'probe' ? whileProbing(circuit, performance.now(), PROBE_TIMEOUT_MS) : undefined;
  if (probing) circuits.set(model, probing);
  const request = {
    messages: [{ role: 'user' as const, content: 'Are you there? Answer with: yes' }],
    maxTokens: PROBE_TOKENS,
  };
  const limits = { firstTokenMs: PROBE_TIMEOUT_MS, totalMs: PROBE_TIMEOUT_MS };
  let began = false;
  try {
    for await (const event of runTry(entry, request, limits, watch)) {
      if (event.type === 'began') began = true;
      if (event.type === 'reply') circuits.delete(model);
    }
  } catch (error) {
    // Where tokens are spent it was not asked: nothing new is known.
    if (error instanceof SpentError) return;
    const failure = error instanceof ModelError ? error : { kind: 'unreachable' as const };
    const shown = shownBy(failure.kind, began);
    if (shown === 'well') circuits.delete(model);
    else if (shown === 'speechless') circuits.set(model, SPEECHLESS);
    else if (shown === 'sick')
      circuits.set(model, afterFailure(circuits.get(model) ?? CLOSED, failure, performance.now(), probing));
  } finally {
    // The probe said nothing about the host's health: the next caller may find out.
    if (probing && circuits.get(model) === probing) circuits.set(model, circuit);
  }
}

/**
 * Decides what a failed probe shows of its model.
 * @param began true if the model thought or spoke before
 */
function shownBy(kind: ModelErrorKind, began: boolean): 'well' | 'speechless' | 'sick' | 'nothing' {
  // It has thought for all the room that it had, or has refused what it was asked: its host is well.
  if (kind !== 'hook' && isAboutRequest(kind)) return 'well';
  if (began && kind === 'empty') return 'speechless';
  // It thinks for longer than that.
  return began && kind === 'timeout' ? 'nothing' : 'sick';
}

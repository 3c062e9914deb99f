import type { OfferedModel } from '../provider.js';
import type { ModelFamily } from './model-families.js';

// A fortnight is time enough to notice that a model was chosen anew, and too short to begin with one that ends.
const TOO_SOON_MS = 14 * 86_400_000;

// The prompt's usual 6,000 tokens, the answer's, and room to be wrong about both.
const MIN_CONTEXT_TOKENS = 8_192;

// Above it a companion that many people write to is no longer cheap to leave running.
const DEAREST_OUTPUT_USD = 15;

/** Names of models for something else than talk, where no family fits and any name has to do. */
const NOT_FOR_TALK =
  /embed|whisper|tts|speech|audio|realtime|transcri|image|vision|video|moderation|guard|safety|rerank|ocr|codex|coder|search|research|live|robotics|computer|preview|instruct-turbo|base$|davinci|babbage|sora|dall|lyria|veo|imagen/i;

/**
 * Picks a role's model from what a host offers: of the first family that has any, the one with the highest version,
 * then the plain name before a dated one, then the newest. A model that ends within a fortnight, is known to hold too
 * little or to cost too much, is taken only when nothing else is there. Where no family fits, the newest model whose
 * name speaks of talk. Null when the host offers nothing to talk with. Pure.
 * @param nowMs milliseconds since 1970
 */
export function chooseModel(
  families: readonly ModelFamily[],
  offered: readonly OfferedModel[],
  nowMs: number,
): OfferedModel | null {
  const lasting = offered.filter((model) => isFit(model, nowMs));
  for (const candidates of [lasting, offered]) {
    for (const family of families) {
      const best = candidates
        .filter(({ id }) => family.test(id))
        .sort((a, b) => compareVersions(family, b, a) || compareNames(a, b))[0];
      if (best) return best;
    }
  }
  return (
    lasting
      .filter(({ id }) => !NOT_FOR_TALK.test(id))
      .sort((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0) || (a.id < b.id ? -1 : 1))[0] ?? null
  );
}

function isFit({ retiresOn, contextTokens, price }: OfferedModel, nowMs: number): boolean {
  if (retiresOn !== null && Date.parse(retiresOn) - nowMs < TOO_SOON_MS) return false;
  if (contextTokens !== null && contextTokens < MIN_CONTEXT_TOKENS) return false;
  return price === null || price.output <= DEAREST_OUTPUT_USD;
}

/** Below 0 when the first one's version is lower: 5.10 (or 5-10) is above 5.9, and no version below any. */
function compareVersions(family: ModelFamily, a: OfferedModel, b: OfferedModel): number {
  const [left, right] = [a, b].map(({ id }) =>
    (family.exec(id)?.groups?.['version'] ?? '').split(/[.-]/).map(Number),
  ) as [number[], number[]];
  for (let place = 0; place < Math.max(left.length, right.length); place++) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Orders models of the same version: what runs in an enclave first, since talk is private; the plain name before a dated one; the newer before the older. */
function compareNames(a: OfferedModel, b: OfferedModel): number {
  const isSealed = ({ id }: OfferedModel) => Number(id.endsWith('-TEE'));
  const length = ({ id }: OfferedModel) => id.replace(/-TEE$/, '').length;
  return isSealed(b) - isSealed(a) || length(a) - length(b) || (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0);
}

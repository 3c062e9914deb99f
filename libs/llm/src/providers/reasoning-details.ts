/** A part of reasoning as OpenRouter passes it on: words, or what the model's own host has sealed. */
export type ReasoningDetail = Readonly<Record<string, unknown>>;

/** Fields that come in pieces; a seal comes whole. */
const WORDS = ['text', 'summary'];

/**
 * Joins neighbouring pieces of one text: their host wants back what a whole answer would have had. The last of them may
 * have a signature and no words, as Anthropic's. Pure.
 */
export function joinDetails(pieces: readonly ReasoningDetail[]): ReasoningDetail[] {
  const joined: Record<string, unknown>[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const isMore =
      piece['data'] === undefined && ['type', 'index'].every((field) => piece[field] === last?.[field]);
    if (!last || !isMore) {
      joined.push({ ...piece });
      continue;
    }
    for (const [field, value] of Object.entries(piece)) {
      const before = last[field];
      if (WORDS.includes(field) && isText(before) && isText(value)) last[field] = before + value;
      // Only one piece has the signature; some write null into the others.
      else last[field] = value ?? before;
    }
  }
  return joined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Beginning of a question, before what it is about. */
const ASKING =
  /^(?:(?:and|so|but|well|hey|ok(?:ay)?)[,!]? )*(?:(what|which|who|whom|whose|when|where|why|how)\b(?:'s)? ?)?/iu;
/** Auxiliary verbs, which stand before the subject where something is asked. */
const AUXILIARY =
  /\b(?:do|does|did|is|are|was|were|has|have|had|would|could|can|will|should|might|must)(?:n't)?\b ?/iu;
/** Most characters before an auxiliary that asks: one further on belongs to what is asked about. */
const MAX_BEFORE = 60;

/**
 * Words an English question as an answer would begin: "When did Ann run the race?" as "Ann run the race". To an encoder
 * an answer is more like that than like the question. Null for other questions.
 */
export function asStatement(asked: string): string | null {
  const question = asked.trim();
  if (!question.endsWith('?')) return null;
  const rest = question.slice(0, -1).replace(ASKING, '');
  const isOpen = ASKING.exec(question)?.[1] !== undefined;
  const auxiliary = AUXILIARY.exec(rest);
  const asks = auxiliary !== null && auxiliary.index < (isOpen ? MAX_BEFORE : 1);
  if (!isOpen && !asks) return null;
  const stated = (asks ? rest.replace(AUXILIARY, '') : rest).trim();
  return stated === '' ? null : stated;
}

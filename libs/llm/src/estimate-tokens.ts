/**
 * A cheap estimate of a text's tokens: 4 characters each, the usual rule for English, and 1 a character for
 * scripts that tokenisers split finely (Chinese, Japanese, Korean, Thai). Errs by up to a third either way;
 * `safety` multiplies it where being over is worse than being under.
 */
export function estimateTokens(text: string, safety = 1): number {
  const dense = text.match(/[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0;
  return Math.ceil((dense + (text.length - dense) / 4) * safety);
}

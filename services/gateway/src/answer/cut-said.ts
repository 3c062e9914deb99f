import { PICTURE_TOKENS, type CountTokens } from '@kith/llm';

/** Share of a prompt for the burst, with its pictures; the rest is for persona, memories and earlier talk. */
export const SAID_SHARE = 0.5;
/** Share of a prompt for quoted messages, beside the burst. */
const QUOTED_SHARE = 0.2;
/** Tokens of a quote beside its text: a name and a line break. */
const LINE_TOKENS = 8;

/** Chooses the newest quotes that a prompt has room for. Pure. */
export function newestQuotes<Quoted extends { text: string }>(
  quotes: readonly Quoted[],
  limit: number,
  count: CountTokens,
): Quoted[] {
  let tokens = 0;
  const end = quotes.findLastIndex(({ text }) => {
    tokens += count(text) + LINE_TOKENS;
    return tokens > limit * QUOTED_SHARE;
  });
  return quotes.slice(end + 1);
}

/** Chooses the newest pictures that a prompt has room for beside what is said. Pure. */
export function picturesThatFit<Picture>(
  pictures: readonly Picture[],
  said: readonly string[],
  limit: number,
  count: CountTokens,
): Picture[] {
  const words = said.reduce((sum, text) => sum + count(text) + LINE_TOKENS, 0);
  const most = Math.max(0, Math.floor((limit * SAID_SHARE - words) / PICTURE_TOKENS));
  return pictures.slice(Math.max(0, pictures.length - most));
}

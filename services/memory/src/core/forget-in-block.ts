import { z } from 'zod';

/** A passage of a block, and the messages it was written for. */
export const Origin = z.object({ text: z.string(), sources: z.array(z.string()) });
export type Origin = z.infer<typeof Origin>;

/** Takes what was written for forgotten messages out of a block; null where nothing of it was theirs. */
export function forgetInBlock(
  block: { text: string; origins: readonly Origin[] },
  forgotten: readonly string[],
): { text: string; origins: Origin[] } | null {
  const isGone = ({ sources }: Origin) => sources.some((source) => forgotten.includes(source));
  const gone = block.origins.filter(isGone);
  if (gone.length === 0) return null;
  let { text } = block;
  for (const passage of gone) text = text.replace(passage.text, '');
  return {
    text: text
      .split('\n')
      .map((line) => line.replaceAll(/ {2,}/g, ' ').trim())
      .filter((line) => line !== '')
      .join('\n'),
    origins: block.origins.filter((origin) => !isGone(origin)),
  };
}

/** The origins of a block after an edit: those whose words still stand there, and the new one's. */
export function originsAfter(text: string, origins: readonly Origin[], added: Origin): Origin[] {
  const all = added.sources.length > 0 ? [...origins, added] : origins;
  return all.filter((origin) => origin.text !== '' && text.includes(origin.text));
}

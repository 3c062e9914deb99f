import { cutText, oneLine } from '@kith/contracts/storable';

/** A sentence or two. */
const MAX_ABOUT_CHARACTERS = 240;

/**
 * Cuts the subject of a reason to one line, short enough for a prompt. Not with `shorten`: stored reasons are compared by
 * these words.
 */
export function cutAbout(text: string): string {
  const about = oneLine(text);
  return about.length <= MAX_ABOUT_CHARACTERS ? about : `${cutText(about, MAX_ABOUT_CHARACTERS - 1)}…`;
}

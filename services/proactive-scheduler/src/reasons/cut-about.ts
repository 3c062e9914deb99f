import { oneLine } from '@kith/contracts/storable';

/** A sentence or two. */
const MAX_ABOUT_CHARACTERS = 240;

/** Cuts the subject of a reason to one line, short enough for a prompt. */
export function cutAbout(text: string): string {
  const about = oneLine(text);
  return about.length <= MAX_ABOUT_CHARACTERS ? about : `${about.slice(0, MAX_ABOUT_CHARACTERS - 1)}…`;
}

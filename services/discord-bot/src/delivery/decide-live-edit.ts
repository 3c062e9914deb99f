/** How a reply that is being written looks just now. */
export interface LiveState {
  /** All that was said so far. */
  text: string;
  /** What the channel shows; null while it shows nothing. */
  shown: string | null;
  /** By the monotonic clock, in milliseconds. */
  firstTokenAt: number;
  lastShownAt: number;
}

/** A reply that is there sooner is sent whole: watching it grow would only be restless. */
const SHOW_AFTER_MS = 1_500;
/** Discord allows five edits in five seconds; other messages of the channel need their share. */
const EDIT_EVERY_MS = 1_500;
/** Less than this is not worth an edit. */
const LEAST_CHARACTERS = 12;

/** Show (more of) it now? Pure. */
export function decideLiveEdit({ text, shown, firstTokenAt, lastShownAt }: LiveState, now: number): boolean {
  if (now - firstTokenAt < SHOW_AFTER_MS) return false;
  if (shown === null) return text.trim() !== '';
  return now - lastShownAt >= EDIT_EVERY_MS && Math.abs(text.length - shown.length) >= LEAST_CHARACTERS;
}

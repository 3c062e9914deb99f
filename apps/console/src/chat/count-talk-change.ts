import type { ServerFrame } from '@kith/contracts';

/** Changes of the person's talk, at any door, since the page was opened. */
export interface TalkChanges {
  /** Number of times that something of it was forgotten or edited, or private talk switched. */
  changes: number;
  /** Number of these that forgot words. */
  forgets: number;
  /** Number of these that tell of lost frames: words may have been forgotten. */
  gaps: number;
}

export const NO_TALK_CHANGES: TalkChanges = { changes: 0, forgets: 0, gaps: 0 };

type TalkChanged = Extract<ServerFrame, { type: 'talk-changed' }>;

/** Counts one more change. */
export function countTalkChange(before: TalkChanges, { forgets }: TalkChanged): TalkChanges {
  return {
    changes: before.changes + 1,
    forgets: before.forgets + (forgets === true ? 1 : 0),
    gaps: before.gaps + (forgets === undefined ? 1 : 0),
  };
}

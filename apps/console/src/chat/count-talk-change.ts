import type { ServerFrame } from '@kith/contracts';

/** Numbers of what happened to the person's talk, at any door, since the page was opened. */
export interface TalkChanges {
  /** Times that something of it was forgotten or edited, or private talk switched. */
  changes: number;
  /** Those that forgot words. */
  forgets: number;
  /** Those that tell of lost frames: words may have been forgotten. */
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

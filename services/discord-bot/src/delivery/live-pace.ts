/** Pace at which replies are shown while they are written, and at which what was left of them is cleared up. */
export interface LivePace {
  /** Time from one update of what is shown to the next. */
  updateEveryMs: number;
  /** Time that a reply takes before it is shown. */
  showAfterMs: number;
  /** Least time from one edit of a reply to the next. */
  editEveryMs: number;
  /** Longest time until a dead process's notes are noticed. */
  clearUpEveryMs: number;
}

export const LIVE_PACE: LivePace = {
  // Often enough that a reply seems to grow; `decideLiveEdit` decides which edits are due.
  updateEveryMs: 250,
  // A reply that is there sooner is sent whole: watching it grow would only be restless.
  showAfterMs: 1_500,
  // Discord allows five edits in five seconds; other messages of the channel need their share.
  editEveryMs: 1_500,
  // With the work due then, the words of these notes are gone within a minute.
  clearUpEveryMs: 20_000,
};

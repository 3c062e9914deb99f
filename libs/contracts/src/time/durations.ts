/** A day of 24 hours, whatever clocks are set to. */
export const DAY_MS = 86_400_000;
/** An hour of 60 minutes. */
export const HOUR_MS = 3_600_000;

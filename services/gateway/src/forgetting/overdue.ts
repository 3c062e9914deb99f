/** Age from which an unfinished order counts as broken off: the job of a younger one may be under way. */
export const OVERDUE_MS = 10_000;

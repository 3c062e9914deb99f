/** Age from which an unfinished order counts as interrupted: a younger one may be under way. */
export const OVERDUE_MS = 10_000;

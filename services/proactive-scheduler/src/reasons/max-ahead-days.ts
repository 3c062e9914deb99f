/** Beyond a year a date is a misreading more often than a plan. In its own file, as the rules load a date library. */
export const MAX_AHEAD_DAYS = 366;

/** Beyond a year a date is a misreading more often than a plan. Apart from the rules, which load a date library. */
export const MAX_AHEAD_DAYS = 366;

import { dayOf } from '../page/describe-date.js';

/** Things that were said, under the days on which they were: in the order given. */
export function groupByDay<T extends { saidAt: string }>(items: readonly T[]): { day: string; items: T[] }[] {
  const days: { day: string; items: T[] }[] = [];
  for (const item of items) {
    const day = dayOf(item.saidAt);
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, items: [item] });
  }
  return days;
}

/** The heading above a day's messages: "Today", "Yesterday", "Tuesday, 12 May", with the year when it differs. */
export function dayWords(iso: string, now: Date): string {
  const then = new Date(iso);
  if (isSameDay(then, now)) return 'Today';
  if (isSameDay(then, new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))) return 'Yesterday';
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(then.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  }).format(then);
}

/** Tells whether two times fall on one day, in the reader's zone. */
export function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}

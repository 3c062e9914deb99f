/** A time to the minute, in UTC. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

/** A time to the second, in UTC. */
export function secondOf(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}

/** A share in [0, 1], in whole percents. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** A time in milliseconds; a dash for none. */
export function msOf(value: number | null): string {
  return value === null ? '-' : `${value} ms`;
}

/** `1 entry`, `2 entries`. */
export function plural(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

/** A time to the minute, in UTC. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

/** A time to the second, in UTC. */
export function secondOf(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}

/** A value with its sign and two digits. */
export function signed(value: number): string {
  return (value < 0 ? '−' : '+') + Math.abs(value).toFixed(2);
}

/** A share in [0, 1], in whole percents. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

import { IsoDay, IsoTime } from '@kith/contracts';
import { CliError } from './cli-error.js';

/** Reads the time that a flag gives: a day is its first moment, and all without an offset is UTC. @throws CliError */
export function readTime(flag: string, text: string): Date {
  const whole = text.replace(/T\d\d:\d\d(?=$|[Z+-])/, '$&:00');
  for (const iso of [whole, `${whole}Z`]) {
    if (IsoDay.safeParse(iso).success || IsoTime.safeParse(iso).success) return new Date(iso);
  }
  throw new CliError(
    `${flag}: ${text} is not a day such as 2027-01-31, or a time such as 2027-01-31T18:00 (UTC) or 2027-01-31T18:00+02:00, from 1900 to 2199`,
    2,
  );
}

import { isBoundedTime } from '@kith/contracts';
import { CliError } from './cli-error.js';

/** Reads the time that a flag gives; a day is its first moment in UTC. @throws CliError for what the suite would refuse */
export function readTime(flag: string, text: string): Date {
  const time = new Date(text);
  if (isBoundedTime(time)) return time;
  throw new CliError(`${flag}: ${text} is not a date such as 2027-01-31, or a time, from 1900 to 2199`, 2);
}

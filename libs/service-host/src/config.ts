/** The one place where a service's environment enters; what it means is in each service's settings. */
export const processEnvironment: Readonly<Record<string, string | undefined>> = process.env;

/**
 * Has this process and its threads count in UTC, whatever the machine's zone is: the parser of dates counts with local
 * times, and takes an hour that the machine's clock skips for the one after it.
 */
export function countInUtc(): void {
  process.env['TZ'] = 'UTC';
}

import { z } from 'zod';
import { lastOf } from '../present.js';

/** Regions of the cities of the IANA database. */
const REGIONS = (
  'Africa America America/Argentina America/Indiana America/Kentucky America/North_Dakota ' +
  'Antarctica Arctic Asia Atlantic Australia Europe Indian Pacific'
).split(' ');
/**
 * Zones by the letters that people have for them, in summer or in winter. The machine has its own reading of some: by
 * it `BST` is Bangladesh, and `EST` is Panama, which has no summer time.
 */
const ABBREVIATIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'America/St_Johns': 'NST NDT',
    'America/Halifax': 'AST ADT',
    'America/New_York': 'EST EDT ET',
    'America/Chicago': 'CST CDT CT',
    'America/Denver': 'MST MDT MT',
    'America/Los_Angeles': 'PST PDT PT',
    'America/Anchorage': 'AKST AKDT',
    'Europe/London': 'BST',
    WET: 'WEST',
    CET: 'CEST',
    EET: 'EEST',
    'Europe/Moscow': 'MSK',
    'Asia/Kolkata': 'IST',
    'Asia/Singapore': 'SGT',
    'Asia/Hong_Kong': 'HKT',
    'Asia/Tokyo': 'JST',
    'Asia/Seoul': 'KST',
    'Australia/Perth': 'AWST',
    'Australia/Adelaide': 'ACST ACDT',
    'Australia/Sydney': 'AEST AEDT',
    'Pacific/Auckland': 'NZST NZDT',
  }).flatMap(([zone, letters]) => letters.split(' ').map((each) => [each, zone])),
);
const OFFSET = /^(?:utc|gmt)?\s*([+\-−])\s*(\d{1,2})(?::?([0-5]\d))?$/i;
/** Above the longest name of a place; what is longer is compared with no city. */
const MAX_NAME = 100;
/** An error is one line. */
const MAX_SUGGESTED = 3;

/**
 * The IANA zone somebody means: a zone's name, a city that has one (`Berlin`, `new york`), its letters (`BST`), or an
 * offset (`UTC+2`, which knows no summer time). Otherwise the zones whose cities are spelled most like it.
 */
export function findTimeZone(text: string): { zone: string } | { suggestions: string[] } {
  const wanted = text.trim();
  if (wanted.length > MAX_NAME) return { suggestions: [] };
  const offset = OFFSET.exec(wanted);
  const zone = offset
    ? zoneOfOffset(offset)
    : (zoneOfLetters(wanted) ?? canonical(wanted) ?? zoneOfCity(wanted));
  return zone === null ? { suggestions: suggest(wanted) } : { zone };
}

/** An IANA zone the machine knows; a city or an offset is read as the zone it means. */
export const TimeZone = z
  .string()
  .transform((text, context) => {
    const found = findTimeZone(text);
    if ('zone' in found) return found.zone;
    const hint =
      found.suggestions.length > 0
        ? `did you mean ${found.suggestions.join(' or ')}?`
        : 'give the nearest big city, a zone such as Europe/Berlin, or an offset such as UTC+2';
    context.addIssue({ code: 'custom', message: `not a time zone: ${hint}` });
    return z.NEVER;
  })
  // Without it the API page would not say that a text comes out.
  .pipe(z.string());

function zoneOfLetters(text: string): string | null {
  const letters = text.toUpperCase();
  return Object.hasOwn(ABBREVIATIONS, letters) ? (ABBREVIATIONS[letters] ?? null) : null;
}

/**
 * The name as it is written in the database; null for one that the machine does not know. Nobody makes further zones by other
 * capitals: a city's older or newer name (Kyiv) stands as cities are written, and what is named by no city gives way to the
 * zone that the machine takes it for.
 */
function canonical(name: string): string | null {
  // Each turn reads one that was stored: to make a formatter of it takes 40 µs or more, and to find it one.
  if (zones().includes(name)) return name;
  // Offsets have a reading of their own, and without letters a name is none.
  if (!/[a-z]/i.test(name) || existing(name) === null) return null;
  const listed = zones().find((zone) => zone.toLowerCase() === name.toLowerCase());
  if (listed !== undefined) return listed;
  const written = capitalised(name);
  return written === name || REGIONS.some((region) => written.startsWith(`${region}/`))
    ? written
    : new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
}

function capitalised(name: string): string {
  return name.toLowerCase().replaceAll(/(?:^|[\s/_-])\p{L}/gu, (start) => start.toUpperCase());
}

/** `Etc/GMT-2` is two hours ahead of UTC: its signs are POSIX's. */
function zoneOfOffset([, written, hours, minutes = '00']: RegExpExecArray): string | null {
  const sign = written === '+' ? '+' : '-';
  const hour = Number(hours);
  // No place is further from UTC than the Line Islands.
  if (hour > 14 || (hour === 14 && minutes !== '00')) return null;
  if (hour === 0 && minutes === '00') return 'UTC';
  if (minutes !== '00') return existing(`${sign}${String(hour).padStart(2, '0')}:${minutes}`);
  return existing(`Etc/GMT${sign === '+' ? '-' : '+'}${hour}`);
}

function zoneOfCity(city: string): string | null {
  const spelled = lettersOf(city);
  if (spelled === '') return null;
  const listed = zones().find((zone) => lettersOf(cityOf(zone)) === spelled);
  if (listed) return listed;
  // Cities under an older or a newer name than the list has: Kolkata, Kyiv.
  const written = capitalised(city.trim()).replaceAll(/\s+/g, '_');
  return REGIONS.map((region) => existing(`${region}/${written}`)).find((zone) => zone !== null) ?? null;
}

function existing(zone: string): string | null {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    return null;
  }
}

function suggest(wanted: string): string[] {
  const spelled = lettersOf(cityOf(wanted));
  if (spelled.length < 3) return [];
  return zones()
    .map((zone) => ({ zone, distance: editDistance(spelled, lettersOf(cityOf(zone))) }))
    .filter(({ distance }) => distance <= Math.ceil(spelled.length / 4))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, MAX_SUGGESTED)
    .map(({ zone }) => zone);
}

/** Letters to add, to drop or to change (Levenshtein 1966). */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (let i = 1; i <= one.length; i += 1) {
    let [diagonal, left] = [i - 1, i];
    row = row.map((above, j) => {
      if (j > 0) left = Math.min(diagonal + (one[i - 1] === other[j - 1] ? 0 : 1), above + 1, left + 1);
      diagonal = above;
      return left;
    });
  }
  return lastOf(row);
}

let known: string[] | undefined;

function zones(): string[] {
  return (known ??= [...Intl.supportedValuesOf('timeZone'), 'UTC', 'WET', 'CET', 'EET']);
}

function cityOf(zone: string): string {
  return lastOf(zone.split('/'));
}

function lettersOf(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

import {
  counted,
  signed,
  DAY_MS,
  personaRoutes,
  type MoodPoint,
  type Pad,
  type Replay,
} from '@kith/contracts';
import type { CommandContext } from '../suite/command-context.js';
import { findCompanion, readPersonaFile } from './find-companion.js';
import { readTime } from '../input/read-time.js';

const BARS = '▁▂▃▄▅▆▇█';
/** Fits a terminal of 80 columns with its label. */
const SPARK_COLUMNS = 60;
const DAY = /^\d{4}-\d\d-\d\d$/;
const AXES = [
  ['pleasure', 'p'],
  ['arousal', 'a'],
  ['dominance', 'd'],
] as const;

/**
 * A course of values in [-1, 1] as one line of bars, from -1 to 1, by when they were: each column shows the last value
 * up to its time.
 */
export function sparkline(points: readonly { at: string; value: number }[], columns = SPARK_COLUMNS): string {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return '';
  const [from, to] = [Date.parse(first.at), Date.parse(last.at)];
  return Array.from({ length: columns }, (_, column) => {
    const until = from + ((to - from) * column) / Math.max(1, columns - 1);
    const { value } = points.findLast(({ at }) => Date.parse(at) <= until) ?? first;
    const height = Math.round(((value + 1) / 2) * (BARS.length - 1));
    return BARS[Math.min(BARS.length - 1, Math.max(0, height))];
  }).join('');
}

/** The two courses of a replay, axis by axis, with their numbers. */
export function replayLines({ stored, replayed, ...counts }: Replay, withPersona: boolean): string[] {
  const curves = [['as it was', stored] as const, ...(withPersona ? [['replayed', replayed] as const] : [])];
  const lines = AXES.flatMap(([name, axis]) => [
    name,
    ...curves.map(([label, { series, baseline }]) => curveLine(label, series, axis, baseline[axis])),
  ]);
  return [...lines, ...verdict(counts, withPersona)];
}

function verdict(
  { turns, differing, firstDifference, unknownVersions }: Omit<Replay, 'stored' | 'replayed'>,
  withPersona: boolean,
): string[] {
  const again = `${counted(turns, 'turn')} felt again`;
  const unknown = counted(unknownVersions, 'turn is', 'turns are');
  return [
    withPersona
      ? `${again} with that persona; ${differing} left something else`
      : firstDifference === null
        ? `${again}: equal to what is stored, bit for bit`
        : `${again}: ${differing} differ from what is stored, first ${wordDifference(firstDifference)}`,
    ...(unknownVersions > 0
      ? [`${unknown} of a version that is not kept, and felt with the one in force`]
      : []),
  ];
}

function wordDifference({ what, turnId, at }: NonNullable<Replay['firstDifference']>): string {
  return `the ${what} after turn ${turnId} (${at})`;
}

function curveLine(label: string, series: readonly MoodPoint[], axis: keyof Pad, rest: number): string {
  const values = series.map(({ at, pad }) => ({ at, value: pad[axis] }));
  if (values.length === 0) return `  ${label}`;
  const numbers = values.map(({ value }) => value);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  return `  ${label.padEnd(10)}${sparkline(values)}  mean ${signed(mean)}, ${signed(Math.min(...numbers))} to ${signed(Math.max(...numbers))}, at rest ${signed(rest)}`;
}

/** Replays past days. Returns false when they should equal what is stored and do not. */
export async function replayCompanion(
  context: CommandContext,
  wanted: string | undefined,
  options: { from?: string; to?: string; persona?: string; json?: boolean },
): Promise<boolean> {
  const { api, terminal } = context;
  const { id } = await findCompanion(context, wanted);
  const to = timeOf('--to', options.to) ?? new Date().toISOString();
  const from = timeOf('--from', options.from) ?? weekBefore(to);
  const persona =
    options.persona === undefined ? undefined : await readPersonaFile(options.persona, terminal);
  const replay = await api.call(personaRoutes.replay, { params: { id }, body: { from, to, persona } });
  if (options.json) terminal.json(replay);
  else for (const line of replayLines(replay, persona !== undefined)) terminal.line(line);
  return persona !== undefined || replay.differing === 0;
}

/** A day stays one: where the companion lives, it begins at a time of its own. */
function weekBefore(to: string): string {
  return new Date(Date.parse(to) - 7 * DAY_MS).toISOString().slice(0, to.length);
}

function timeOf(flag: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const time = readTime(flag, text);
  return DAY.test(text) ? text : time.toISOString();
}

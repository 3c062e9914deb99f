import {
  companionRoutes,
  counted,
  HOUR_MS,
  moodInWords,
  signed,
  type MoodPoint,
  type RouteAnswer,
} from '@kith/contracts';
import type { CommandContext } from '../suite/command-context.js';
import { minuteOf, percent } from '../terminal/value-words.js';

/** Two halves of a bar with its name and numbers fit in 60 columns. */
const BAR_HALF = 10;
/** Most events shown: more would push the bars off a small terminal. */
const LAST_EVENTS = 5;

/** A value in [-1, 1] as a bar around its middle. */
export function bar(value: number): string {
  const filled = Math.round(Math.min(1, Math.abs(value)) * BAR_HALF);
  const left = value < 0 ? '█'.repeat(filled).padStart(BAR_HALF, '·') : '·'.repeat(BAR_HALF);
  const right = value > 0 ? '█'.repeat(filled).padEnd(BAR_HALF, '·') : '·'.repeat(BAR_HALF);
  return `${left}│${right}`;
}

/** Draws a companion's mood, line by line. */
export function moodLines(name: string, mood: RouteAnswer<typeof companionRoutes.mood>): string[] {
  const { now, baseline, bond } = mood;
  const axis = (name: string, value: number, base: number) =>
    `  ${name.padEnd(10)}${bar(value)} ${signed(value)}  (at rest ${signed(base)})`;
  const moved = mood.series.filter(({ emotion }) => emotion !== null).slice(-LAST_EVENTS);
  return [
    `${name} is ${moodInWords(now)}`,
    axis('pleasure', now.pad.p, baseline.p),
    axis('arousal', now.pad.a, baseline.a),
    axis('dominance', now.pad.d, baseline.d),
    `  half of the way back to rest takes ${(mood.halfLifeMs / HOUR_MS).toFixed(1)} h`,
    ...moved.map(eventLine),
    ...(bond
      ? [
          `  with you: ${bond.stage}, familiarity ${percent(bond.familiarity)}, affection ${percent(bond.affection)}, trust ${percent(bond.trust)}, ${counted(bond.interactions, 'exchange')}`,
          ...bond.jokes.map(({ phrase, day }) => `  a joke of yours since ${day}: “${phrase}”`),
        ]
      : []),
  ];
}

/** Prints a companion's mood now. */
export async function showMood(
  { api, terminal }: CommandContext,
  { id, name }: { id: string; name: string },
  asJson: boolean,
): Promise<void> {
  const mood = await api.call(companionRoutes.mood, { params: { id } });
  if (asJson) return terminal.json(mood);
  for (const line of moodLines(name, mood)) terminal.line(line);
}

function eventLine({ at, emotion, intensity }: MoodPoint): string {
  const strength = intensity === null ? '' : ` ${intensity.toFixed(2)}`;
  return `  ${minuteOf(at)}  ${emotion}${strength}`;
}

import {
  counted,
  signed,
  HOUR_MS,
  companionRoutes,
  type AffectEventView,
  type MoodPoint,
  type MoodResponse,
} from '@kith/contracts';
import type { z } from 'zod';
import { PIPE } from '../input/files.js';
import { writeResult } from '../input/write-result.js';
import type { CommandContext } from '../suite/command-context.js';
import { minuteOf, percent } from '../terminal/value-words.js';
import { readList, tellMore } from '../suite/read-list.js';

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
export function moodLines(name: string, mood: z.output<typeof MoodResponse>): string[] {
  const { now, baseline, bond } = mood;
  const axis = (name: string, value: number, base: number) =>
    `  ${name.padEnd(10)}${bar(value)} ${signed(value)}  (at rest ${signed(base)})`;
  const moved = mood.series.filter(({ emotion }) => emotion !== null).slice(-LAST_EVENTS);
  return [
    `${name} is ${now.strength} ${now.label}`,
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

/** Prints the events that moved a companion's mood, the latest first: emotion, turn, and how that turn was read. */
export async function showWhy(
  { api, terminal }: CommandContext,
  { id, name }: { id: string; name: string },
  { limit, json }: { limit: number; json?: boolean },
): Promise<void> {
  const view = await readList('events', limit, (query) =>
    api.call(companionRoutes.affectEvents, { params: { id }, query }),
  );
  if (json) return terminal.json(view);
  if (view.events.length === 0) return terminal.note(`nothing has moved ${name} yet`);
  terminal.table(view.events, [
    { header: 'when', value: ({ at }) => minuteOf(at) },
    { header: 'felt', value: ({ emotion }) => emotion },
    { header: 'how much', align: 'right', value: ({ intensity }) => intensity.toFixed(2) },
    { header: 'pleasure', align: 'right', value: ({ change }) => (change ? signed(change.p) : '-') },
    { header: 'arousal', align: 'right', value: ({ change }) => (change ? signed(change.a) : '-') },
    { header: 'dominance', align: 'right', value: ({ change }) => (change ? signed(change.d) : '-') },
    { header: 'why', flexible: true, value: whyWords },
    { header: 'turn', value: ({ turnId }) => turnId },
  ]);
  terminal.note('the mood that everybody meets moved so; towards the person of the turn it moved further');
  tellMore(terminal, view);
}

/** Words for the cause of an event: the turn, how it was read, and an earlier prospect. */
export function whyWords({ settles, variables, appraiser }: AffectEventView): string {
  const read = Object.entries(variables)
    .filter(([, value]) => value !== 0 && value !== 'none')
    .map(([name, value]) => `${name} ${typeof value === 'number' ? signed(value) : value}`);
  const reading = `${read.join(', ')} (by ${appraiser === 'model' ? 'the model' : 'rules'})`;
  if (!settles) return reading;
  const words = settles.about === null ? '' : ` “${settles.about}”`;
  return `what was ${settles.kind} on ${settles.since.slice(0, 10)}${words}; ${reading}`;
}

/** Saves a companion's mood as a picture. */
export async function saveMoodCard(
  { api, terminal }: CommandContext,
  companionId: string,
  file: string,
  options: { force?: boolean },
): Promise<void> {
  const card = await api.call(companionRoutes.moodCard, { params: { id: companionId } });
  await writeResult(terminal, file, [card], options);
  if (file !== PIPE) terminal.note(`written to ${file}`);
}

function eventLine({ at, emotion, intensity }: MoodPoint): string {
  const strength = intensity === null ? '' : ` ${intensity.toFixed(2)}`;
  return `  ${minuteOf(at)}  ${emotion}${strength}`;
}

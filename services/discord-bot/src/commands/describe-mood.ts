import type { ResponseOutput, personalityContract } from '@kith/contracts';
import { bar, sparkline } from './draw.js';

export type MoodAnswer = ResponseOutput<typeof personalityContract.mood>;
type Mood = MoodAnswer['now'];

/** Such as `moderately relaxed`. */
export function moodInWords({ label, strength }: Mood): string {
  return `${strength} ${label}`;
}

/** Pleasure, arousal and dominance as bars: empty is -1, full is 1. */
function moodBars({ pad }: Mood): string {
  const line = (name: string, value: number) =>
    `${name.padEnd(9)} ${bar((value + 1) / 2)} ${value >= 0 ? '+' : ''}${value.toFixed(2)}`;
  return ['```', line('pleasure', pad.p), line('arousal', pad.a), line('dominance', pad.d), '```'].join('\n');
}

/** The mood now, its course over the past day, and what there is between the two. */
export function describeMood(name: string, answer: MoodAnswer): string {
  const { now, series, halfLifeMs, relationship } = answer;
  const lines = [`**${name}** feels ${moodInWords(now)}.`, moodBars(now)];
  const moved = series.findLast(({ emotion }) => emotion !== null);
  if (moved?.emotion) lines.push(`Last moved by ${moved.emotion}.`);
  if (series.length > 1)
    lines.push(`The past day: \`${sparkline(series.map(({ pad }) => pad.p))}\` (pleasure)`);
  lines.push(`Half of a mood is gone after ${inHours(halfLifeMs)}.`);
  lines.push(
    relationship && relationship.interactions > 0
      ? `Between you: ${relationship.interactions} exchanges, familiarity ${percent(relationship.familiarity)}, ` +
          `affection ${percent(relationship.affection)}, trust ${percent(relationship.trust)}.`
      : 'You have not talked yet.',
  );
  return lines.join('\n');
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

function inHours(ms: number): string {
  const hours = ms / 3_600_000;
  return hours < 1 ? `${Math.round(hours * 60)} minutes` : `${Number(hours.toFixed(1))} hours`;
}

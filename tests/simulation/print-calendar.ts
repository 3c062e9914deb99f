import { clockOf, dayOf } from './clock.ts';
import type { Story } from './simulate.ts';

/** Draws each person's outreach day by day on their own clock, a few lines a person. */
export function printCalendar(stories: readonly Story[], days: number): string {
  return stories.map((story) => printStory(story, days)).join('\n\n');
}

function printStory(story: Story, days: number): string {
  const { person, settings, sent, spoke } = story;
  const sentOn = Map.groupBy(sent, ({ at }) => dayOf(at, person.zone));
  const spokeOn = new Set(spoke.map((at) => dayOf(at, person.zone)));
  const strip = Array.from({ length: days }, (_, n) => {
    const day = story.start.plus({ days: n }).toFormat('yyyy-MM-dd');
    return String(sentOn.get(day)?.length ?? (spokeOn.has(day) ? '·' : ' '));
  }).join('');
  const { quietFrom, quietUntil, dailyCap, weeklyCap } = settings;
  return [
    `${person.name.padEnd(10)} |${strip}|  ${sent.length} sent, ${spoke.length} said  ${person.note}`,
    `  ${person.zone}, quiet ${quietFrom} to ${quietUntil}, at most ${dailyCap} a day and ${weeklyCap} a week`,
    ...sent.map(({ at, intention }) => {
      const when = `${dayOf(at, person.zone)} ${clockOf(at, person.zone)}`;
      return `  ${when}  ${intention.kind.padEnd(9)} ${intention.about.slice(0, 90)}`;
    }),
  ].join('\n');
}

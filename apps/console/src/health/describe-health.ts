import type { ServiceHealth, SuiteHealth } from '@kith/contracts';

/** One thing that does not work, and what that means for the person who chats. */
export interface Trouble {
  key: string;
  /** Part that is down or lacking. */
  what: string;
  /** Effect on the person, where `what` does not say it yet. */
  effect: string | null;
  /** ISO 8601, where it is known. */
  since: string | null;
}

const EFFECTS: Readonly<Record<string, string>> = {
  memory: 'Replies do without recall. What you say now is remembered once it is back.',
  personality: 'Replies come without mood and style until it is back.',
  embedding: 'Recall goes by words in common, not by meaning.',
  'proactive-scheduler': 'Nobody writes to you first until it is back; what is due comes later.',
  'discord-bot': 'Discord is not answered until it is back. This page is not affected.',
};

/** The gateway itself does not answer. */
export const UNREACHABLE: Trouble = {
  key: 'gateway',
  what: 'Kith is not answering',
  effect: 'This page keeps trying. What you write is kept and sent as soon as it is back.',
  since: null,
};

/** Lists what is down in the suite and what it does without, worst first for the person; empty when all is well. */
export function describeHealth({ services }: SuiteHealth): Trouble[] {
  const ranked = [...services].sort((one, other) => rank(one.service) - rank(other.service));
  const states = ranked.flatMap(({ service, ready, degraded }) =>
    // Of a service that is down nothing else need be said.
    ready ? degraded.map((state) => ({ service, ...state })) : [],
  );
  const since = new Map(states.map((state) => [state.part, state.since]));
  const down = ranked
    // Without Redis they can't be asked, or lack it too, and its own line says what that means.
    .filter(({ ready, dependencies }) => !ready && !(since.has('redis') && lacksRedisAlone(dependencies)))
    .map((service) => describeDown(service, since.get(service.service) ?? null));
  const names = new Set(down.map(({ key }) => key));
  return [
    ...down,
    ...states
      .filter(({ part }) => !names.has(part))
      .map(({ service, part, effect, since: from }) => ({
        key: `${service} ${part}`,
        what: `${effect.charAt(0).toUpperCase()}${effect.slice(1)}`,
        effect: null,
        since: from,
      })),
  ];
}

function describeDown({ service, dependencies }: ServiceHealth, since: string | null): Trouble {
  const away = Object.keys(dependencies).filter(
    // A service that does not answer at all is reported with its own process out of reach.
    (name) => name !== 'process' && dependencies[name]?.up === false,
  );
  const what = `${service} is down${away.length === 0 ? '' : ` (${away.join(', ')} out of reach)`}`;
  return { key: service, what, effect: effectOf(service, away), since };
}

function lacksRedisAlone(dependencies: ServiceHealth['dependencies']): boolean {
  const down = Object.keys(dependencies).filter((name) => !dependencies[name]?.up);
  return down.length > 0 && down.every((name) => name === 'redis' || name === 'process');
}

function effectOf(service: string, down: string[]): string {
  if (service === 'gateway')
    return down.includes('postgres')
      ? 'Nothing can be accepted until it is back. What you write here is kept and sent then.'
      : 'Replies may be late.';
  return EFFECTS[service] ?? 'Something may be missing until it is back.';
}

const ORDER = ['gateway', 'memory', 'personality', 'embedding', 'proactive-scheduler', 'discord-bot'];

function rank(service: string): number {
  const place = ORDER.indexOf(service);
  return place === -1 ? ORDER.length : place;
}

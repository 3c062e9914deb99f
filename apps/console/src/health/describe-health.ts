import type { SuiteHealth } from '@kith/contracts';

/** One thing that does not work, and what that means for the person who chats. */
export interface Trouble {
  service: string;
  /** What is down. */
  what: string;
  /** What it means. */
  effect: string;
}

const EFFECTS: Readonly<Record<string, string>> = {
  memory: 'Replies do without recall. What you say now is remembered once it is back.',
  personality: 'Replies come without mood and style until it is back.',
  embedding: 'Recall goes by words in common, not by meaning.',
  'proactive-scheduler': 'Nobody writes to you first until it is back; what is due comes later.',
  'discord-bot': 'Discord is not answered until it is back. This page is not affected.',
};

const GATEWAY_EFFECTS: Readonly<Record<string, string>> = {
  postgres: 'Nothing can be accepted until it is back. What you write here is kept and sent then.',
  redis: 'Messages are accepted; replies come once it is back.',
};

/** The gateway itself does not answer. */
export const UNREACHABLE: Trouble = {
  service: 'gateway',
  what: 'Kith is not answering',
  effect: 'This page keeps trying. What you write is kept and sent as soon as it is back.',
};

/** What is down in the suite, worst first for the person; empty when all is well. */
export function describeHealth(health: SuiteHealth): Trouble[] {
  const without = health.services.flatMap(({ service, degraded }) =>
    degraded.map(({ part, effect, since }) => ({
      service,
      what: `${part.replaceAll('-', ' ')} since ${since.slice(11, 16)} UTC`,
      effect: `${effect.charAt(0).toUpperCase()}${effect.slice(1)}.`,
    })),
  );
  const down = health.services
    .filter(({ ready }) => !ready)
    .map(({ service, dependencies }) => {
      const away = Object.keys(dependencies).filter(
        // A service that does not answer at all is told as its own process being out of reach.
        (name) => name !== 'process' && dependencies[name]?.up === false,
      );
      return {
        service,
        what: `${service} is down${away.length === 0 ? '' : ` (${away.join(', ')} out of reach)`}`,
        effect: effectOf(service, away),
      };
    });
  return [...down, ...without].sort((one, other) => rank(one.service) - rank(other.service));
}

function effectOf(service: string, down: string[]): string {
  if (service === 'gateway') {
    const effect = down.flatMap((name) => GATEWAY_EFFECTS[name] ?? []).join(' ');
    return effect === '' ? 'Replies may be late.' : effect;
  }
  return EFFECTS[service] ?? 'Something may be missing until it is back.';
}

const ORDER = ['gateway', 'memory', 'personality', 'embedding', 'proactive-scheduler', 'discord-bot'];

function rank(service: string): number {
  const place = ORDER.indexOf(service);
  return place === -1 ? ORDER.length : place;
}

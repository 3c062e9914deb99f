import { DeadDone, DeadList, type DeadAction, type DeadItem } from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';

/** Lists what was given up: events and requests no service could handle, jobs out of tries. Oldest first. */
export async function listDead({ api, terminal }: CommandContext, asJson: boolean): Promise<void> {
  const { dead } = await api.get('/v1/dead', DeadList);
  if (asJson) return terminal.json(dead);
  if (dead.length === 0) return terminal.note('nothing was given up');
  terminal.table(dead, [
    { header: 'id', value: ({ id }) => id },
    { header: 'what', value: ({ kind, pattern }) => `${kind} ${pattern}` },
    { header: 'service', value: ({ service }) => service },
    { header: 'tries', value: ({ tries }) => String(tries), align: 'right' },
    { header: 'at', value: ({ at }) => at.slice(0, 16).replace('T', ' ') },
    { header: 'error', value: ({ error }) => error, flexible: true },
  ]);
}

/** Gives what was given up back to its service, or lets go of it: these, or with `all` whatever bears it. */
export async function steerDead(
  { api, terminal }: CommandContext,
  action: z.output<typeof DeadAction>,
  ids: readonly string[],
  all: boolean,
): Promise<void> {
  if (ids.length === 0 && !all)
    throw new CliError(`name what to ${action} (kith dead list shows ids), or say --all`, 2);
  const { dead } = await api.get('/v1/dead', DeadList);
  const unknown = ids.filter((id) => !dead.some((one) => one.id === id));
  if (unknown.length > 0)
    throw new CliError(`there is no ${unknown.join(', ')}: kith dead list shows what there is`);
  const chosen = dead.filter(({ id, actions }) => (all ? actions.includes(action) : ids.includes(id)));
  for (const { id } of chosen) await api.send('POST', pathOf(id, action), {}, DeadDone);
  terminal.line(
    action === 'replay'
      ? `replayed ${chosen.length}; what fails again comes back to the list`
      : `let go of ${chosen.length}`,
  );
}

function pathOf(id: DeadItem['id'], action: string): string {
  const [what = '', ...rest] = id.split('/');
  return `/v1/dead/${encodeURIComponent(what)}/${encodeURIComponent(rest.join('/'))}/${action}`;
}

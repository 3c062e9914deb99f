import { DAY_MS } from '@kith/contracts';
import type { OfferedModel } from '@kith/llm';
import type { KeptChoice } from './plan-choices.js';

/** Time for which an exchange is reported: an operator who looks once a week sees it. */
const TOLD_FOR_MS = 14 * DAY_MS;
/** Offers that are named: enough to choose from, and a line long. */
const SHOWN_OFFERS = 5;

/** Model that the settings name for a role. */
interface NamedModel {
  /** The setting that names it, such as `CHAT_MODELS`. */
  setting: string;
  host: string;
  model: string;
}

/**
 * Words notes for the operator: defaults that were exchanged lately, and named models that their hosts do not serve.
 */
export function describeChoices(
  kept: readonly KeptChoice[],
  named: readonly NamedModel[],
  listings: readonly { host: string; offered: readonly OfferedModel[] }[],
  now: Date,
): string[] {
  const exchanged = kept
    .filter(({ replaced, chosenAt }) => replaced !== null && now.getTime() - chosenAt.getTime() < TOLD_FOR_MS)
    .map(
      ({ host, role, model, replaced, chosenAt }) =>
        `${host} no longer serves ${replaced}: ${model} does its ${role} work since ${chosenAt.toISOString().slice(0, 10)}`,
    );
  const missing = named.flatMap(({ setting, host, model }) => {
    const offered = listings.find((listing) => listing.host === host)?.offered ?? [];
    const listed = offered.find(({ id }) => id === model);
    if (listed?.retiresOn) return [`${setting} names ${host}:${model}, which ends on ${listed.retiresOn}`];
    if (listed || offered.length === 0) return [];
    const alike = offersLike(
      model,
      offered.map(({ id }) => id),
    );
    return [`${setting} names ${host}:${model}, which ${host} does not list; it offers ${alike}`];
  });
  return [...exchanged, ...missing];
}

/** Lists offers whose names begin most like the one that is missed. */
function offersLike(missed: string, ids: readonly string[]): string {
  const likeness = (id: string) => {
    let same = 0;
    while (same < id.length && id[same] === missed[same]) same++;
    return same;
  };
  const sorted = ids.toSorted((a, b) => likeness(b) - likeness(a) || (a < b ? -1 : 1));
  const rest = sorted.length > SHOWN_OFFERS ? ', … (kith models list shows all)' : '';
  return sorted.slice(0, SHOWN_OFFERS).join(', ') + rest;
}

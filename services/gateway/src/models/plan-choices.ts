import type { ModelChoice } from '@kith/contracts';
import { chooseModel, PREFERENCES, type HostName, type OfferedModel } from '@kith/llm';

export interface KeptChoice extends ModelChoice {
  chosenAt: Date;
  replaced: string | null;
}

/** Models that a host is known to offer. */
export interface HostListing {
  host: HostName;
  offered: readonly OfferedModel[];
}

const ROLES: readonly ModelChoice['role'][] = ['chat', 'fast'];

/**
 * Decides which choices to make anew, given the kept ones and what the hosts offer. A kept model stays as long as its
 * host lists it, whatever came out since: a companion's voice does not change by itself. It goes when it is listed no
 * more, when its announced day has come, or when the host has just refused it. Pure.
 * @param gone labels (`host:model`) of models that were refused although they may still be listed
 */
export function planChoices(
  listings: readonly HostListing[],
  kept: readonly KeptChoice[],
  gone: ReadonlySet<string>,
  now: Date,
): KeptChoice[] {
  return listings.flatMap(({ host, offered }) => {
    const served = offered.filter(
      ({ id, retiresOn }) => !gone.has(`${host}:${id}`) && !hasCome(retiresOn, now),
    );
    return ROLES.flatMap((role): KeptChoice[] => {
      const before = kept.find((choice) => choice.host === host && choice.role === role);
      if (before && served.some(({ id }) => id === before.model)) return [];
      const found = chooseModel(PREFERENCES[host][role].families, served, now.getTime());
      if (!found) return [];
      return [{ host, role, model: found.id, chosenAt: now, replaced: before?.model ?? null }];
    });
  });
}

function hasCome(day: string | null, now: Date): boolean {
  return day !== null && Date.parse(day) <= now.getTime();
}

import type { ModelChoice, ModelRoleName } from '@kith/contracts';
import { PREFERENCES, type HostName } from './model-families.js';

/**
 * The models that were chosen by default, in one process. Holds the last known names until it is told; whoever makes
 * the choice (the gateway) tells it, here and in the other services.
 */
export class ModelChoices {
  private readonly chosen = new Map<string, string>();

  /** Takes what was chosen; hosts that are not named keep what they had. */
  set(choices: readonly ModelChoice[]): void {
    for (const { host, role, model } of choices) this.chosen.set(`${host} ${role}`, model);
  }

  modelOf(host: HostName, role: ModelRoleName): string {
    return this.chosen.get(`${host} ${role}`) ?? PREFERENCES[host][role].lastKnown;
  }
}

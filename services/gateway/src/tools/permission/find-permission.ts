import type { ToolRuleModel } from '@kith/database';
import type { ToolTraits } from './tool-traits.js';

/** Place and company in which a tool would be used. */
export interface ToolPlace {
  companionId: string;
  /** Discord's server; null in a DM and at other doors. */
  server: string | null;
  channel: string | null;
  /** Channel of a thread, whose rules hold in the thread as well; absent in calls that were noted without it. */
  threadOf?: string | null;
  /**
   * Roles of the person in that server. Null where the door did not tell them: then every rule that denies for a role
   * fits, and none that allows.
   */
  roles: readonly string[] | null;
}

/** Rule of an operator's. A null field stands for any value; `pin` is the form of the tool that it was made for. */
export type ToolRule = Omit<ToolRuleModel, 'id' | 'madeAt'>;

/** `changed`: it was allowed in an earlier form, and has to be allowed again. */
export type ToolPermission = 'allowed' | 'denied' | 'not-allowed' | 'changed';

/** Finds whether a tool may be used at a place. A rule that denies wins over any that allows. Pure. */
export function findPermission(
  tool: Pick<ToolTraits, 'name' | 'allowedBy' | 'pin'>,
  place: ToolPlace,
  rules: readonly ToolRule[],
): ToolPermission {
  const fitting = rules.filter((rule) => rule.tool === tool.name && fits(rule, place));
  if (fitting.some(({ isAllowed }) => !isAllowed)) return 'denied';
  if (tool.allowedBy === 'built-in') return 'allowed';
  if (fitting.length === 0) return 'not-allowed';
  return fitting.some(({ pin }) => pin === tool.pin) ? 'allowed' : 'changed';
}

function fits(rule: ToolRule, { companionId, server, channel, threadOf, roles }: ToolPlace): boolean {
  const agrees = (wanted: string | null, there: string | null) => wanted === null || wanted === there;
  return (
    agrees(rule.companionId, companionId) &&
    agrees(rule.server, server) &&
    (agrees(rule.channel, channel) || rule.channel === threadOf) &&
    (rule.role === null || (roles?.includes(rule.role) ?? !rule.isAllowed))
  );
}

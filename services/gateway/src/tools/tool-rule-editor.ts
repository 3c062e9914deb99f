import type { ToolRuleView } from '@kith/contracts';
import type { ToolRulePlace, ToolRules } from './permission/tool-rules.js';
import { noTool, type ToolRegistry } from './tool-registry.js';

/** Lists and changes the operators' rules about tools. */
export class ToolRuleEditor {
  constructor(
    private readonly registry: Pick<ToolRegistry, 'traitsOf'>,
    private readonly rules: Pick<ToolRules, 'all' | 'set' | 'remove'>,
  ) {}

  /** Lists rules, with whether each still speaks of a tool as it is. */
  async list(): Promise<ToolRuleView[]> {
    const rules = await this.rules.all();
    return rules.map(({ tool, isAllowed, companionId, server, channel, role, pin, madeAt }) => ({
      ...{ tool, allow: isAllowed, madeAt: madeAt.toISOString() },
      isCurrent: this.registry.traitsOf(tool)?.pin === pin,
      ...(companionId === null ? {} : { companion: companionId }),
      ...(server === null ? {} : { server }),
      ...(channel === null ? {} : { channel }),
      ...(role === null ? {} : { role }),
    }));
  }

  /**
   * Allows or denies a tool as it is now. One of outside that is away can be denied all the same: a rule that denies holds
   * for every form of its tool.
   * @throws AppError `not_found`
   */
  async set(place: ToolRulePlace, isAllowed: boolean): Promise<void> {
    const known = this.registry.traitsOf(place.tool);
    const pin = known?.pin ?? (isAllowed ? null : await this.pinOfAbsent(place.tool));
    if (pin === null) throw noTool(place.tool);
    await this.rules.set({ ...place, isAllowed, pin });
  }

  /** Takes a rule back. @throws AppError `not_found` */
  remove(place: ToolRulePlace): Promise<void> {
    return this.rules.remove(place);
  }

  /** Finds the form of a tool that is away by its latest rule: empty where only its name tells of a server, else null. */
  private async pinOfAbsent(name: string): Promise<string | null> {
    const rules = await this.rules.all();
    return rules.findLast(({ tool }) => tool === name)?.pin ?? (name.includes('__') ? '' : null);
  }
}

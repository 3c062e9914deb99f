import { AppError, type ToolRuleView } from '@kith/contracts';
import type { ToolRulePlace, ToolRules } from './permission/tool-rules.js';
import { BUILT_IN } from './turn-tools.js';
import type { ToolDeclaration } from './tool.js';
import type { ToolRegistry } from './tool-registry.js';

/** Lists and changes the operators' rules about tools. */
export class ToolRuleEditor {
  constructor(
    private readonly registry: Pick<ToolRegistry, 'find'>,
    private readonly rules: Pick<ToolRules, 'all' | 'set' | 'remove'>,
  ) {}

  /** Lists rules, with whether each still speaks of a tool as it is. */
  async list(): Promise<ToolRuleView[]> {
    const rules = await this.rules.all();
    return rules.map(({ tool, isAllowed, companionId, server, channel, role, pin, madeAt }) => ({
      ...{ tool, allow: isAllowed, madeAt: madeAt.toISOString() },
      isCurrent: this.find(tool)?.traits.pin === pin,
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
    const tool = this.find(place.tool);
    const pin = tool?.traits.pin ?? (isAllowed ? null : await this.pinOfAbsent(place.tool));
    if (pin === null)
      throw new AppError(
        'not_found',
        `there is no tool ${place.tool}: kith tools list, or GET /v1/tools, shows them`,
      );
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

  private find(name: string): ToolDeclaration | null {
    return this.registry.find(name) ?? BUILT_IN.find(({ traits }) => traits.name === name) ?? null;
  }
}

import { AppError, type ToolRuleView } from '@kith/contracts';
import { uuid7, type Database, type ToolRuleModel } from '@kith/database';
import type { ToolRule } from './permission/find-permission.js';
import { noTool, type ToolRegistry } from './tool-registry.js';

/** Time for which rules are cached: a tool that is denied is out of use at every replica within it. */
const FRESH_MS = 3_000;

/** Place of a rule. A null field stands for any value. */
export type RuleTarget = Pick<ToolRule, 'tool' | 'companionId' | 'server' | 'channel' | 'role'>;

type StoredRule = Omit<ToolRuleModel, 'id'>;

/** Rules of operators about tools, in Postgres. */
export class ToolRules {
  private known: { rules: StoredRule[]; until: number } | null = null;

  constructor(
    private readonly database: Database,
    private readonly registry: ToolRegistry,
  ) {}

  /** Lists the rules, the oldest first; as they were a moment ago. */
  async all(): Promise<readonly StoredRule[]> {
    if (this.known && this.known.until > performance.now()) return this.known.rules;
    const rules = await this.database.reader('system').$queryRaw<StoredRule[]>`
      SELECT tool, is_allowed AS "isAllowed", companion_id AS "companionId", server, channel, role, pin,
        made_at AS "madeAt"
      FROM tool_rules ORDER BY id`;
    this.known = { rules, until: performance.now() + FRESH_MS };
    return rules;
  }

  /** Shows the rules, with whether each still speaks of a tool as it is. */
  async list(): Promise<ToolRuleView[]> {
    const rules = await this.all();
    return rules.map(({ tool, isAllowed, companionId, server, channel, role, pin, madeAt }) => ({
      tool,
      allow: isAllowed,
      madeAt: madeAt.toISOString(),
      isCurrent: this.registry.traitsOf(tool)?.pin === pin,
      ...(companionId === null ? {} : { companion: companionId }),
      ...(server === null ? {} : { server }),
      ...(channel === null ? {} : { channel }),
      ...(role === null ? {} : { role }),
    }));
  }

  /**
   * Allows or denies a tool as it is now, in the place of the rule that was there. One of outside that is away can be denied
   * all the same: a rule that denies holds for every form of its tool.
   * @throws AppError `not_found`
   */
  async set({ tool, companionId, server, channel, role }: RuleTarget, isAllowed: boolean): Promise<void> {
    const known = this.registry.traitsOf(tool);
    const pin = known?.pin ?? (isAllowed ? null : await this.pinOfAbsent(tool));
    if (pin === null) throw noTool(tool);
    await this.database.writer('system').$executeRaw`
      INSERT INTO tool_rules (id, tool, is_allowed, companion_id, server, channel, role, pin)
      VALUES (${uuid7()}::uuid, ${tool}, ${isAllowed}, ${companionId}, ${server}, ${channel}, ${role}, ${pin})
      ON CONFLICT (tool, companion_id, server, channel, role)
      DO UPDATE SET is_allowed = excluded.is_allowed, pin = excluded.pin, made_at = now()`;
    this.known = null;
  }

  /** Takes a rule back. @throws AppError `not_found` */
  async remove({ tool, companionId, server, channel, role }: RuleTarget): Promise<void> {
    const removed = await this.database.writer('system').$executeRaw`
      DELETE FROM tool_rules WHERE tool = ${tool} AND companion_id IS NOT DISTINCT FROM ${companionId}
        AND server IS NOT DISTINCT FROM ${server} AND channel IS NOT DISTINCT FROM ${channel}
        AND role IS NOT DISTINCT FROM ${role}`;
    this.known = null;
    if (removed === 0)
      throw new AppError(
        'not_found',
        `there is no rule for ${tool} there: kith tools rules, or GET /v1/tool-rules, shows them`,
      );
  }

  /** Finds the form of a tool that is away by its latest rule: empty where only its name tells of a server, else null. */
  private async pinOfAbsent(name: string): Promise<string | null> {
    const rules = await this.all();
    return rules.findLast(({ tool }) => tool === name)?.pin ?? (name.includes('__') ? '' : null);
  }
}

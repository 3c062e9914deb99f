import { toolRoutes } from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { CompanionDirectory } from '../intake/companion-directory.js';
import type { ToolRulePlace } from '../tools/permission/tool-rules.js';
import { PermittedTools } from '../tools/permitted-tools.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { ToolRuleEditor } from '../tools/tool-rule-editor.js';
import { Serves, type RouteCall } from './serves.js';

/** Serves tools: who may use which, the questions that wait, and the operators' rules. */
@Controller()
export class ToolsController {
  constructor(
    private readonly tools: PermittedTools,
    private readonly rules: ToolRuleEditor,
    private readonly companions: CompanionDirectory,
    private readonly registry: ToolRegistry,
  ) {}

  @Serves(toolRoutes.list)
  async onList({ caller: { personId }, query }: RouteCall<typeof toolRoutes.list>) {
    const tools = await this.tools.list({ personId, place: await this.placeOf(query.companion) });
    return { tools, leftOut: this.registry.leftOut() };
  }

  @Serves(toolRoutes.run)
  async onRun({ caller: { personId }, params, body }: RouteCall<typeof toolRoutes.run>) {
    const asker = { personId, place: await this.placeOf(body.companion) };
    return this.tools.run(asker, params.name, body);
  }

  @Serves(toolRoutes.takeBack)
  async onTakeBack({ caller: { personId }, params, query }: RouteCall<typeof toolRoutes.takeBack>) {
    const { companionId } = await this.placeOf(query.companion);
    await this.tools.takeBack(personId, companionId, params.name);
  }

  @Serves(toolRoutes.questions)
  async onQuestions({ caller: { personId } }: RouteCall<typeof toolRoutes.questions>) {
    return { questions: await this.tools.questions(personId) };
  }

  @Serves(toolRoutes.answer)
  onAnswer({ caller: { personId }, params, body }: RouteCall<typeof toolRoutes.answer>) {
    return this.tools.answer(personId, params.id, body.answer);
  }

  @Serves(toolRoutes.rules)
  async onRules() {
    return { rules: await this.rules.list() };
  }

  @Serves(toolRoutes.setRule)
  async onSetRule({ params, body: { allow, ...place }, request }: RouteCall<typeof toolRoutes.setRule>) {
    request.subjects = { ...subjectsOf(place), allow: String(allow) };
    await this.rules.set(placeOfRule(params.name, place), allow);
  }

  @Serves(toolRoutes.removeRule)
  async onRemoveRule({ params, query, request }: RouteCall<typeof toolRoutes.removeRule>) {
    request.subjects = subjectsOf(query);
    await this.rules.remove(placeOfRule(params.name, query));
  }

  /** Finds the place of a call: with none of Discord's servers, channels and roles, whose rules do not hold here. */
  private async placeOf(companion: string | undefined) {
    return { companionId: await this.companions.require(companion), server: null, channel: null, roles: [] };
  }
}

type GivenPlace = Partial<Record<'companion' | 'server' | 'channel' | 'role', string | undefined>>;

function placeOfRule(tool: string, place: GivenPlace): ToolRulePlace {
  const { companion: companionId = null, server = null, channel = null, role = null } = place;
  return { tool, companionId, server, channel, role };
}

function subjectsOf(place: GivenPlace): Record<string, string> {
  return Object.fromEntries(Object.entries(place).filter((entry): entry is [string, string] => !!entry[1]));
}

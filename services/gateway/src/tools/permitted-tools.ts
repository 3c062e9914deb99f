import { randomUUID } from 'node:crypto';
import {
  AppError,
  firstOf,
  reasonOf,
  type ToolAnswer,
  type ToolOutcome,
  type ToolQuestion,
  type ToolView,
} from '@kith/contracts';
import type { HookList } from '@kith/llm';
import type { Logger } from 'pino';
import type { Claim } from '../inbox/claim.js';
import { findPermission, type ToolPlace } from './permission/find-permission.js';
import type { NewToolCall, NotedCall, ToolCallRecords } from './permission/tool-call-records.js';
import { viewQuestion } from './permission/view-question.js';
import type { ToolGrants } from './permission/tool-grants.js';
import { changesOf, reachesOutside, type ToolChanges } from './permission/tool-traits.js';
import type { ToolRules } from './tool-rules.js';
import { BUILT_IN } from './turn-tools.js';
import type { OutsideCalls } from './outside-calls.js';
import type { Tool } from './tool.js';
import { noTool, type ToolKind, type ToolRegistry } from './tool-registry.js';
import { ToolRunner } from './tool-runner.js';
import { readParameters, requireArguments } from './tool-parameters.js';
import type { TurnAuthority } from './turn-authority.js';
import { wordOutcome } from './word-outcome.js';

export interface ToolParts {
  registry: ToolRegistry;
  rules: ToolRules;
  grants: ToolGrants;
  records: ToolCallRecords;
  outside: OutsideCalls;
  hooks: HookList;
  logger: Logger;
  isPaused: (companionId: string) => Promise<boolean>;
}

/** Person at a place. */
interface Asker {
  personId: string;
  place: ToolPlace;
}

/** Answer to a person whose call a hook refuses without words of its own. */
const REFUSED = 'A rule of the operator does not allow this.';
/** Answer to a person whose companion an operator has paused. */
const PAUSED = 'The companion is paused: this was not begun. Ask again when it talks once more.';
/** Answer to a person whose yes could not begin the call. */
const NOT_BEGUN = 'It was not begun; ask again.';
/** Latest turns whose questions a prompt tells of. Older ones have been talked about. */
const MAX_TURNS = 50;

/** Decides who may use which tools, gives a turn its tools, and takes people's answers. */
export class PermittedTools {
  constructor(private readonly parts: ToolParts) {}

  /**
   * Makes the runner of one turn, of its own tools and those outside that are allowed there.
   * @param ownTools null: no tools at all
   */
  async runnerFor(turn: TurnAuthority, ownTools: readonly Tool[] | null): Promise<ToolRunner> {
    const { registry, rules, outside } = this.parts;
    if (ownTools === null) return new ToolRunner([], turn, outside, registry);
    // Where nobody is present nothing outside may be used, so nothing of it is shown to the model.
    const others = turn.origin === 'message' ? registry.all().map(({ tool }) => tool) : [];
    const made = await rules.all();
    const offered = [...ownTools, ...others].map((tool) => ({
      tool,
      permission: findPermission(tool.traits, turn.place, made),
    }));
    return new ToolRunner(offered, turn, outside, registry);
  }

  /** Lists all tools as a person may use them at a place. */
  async list({ personId, place }: Asker): Promise<ToolView[]> {
    const { registry, rules, grants } = this.parts;
    const [made, given] = await Promise.all([rules.all(), grants.of(personId, place.companionId)]);
    const all: { tool: Pick<Tool, 'definition' | 'traits'>; kind: ToolKind | 'built-in' }[] = [
      ...BUILT_IN.map((tool) => ({ tool, kind: 'built-in' as const })),
      ...registry.all(),
    ];
    return all.map(({ tool: { definition, traits }, kind }) => ({
      kind,
      name: traits.name,
      description: definition.description,
      parameters: readParameters(definition.parameters),
      reads: [...traits.reads],
      changes: traits.changes,
      allowedBy: traits.allowedBy,
      permission: findPermission(traits, place, made),
      isGranted: given.some(({ tool, pin }) => tool === traits.name && pin === traits.pin),
    }));
  }

  /** Lists the questions that wait for a person. */
  async questions(personId: string): Promise<ToolQuestion[]> {
    return (await this.parts.records.waiting(personId, new Date())).map(viewQuestion);
  }

  /**
   * Takes a person's answer. After a yes the call is made, if its tool has not changed, and is still allowed, by the
   * operator's hooks as well.
   * @throws AppError `not_found`, `conflict` where the question is over, or `unavailable` where the tool is out of
   *   reach: the question then waits for another answer
   */
  async answer(personId: string, id: string, answer: ToolAnswer): Promise<ToolOutcome> {
    const { records, outside, registry, rules } = this.parts;
    if (answer === 'no') {
      await records.answer(personId, id, 'declined', new Date());
      return { status: 'declined', result: null };
    }
    // A yes counts once, so reading the rules, which may fail, comes first.
    const made = await rules.all();
    const call = await records.answer(personId, id, 'running', new Date(), (asked) => {
      if (!registry.find(asked.tool))
        throw new AppError('unavailable', `${asked.tool} is out of reach; answer again in a moment`);
    });
    const tool = registry.find(call.tool);
    const permission = tool && findPermission(tool.traits, call.place, made);
    const fail = (result: string) => outside.end(call, { status: 'failed', result });
    if (!tool || tool.traits.pin !== call.pin || permission !== 'allowed') {
      return fail(`${call.tool} is not allowed there any more, or has changed.`);
    }
    const refusal = await this.prepare(tool, call, answer === 'always');
    if (refusal !== null) return fail(refusal);
    return outside.perform(tool, call, new AbortController().signal);
  }

  /** Runs the hooks before a call that its person said yes to. Returns what they are told where it is not made. */
  private async prepare(tool: Tool, call: NotedCall, isForGood: boolean): Promise<string | null> {
    const { grants, logger } = this.parts;
    try {
      const refusal = await this.refusalOf(call);
      if (refusal === null && isForGood)
        await grants.give(call.personId, call.place.companionId, tool.traits);
      return refusal;
    } catch (error) {
      logger.error({ callId: call.id, tool: call.tool, reason: reasonOf(error) }, 'a call was not begun');
      return NOT_BEGUN;
    }
  }

  /** Describes the outcomes of the questions to a person in these turns, for the next prompt. */
  async outcomes(personId: string, turnIds: readonly string[]): Promise<string[]> {
    if (turnIds.length === 0) return [];
    const asked = await this.parts.records.askedIn(personId, [...new Set(turnIds)].slice(-MAX_TURNS));
    return asked.map((call) => wordOutcome(call, new Date()));
  }

  /** Withdraws the questions of a turn that came to no outcome: it may come to other ones. */
  withdraw({ personId, conversationId, leaseToken, burst }: Claim, turnId: string): Promise<void> {
    const lease = { personId, conversationId, leaseToken, inboxId: firstOf(burst).id };
    return this.parts.records.withdraw(lease, turnId);
  }

  changesOf(name: string): ToolChanges {
    return changesOf(this.parts.registry.traitsOf(name));
  }

  /**
   * Has a person asked again before a tool is used for them, also one that is away.
   * @throws AppError `not_found` for a name of no tool: the one that was meant goes on without a question
   */
  async takeBack(personId: string, companionId: string, tool: string): Promise<void> {
    const { grants, registry } = this.parts;
    const isTaken = await grants.takeBack(personId, companionId, tool);
    if (!isTaken && !registry.traitsOf(tool)) throw noTool(tool);
  }

  /**
   * Uses a tool for a person who asks for it themselves, without a model.
   * @throws AppError `not_found`, `forbidden` where it is not allowed or a hook refuses it, `invalid_request` for
   *   arguments that it does not take, `conflict` where it needs to be confirmed
   */
  async run(
    { personId, place }: Asker,
    name: string,
    given: { arguments: Record<string, unknown>; confirm: boolean },
  ): Promise<ToolOutcome> {
    const tool = this.find(name);
    const permission = findPermission(tool.traits, place, await this.parts.rules.all());
    if (permission !== 'allowed') throw new AppError('forbidden', describeRefusal(name, permission));
    requireArguments(name, tool.definition.parameters, given.arguments);
    if (tool.traits.changes === 'outside' && !given.confirm) {
      throw new AppError('conflict', `${name} changes something; confirm that you want this`, {
        field: 'confirm',
      });
    }
    const call = {
      personId,
      place,
      tool: name,
      pin: tool.traits.pin,
      arguments: given.arguments,
      conversationId: null,
      turnId: null,
      key: randomUUID(),
    };
    const refusal = await this.refusalOf(call);
    if (refusal !== null) throw new AppError('forbidden', refusal);
    return this.parts.outside.carryOut(tool, call, new AbortController().signal);
  }

  /**
   * Runs the operator's hooks before a call that a person makes themselves, or has just said yes to. Returns what its
   * person is told where a hook refuses it, or its companion is paused; null where it may be made.
   */
  private async refusalOf(call: NewToolCall): Promise<string | null> {
    const { hooks, isPaused, logger } = this.parts;
    if (await isPaused(call.place.companionId)) return PAUSED;
    if (!hooks.has('act')) return null;
    const { personId, turnId, conversationId, tool } = call;
    const given = {
      turnId,
      conversationId,
      personId,
      companionId: call.place.companionId,
      // No turn speaks here: the fields for its place and messages are empty.
      audience: null,
      kind: null,
      door: null,
      origin: null,
      texts: [],
      tool,
      arguments: call.arguments,
    };
    const { refusal } = await hooks.run({ point: 'act', value: null, given: () => [given] });
    if (!refusal) return null;
    logger.info({ tool, personId, reason: refusal.reason }, 'a hook refused a call of a tool');
    return refusal.say ?? REFUSED;
  }

  /** Finds a tool that reaches outside. @throws AppError `not_found`, or `conflict` for one of a turn's own */
  private find(name: string): Tool {
    const tool = this.parts.registry.find(name);
    if (tool && reachesOutside(tool.traits)) return tool;
    if (BUILT_IN.some(({ traits }) => traits.name === name)) {
      throw new AppError('conflict', `${name} is used within a turn only; ask your companion`);
    }
    throw noTool(name);
  }
}

/** Words why a tool may not be used, and which command changes that. */
function describeRefusal(name: string, permission: Exclude<ToolView['permission'], 'allowed'>): string {
  if (permission === 'denied') return `${name} is denied here: kith tools rules shows by which rule`;
  if (permission === 'changed')
    return `${name} has changed since it was allowed: look at it, then kith tools allow ${name}`;
  return `${name} is not allowed here: an operator allows it with kith tools allow ${name}`;
}

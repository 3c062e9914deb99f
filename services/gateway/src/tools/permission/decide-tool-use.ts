import type { Door, TurnOrigin } from '@kith/contracts';
import { asksFor } from './asks-for.js';
import type { ToolPermission } from './find-permission.js';
import { foreignParts } from './foreign-parts.js';
import { reachesOutside, type ToolTraits } from './tool-traits.js';

export type ToolRefusal =
  | Exclude<ToolPermission, 'allowed'>
  | 'nobody-present'
  | 'not-asked-for'
  | 'cannot-ask';

export type ToolUseDecision = { kind: 'run' } | { kind: 'ask' } | { kind: 'refuse'; reason: ToolRefusal };

/** Circumstances in which a model asks for a tool. */
export interface ToolUse {
  tool: ToolTraits;
  permission: ToolPermission;
  /** The person has allowed it for good. */
  isGranted: boolean;
  /** JSON schema of the tool's arguments. */
  schema: Readonly<Record<string, unknown>>;
  arguments: Readonly<Record<string, unknown>>;
  origin: TurnOrigin;
  door: Door;
  /** This turn's messages as the person wrote them, without what they quote; none of what was read or recalled. */
  said: readonly string[];
  /** True for words that were said just now, rather than brought in from an archive. */
  isPresent: boolean;
}

/** Doors that show the question and bring its answer. A door that is not named here refuses. */
const ASKING_DOORS: ReadonlySet<Door> = new Set(['discord', 'http', 'websocket', 'cli', 'console']);

/** Values that an argument may be chosen from. With more of them, the choice could tell what somebody said. */
const MAX_CHOICES = 20;
/** Arguments of one call that may be so chosen: with a unit, a language and a day there is one to spare. */
const MAX_CHOSEN = 4;

/**
 * Decides whether a call is carried out, is put to the person first, or refused. What a prompt holds beside the person's
 * own words of this turn has no say: it is not looked at. Pure.
 */
export function decideToolUse(use: ToolUse): ToolUseDecision {
  const { tool, permission, said } = use;
  if (permission !== 'allowed') return { kind: 'refuse', reason: permission };
  if (!reachesOutside(tool)) return { kind: 'run' };
  if (use.origin !== 'message' || !use.isPresent) return { kind: 'refuse', reason: 'nobody-present' };
  if (!asksFor(said, tool)) return { kind: 'refuse', reason: 'not-asked-for' };
  const onlyReads = tool.changes === 'nothing';
  // For a change, the person must have said every value, even one of a few choices.
  const telling = onlyReads ? withoutChoices(use.arguments, use.schema) : use.arguments;
  const isTheirs = foreignParts(telling, said, use.schema).length === 0;
  // What was pasted below a first line may order something too: only a plain line spares the question.
  const isPlain = said.every((message) => !message.trim().includes('\n'));
  if (onlyReads && isTheirs) return { kind: 'run' };
  if (use.isGranted && isTheirs && isPlain) return { kind: 'run' };
  return ASKING_DOORS.has(use.door) ? { kind: 'ask' } : { kind: 'refuse', reason: 'cannot-ask' };
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Leaves out of a call's arguments those whose value is one of a few that the tool's JSON schema lists, such as a unit or
 * a language: they say nothing of anybody. Many of them stay, and what lies in lists or deeper, as by many choices a word
 * could be spelt.
 */
function withoutChoices(given: JsonObject, schema: JsonObject): JsonObject {
  const { properties } = schema as { properties?: Record<string, { enum?: unknown } | undefined> };
  const isChoice = ([name, value]: [string, unknown]) => {
    const choices = properties && Object.hasOwn(properties, name) ? properties[name]?.enum : undefined;
    return Array.isArray(choices) && choices.length <= MAX_CHOICES && choices.includes(value);
  };
  const others = Object.entries(given).filter((argument) => !isChoice(argument));
  return Object.keys(given).length - others.length > MAX_CHOSEN ? given : Object.fromEntries(others);
}

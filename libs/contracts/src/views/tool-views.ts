import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { counted } from '../text/value-words.js';
import { CompanionId, Uuid } from '../values/words.js';

/** Name of a tool, as model providers take it. */
export const ToolName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, dashes and underscores, at most 64');

/** Argument of a tool, and how it is written, such as `string` or `{on: boolean}`; a form that is cut ends in `…`. */
export const ToolParameter = z.object({ name: z.string(), form: z.string(), isRequired: z.boolean() });

/** Tool as somebody may use it with a companion in a place. */
export const ToolView = z.object({
  name: ToolName,
  kind: z.enum(['built-in', 'mcp', 'http', 'web']),
  description: z.string(),
  parameters: z.array(ToolParameter).describe('arguments that it takes, those that it needs first'),
  reads: z.array(z.string()).describe('places that it reads from: `memories`, `conversation`, `outside`'),
  changes: z.enum(['nothing', 'memory', 'outside']),
  /** `operator` has to allow it; `built-in` may be used until it is denied. */
  allowedBy: z.enum(['built-in', 'operator']),
  /** `changed`: it was allowed in an earlier form, and has to be allowed anew. */
  permission: z.enum(['allowed', 'denied', 'not-allowed', 'changed']),
  isGranted: z.boolean().describe('the caller allowed it for good'),
});
export type ToolView = z.infer<typeof ToolView>;

/** Tools of a server or file that nobody can use: too many, not readable, in a broken file, or their server is out of reach. */
export const LeftOutTools = z.object({
  from: z.string().describe('name of the server or file'),
  /**
   * Number of them that is known, while a list that goes on has more; `all` where the file or folder can't be read; null while
   * their server is out of reach.
   */
  count: z.union([z.number().int().positive(), z.literal('all')]).nullable(),
});
export type LeftOutTools = z.infer<typeof LeftOutTools>;

/** Words for the tools that are left out, for people. */
export function describeLeftOut({ from, count }: LeftOutTools): string {
  if (count === 'all') return `${from} can't be read, so its tools are missing: the gateway's log says why`;
  return count === null
    ? `${from} is out of reach: its tools are missing until it is back`
    : `left out of ${from}: ${counted(count, 'tool')} (too many, or not readable)`;
}

/** Question about a call of a tool, which waits for its person. */
export const ToolQuestion = z.object({
  id: Uuid,
  tool: ToolName,
  arguments: z.record(z.string(), z.unknown()),
  text: z.string().describe('the question in words, as doors show it'),
  expiresAt: IsoTime,
});
export type ToolQuestion = z.infer<typeof ToolQuestion>;

/** `always`: yes, and with this companion from now on without asking where the words are yours. */
export const ToolAnswer = z.enum(['yes', 'always', 'no']);
export type ToolAnswer = z.infer<typeof ToolAnswer>;

/** End of a call. */
export const ToolOutcome = z.object({
  status: z.enum(['done', 'failed', 'declined']),
  result: z.string().nullable().describe('result, as the tool returned it: data from outside'),
});
export type ToolOutcome = z.infer<typeof ToolOutcome>;

/** Discord's id of a server, channel or role. */
const PlaceId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'an id');

/** Companion and place that a rule is for; what is left out is not restricted. */
export const ToolRulePlace = z.strictObject({
  companion: CompanionId.optional(),
  server: PlaceId.optional().describe('a Discord server’s id'),
  channel: PlaceId.optional().describe('a Discord channel’s id'),
  role: PlaceId.optional().describe('a Discord role’s id'),
});

/** Words for where a rule applies, for people. */
export function describeRulePlace({
  companion,
  server,
  channel,
  role,
}: z.infer<typeof ToolRulePlace>): string {
  const parts = [
    companion && `with ${companion}`,
    server && `in server ${server}`,
    channel && `in channel ${channel}`,
    role && `for role ${role}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'everywhere';
}

/** Rule of an operator's. */
export const ToolRuleView = ToolRulePlace.extend({
  tool: ToolName,
  allow: z.boolean(),
  isCurrent: z.boolean().describe('false: the tool has another form since, or is gone'),
  madeAt: IsoTime,
});
export type ToolRuleView = z.infer<typeof ToolRuleView>;

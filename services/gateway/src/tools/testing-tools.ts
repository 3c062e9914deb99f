import type { Database } from '@kith/database';
import { HookList } from '@kith/llm';
import pino from 'pino';
import { OutsideCalls } from './outside-calls.js';
import { ToolGuard } from './tool-guard.js';
import { ToolCallRecords } from './permission/tool-call-records.js';
import { ToolGrants } from './permission/tool-grants.js';
import { declareTool, type Tool } from './tool.js';
import { PermittedTools } from './permitted-tools.js';
import { ToolRegistry } from './tool-registry.js';
import { ToolRules } from './tool-rules.js';

/** Makes permitted tools, and their rules, over a real store with these tools from outside. */
export function toolsOver(
  database: Database,
  tools: readonly Tool[],
  hooks = new HookList(),
  logger = pino({ level: 'silent' }),
  isPaused = () => Promise.resolve(false),
) {
  const registry = new ToolRegistry(() => [{ kind: 'http', tools: () => tools, leftOut: () => null }]);
  const [rules, grants, records] = [
    new ToolRules(database, registry),
    new ToolGrants(database),
    new ToolCallRecords(database),
  ];
  const outside = new OutsideCalls(records, grants, new ToolGuard(), logger);
  return {
    permitted: new PermittedTools({ registry, rules, grants, records, outside, hooks, logger, isPaused }),
    rules,
  };
}

/** Makes a tool that changes something, and notes in `effects` what it was called with. */
export function effectTool(name: string, effects: unknown[], asks: readonly string[] = []): Tool {
  const { definition, traits } = declareTool(
    name,
    `Does ${name}.`,
    { to: { type: 'string' }, text: { type: 'string' } },
    { reads: ['outside'], changes: 'outside' },
  );
  return {
    definition: { ...definition, parameters: { ...definition.parameters, required: ['to'] } },
    traits: { ...traits, allowedBy: 'operator', asks },
    call: async (given) => {
      effects.push(given);
      return `did ${name}`;
    },
  };
}

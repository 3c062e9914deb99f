import { firstOf } from '@kith/contracts';
import { MAX_TOOL_NAME, type ToolDefinition } from '@kith/llm';
import { pinAt, pinOf, type Tool, type ToolDeclaration } from '../tool.js';

/** Tools of one server or file that are used: a model is lost among more. */
const MAX_TOOLS = 40;
/** Characters of a description, which stands in every prompt. */
const MAX_DESCRIPTION = 1_000;
/** Characters of a schema, which stands in every prompt. A tool with a longer one is left out. */
const MAX_SCHEMA = 8_000;

/** Tells whether a tool's schema is short enough to stand in every prompt. */
export function fitsPrompt(schema: ToolDefinition['parameters']): boolean {
  return JSON.stringify(schema).length <= MAX_SCHEMA;
}

/**
 * Declares a tool of the operator's, who has to allow it.
 * @param prefix name of its server or file, the first part of its own
 * @param about `address` is where its calls go: a tool of the same name elsewhere is another one
 */
export function declareOutside(
  prefix: string,
  { name, description, parameters }: ToolDefinition,
  about: { isReading: boolean; asks: readonly string[]; address: string },
): ToolDeclaration {
  const definition = {
    name: `${prefix}__${name.replaceAll(/[^\w-]/g, '_')}`.slice(0, MAX_TOOL_NAME),
    description: description.slice(0, MAX_DESCRIPTION),
    parameters,
  };
  return {
    definition,
    traits: {
      name: definition.name,
      reads: ['outside'],
      changes: about.isReading ? 'nothing' : 'outside',
      allowedBy: 'operator',
      asks: about.asks,
      pin: pinAt(pinOf(definition), about.address),
    },
  };
}

/** Chooses the tools of one server or file that are used: of namesakes the first, as a name leads to one tool. */
export function chooseUsed(tools: readonly Tool[]): Tool[] {
  const byName = Map.groupBy(tools, ({ traits }) => traits.name);
  return [...byName.values()].slice(0, MAX_TOOLS).map(firstOf);
}

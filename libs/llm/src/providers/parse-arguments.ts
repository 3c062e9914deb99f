import { ModelError } from '../errors/model-error.js';
import { ToolArguments, type ToolCall } from '../messages.js';

/**
 * Reads a call's arguments; none at all are an empty object.
 * @throws ModelError `garbled`
 */
export function parseArguments(origin: string, text: string): ToolCall['arguments'] {
  try {
    return ToolArguments.parse(JSON.parse(text || '{}'));
  } catch (cause) {
    throw new ModelError('garbled', `${origin}: a tool call without readable arguments`, { cause });
  }
}

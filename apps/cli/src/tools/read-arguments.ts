import type { ToolView } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import { readValue } from './read-value.js';

/** Reads `name=value` pairs, each value by its parameter's form. @throws CliError */
export function readArguments(
  given: readonly string[],
  parameters: ToolView['parameters'] = [],
): Record<string, unknown> {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new CliError(`“${pair}” is not an argument: write name=value`, 2);
      const name = pair.slice(0, at);
      const form = parameters.find((one) => one.name === name)?.form ?? 'any';
      return [name, readValue(pair.slice(at + 1), form)];
    }),
  );
}

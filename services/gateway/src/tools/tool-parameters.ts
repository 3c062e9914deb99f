import { AppError, type ToolView } from '@kith/contracts';
import { z } from 'zod';

const Schema = z.record(z.string(), z.unknown());
/** The parts of a JSON Schema that name arguments. The tool itself judges the rest. */
const Parameters = z.looseObject({
  properties: Schema.default({}),
  required: z.array(z.string()).default([]),
});
/** Parts by which a schema takes names that its properties do not list. */
const OPEN = ['additionalProperties', 'patternProperties', 'anyOf', 'oneOf', 'allOf', '$ref'];
/** Long enough to show how an argument is written; a whole schema is for the model. What is cut ends in `…`. */
const MAX_FORM = 200;
/** Objects within objects that are told. */
const MAX_DEPTH = 2;

/** Lists the arguments that a tool takes, those that it needs first. */
export function readParameters(parameters: Record<string, unknown>): ToolView['parameters'] {
  const parsed = Parameters.safeParse(parameters);
  if (!parsed.success) return [];
  const { properties, required } = parsed.data;
  return Object.entries(properties)
    .map(([name, schema]) => ({ name, form: cut(formOf(schema, 0)), isRequired: required.includes(name) }))
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

function cut(form: string): string {
  return form.length > MAX_FORM ? `${form.slice(0, MAX_FORM - 1)}…` : form;
}

/**
 * Refuses a call whose arguments the tool does not know, or that lacks one which it needs: a request would go out
 * without them.
 * @throws AppError `invalid_request` that names the argument
 */
export function requireArguments(
  tool: string,
  parameters: Record<string, unknown>,
  given: Record<string, unknown>,
): void {
  const parsed = Parameters.safeParse(parameters);
  if (!parsed.success) return;
  const { properties, required } = parsed.data;
  const known = Object.keys(properties);
  const takes = known.length > 0 ? `it takes ${known.join(', ')}` : 'it takes none';
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined && !OPEN.some((part) => parsed.data[part]))
    throw wrong(unknown, `${tool} knows no argument "${unknown}": ${takes}`);
  const missing = required.find((name) => !Object.hasOwn(given, name));
  if (missing !== undefined) throw wrong(missing, `${tool} needs the argument "${missing}": ${takes}`);
}

function wrong(name: string, message: string): AppError {
  return new AppError('invalid_request', message, { field: `arguments.${name}` });
}

/** Words the form of an argument: `string`, `{on: boolean, level?: number}`, `list of string`, `"low" | "high"`. */
function formOf(schema: unknown, depth: number): string {
  const parsed = Schema.safeParse(schema);
  if (!parsed.success) return 'any';
  const { type, items, properties, enum: values } = parsed.data;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${formOf(items, depth)}`;
  if (properties !== undefined && depth < MAX_DEPTH) return formOfObject(parsed.data, depth);
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}

function formOfObject(schema: Record<string, unknown>, depth: number): string {
  const parsed = Parameters.safeParse(schema);
  if (!parsed.success) return 'object';
  const { properties, required } = parsed.data;
  const parts = Object.entries(properties).map(
    ([name, inner]) => `${name}${required.includes(name) ? '' : '?'}: ${formOf(inner, depth + 1)}`,
  );
  return `{${parts.join(', ')}}`;
}

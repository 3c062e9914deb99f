import { firstOf } from '@kith/contracts';
import { z } from 'zod';
import type { ToolDefinition } from '@kith/llm';
import type { Tool } from '../tool.js';
import { callHttp, type HttpOperation } from './call-http.js';
import type { HttpParameter } from './fill-address.js';
import { chooseUsed, declareOutside, fitsPrompt } from './declare-outside.js';

const Schema = z.record(z.string(), z.unknown());
/** Kinds of a text that is sent, each with its schema. */
const Content = z.record(z.string(), z.looseObject({ schema: Schema.optional() }));
const Parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean().default(false),
  description: z.string().optional(),
  /** Way in which lists and objects are written in a query; in a path all are written as `simple` says. */
  style: z.string().default('form').catch('form'),
  /** Tells whether each part of a list or an object stands for itself; unsaid, it depends on the style. */
  explode: z.boolean().optional().catch(undefined),
  schema: Schema.default({ type: 'string' }),
  /** Stands in the place of a schema and a style. */
  content: Content.default({}).catch({}),
});
type Parameter = z.output<typeof Parameter>;
const Parameters = z.array(Parameter).default([]);
/** An operation that is to be a tool. */
const Named = z.looseObject({ operationId: z.string().min(1) });
const Operation = Named.extend({
  summary: z.string().optional(),
  description: z.string().optional(),
  parameters: Parameters,
  requestBody: z.looseObject({ content: Content }).optional(),
  'x-kith-asks': z.array(z.string().min(1).max(100)).max(20).default([]),
});
type Operation = z.output<typeof Operation>;

/** The parts of an OpenAPI 3 document that tools are made of. */
export const OpenApiFile = z.looseObject({
  openapi: z.string().startsWith('3'),
  servers: z.array(z.looseObject({ url: z.url({ protocol: /^https?$/ }) })).min(1),
  paths: z.record(z.string().startsWith('/'), z.record(z.string(), z.unknown())),
  /** Headers of each request, such as `Authorization`. */
  'x-kith-headers': z.record(z.string(), z.string()).default({}),
});

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Media type of what is written as JSON. */
const JSON_TYPE = 'application/json';
/** Signs between the parts of a list or an object that is one argument, by the style of its parameter. Others have commas. */
const BETWEEN: ReadonlyMap<string, string> = new Map([
  ['spaceDelimited', ' '],
  ['pipeDelimited', '|'],
]);
/** References within references that are followed. */
const MAX_DEPTH = 12;

/**
 * Makes a tool of each operation that has an `operationId`, as far as it can be read and is short enough for a prompt, and
 * of no more than `chooseUsed` takes. GET counts as reading, every other method as a change.
 */
export function openApiTools(prefix: string, file: unknown): { tools: Tool[]; leftOut: number } {
  const document = OpenApiFile.parse(file);
  const base = firstOf(document.servers).url;
  const named = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.map((method) => ({
      path,
      method,
      operation: resolved(document, item[method], 0),
      shared: resolved(document, item['parameters'], 0),
    })).filter(({ operation }) => Named.safeParse(operation).success),
  );
  const readable = named.flatMap(({ path, method, operation: given, shared }): Tool[] => {
    const parsed = Operation.safeParse(given);
    const ofPath = Parameters.safeParse(shared);
    if (!parsed.success || !ofPath.success) return [];
    const operation = withShared(parsed.data, ofPath.data);
    const parameters = operation.parameters.filter((one) => one.in === 'path' || one.in === 'query');
    const definition = definitionOf(path, operation, parameters);
    if (!fitsPrompt(definition.parameters)) return [];
    const request: HttpOperation = {
      base,
      path,
      method,
      headers: document['x-kith-headers'],
      inPath: parameters.filter((one) => one.in === 'path').map(inItsWay),
      inQuery: parameters.filter((one) => one.in === 'query').map(inItsWay),
    };
    const about = { asks: operation['x-kith-asks'], address: `${method} ${base}${path}` };
    return [
      {
        ...declareOutside(prefix, definition, { ...about, isReading: method === 'get' }),
        isRepeatable: operation.parameters.some(isKey),
        call: (args, { key, signal }) => callHttp(request, args, key, signal),
      },
    ];
  });
  const tools = chooseUsed(readable);
  return { tools, leftOut: named.length - tools.length };
}

/**
 * Describes an operation as models are told of it.
 * @param parameters those that a call gives
 */
function definitionOf(path: string, operation: Operation, parameters: readonly Parameter[]): ToolDefinition {
  const body = operation.requestBody?.content[JSON_TYPE]?.schema;
  return {
    name: operation.operationId,
    description: operation.summary ?? operation.description ?? path,
    parameters: {
      type: 'object',
      properties: {
        ...Object.fromEntries(
          parameters.map(({ name, schema, content, description }) => [
            name,
            { ...(jsonIn(content)?.schema ?? schema), ...(description && { description }) },
          ]),
        ),
        ...(body && { body }),
      },
      required: [
        ...parameters.filter(({ required }) => required).map(({ name }) => name),
        ...(body ? ['body'] : []),
      ],
    },
  };
}

/** Reads how a parameter is written. */
function inItsWay(parameter: Parameter): HttpParameter {
  const { name, content } = parameter;
  const style = parameter.in === 'query' ? parameter.style : 'simple';
  const { explode = style === 'form' } = parameter;
  const json = jsonIn(content);
  const plain = style === 'deepObject' ? 'deep' : 'plain';
  return {
    name,
    as: json ? 'json' : plain,
    explode,
    between: BETWEEN.get(style) ?? ',',
    takesText: allowsText(json?.schema ?? {}),
  };
}

/** Finds what a parameter says of its value as JSON; undefined where it is not sent so. */
function jsonIn(content: z.output<typeof Content>): z.output<typeof Content>[string] | undefined {
  return Object.entries(content).find(([type]) => {
    const bare = firstOf(type.split(';')).trim().toLowerCase();
    return bare === JSON_TYPE || bare.endsWith('+json');
  })?.[1];
}

function allowsText(schema: unknown): boolean {
  const { type, anyOf, oneOf, allOf } = Schema.catch({}).parse(schema);
  if (type !== undefined) return [type].flat().includes('string');
  if (Array.isArray(allOf) && !allOf.every(allowsText)) return false;
  const choices = anyOf ?? oneOf;
  return !Array.isArray(choices) || choices.some(allowsText);
}

/** An operation with the parameters that its path gives all operations; its own of the same name and place stand. */
function withShared(operation: Operation, shared: readonly Parameter[]): Operation {
  const isOwn = (one: Parameter) =>
    operation.parameters.some((own) => own.name === one.name && own.in === one.in);
  return { ...operation, parameters: [...shared.filter((one) => !isOwn(one)), ...operation.parameters] };
}

/** Tells whether a parameter is the key by which an interface recognises a repeated request. We always send one. */
function isKey({ name, in: place }: Parameter): boolean {
  return place === 'header' && name.toLowerCase() === 'idempotency-key';
}

/** Replaces local references by what they name. One that leads nowhere, or too deep, becomes an open schema. */
function resolved(document: unknown, node: unknown, depth: number): unknown {
  if (Array.isArray(node)) return node.map((one) => resolved(document, one, depth + 1));
  if (typeof node !== 'object' || node === null) return node;
  if (depth > MAX_DEPTH) return {};
  const { $ref } = node as { $ref?: unknown };
  if (typeof $ref === 'string') {
    const steps = stepsOf($ref);
    const target = steps ? lookUp(document, steps) : undefined;
    return target === undefined ? {} : resolved(document, target, depth + 1);
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, inner]) => [key, resolved(document, inner, depth + 1)]),
  );
}

/** Splits a local reference, a JSON pointer in an address, into the names on its way; null for any other. */
function stepsOf(reference: string): string[] | null {
  if (!reference.startsWith('#/')) return null;
  try {
    const steps = decodeURIComponent(reference.slice(2)).split('/');
    return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    // A percent sign without its two digits.
    return null;
  }
}

function lookUp(node: unknown, [head, ...rest]: string[]): unknown {
  if (head === undefined) return node;
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, head)) return undefined;
  return lookUp((node as Record<string, unknown>)[head], rest);
}

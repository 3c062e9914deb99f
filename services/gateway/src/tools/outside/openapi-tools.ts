import { createHash } from 'node:crypto';
import { firstOf } from '@kith/contracts';
import { z } from 'zod';
import { pinOf, type Tool } from '../tool.js';
import { callHttp, type HttpOperation } from './call-http.js';

const Schema = z.record(z.string(), z.unknown());
const Parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: Schema.default({ type: 'string' }),
});
const Operation = z.looseObject({
  operationId: z.string().min(1),
  summary: z.string().optional(),
  description: z.string().optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z
    .looseObject({ content: z.record(z.string(), z.looseObject({ schema: Schema.optional() })) })
    .optional(),
  'x-kith-asks': z.array(z.string().min(1).max(100)).max(20).default([]),
});

/** The parts of an OpenAPI 3 document that tools are made of. */
export const OpenApiFile = z.looseObject({
  openapi: z.string().startsWith('3'),
  servers: z.array(z.looseObject({ url: z.url({ protocol: /^https?$/ }) })).min(1),
  paths: z.record(z.string().startsWith('/'), z.record(z.string(), z.unknown())),
  /** Headers of each request, such as `Authorization`. */
  'x-kith-headers': z.record(z.string(), z.string()).default({}),
});

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Tools of one file: a model is lost among more. */
const MAX_TOOLS = 40;
/** Characters of a description, which stands in every prompt. */
const MAX_DESCRIPTION = 1_000;
/** Characters of a name that model providers take. */
const MAX_NAME = 64;
/** References within references that are followed. */
const MAX_DEPTH = 12;

/** Makes a tool of each operation that has an `operationId`. What is read by GET counts as reading, all else changes. */
export function openApiTools(prefix: string, file: unknown): Tool[] {
  const document = OpenApiFile.parse(file);
  const base = firstOf(document.servers).url;
  const found = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const parsed = Operation.safeParse(resolved(document, item[method], 0));
      return parsed.success ? [{ path, method, operation: parsed.data }] : [];
    }),
  );
  return found.slice(0, MAX_TOOLS).map(({ path, method, operation }) => {
    const body = operation.requestBody?.content['application/json']?.schema;
    const parameters = operation.parameters.filter((one) => one.in === 'path' || one.in === 'query');
    const request: HttpOperation = {
      ...{ base, path, method, headers: document['x-kith-headers'] },
      inPath: parameters.filter((one) => one.in === 'path').map(({ name }) => name),
      inQuery: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
    };
    const definition = {
      name: `${prefix}__${operation.operationId.replaceAll(/[^\w-]/g, '_')}`.slice(0, MAX_NAME),
      description: (operation.summary ?? operation.description ?? path).slice(0, MAX_DESCRIPTION),
      parameters: {
        type: 'object',
        properties: {
          ...Object.fromEntries(
            parameters.map(({ name, schema, description }) => [
              name,
              { ...schema, ...(description && { description }) },
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
    return {
      definition,
      traits: {
        name: definition.name,
        reads: ['outside'],
        changes: method === 'get' ? 'nothing' : 'outside',
        allowedBy: 'operator',
        asks: operation['x-kith-asks'],
        pin: createHash('sha256')
          .update(`${pinOf(definition)} ${method} ${base}${path}`)
          .digest('hex'),
      },
      takesKeys: operation.parameters.some(isKey),
      call: (given, { key, signal }) => callHttp(request, given, key, signal),
    };
  });
}

/** Tells whether a parameter is the key by which an interface knows a repeated request; every request of ours has one. */
function isKey({ name, in: place }: z.output<typeof Parameter>): boolean {
  return place === 'header' && name.toLowerCase() === 'idempotency-key';
}

/** Puts what local references name in their place; one that leads nowhere, or too deep, becomes an open schema. */
function resolved(document: unknown, node: unknown, depth: number): unknown {
  if (Array.isArray(node)) return node.map((one) => resolved(document, one, depth + 1));
  if (typeof node !== 'object' || node === null) return node;
  if (depth > MAX_DEPTH) return {};
  const { $ref } = node as { $ref?: unknown };
  if (typeof $ref === 'string') {
    const target = $ref.startsWith('#/') ? lookUp(document, $ref.slice(2).split('/')) : undefined;
    return target === undefined ? {} : resolved(document, target, depth + 1);
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, inner]) => [key, resolved(document, inner, depth + 1)]),
  );
}

function lookUp(node: unknown, [head, ...rest]: string[]): unknown {
  if (head === undefined) return node;
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, head)) return undefined;
  return lookUp((node as Record<string, unknown>)[head], rest);
}

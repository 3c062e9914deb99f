import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { Refusal } from './answer-for-collection.js';

// A CommonJS package whose default export is the function itself: its types say so one level too deep.
const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Schema = { [key: string]: Json };

/** Gives the check of one schema, compiled at its first use: all of them take seconds, and a test uses few. */
type Check = () => ValidateFunction;

interface Operation {
  /** The path as the document has it, such as `/collections/{collection_name}`. */
  path: string;
  method: string;
  pathPattern: RegExp;
  query: Map<string, Check>;
  body: Check | null;
}

/** A request that fits the description. */
interface Checked {
  path: string;
  method: string;
  params: Record<string, string>;
}

// Resolved from `src` as from `dist`, where the build leaves no JSON.
const DOCUMENT = new URL('../../src/qdrant/qdrant-openapi.json', import.meta.url);

/**
 * OpenAPI 3.0 as JSON Schema, and closed: `{ nullable: true }` on its own means null and not "anything", and an
 * object has no fields but those it names.
 */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== 'object') return schema;
  if (schema['nullable'] === true && !('type' in schema)) return { type: 'null' };
  const copy: Schema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'example' || key === 'description' || key === 'default') continue;
    copy[key] = key === 'properties' ? closedFields(value as Schema) : closed(value);
  }
  if (copy['properties'] && !('additionalProperties' in copy)) copy['additionalProperties'] = false;
  return copy;
}

/** Field names are not keywords, even when one is called `example` or `default`. */
function closedFields(fields: Schema): Schema {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, closed(schema)]));
}

function readerOf(ajv: Ajv): (schema: Json | undefined) => Check {
  return (schema) => {
    let compiled: ValidateFunction | undefined;
    return () => (compiled ??= ajv.compile(pointed(schema ?? true)));
  };
}

function pointed(schema: Json): Schema {
  const text = JSON.stringify(closed(schema)).replaceAll('"#/components', '"qdrant#/components');
  return JSON.parse(text) as Schema;
}

/** Query strings are text: `3` and `true` are read before they are checked. */
function readQueryValue(text: string): unknown {
  return /^(\d+|true|false)$/.test(text) ? JSON.parse(text) : text;
}

/** Checks requests against Qdrant's published description of its API. */
export class OpenApiChecks {
  private readonly operations: Operation[] = [];
  private readonly ajv: Ajv;

  constructor() {
    const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
      components: { schemas: Schema };
      paths: Record<string, Record<string, Schema>>;
    };
    this.ajv = new Ajv({ strict: false, discriminator: false });
    addFormats(this.ajv);
    for (const [name, most] of [
      ['uint', Number.MAX_SAFE_INTEGER],
      ['uint8', 2 ** 8 - 1],
      ['uint16', 2 ** 16 - 1],
      ['uint32', 2 ** 32 - 1],
      ['uint64', Number.MAX_SAFE_INTEGER],
    ] as const) {
      this.ajv.addFormat(name, {
        type: 'number',
        validate: (n: number) => Number.isInteger(n) && n >= 0 && n <= most,
      });
    }
    this.ajv.addSchema({ $id: 'qdrant', components: { schemas: closedFields(document.components.schemas) } });
    const reader = readerOf(this.ajv);
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        this.operations.push(readOperation(path, method, operation, reader));
      }
    }
  }

  /** Finds a request's operation. @throws Refusal when there is none, or the request does not fit it */
  check(method: string, url: URL, body: unknown): Checked {
    const here = this.operations.filter((operation) => operation.pathPattern.test(url.pathname));
    // `/points/count` also fits `/points/{id}`: the path with fewer holes is meant.
    here.sort((a, b) => a.path.split('{').length - b.path.split('{').length);
    if (here.length === 0) throw new Refusal(404, `no such path: ${url.pathname}`);
    const operation = here.find((candidate) => candidate.method === method.toLowerCase());
    if (!operation) throw new Refusal(405, `${method} is not allowed on ${url.pathname}`);
    for (const [name, value] of url.searchParams) {
      const check = operation.query.get(name)?.();
      if (!check) throw new Refusal(400, `unknown query parameter ${name}`);
      if (!check(readQueryValue(value))) {
        throw new Refusal(400, `query parameter ${name}: ${this.ajv.errorsText(check.errors)}`);
      }
    }
    const checkBody = operation.body?.();
    if (checkBody && !checkBody(body)) {
      const problem = this.ajv.errorsText(checkBody.errors?.slice(0, 6), { dataVar: 'body' });
      throw new Refusal(400, `Format error in JSON body: ${problem}`);
    }
    if (!checkBody && body !== undefined && Object.keys(body as object).length > 0) {
      throw new Refusal(400, `${method} ${operation.path} takes no body`);
    }
    const params = operation.pathPattern.exec(url.pathname)?.groups ?? {};
    return { path: operation.path, method: operation.method, params: decoded(params) };
  }
}

function decoded(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([key, value]) => [key, decodeURIComponent(value)]));
}

function readOperation(
  path: string,
  method: string,
  operation: Schema,
  reader: (schema: Json | undefined) => Check,
): Operation {
  const parameters = (operation['parameters'] ?? []) as { name: string; in: string; schema: Json }[];
  const request = operation['requestBody'] as
    | { content?: { 'application/json'?: { schema: Json } } }
    | undefined;
  const schema = request?.content?.['application/json']?.schema;
  return {
    path,
    method,
    pathPattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    query: new Map(parameters.filter((p) => p.in === 'query').map((p) => [p.name, reader(p.schema)])),
    body: schema === undefined ? null : reader(schema),
  };
}

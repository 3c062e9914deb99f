import {
  ROUTE_GROUPS,
  chatSocket,
  ChatEvent,
  CompanionView,
  Problem,
  type ErrorCode,
  type Route,
} from '@kith/contracts';
import { z } from 'zod';
import { PROBLEMS } from '../entrance/problem-details.js';

type Json = Record<string, unknown>;

/** Makes the OpenAPI document from the declarations by which routes are served. */
export function apiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const [tag, group] of Object.entries(ROUTE_GROUPS)) {
    for (const route of Object.values(group))
      (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, tag);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kith',
      version: '1',
      description: `The API of a Kith suite. Keys are made with \`kith keys create\`. A WebSocket waits at \`${chatSocket.path}\`. ${chatSocket.summary}.`,
    },
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'an API key, kth_…' } },
      schemas: { ChatEvent: schemaOf(ChatEvent, 'output'), CompanionView: schemaOf(CompanionView, 'output') },
    },
    security: [{ key: [] }],
  };
}

function operationOf(route: Route, tag: string): Json {
  const { method, path, scope, summary, params, query, body, answer, events, status } = route;
  const content = {
    ...(answer === 'image/png' && { [answer]: { schema: { type: 'string', format: 'binary' } } }),
    ...(answer && answer !== 'image/png' && { 'application/json': { schema: schemaOf(answer, 'output') } }),
    ...(events && { 'text/event-stream': { schema: schemaOf(events, 'output') } }),
  };
  const failures = errorsOf(route).map((code) => [PROBLEMS[code].status, problem(PROBLEMS[code].title)]);
  return {
    operationId: `${method.toLowerCase()}${path.slice('/v1'.length).replaceAll(/[^a-z]+([a-z]?)/gi, (_, next: string) => next.toUpperCase())}`,
    summary,
    description:
      scope === 'no-key'
        ? 'No key is needed.'
        : `Key: ${scope === 'any-key' ? 'any' : `scope \`${scope}\``}.`,
    tags: [tag],
    ...(scope === 'no-key' && { security: [] }),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { 'application/json': { schema: schemaOf(body, 'input') } },
      },
    }),
    responses: {
      [status ?? (answer ? 200 : 204)]: answer ? { description: 'OK', content } : { description: 'Done' },
      ...Object.fromEntries(failures),
      default: problem('Problem details (RFC 9457)'),
    },
  };
}

/** Lists the errors of a route: those it names, and those that its shape implies. */
function errorsOf({ scope, path, query, body, errors = [] }: Route): ErrorCode[] {
  const fields = { ...query?.shape, ...(body instanceof z.ZodObject && body.shape) };
  return [
    ...new Set<ErrorCode>([
      'invalid_request',
      ...(scope === 'no-key' ? [] : (['unauthorized'] as const)),
      ...(scope === 'no-key' || scope === 'any-key' ? [] : (['forbidden'] as const)),
      ...(path.includes('{id}') || 'companion' in fields ? (['not_found'] as const) : []),
      ...errors,
      'rate_limited',
      'unavailable',
    ]),
  ];
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

function problem(description: string): Json {
  return { description, content: { 'application/problem+json': { schema: schemaOf(Problem, 'output') } } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

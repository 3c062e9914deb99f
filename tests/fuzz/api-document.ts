/** A JSON schema, as far as values are made from one here. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** A route, as the suite itself describes it: there is no list beside that one. */
export interface Operation {
  /** Such as `get /v1/memories/{id}`. */
  name: string;
  method: string;
  path: string;
  /** Names of what the address takes after its question mark. */
  query: string[];
  body: Schema | null;
}

interface Described {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** Every public route of the suite at this address. */
export async function readOperations(url: string): Promise<Operation[]> {
  const response = await fetch(`${url}/docs/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      name: `${method} ${path}`,
      method: method.toUpperCase(),
      path,
      query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
      body: requestBody?.content['application/json']?.schema ?? null,
    })),
  );
}

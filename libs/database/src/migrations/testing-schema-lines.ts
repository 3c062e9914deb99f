import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import prisma from '@prisma/prisma-schema-wasm';

/** Parts of Prisma's description of a schema that a database has too. */
interface Field {
  name: string;
  dbName?: string;
  kind: 'scalar' | 'object';
  type: string;
  nativeType: [name: string, parameters: string[]] | null;
  isList: boolean;
  isRequired: boolean;
  default?: string | number | boolean | unknown[] | { name: string };
  relationFromFields?: string[];
  relationToFields?: string[];
  relationOnDelete?: string;
}
interface Model {
  name: string;
  dbName: string;
  fields: Field[];
}
interface Index {
  model: string;
  type: 'id' | 'normal' | 'unique';
  dbName?: string;
  fields: { name: string; sortOrder?: 'asc' | 'desc' }[];
}

const TYPES: Record<string, string> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Boolean: 'boolean',
  Json: 'jsonb',
  Bytes: 'bytea',
  Uuid: 'uuid',
  Date: 'date',
  'Timestamptz(3)': 'timestamp(3) with time zone',
};

/** Describes the tables of Prisma's schema, a line for each column, key, index and reference. */
export async function schemaLines(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.prisma'));
  const prismaSchema = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')]),
  );
  const { datamodel } = JSON.parse(prisma.get_dmmf(JSON.stringify({ prismaSchema, noColor: true }))) as {
    datamodel: { models: Model[]; indexes: Index[] };
  };
  const models = new Map(datamodel.models.map((model) => [model.name, model]));
  return [
    ...datamodel.models.flatMap((model) =>
      model.fields.filter(({ kind }) => kind === 'scalar').map((field) => columnLine(model, field)),
    ),
    ...datamodel.indexes.map((index) => indexLine(models.get(index.model)!, index)),
    ...datamodel.models.flatMap((model) =>
      model.fields
        .filter(({ relationFromFields }) => relationFromFields?.length)
        .map((field) => referenceLine(model, field, models.get(field.type)!)),
    ),
  ].sort();
}

function columnLine(model: Model, field: Field): string {
  const [native, parameters] = field.nativeType ?? [field.type, []];
  const name = parameters.length > 0 ? `${native}(${parameters.join()})` : native;
  const type = TYPES[name];
  if (!type) throw new Error(`${model.name}.${field.name}: TYPES does not know ${name}`);
  // Prisma leaves a list's column free to be null, and reads null as empty.
  const mayBeNull = field.isList || !field.isRequired;
  return [
    `${model.dbName}.${columnOf(field)} ${type}${field.isList ? '[]' : ''}`,
    ...(mayBeNull ? [] : ['not null']),
    ...defaultOf(field),
  ].join(' ');
}

/** Defaults that the database fills in; a uuid(7) is made by the client. */
function defaultOf({ default: value }: Field): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return ['default {}'];
  if (typeof value !== 'object') return [`default ${value}`];
  const { name } = value;
  return name === 'uuid' ? [] : [`default ${name}()`];
}

function indexLine(model: Model, index: Index): string {
  const fields = index.fields.map(({ name, sortOrder }) => ({ column: column(model, name), sortOrder }));
  const list = fields.map(({ column: name, sortOrder }) => (sortOrder === 'desc' ? `${name} desc` : name));
  if (index.type === 'id') return `${model.dbName} primary key (${list.join(', ')})`;
  const suffix = index.type === 'unique' ? 'key' : 'idx';
  const name = index.dbName ?? [model.dbName, ...fields.map((field) => field.column), suffix].join('_');
  return `${model.dbName} ${index.type === 'unique' ? 'unique' : 'index'} ${name} (${list.join(', ')})`;
}

function referenceLine(model: Model, field: Field, to: Model): string {
  const list = (of: Model, names: string[] = []) => names.map((name) => column(of, name)).join(', ');
  const action = (field.relationOnDelete ?? 'NoAction').toLowerCase();
  return `${model.dbName} (${list(model, field.relationFromFields)}) references ${to.dbName} (${list(to, field.relationToFields)}) on delete ${action}`;
}

function column(model: Model, name: string): string {
  return columnOf(model.fields.find((field) => field.name === name)!);
}

function columnOf({ name, dbName }: Field): string {
  return dbName ?? name;
}

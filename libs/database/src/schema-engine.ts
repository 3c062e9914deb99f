import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';

/** One migration as the engine wants to see it. */
export interface MigrationDirectory {
  path: string;
  migrationFile: { path: string; content: { tag: 'ok'; value: string } };
}

export interface MigrationList {
  baseDir: string;
  shadowDbInitScript: string;
  lockfile: { path: string; content: string | null };
  migrationDirectories: MigrationDirectory[];
}

const NO_FILTERS = { externalTables: [], externalEnums: [] };

/** The calls we make of Prisma's schema engine; the package ships no types for them. */
interface RawEngine {
  applyMigrations(input: object): Promise<{ appliedMigrationNames: string[] }>;
  diff(input: object): Promise<{ stdout: string | null; exitCode: number }>;
  free(): void;
}

interface EngineModule {
  SchemaEngine: {
    new: (input: object, log: (message: string) => void, factory: unknown) => Promise<RawEngine>;
  };
  __wbg_set_wasm(exports: Record<string, unknown>): void;
}

/** Node has it, its types leave it to the DOM's. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    instantiate(
      bytes: Uint8Array,
      imports: Record<string, unknown>,
    ): Promise<{ instance: { exports: Record<string, unknown> } }>;
  };
};

let loading: Promise<EngineModule> | undefined;

/** The official WASM build of the engine: it needs no download, where the CLI wants a native binary. */
function loadEngine(): Promise<EngineModule> {
  loading ??= (async () => {
    const base = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
    const glue = (await import(pathToFileURL(join(base, 'schema_engine_bg.js')).href)) as EngineModule;
    const bytes = await readFile(join(base, 'schema_engine_bg.wasm'));
    const { instance } = await WebAssembly.instantiate(bytes, {
      './schema_engine_bg.js': glue,
    });
    glue.__wbg_set_wasm(instance.exports);
    (instance.exports['__wbindgen_start'] as () => void)();
    return glue;
  })();
  return loading;
}

type PgAdapter = Awaited<ReturnType<PrismaPg['connect']>>;
interface AdapterInternals {
  performIO(query: { sql: string }): Promise<{ fields?: { dataTypeID: number }[] }>;
  underlyingDriver(): { query(script: string): Promise<unknown> };
}

const OID_CHAR = 18;
const OID_TEXT = 25;

/** Mends three gaps of adapter-pg that only the schema engine meets. */
function forMigrations(adapter: PgAdapter): PgAdapter {
  const inner = adapter as unknown as AdapterInternals;
  // Its own executeScript splits at every `;`, which cuts functions and DO blocks: send the script whole.
  adapter.executeScript = async (script) => {
    await inner.underlyingDriver().query(script);
  };
  const performIO = inner.performIO.bind(adapter);
  inner.performIO = async (query) => {
    // PostgreSQL 18 lists NOT NULL in pg_constraint, on which the engine panics (prisma/orm#29635).
    const sql = query.sql.replace("contype NOT IN ('p', 'u', 'f')", "contype IN ('c', 'x')");
    const result = await performIO({ ...query, sql });
    // The catalogue's "char" columns are refused by the adapter: they read as text.
    for (const field of result.fields ?? []) if (field.dataTypeID === OID_CHAR) field.dataTypeID = OID_TEXT;
    return result;
  };
  return adapter;
}

function engineAdapter(pool: pg.Pool, url: string): PrismaPg {
  const adapter = new PrismaPg(pool);
  const connect = adapter.connect.bind(adapter);
  adapter.connect = async () => forMigrations(await connect());
  // The adapter's own shadow database is dropped before its pool is closed, which Postgres refuses.
  adapter.connectToShadowDb = async () => {
    const name = `kith_shadow_${process.pid}_${Date.now()}`;
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name}`);
    const shadowUrl = new URL(url);
    shadowUrl.pathname = `/${name}`;
    const shadow = forMigrations(await new PrismaPg({ connectionString: shadowUrl.href, max: 2 }).connect());
    const dispose = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await dispose();
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin.end();
    };
    return shadow;
  };
  return adapter;
}

/** Prisma's schema engine on one database. Close it when done. */
export class SchemaEngine {
  private constructor(
    private readonly raw: RawEngine,
    private readonly pool: pg.Pool,
  ) {}

  /** @param datamodels the schema's files as [path, content] */
  static async open(url: string, datamodels: [string, string][]): Promise<SchemaEngine> {
    const { SchemaEngine: Raw } = await loadEngine();
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const factory = bindMigrationAwareSqlAdapterFactory(engineAdapter(pool, url));
    return new SchemaEngine(await Raw.new({ datamodels }, () => undefined, factory), pool);
  }

  async apply(migrationsList: MigrationList): Promise<string[]> {
    const { appliedMigrationNames } = await this.raw.applyMigrations({ migrationsList, filters: NO_FILTERS });
    return appliedMigrationNames;
  }

  /** The SQL that leads from the migrations to the schema; empty when they say the same. */
  async diff(migrationsList: MigrationList, datamodels: [string, string][]): Promise<string> {
    const { stdout, exitCode } = await this.raw.diff({
      from: migrationsList.migrationDirectories.length
        ? { tag: 'migrations', ...migrationsList }
        : { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: datamodels.map(([path, content]) => ({ path, content })) },
      script: true,
      exitCode: true,
      filters: NO_FILTERS,
    });
    return exitCode === 0 ? '' : (stdout ?? '').trim();
  }

  /** The engine leaves its connections open; they are closed here. */
  async close(): Promise<void> {
    this.raw.free();
    await this.pool.end();
  }
}

import type pg from 'pg';

/** Prisma can't describe a table without a key, such as lines that are only added and summed up. */
const TABLES = `relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations'
  AND EXISTS (SELECT 1 FROM pg_index AS keys WHERE keys.indrelid = pg_class.oid AND keys.indisprimary)`;

/** Prisma's description leaves out what its schema calls `Unsupported`. */
const IS_DESCRIBED = `atttypid <> 'tstzmultirange'::regtype`;

/** Words of a default that mean the same, whoever wrote the migration. */
const SPELLINGS: [RegExp, string][] = [
  [/^nextval\(.*\)$/, 'autoincrement()'],
  [/::[a-z ]+(\[\])?/g, ''],
  [/^\(?CURRENT_(TIMESTAMP|DATE)\)?$/, 'now()'],
  [/^ARRAY\[\]$/, '{}'],
  [/^'(.*)'$/, '$1'],
];

/** Describes a database's tables as `schemaLines` does. Policies, checks and expressions are the migrations' own. */
export async function databaseLines(client: pg.Client): Promise<string[]> {
  const [columns, indexes, references] = [
    await client.query<{ line: string; filling: string | null }>(COLUMNS),
    await client.query<{ line: string }>(INDEXES),
    await client.query<{ line: string }>(REFERENCES),
  ];
  return [
    ...columns.rows.map(({ line, filling }) =>
      filling === null ? line : `${line} default ${plain(filling)}`,
    ),
    ...indexes.rows.map(({ line }) => line),
    ...references.rows.map(({ line }) => line),
  ].sort();
}

function plain(filling: string): string {
  return SPELLINGS.reduce((text, [spelling, word]) => text.replace(spelling, word), filling);
}

const COLUMNS = `
  SELECT concat(relname, '.', attname, ' ', format_type(atttypid, atttypmod),
                CASE WHEN attnotnull AND attndims = 0 THEN ' not null' END) AS line,
         pg_get_expr(adbin, adrelid) AS filling
  FROM pg_attribute
  JOIN pg_class ON pg_class.oid = attrelid
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE ${TABLES} AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped AND ${IS_DESCRIBED}`;

const INDEXES = `
  SELECT concat(relname, CASE WHEN indisprimary THEN ' primary key ('
                              WHEN indisunique THEN ' unique ' || indexrelid::regclass || ' ('
                              ELSE ' index ' || indexrelid::regclass || ' (' END,
                (SELECT string_agg(attname || CASE WHEN indoption[at - 1] & 1 = 1 THEN ' desc' ELSE '' END, ', ' ORDER BY at)
                 FROM unnest(indkey) WITH ORDINALITY AS part (number, at)
                 JOIN pg_attribute ON attrelid = indrelid AND attnum = number),
                ')') AS line
  FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
  WHERE ${TABLES} AND indexprs IS NULL`;

const REFERENCES = `
  SELECT concat(relname, ' (', ours.list, ') references ', confrelid::regclass, ' (', theirs.list, ') on delete ',
                CASE confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'setnull' WHEN 'd' THEN 'setdefault'
                                 WHEN 'r' THEN 'restrict' ELSE 'noaction' END) AS line
  FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid,
  LATERAL (SELECT string_agg(attname, ', ' ORDER BY at) AS list FROM unnest(conkey) WITH ORDINALITY AS part (number, at)
           JOIN pg_attribute ON attrelid = conrelid AND attnum = number) AS ours,
  LATERAL (SELECT string_agg(attname, ', ' ORDER BY at) AS list FROM unnest(confkey) WITH ORDINALITY AS part (number, at)
           JOIN pg_attribute ON attrelid = confrelid AND attnum = number) AS theirs
  WHERE ${TABLES} AND contype = 'f'`;

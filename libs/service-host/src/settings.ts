import { explainIssue } from '@kith/contracts/explain-issue';
import { z } from 'zod';

/** One environment variable: its schema, and what it is for (the line in .env.example). */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly kind: 'setting';
  readonly variable: string;
  readonly schema: Schema;
  readonly purpose: string;
}

/** A service's settings, grouped by collaborator. */
export interface SettingsTree {
  readonly [group: string]: Setting | SettingsTree;
}

/** The values of a settings tree, typed by its schemas. */
export type SettingsOf<Tree> =
  Tree extends Setting<infer Schema>
    ? z.output<Schema>
    : { readonly [Key in keyof Tree]: SettingsOf<Tree[Key]> };

/** Declares one setting: `setting(VARIABLE, schema).is(purpose)`. An empty variable counts as unset, as does one of spaces alone. */
export function setting<Schema extends z.ZodType>(variable: string, schema: Schema) {
  return { is: (purpose: string): Setting<Schema> => ({ kind: 'setting', variable, schema, purpose }) };
}

/** Declares a service's settings; says nothing of their values yet. */
export function defineSettings<const Tree extends SettingsTree>(tree: Tree): Tree {
  return tree;
}

/** Every setting of a tree, in the order declared. */
export function listSettings(tree: SettingsTree): Setting[] {
  return Object.values(tree).flatMap((node) => (isSetting(node) ? [node] : listSettings(node)));
}

/** Lists every fault of the environment at once. Names no value: some are secrets. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(
    readonly problems: readonly { variable: string; problem: string }[],
    options?: ErrorOptions,
  ) {
    super(problems.map(({ variable, problem }) => `${variable}: ${problem}`).join('\n'), options);
  }
}

/**
 * Reads a settings tree from the environment.
 * @throws SettingsError that names every bad or missing variable at once
 */
export function readSettings<Tree extends SettingsTree>(
  tree: Tree,
  environment: Readonly<Record<string, string | undefined>>,
): SettingsOf<Tree> {
  const problems: { variable: string; problem: string }[] = [];
  const read = (node: SettingsTree): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(node).map(([key, child]) => {
        if (!isSetting(child)) return [key, read(child)];
        // Quotes keep spaces, such as those that are pasted with a key: zod reads a number of them as 0.
        const given = environment[child.variable]?.trim() || undefined;
        const parsed = child.schema.safeParse(given);
        if (parsed.success) return [key, parsed.data];
        const problem = given ? parsed.error.issues.map(explainIssue).join('; ') : 'is not set';
        problems.push({ variable: child.variable, problem: `${problem} (${child.purpose})` });
        return [key, undefined];
      }),
    );
  const values = read(tree);
  if (problems.length > 0) throw new SettingsError(problems);
  return values as SettingsOf<Tree>;
}

function isSetting(node: Setting | SettingsTree): node is Setting {
  return 'kind' in node && node.kind === 'setting';
}

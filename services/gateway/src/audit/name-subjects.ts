import { looksLikeApiKey, Uuid } from '@kith/contracts';

/** Ids of every kind there is: uuids, Discord's numbers, names of companions, jobs and blocks. */
const ID = /^[\w.-]{1,64}$/;
/** Parameters of queries that hold ids. */
const QUERIED = ['person', 'companion', 'message'];

/**
 * Names what a request was about, for the audit log: the ids of its path and of its query. Whatever does not look like an id
 * is left out: it could be anybody's words. So is a key, which is given for its id where somebody revokes one that leaked.
 */
export function nameSubjects(
  params: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const queried = Object.entries(query).filter(([name]) => QUERIED.includes(name));
  return Object.fromEntries(
    [...Object.entries(params), ...queried]
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string' && ID.test(entry[1]))
      .filter(([, id]) => !looksLikeApiKey(id))
      .map(([name, id]) => [name, Uuid.safeParse(id).data ?? id]),
  );
}

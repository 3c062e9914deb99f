/** Shortens an id to its end, which is random: its beginning is a time that neighbours share. */
export function shortId(id: string): string {
  return id.slice(-6);
}

/** Finds the one of these that a person means by its id, whole or short; null where none or several fit. */
export function findById<T extends { id: string }>(all: readonly T[], given: string): T | null {
  const wanted = given.trim().toLowerCase();
  const [found, ...others] = all.filter(({ id }) => id === wanted || shortId(id) === wanted);
  return found && others.length === 0 ? found : null;
}

/** A host that offers several embedding models. */
export type RemoteHost = 'gemini' | 'openai';

/*
 * Looked up on 2026-11-22: Google serves gemini-embedding-001 for text beside gemini-embedding-2, OpenAI
 * text-embedding-3-small beside 3-large. Installs have begun with the first of each.
 */
const FIRST: Readonly<Record<RemoteHost, string>> = {
  gemini: 'gemini-embedding-001',
  openai: 'text-embedding-3-small',
};
const FAMILIES: Readonly<Record<RemoteHost, RegExp>> = {
  gemini: /^gemini-embedding-(?<version>[\d.]+)$/,
  openai: /^text-embedding-(?<version>[\d.]+)-small$/,
};

/**
 * Chooses the model to begin with where the settings name none: the long-standing one as long as its host lists it, else
 * the newest of its family. The caller keeps the answer: another model is another space, in which nothing that was
 * embedded before can be found. Pure.
 * @param listed ids that the host offers; null where its list is not known
 */
export function chooseEmbeddingModel(host: RemoteHost, listed: readonly string[] | null): string {
  const first = FIRST[host];
  if (!listed || listed.includes(first)) return first;
  const newest = listed
    .flatMap((id) => {
      const version = FAMILIES[host].exec(id)?.groups?.['version'];
      return version === undefined ? [] : [{ id, version: Number(version) }];
    })
    .sort((a, b) => b.version - a.version)[0];
  return newest?.id ?? first;
}

/** Tells the operator that a host does not list a model; null where it does, or its list is not known. */
export function describeMissing(model: string, listed: readonly string[] | null): string | null {
  if (!listed || listed.length === 0 || listed.includes(model)) return null;
  const offered = listed.filter((id) => /embed/i.test(id)).slice(0, 8);
  return (
    `the host does not list the embedding model ${model}; it offers ${offered.join(', ') || 'none'}. ` +
    'Memories stay in the space of the old model: name the new one in EMBEDDING_NEXT_MODEL to move them'
  );
}

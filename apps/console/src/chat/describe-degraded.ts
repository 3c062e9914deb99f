const DEGRADED: Readonly<Record<string, string>> = {
  memory: 'without recall',
  personality: 'without its mood',
  dense: 'recall by words alone',
  lexical: 'recall by meaning alone',
  model: 'without a model',
};

/** Names the parts a reply did without, in a few words each. Parts that this page does not know keep their name. */
export function describeDegraded(degraded: readonly string[]): string[] {
  if (degraded.includes('dense') && degraded.includes('lexical')) {
    const others = degraded.filter((part) => part !== 'dense' && part !== 'lexical');
    return ['recall by plain text search', ...describeDegraded(others)];
  }
  return degraded.map((part) => DEGRADED[part] ?? `without ${part}`);
}

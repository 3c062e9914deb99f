/** Lists the names that a host takes for a model by the one that it lists: Ollama's tag `latest` may be left out. */
export function namesOf(listed: string): string[] {
  const plain = listed.replace(/:latest$/, '');
  return plain === listed ? [listed] : [listed, plain];
}

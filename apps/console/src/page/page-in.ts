/** Pages that fill the room below the bar, in the order of their buttons. */
export const PAGES = [
  ['chat', 'Chat'],
  ['memories', 'Memories'],
  ['why', 'Recall'],
  ['outreach', 'Writing first'],
  ['tasks', 'Tasks'],
  ['tools', 'Tools'],
  ['companions', 'Companions'],
  ['audit', 'Operators'],
] as const;
export type Page = (typeof PAGES)[number][0];

/** Reads the page from an address' fragment (`#memories`); the chat where it names none. */
export function pageIn(fragment: string): Page {
  return PAGES.find(([page]) => fragment === `#${page}`)?.[0] ?? 'chat';
}

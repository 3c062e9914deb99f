import { GuardedFetch } from '../../web/guarded-fetch.js';
import type { ToolOrigin } from '../tool-registry.js';
import { readPageTool } from './read-page-tool.js';
import type { SearchHost } from './search-hosts.js';
import { webSearchTool } from './web-search-tool.js';

export interface WebSettings {
  /** Pages may be read. */
  pages: boolean;
  /** Origins that pages are read from although they are inside. */
  origins: readonly string[];
  search: SearchHost | null;
  searchKey: string;
}

/** Makes the tools for the web, as far as the operator's settings have them. */
export function webTools({ pages, origins, search, searchKey }: WebSettings): ToolOrigin {
  const made = [
    ...(pages ? [readPageTool(new GuardedFetch({ origins }))] : []),
    // The operator chose its address, so that may be inside; nothing else may.
    ...(search
      ? [webSearchTool(new GuardedFetch({ origins: [new URL(search.base).origin] }), search, searchKey)]
      : []),
  ];
  return { kind: 'web', tools: () => made, leftOut: () => null };
}

import { AppError, firstOf, type LeftOutTools } from '@kith/contracts';
import { BUILT_IN } from './turn-tools.js';
import type { ToolTraits } from './permission/tool-traits.js';
import type { Tool } from './tool.js';

/** Kind of a tool that comes from outside. */
export type ToolKind = 'mcp' | 'http' | 'web';

/** Place that tools come from: an operator's MCP servers, an OpenAPI file, the web. */
export interface ToolOrigin {
  readonly kind: ToolKind;
  /** Tools that it has right now; none while it is away. */
  tools(): readonly Tool[];
  /** Tools that it has and that are not used, or that it is out of reach; null where all are used. */
  leftOut(): LeftOutTools | null;
}

/** Lists the tools that reach outside, from every origin. Ones with the same name count once: the first. */
export class ToolRegistry {
  /** @param origins as they are now: those of the operator's folder come once it is read */
  constructor(private readonly origins: () => readonly ToolOrigin[]) {}

  all(): { tool: Tool; kind: ToolKind }[] {
    const found = this.origins().flatMap((origin) =>
      origin.tools().map((tool) => ({ tool, kind: origin.kind })),
    );
    return [...Map.groupBy(found, ({ tool }) => tool.traits.name).values()].map(firstOf);
  }

  leftOut(): LeftOutTools[] {
    return this.origins().flatMap((origin) => origin.leftOut() ?? []);
  }

  find(name: string): Tool | null {
    return this.all().find(({ tool }) => tool.traits.name === name)?.tool ?? null;
  }

  /** Finds the traits of a tool, also of one of our own. */
  traitsOf(name: string): ToolTraits | undefined {
    return (BUILT_IN.find(({ traits }) => traits.name === name) ?? this.find(name))?.traits;
  }
}

/** Refuses a name that no tool has. */
export function noTool(name: string): AppError {
  return new AppError('not_found', `there is no tool ${name}: kith tools list, or GET /v1/tools, shows them`);
}

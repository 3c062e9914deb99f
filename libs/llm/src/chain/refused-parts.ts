import { present } from '@kith/contracts';
import type { ModelCards } from '../budget/model-cards.js';
import type { ModelError, ModelErrorKind, ModelTry } from '../errors/model-error.js';
import { hostsWordsOf } from '../errors/read-failure.js';
import type { ToolDefinition } from '../messages.js';
import { hasPictures, withoutPictures } from '../pictures.js';
import type { ModelRequest } from '../provider.js';
import { byTurns } from './by-turns.js';

/** Failures that a request may have for its pictures. */
const REFUSED: ReadonlySet<ModelErrorKind> = new Set(['refused', 'invalid-request', 'too-long']);
/** Places in a host's words where a tool is told by its number in the request: Gemini's, and everybody's. */
const NUMBERS = [/function_?declarations\W{1,3}(\d{1,3})/i, /\btools\W{1,3}(\d{1,3})/i];
/** Words of a chat template that takes turns alone, such as Gemma's and Mistral's. Servers give them any status. */
const BY_TURNS = /roles must alternate/i;
/** Words about what a tool takes. A refusal that names a tool without them may mean a call of it. */
const ABOUT_SCHEMA = /schema|parameter|propert/i;

/**
 * Parts and forms of requests that a model's host can't read, or won't: no reason to say nothing at all. Each host takes a
 * part of JSON Schema of its own, and refuses the whole request for one tool of somebody else's server that has more: no
 * list says which, only a 400 that names the tool does.
 */
export class RefusedParts {
  /** Tools by model, each as JSON: one that was mended is another. As long as the process lives. */
  private readonly tools = new Map<string, Set<string>>();
  /** Models that take messages by turns alone. */
  private readonly byTurns = new Set<string>();

  constructor(private readonly cards: Pick<ModelCards, 'of'>) {}

  /** Makes a request without what is known to be refused. */
  without(model: string, request: ModelRequest): ModelRequest {
    // A model that sees nothing would refuse the request for its pictures.
    const shown = this.cards.of(model).images ? request : withoutPictures(request);
    const told = this.byTurns.has(model) ? { ...shown, messages: byTurns(shown.messages) } : shown;
    const refused = this.tools.get(model);
    if (!refused || !told.tools) return told;
    return { ...told, tools: told.tools.filter((tool) => !refused.has(JSON.stringify(tool))) };
  }

  /**
   * Makes a request without what it was refused for; null where there is no such part. Messages that are not taken as they
   * are go by turns from then on.
   * @param tries the last of them is the refused one, where the names of tools that are left out are noted
   */
  lesser(request: ModelRequest, model: string, failure: ModelError, tries: ModelTry[]): ModelRequest | null {
    const messages = byTurns(request.messages);
    const isByTurns = messages.every((message, at) => message === request.messages[at]);
    if (!isByTurns && BY_TURNS.test(hostsWordsOf(failure.cause))) {
      this.byTurns.add(model);
      return { ...request, messages };
    }
    const isSecond = tries.some((one) => one.model === model && one.leftOut);
    const left = this.toolsLeft(failure, model, request.tools ?? [], isSecond);
    if (!left) return REFUSED.has(failure.kind) && hasPictures(request) ? withoutPictures(request) : null;
    const leftOut = request.tools?.filter((tool) => !left.includes(tool)).map(({ name }) => name) ?? [];
    tries.push({ ...present(tries.pop()), leftOut });
    return { ...request, tools: left };
  }

  /** Lists the tools that were not refused; null where the failure is not about them. */
  private toolsLeft(
    { kind, cause }: ModelError,
    model: string,
    tools: readonly ToolDefinition[],
    isSecond: boolean,
  ): ToolDefinition[] | null {
    if (kind !== 'invalid-request' || tools.length === 0) return null;
    const words = hostsWordsOf(cause);
    const refused = toolIn(words, tools);
    if (!refused) return /\b(?:tool|function)/i.test(words) ? [] : null;
    this.tools.set(model, new Set([...(this.tools.get(model) ?? []), JSON.stringify(refused)]));
    // After a second one none goes with the request: to find them one by one would use up the tries.
    return isSecond ? [] : tools.filter((tool) => tool !== refused);
  }
}

/**
 * Finds the tool that a host's words are about, by number or name. The first name is the tool's: those of its fields come
 * after it, and may be those of other tools.
 */
function toolIn(words: string, tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  const number = NUMBERS.map((pattern) => pattern.exec(words)?.[1]).find((digits) => digits !== undefined);
  const numbered = number === undefined ? undefined : tools[Number(number)];
  if (numbered || !ABOUT_SCHEMA.test(words)) return numbered;
  const named = new Map(tools.map((tool) => [tool.name, tool]));
  const name = words.match(/[\w-]+/g)?.find((word) => named.has(word));
  return name === undefined ? undefined : named.get(name);
}

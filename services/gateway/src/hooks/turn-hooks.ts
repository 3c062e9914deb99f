import { firstOf } from '@kith/contracts';
import type { HookList, HookPoint, HookRefusal, HookRun } from '@kith/llm';
import type { Claim } from '../inbox/claim.js';

/** Runs that a trace keeps: a turn of many steps with some hooks on each. */
const MAX_RUNS = 100;

/** Points at which hooks let a turn go on or refuse. */
type AskedPoint = Extract<HookPoint, 'receive' | 'gate' | 'act' | 'commit'>;

/** The operator's hooks on one turn. Without hooks, each point ends at once. */
export class TurnHooks {
  /** Runs so far, for the trace. */
  readonly runs: HookRun[] = [];

  constructor(
    private readonly list: HookList,
    private readonly claim: Claim,
    private readonly turnId: string,
  ) {}

  /** Tells whether nobody may see a word of a reply before its hooks have. */
  get holdReply(): boolean {
    return this.list.has('reply');
  }

  /** Notes the run of a hook on a call of a model. */
  readonly note = (run: HookRun): void => {
    if (this.runs.length < MAX_RUNS) this.runs.push(run);
  };

  /**
   * Asks the hooks before our own gate (`receive`: a refused message counts as never heard) and after it (`gate`: it was
   * heard, and is not answered), before a tool is called, and before the turn is committed.
   * @param more what they are given beside the turn
   */
  async ask(point: AskedPoint, more: object = {}): Promise<HookRefusal | null> {
    const given = () => [{ ...this.turn(), ...more }];
    return (await this.list.run({ point, value: null, given, onRun: this.note })).refusal;
  }

  /** Gathers lines that go into the prompt. */
  async compose(): Promise<{ lines: readonly string[]; refusal: HookRefusal | null }> {
    const { value, refusal } = await this.list.run<readonly string[]>({
      point: 'compose',
      value: [],
      given: () => [this.turn()],
      take: (lines, { lines: more }: { lines: string[] }) => [...lines, ...more],
      onRun: this.note,
    });
    return { lines: value, refusal };
  }

  /** Shows hooks a reply before anybody else sees it. They may rewrite it. */
  async reply(text: string): Promise<{ text: string; refusal: HookRefusal | null }> {
    const { value, refusal } = await this.list.run({
      point: 'reply',
      value: text,
      given: (current) => [{ ...this.turn(), text: current }],
      take: (_, made: { text: string }) => made.text,
      onRun: this.note,
    });
    return { text: value, refusal };
  }

  private turn(): object {
    const { conversationId, personId, companionId, audience, kind, burst } = this.claim;
    const { door, origin } = firstOf(burst);
    const texts = burst.filter(({ deleted }) => !deleted).map(({ text }) => text);
    return {
      turnId: this.turnId,
      conversationId,
      personId,
      companionId,
      audience,
      kind,
      door,
      origin,
      texts,
    };
  }
}

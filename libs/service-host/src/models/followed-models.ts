import { gatewayContract, ModelChoice, MODELS_CHANNEL } from '@kith/contracts';
import type { Broadcasts, Messenger } from '@kith/messaging';
import { z } from 'zod';

/** Longest wait of a job while another default model is chosen. */
const REPLACE_MS = 5_000;
/** Pause between two checks whether a choice was missed: longer than a question takes. */
const ASK_EVERY_MS = 6_000;

/** Keeps a service's default models the same as the gateway's choice. */
export class FollowedModels {
  private messenger: Messenger | null = null;
  private leave: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param taken called with every choice that becomes known */
  constructor(private readonly taken: (choices: ModelChoice[]) => void) {}

  /**
   * Asks for the choices until it gets them, and hears each new one; asks again where one may have been missed. Without
   * the gateway the last known ones stay in use.
   */
  start(messenger: Messenger, broadcasts: Broadcasts): void {
    this.messenger = messenger;
    this.leave = broadcasts.hear(MODELS_CHANNEL, (payload) => {
      const parsed = z.array(ModelChoice).safeParse(payload);
      if (parsed.success) this.taken(parsed.data);
    });
    let told: number | null = null;
    const askIfMissed = async () => {
      const { gap } = broadcasts;
      if (gap === told) return;
      await this.ask({});
      told = gap;
    };
    const tryToAsk = () => void askIfMissed().catch(() => undefined);
    this.timer = setInterval(tryToAsk, ASK_EVERY_MS).unref();
    tryToAsk();
  }

  stop(): void {
    clearInterval(this.timer);
    this.leave?.();
  }

  /** Has another model chosen for one (`host:model`) that its host refused as unknown. */
  replace(gone: string): Promise<void> {
    return this.ask({ gone });
  }

  private async ask(request: { gone?: string }): Promise<void> {
    const answer = await this.messenger?.ask(gatewayContract.models, request, { timeoutMs: REPLACE_MS });
    if (answer) this.taken(answer.choices);
  }
}

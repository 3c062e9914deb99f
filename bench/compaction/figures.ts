import { oneDigit, percentile } from '../figures.ts';

/** Figures of one way of making a prompt, over all conversations. */
export interface Figures {
  evidence: number;
  held: number;
  reached: number;
  probes: number;
  probesHeld: number;
  probesReached: number;
  tokens: number[];
  turnMs: number[];
  epochs: number;
}
export const nothing = (): Figures => ({
  evidence: 0,
  held: 0,
  reached: 0,
  probes: 0,
  probesHeld: 0,
  probesReached: 0,
  epochs: 0,
  tokens: [],
  turnMs: [],
});

const share = (part: number, whole: number) => oneDigit((100 * part) / Math.max(1, whole));

/** Shows what was held and reached as shares, by the way of making a prompt. */
export function tableOf(report: ReadonlyMap<string, Figures>) {
  return Object.fromEntries(
    [...report].map(
      ([name, { evidence, held, reached, probes, probesHeld, probesReached, tokens, turnMs, epochs }]) => [
        name,
        {
          'evidence held, %': share(held, evidence),
          'or reached, %': share(reached, evidence),
          'probes held, %': share(probesHeld, probes),
          'or reached by one call, %': share(probesReached, probes),
          'prompt tokens p50': percentile(tokens, 0.5),
          'prompt tokens max': Math.max(...tokens),
          'turn ms p95': oneDigit(percentile(turnMs, 0.95)),
          epochs,
        },
      ],
    ),
  );
}

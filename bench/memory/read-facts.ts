import { describeFact } from '../../services/memory/dist/facts/describe-fact.js';
import { readByRules } from '../../services/memory/dist/facts/read-by-rules.js';
import { reconcileFact, type Fact } from '../../services/memory/dist/facts/reconcile-fact.js';
import { factImportance } from '../../services/memory/dist/facts/plan-facts.js';
import type { MemoryView } from '@kith/contracts';
import type { Conversation } from '../locomo.ts';

type FactMemory = Pick<MemoryView, 'id' | 'text' | 'fact' | 'pinned' | 'audience' | 'importance'>;

/** Facts that the rules read of each speaker of a conversation, as outreach is told of them. */
export function readFacts({ turns }: Conversation): FactMemory[][] {
  return [...Map.groupBy(turns, ({ speaker }) => speaker)].map(([speaker, said]) => {
    const known = new Map<string, Fact>();
    let made = 0;
    for (const { said: text, at, id } of said) {
      for (const statement of readByRules({ text })) {
        const importance = factImportance(statement, text);
        const told = { ...statement, importance, at: new Date(at), sources: [id] };
        for (const fact of reconcileFact([...known.values()], told, () => `fact-${made++}`))
          known.set(fact.id, fact);
      }
    }
    return [...known.values()].map((fact) => ({
      id: fact.id,
      text: describeFact(fact, speaker),
      pinned: false,
      audience: 'direct',
      importance: fact.importance ?? 1,
      fact: {
        attribute: fact.attribute,
        value: fact.value,
        isSure: fact.isSure,
        wording: fact.wording,
        validFrom: fact.validFrom.toISOString(),
        validTo: fact.validTo?.toISOString() ?? null,
        holdsUntil: fact.holdsUntil?.toISOString() ?? null,
      },
    }));
  });
}

import { describe, expect, it } from '@jest/globals';
import { planSigns } from './plan-signs.js';

const facts = { cause: 'no permission', canReact: true, wasTold: false } as const;

describe('a reply that can’t be written', () => {
  it('is made up for by a reaction, and by a DM where that does not work', () => {
    expect(planSigns(facts)).toEqual(['reaction', 'dm']);
    expect(planSigns({ ...facts, canReact: null })).toEqual(['reaction', 'dm']);
    expect(planSigns({ ...facts, canReact: false })).toEqual(['dm']);
    expect(planSigns({ ...facts, cause: 'moderated' })).toEqual(['reaction', 'dm']);
  });

  it('is told by DM where there is nothing left to react to', () => {
    expect(planSigns({ ...facts, cause: 'place gone' })).toEqual(['dm']);
  });

  it('is told by DM once, and then by silence', () => {
    expect(planSigns({ ...facts, canReact: false, wasTold: true })).toEqual([]);
  });

  it('brings no DM for a fault of our own, and nothing to who can’t be reached', () => {
    expect(planSigns({ ...facts, cause: 'other' })).toEqual(['reaction']);
    expect(planSigns({ ...facts, cause: 'person unreachable' })).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { chooseEmbeddingModel, describeMissing } from './choose-embedding-model.js';

describe('chooseEmbeddingModel', () => {
  it('begins with the long-standing model as long as it is listed, or nothing is known', () => {
    expect(chooseEmbeddingModel('gemini', ['gemini-embedding-2', 'gemini-embedding-001'])).toBe(
      'gemini-embedding-001',
    );
    expect(chooseEmbeddingModel('openai', null)).toBe('text-embedding-3-small');
  });

  it('begins with the newest of the family once the first one is gone', () => {
    const listed = [
      'gemini-3.8-flash',
      'gemini-embedding-2',
      'gemini-embedding-3',
      'gemini-embedding-2-preview',
    ];
    expect(chooseEmbeddingModel('gemini', listed)).toBe('gemini-embedding-3');
    expect(chooseEmbeddingModel('openai', ['text-embedding-4-small', 'text-embedding-4-large'])).toBe(
      'text-embedding-4-small',
    );
  });
});

describe('describeMissing', () => {
  it('names what the host offers instead, and how to move', () => {
    const told = describeMissing('gemini-embedding-001', ['gemini-embedding-2', 'gemini-3.8-flash']);
    expect(told).toMatch(/offers gemini-embedding-2\..*EMBEDDING_NEXT_MODEL/);
    expect(describeMissing('gemini-embedding-2', ['gemini-embedding-2'])).toBeNull();
  });
});

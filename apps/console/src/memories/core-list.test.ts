import { describe, expect, it } from '@jest/globals';
import type { CoreBlock } from '@kith/contracts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { CoreList } from './core-list.js';

const block: CoreBlock = {
  label: 'human',
  text: 'Ann <b>bakes</b>.',
  audience: 'direct',
  updatedBy: 'companion',
  updatedAt: new Date(2026, 2, 2, 1).toISOString(),
};
const shown = (blocks: CoreBlock[]) =>
  renderToStaticMarkup(
    createElement(CoreList, { blocks, name: 'Mira', recoveries: 0, onWrite: () => Promise.resolve(true) }),
  );

describe('the list of core memory', () => {
  it('names the place of each block, who wrote it and when, and lets its owner correct it', () => {
    const html = shown([
      block,
      { ...block, label: 'persona', text: 'Tease her.', updatedBy: 'person' },
      { ...block, text: 'Ann hosts the quiz.', audience: 'channel:discord:42' },
    ]);
    const [direct = '', channel = ''] = html.split('<h3>In the Discord channel 42</h3>');
    expect(direct).toMatch(
      /Between you two<.*Who you are<.*Ann &lt;b&gt;bakes&lt;\/b&gt;\..*last written by Mira on 2026-03-02<.*Correct<.*How Mira is with you<.*Tease her\.<.*last written by you/u,
    );
    expect(direct).not.toContain('quiz');
    expect(channel).toMatch(
      /Who you are<.*Ann hosts the quiz\.<.*Correct<\/button>.*How Mira is with you<(?!.*written).*Write it<\/button>/u,
    );
  });

  it('shows the operator’s block to read alone', () => {
    const html = shown([{ ...block, label: 'operator', updatedBy: 'operator' }]);
    const [, operators = ''] = html.split('From the operator');
    expect(operators).toContain('last written by the operator');
    expect(operators).not.toContain('button');
  });

  it('says so when there is nothing, and lets its owner write the first blocks', () => {
    const html = shown([]);
    expect(html).toContain('Nothing yet. Short notes on you stand here once Mira or you make some.');
    expect(html).toMatch(
      /Between you two<.*Who you are<.*Write it<\/button>.*How Mira is with you<.*Write it<\/button>/u,
    );
    expect(html).not.toMatch(/operator|Correct|last written/u);
  });
});

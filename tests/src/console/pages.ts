import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { ANEW_IF_RESET, appears, browser, page, suite } from './open-console.js';

/** Run in the page: how far to the right anything reaches of the page, its bar and its main part. */
const RIGHTMOST_EDGE = `Math.max(
  document.documentElement.scrollWidth,
  ...[...document.querySelectorAll('.top *')].map((part) => part.getBoundingClientRect().right),
  ...[...document.querySelectorAll('main, main section, main aside')].map(
    (part) => part.getBoundingClientRect().left + part.scrollWidth,
  ),
)`;

/** Run in the page: names of traits that the drawing of them cuts off. */
const TRAITS_CUT_OFF = `[...document.querySelectorAll('.radar-name')].flatMap((name) => {
  const [own, drawing] = [name, name.ownerSVGElement].map((part) => part.getBoundingClientRect());
  return own.left < drawing.left || own.right > drawing.right ? [name.textContent] : [];
})`;

/** Tests of all pages: their width, touch screens, and leaving them. */
export function pages(): void {
  it('is no wider than the window, on a phone either, with every page and the way out in sight', async () => {
    const usual = page.viewportSize()!;
    const buttons = page.getByRole('navigation', { name: 'Pages' }).getByRole('button');
    const labels = await buttons.allInnerTexts();
    expect(labels).toHaveLength(8);
    for (const label of labels) {
      await page.getByRole('button', { name: label, exact: true }).click();
      // History and tabs name the page.
      expect(await page.title()).toBe(label === 'Chat' ? 'Kith' : `${label} · Kith`);
      if (label === 'Operators') await page.getByRole('cell').first().waitFor();
      for (const width of [320, 375, 600, 768, 900]) {
        await page.setViewportSize({ width, height: 740 });
        const rightmost = await page.evaluate<number>(RIGHTMOST_EDGE);
        expect({ label, width, fits: rightmost <= width }).toEqual({ label, width, fits: true });
        expect(await page.locator('.who').isVisible()).toBe(true);
        // It shows what is beside the chat alone.
        const minds = await page.getByRole('button', { name: 'Mind', exact: true }).count();
        expect({ label, width, minds }).toEqual({
          label,
          width,
          minds: label === 'Chat' && width < 896 ? 1 : 0,
        });
      }
      await page.getByRole('button', { name: 'Chat', exact: true }).click();
    }
    await page.setViewportSize({ width: 375, height: 740 });
    await page.getByRole('button', { name: 'Mind', exact: true }).click();
    await page.getByRole('img', { name: /^Mood over/ }).waitFor();
    if (process.env['CONSOLE_SCREENSHOT'])
      await page.screenshot({ path: process.env['CONSOLE_SCREENSHOT'].replace('.png', '-phone.png') });
    await page.getByRole('button', { name: 'Hide mind' }).click();
    await page.setViewportSize(usual);
  });

  it('is no wider for the longest names, and cuts off no trait’s', async () => {
    const { key } = await suite.newPerson('N'.repeat(60));
    const tab = await (await browser.newContext()).newPage();
    await tab.route(/\/v1\/companions$/, async (route) => {
      const answer = await route.fetch(ANEW_IF_RESET);
      const list = (await answer.json()) as { companions: object[] };
      for (const one of list.companions)
        Object.assign(one, { name: 'W'.repeat(60), tagline: 'T'.repeat(120) });
      await route.fulfill({ response: answer, json: list });
    });
    await tab.goto(await suite.signInLink(key));
    await tab.getByText('Needs and character').click();
    await tab.getByRole('img', { name: /traits: openness/ }).waitFor();
    expect(await tab.evaluate(TRAITS_CUT_OFF)).toEqual([]);
    for (const label of ['Chat', 'Memories', 'Recall', 'Tasks', 'Tools']) {
      await tab.getByRole('button', { name: label, exact: true }).click();
      for (const width of [320, 900, 1280]) {
        await tab.setViewportSize({ width, height: 740 });
        const fits = (await tab.evaluate<number>(RIGHTMOST_EDGE)) <= width;
        expect({ label, width, fits }).toEqual({ label, width, fits: true });
      }
    }
    await tab.context().close();
  });

  it('breaks the line by Enter on a touch screen, and sends by the button', async () => {
    const { key } = await suite.newPerson('محمد بن عبد الرحمن');
    const phone = await (await browser.newContext({ hasTouch: true, isMobile: true })).newPage();
    await phone.goto(await suite.signInLink(key));
    const box = phone.getByRole('textbox').first();
    await appears(box);
    expect(await box.getAttribute('enterkeyhint')).toBe('enter');
    // A name that is too long for its place is cut at its end.
    const direction = `getComputedStyle(document.querySelector('.who')).direction`;
    expect(await phone.evaluate(direction)).toBe('rtl');
    await box.pressSequentially('First\nsecond');
    expect(await box.inputValue()).toBe('First\nsecond');
    await phone.getByRole('button', { name: 'Send' }).tap();
    await appears(phone.getByText('second'));
    expect(await box.inputValue()).toBe('');
    // By a whole keyboard beside the screen, too.
    for (const keys of ['Control+Enter', 'Meta+Enter']) {
      await box.fill(`Sent by ${keys}`);
      await box.press(keys);
      await appears(phone.getByText(`Sent by ${keys}`));
      expect(await box.inputValue()).toBe('');
    }
    await phone.context().close();
  });

  it('asks before what is typed is lost, and only then, and leaves Back and Forward as they were', async () => {
    const { key } = await suite.newPerson('Typist');
    await suite.say('My favourite colour is teal.', { key });
    const tab = await (await browser.newContext()).newPage();
    const questions: string[] = [];
    tab.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    // Another companion can be chosen.
    await tab.route('**/v1/companions', async (route) => {
      const answer = await route.fetch(ANEW_IF_RESET);
      const list = (await answer.json()) as { companions: { id: string; name: string }[] };
      list.companions.push({ ...list.companions[0]!, id: 'mira-too', name: 'Mira Too' });
      await route.fulfill({ json: list });
    });
    await tab.goto(await suite.signInLink(key));
    const isAt = (page: string) =>
      eventually(
        `the page ${page}`,
        async () => tab.url().endsWith(page) && (await tab.locator('.page').count()) > 0,
      );
    for (const name of ['Memories', 'Writing first', 'Tasks'])
      await tab.getByRole('button', { name, exact: true }).click();
    await tab.goBack();
    await isAt('#outreach');

    const most = tab.getByLabel('Most in seven days');
    const before = await most.inputValue();
    await most.fill('7');
    for (const leave of [() => tab.goForward(), () => tab.goBack()]) {
      const asked = questions.length;
      await leave();
      await eventually('a question', () => Promise.resolve(questions.length === asked + 1));
      await isAt('#outreach');
      expect(await most.inputValue()).toBe('7');
    }
    const companion = tab.getByLabel('Companion', { exact: true });
    await companion.selectOption('Mira Too');
    expect(await most.inputValue()).toBe('7');
    await companion.selectOption('Mira');
    await most.fill(before);
    expect(questions).toHaveLength(2);
    await tab.goForward();
    await isAt('#tasks');
    await tab.goBack();
    await isAt('#outreach');
    await tab.goBack();
    await isAt('#memories');

    // A box in which nothing is typed says what is changed elsewhere, and is left without a question.
    // What is read in the line is listed above it, a moment later.
    const [memory] = await eventually('what was said, and what was read in it', async () => {
      const { memories } = (await suite.api('/v1/memories', { key })).body as { memories: { id: string }[] };
      return memories.length > 1 && memories;
    });
    await tab.reload();
    await tab.getByRole('button', { name: 'Correct', exact: true }).first().click();
    const box = tab.getByRole('textbox', { name: 'What it should say' });
    await box.waitFor();
    const body = { text: 'Typist likes the colour teal best.' };
    await suite.api(`/v1/memories/${memory!.id}`, { method: 'PATCH', key, body });
    // With this the list is read again.
    await tab.getByRole('button', { name: 'Pin', exact: true }).first().click();
    await eventually('the box to say it', async () => (await box.inputValue()) === body.text);
    await tab.getByRole('button', { name: 'Tasks', exact: true }).click();
    await isAt('#tasks');
    expect(questions).toHaveLength(2);
    await tab.context().close();
  });
}

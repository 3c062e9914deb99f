import { expect, it } from '@jest/globals';
import { appears, browser, messageBox, page, suite } from './open-console.js';

/** Run in the page: what has the focus once it was left for nothing, and the button Resume disabled for a while. */
const FOCUS_ONCE_DISABLED = `(async () => {
  const shown = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Resume');
  document.activeElement.blur();
  await shown();
  button.disabled = true;
  await shown();
  button.disabled = false;
  await shown();
  return document.activeElement.tagName;
})()`;

/** Tests of pages that operators alone have. */
export function operators(): void {
  it('shows an operator what operators did, to be searched, and nobody else', async () => {
    const { personId } = await suite.newPerson('Pim');
    await suite.api(`/v1/people/${personId}/holdings`);
    await page.getByRole('button', { name: 'Operators' }).click();
    const log = page.getByRole('main', { name: 'What operators did' });
    await log.getByRole('cell', { name: `GET /v1/people/{id}/holdings id ${personId}` }).waitFor();
    await log.getByLabel('What was done').fill('post /v1/keys');
    await log.getByText('GET /v1/people/{id}/holdings').waitFor({ state: 'detached' });
    await log.getByText('POST /v1/keys').first().waitFor();
    if (process.env['CONSOLE_SCREENSHOT'])
      await page.screenshot({ path: process.env['CONSOLE_SCREENSHOT'].replace('.png', '-audit.png') });
    await log.getByLabel('Person').fill('Pim');
    await log.getByText('not a whole id').waitFor();
    await log.getByLabel('Person').fill('00000000-0000-4000-8000-000000000000');
    await log.getByText('Nothing like that.').waitFor();
    await page.getByRole('button', { name: 'Chat', exact: true }).click();

    const { key } = await suite.newPerson('Quinn');
    const tab = await (await browser.newContext()).newPage();
    await tab.goto(await suite.signInLink(key));
    await tab.getByRole('button', { name: 'Memories' }).waitFor();
    // The keyboard goes on where an opener is put.
    await tab.getByRole('button', { name: /^Please remember/ }).click();
    await tab.keyboard.type(' Soon!');
    expect(await tab.locator('textarea:focus').inputValue()).toMatch(/^Please remember: .* Soon!$/);
    for (const name of ['Operators', 'Companions'])
      expect(await tab.getByRole('button', { name }).count()).toBe(0);

    // A key that an operator makes to act as them is theirs to see, and to end.
    const { personId: quinn } = (await suite.api('/v1/me', { key })).body as { personId: string };
    await suite.api('/v1/keys', { body: { name: 'help', personId: quinn, reason: 'lost their phone' } });
    await tab.getByRole('button', { name: 'Memories' }).click();
    await tab.getByText('Keys that act as you').click();
    const made = tab.getByRole('listitem').filter({ hasText: 'lost their phone' });
    await made.waitFor();
    if (process.env['CONSOLE_SCREENSHOT'])
      await tab.screenshot({ path: process.env['CONSOLE_SCREENSHOT'].replace('.png', '-keys.png') });
    // By keyboard alone: the focus is never lost.
    const end = made.getByRole('button', { name: 'End it' });
    await end.press('Enter');
    await made
      .locator('button:focus')
      .and(made.getByRole('button', { name: 'No' }))
      .waitFor();
    await tab.keyboard.press('Escape');
    await made.locator('button:focus').and(end).waitFor();
    await end.press('Enter');
    await made.getByRole('button', { name: 'Yes' }).press('Enter');
    await made.getByText('(ended)').waitFor();
    await tab.locator('summary:focus').waitFor();
    await tab.context().close();
  });

  it('takes a card that an operator drops, and changes, pauses and retires who came of it', async () => {
    await page.getByRole('button', { name: 'Companions' }).click();
    const companions = page.getByRole('main', { name: 'Companions' });
    const card = {
      name: 'Orla',
      description: 'Keeps a mill.',
      personality: 'blunt',
      first_mes: 'Well?',
      scenario: '',
      mes_example: '',
    };
    const drop = async (text: string) =>
      companions
        .getByLabel('Drop a card here')
        .setInputFiles({ name: 'orla.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await drop('');
    await companions.getByRole('alert').filter({ hasText: 'the file is empty' }).waitFor();
    await drop('{"spec":"chara_card_v2"}');
    await companions.getByRole('alert').filter({ hasNotText: 'empty' }).waitFor();
    await drop(JSON.stringify(card));
    await companions.getByRole('heading', { name: 'Orla tavern-v1' }).waitFor();
    if (process.env['CONSOLE_SCREENSHOT'])
      await page.screenshot({ path: process.env['CONSOLE_SCREENSHOT'], fullPage: true });
    await companions.getByRole('button', { name: 'Bring it in' }).click();
    const orla = companions.getByRole('listitem').filter({ hasText: 'Orla' });
    await companions.and(page.locator(':focus')).waitFor();
    await orla.getByRole('button', { name: 'Pause' }).press('Enter');
    await orla.getByText('paused', { exact: true }).waitFor();
    await orla.getByRole('button', { name: 'Resume' }).and(page.locator(':focus')).waitFor();
    // Whoever left a button for nothing else does not get it back.
    expect(await page.evaluate(FOCUS_ONCE_DISABLED)).toBe('BODY');
    await orla.getByRole('button', { name: 'Edit' }).click();
    const persona = companions.getByRole('textbox', { name: 'Persona as JSON' });
    await persona.fill((await persona.inputValue()).replace('Keeps a mill', 'Keeps two mills'));
    // Nothing takes the place of what is not saved.
    expect(
      await companions.getByRole('button', { name: /^(Edit|A new companion …)$/, disabled: false }).count(),
    ).toBe(0);
    // It is there again after another page.
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await page.getByRole('button', { name: 'Companions' }).click();
    expect(await persona.inputValue()).toContain('Keeps two mills');
    // Nor is that thrown away without a question.
    const shut = companions.getByRole('button', { name: 'Close' });
    await shut.press('Enter');
    await companions.getByText('Throw away what you changed?').waitFor();
    await page.keyboard.press('Escape');
    await companions.locator('button:focus').and(shut).waitFor();
    expect(await persona.inputValue()).toContain('Keeps two mills');
    // Somebody else was faster: neither change is lost.
    const path = '/v1/companions/orla/persona';
    const { persona: held } = (await suite.api(path)).body as { persona: object };
    await suite.api(path, { method: 'PUT', body: { ...held, tagline: 'Changed meanwhile.' } });
    const putInForce = companions.getByRole('button', { name: 'Put it in force' });
    await putInForce.press('Enter');
    await companions.getByText('orla is version 2 by now').waitFor();
    await putInForce.and(page.locator(':focus')).waitFor();
    expect(await persona.inputValue()).toContain('Keeps two mills');
    await shut.click();
    await companions.getByRole('button', { name: 'Throw it away' }).click();
    await orla.getByRole('button', { name: 'Edit' }).click();
    expect(await persona.inputValue()).toContain('Changed meanwhile.');
    await persona.fill((await persona.inputValue()).replace('Keeps a mill', 'Keeps two mills'));
    await putInForce.click();
    await orla.getByText('version 3').waitFor();
    const saved = page.waitForEvent('download');
    await orla.getByRole('button', { name: 'Save its file' }).click();
    expect((await saved).suggestedFilename()).toBe('orla.kith.json');
    const { body } = await suite.api('/v1/companions/orla');
    expect(body).toMatchObject({ version: 3, pausedSince: expect.any(String) });
    // Mira comes from a file: the API would refuse to retire it.
    const mira = companions.getByRole('listitem').filter({ hasText: 'Mira' });
    await mira.getByText('Comes from a file').waitFor();
    expect(await mira.getByRole('button', { name: 'Retire …' }).count()).toBe(0);
    await orla.getByRole('button', { name: 'Retire …' }).click();
    await orla.getByRole('button', { name: 'Yes, retire Orla' }).press('Enter');
    await companions.getByText('orla is out of service').waitFor();
    await orla.waitFor({ state: 'detached' });
    await companions.and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await appears(messageBox());
  });

  it('shows every queue to a browser that has the key as its password', async () => {
    const context = await browser.newContext({
      httpCredentials: { username: 'operator', password: suite.adminKey },
    });
    const page = await context.newPage();
    await page.goto(`${suite.url}/admin/queues`);
    await page.getByText('memory.remember').first().waitFor();
    if (process.env['CONSOLE_SCREENSHOT'])
      await page.screenshot({ path: process.env['CONSOLE_SCREENSHOT'].replace('.png', '-board.png') });
    await page.goto(`${suite.url}/admin/queues/queue/jobs.recur?status=delayed`);
    await page.getByText('#repeat').or(page.getByText('repeat:')).first().waitFor();
    if (process.env['CONSOLE_SCREENSHOT'])
      await page.screenshot({ path: process.env['CONSOLE_SCREENSHOT'].replace('.png', '-queue.png') });
  });
}

import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { ANEW_IF_RESET, KEPT_KEY, appears, browser, suite } from './open-console.js';

/** Tests of signing out, and of erasing oneself. */
export function signingOut(): void {
  it('erases whoever asks for it, once they confirm, and signs them out', async () => {
    const { key, personId } = await suite.newPerson('Leaving');
    const leaving = await (await browser.newContext()).newPage();
    await leaving.goto(await suite.signInLink(key));
    // What is read late must not push the button away from under a click.
    let answerPrivacy: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => (answerPrivacy = resolve));
    await leaving.route(/\/privacy$/, async (route) => {
      await isAnswered;
      await route.continue();
    });
    await leaving.getByRole('button', { name: 'Memories' }).click();
    await leaving.getByText('Nothing yet.').waitFor();
    const eraseMe = leaving.getByRole('button', { name: 'Erase me everywhere' });
    const place = await eraseMe.boundingBox();
    answerPrivacy();
    await leaving.locator('.privacy input:enabled').waitFor();
    expect(await eraseMe.boundingBox()).toEqual(place);
    await eraseMe.click();
    const question = leaving.getByRole('alert').filter({ hasText: 'can’t be undone' });
    await question.waitFor();
    if (process.env['CONSOLE_SCREENSHOT'])
      await leaving.screenshot({ path: process.env['CONSOLE_SCREENSHOT'].replace('.png', '-erase.png') });
    await leaving.keyboard.press('Escape');
    await leaving.locator('.erase-me .link:focus').and(eraseMe).press('Enter');
    // The chat's connection learns first that the key is gone: the page says all the same why.
    const signedOut = leaving.getByText(/You were signed out/).waitFor();
    let held = 0;
    await leaving.route(/me\?confirm=/, async (route) => {
      const answer = await route.fetch(ANEW_IF_RESET);
      await signedOut;
      held += 1;
      await route.fulfill({ response: answer });
    });
    await question.getByRole('button', { name: 'Erase me' }).click();
    await appears(leaving.getByText(/You are erased/));
    expect(held).toBe(1);
    expect(await suite.query('SELECT 1 FROM people WHERE person_id = $1', [personId])).toEqual([]);
  });

  it('signs out whoever is signed in, and nobody that another tab signed in', async () => {
    const [own, other] = [await suite.newPerson('Own'), await suite.newPerson('Other')];
    const tab = await (await browser.newContext()).newPage();
    await tab.goto(await suite.signInLink(own.key));
    await appears(tab.getByRole('textbox').first());
    const kept = await tab.evaluate<string>(KEPT_KEY);
    await tab.evaluate(`window.localStorage.setItem('kith.key', '${other.key}')`);
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByLabel('API key').waitFor();
    expect(await tab.evaluate(KEPT_KEY)).toBe(other.key);
    const isOver = async () => (await suite.api('/v1/me', { key: kept })).status === 401;
    await eventually('the own key to be ended', isOver);
    expect((await suite.api('/v1/me', { key: other.key })).status).toBe(200);
    await tab.context().close();
  });

  it('signs out every tab at once', async () => {
    const { key } = await suite.newPerson('Tabbed');
    const context = await browser.newContext();
    const [tab, beside] = [await context.newPage(), await context.newPage()];
    await tab.goto(await suite.signInLink(key));
    await appears(tab.getByRole('textbox').first());
    // The gateway cannot tell it that the key is ended.
    await beside.routeWebSocket(/\/v1\/ws$/, (socket) => void socket.close());
    await beside.goto(suite.url);
    await appears(beside.getByRole('textbox').first());
    await beside.getByRole('textbox').first().fill('And by the way');
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await appears(beside.getByText('You were signed out in another tab.'));
    expect(await beside.evaluate("window.sessionStorage.getItem('kith.drafts')")).toBeNull();

    // Also one that still asks whose its key is, and one that asks whether to change accounts.
    await tab.goto(await suite.signInLink(key));
    await appears(tab.getByRole('textbox').first());
    let answer: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    await beside.route('**/v1/me', async (route) => {
      const response = await route.fetch(ANEW_IF_RESET);
      await isAnswered;
      await route.fulfill({ response });
    });
    await beside.goto(suite.url);
    await beside.getByText('One moment').waitFor();
    const asking = await context.newPage();
    await asking.goto(await suite.signInLink(key));
    await asking.getByRole('main', { name: 'Change accounts?' }).waitFor();
    await tab.getByRole('button', { name: 'Sign out' }).click();
    for (const other of [beside, asking])
      await appears(other.getByText('You were signed out in another tab.'));
    answer();
    await beside.waitForTimeout(300);
    expect(await beside.evaluate(KEPT_KEY)).toBeNull();
    await context.close();
  });
}

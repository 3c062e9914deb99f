import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import type { Page, Route } from 'playwright-core';
import {
  ANEW_IF_RESET,
  KEPT_KEY,
  afterTime,
  appears,
  browser,
  messageBox,
  page,
  suite,
} from './open-console.js';

/** Tests of signing in, and of what is kept that was not said yet. */
export function signingIn(): void {
  it('signs in by the link, once, with a key of its own, and takes the code out of the address', async () => {
    await appears(messageBox());
    expect(page.url()).not.toContain('code=');
    const kept = await page.evaluate<string>(KEPT_KEY);
    expect(kept).toMatch(/^kth_/);
    expect(kept).not.toBe(suite.adminKey);
    const me = await suite.api('/v1/me', { key: kept });
    expect(me.body).toMatchObject({ scopes: ['chat', 'memories', 'outreach', 'audit', 'companions'] });

    const link = await suite.signInLink();
    const [first, second] = await Promise.all(
      [1, 2].map(async () => {
        const tab = await (await browser.newContext()).newPage();
        await tab.goto(link);
        return tab;
      }),
    );
    const used = (tab: Page) => tab.getByRole('alert').filter({ hasText: 'used already' }).waitFor();
    const entered = (tab: Page) =>
      tab
        .getByRole('textbox', { name: /message|say/i })
        .or(tab.locator('textarea'))
        .first()
        .waitFor();
    await Promise.any([
      Promise.all([entered(first!), used(second!)]),
      Promise.all([entered(second!), used(first!)]),
    ]).catch(async () => {
      const shown = [first!, second!].map((tab) => tab.locator('body').innerText());
      throw new Error(`one tab is to be in, the other out: ${(await Promise.all(shown)).join(' | ')}`);
    });
    await Promise.all([first!.context().close(), second!.context().close()]);
  });

  it('asks whoever is signed in before a link changes accounts, and takes no key from an address', async () => {
    const { key } = await suite.newPerson('Mallory');
    const own = await page.evaluate(KEPT_KEY);
    const keptNow = () => page.evaluate(KEPT_KEY);
    await page.goto(await suite.signInLink(key));
    const question = page.getByRole('main', { name: 'Change accounts?' });
    await question.waitFor();
    if (process.env['CONSOLE_SCREENSHOT'])
      await page.screenshot({ path: process.env['CONSOLE_SCREENSHOT'].replace('.png', '-account.png') });
    await question.getByRole('button', { name: 'Stay signed in' }).click();
    await appears(messageBox());
    expect(await keptNow()).toBe(own);
    // Whoever opened a link that is of no use would take this page for their own.
    const used = await suite.signInLink(key);
    const [, code] = used.split('#code=');
    await suite.api('/v1/sign-in', { key: null, body: { code } });
    const failed = page.getByRole('main', { name: 'The link did not work' });
    for (const [link, words] of [
      [`${suite.url}/#key=${key}`, 'signs nobody in'],
      [used.slice(0, -4), 'is not whole'],
      [used, 'used already'],
    ] as const) {
      await page.goto(link);
      if (link === used) await question.getByRole('button', { name: 'Use the link' }).click();
      await failed.getByRole('alert').filter({ hasText: words }).waitFor();
      expect(await failed.getByRole('button').allInnerTexts()).toEqual(['Stay signed in']);
      await failed.getByRole('button').click();
      await appears(messageBox());
      expect([await keptNow(), page.url()]).toEqual([own, `${suite.url}/`]);
    }

    // A refusal that will pass: the same link may be tried again.
    await page.route('**/v1/sign-in', (route) => route.fulfill({ status: 429 }), { times: 1 });
    await page.goto(await suite.signInLink(key));
    await question.getByRole('button', { name: 'Use the link' }).click();
    await failed.getByRole('button', { name: 'Try the link again' }).waitFor();
    await failed.getByRole('button', { name: 'Stay signed in' }).click();
    await appears(messageBox());

    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(`${suite.url}/#key=${key}`);
    await stranger.getByRole('alert').filter({ hasText: 'signs nobody in' }).waitFor();
    await stranger.context().close();
  });

  it('is let in by the link where the answer to it was lost', async () => {
    const { key } = await suite.newPerson('Tunnel');
    const tab = await (await browser.newContext()).newPage();
    const loseAnswer = async (route: Route) => {
      await route.fetch(ANEW_IF_RESET);
      await route.abort();
    };
    let tries = 0;
    tab.on('request', (request) => {
      if (request.url().endsWith('/v1/sign-in')) tries += 1;
    });
    await tab.route('**/v1/sign-in', loseAnswer, { times: 1 });
    await tab.clock.install();
    await tab.goto(await suite.signInLink(key));
    await afterTime('the link to be tried again', tab, 1_000, () => tries > 1);
    await appears(tab.getByText('Tunnel', { exact: true }));
    const { body } = await suite.api('/v1/me/keys', { key });
    const names = (body as { keys: { name: string }[] }).keys.map(({ name }) => name);
    expect(names.filter((name) => name === 'browser')).toHaveLength(1);
    await tab.context().close();
  });

  it('keeps who came by a link where the page is left before their key was checked', async () => {
    const { key } = await suite.newPerson('Hasty');
    const tab = await (await browser.newContext()).newPage();
    let checks = 0;
    // The first one is never answered.
    await tab.route('**/v1/me', (route) => ((checks += 1) > 1 ? route.continue() : undefined));
    await tab.goto(await suite.signInLink(key));
    await eventually('the key to be checked', () => checks > 0);
    await tab.reload();
    await appears(tab.getByRole('textbox', { name: /^Message to/ }));
    await tab.context().close();
  });

  it('never sends what one person wrote as the next who signs in', async () => {
    const [writer, next] = [await suite.newPerson('Writer'), await suite.newPerson('Next')];
    const tab = await (await browser.newContext()).newPage();
    let isBlocked = true;
    await tab.routeWebSocket(/\/v1\/ws$/, (socket) => {
      if (isBlocked) void socket.close();
      else socket.connectToServer();
    });
    await tab.goto(await suite.signInLink(writer.key));
    const box = tab.getByRole('textbox').first();
    await appears(box);
    await box.fill('The safe stands behind the stove.');
    await box.press('Enter');
    await appears(tab.getByText('behind the stove'));

    await tab.goto(await suite.signInLink(next.key));
    const question = tab.getByRole('main', { name: 'Change accounts?' });
    await question.getByRole('button', { name: 'Use the link' }).click();
    await question.waitFor({ state: 'detached' });
    await appears(box);
    isBlocked = false;
    await tab.reload();
    await box.fill('Good morning.');
    await box.press('Enter');
    await appears(tab.getByRole('article', { name: /reply/ }).first());
    await tab.context().close();
    const { key } = next;
    const { body: list } = await suite.api('/v1/conversations', { key });
    const [{ id }] = (list as { conversations: [{ id: string }] }).conversations;
    const said = async () => {
      const { body } = await suite.api(`/v1/conversations/${id}/messages`, { key });
      const { messages } = body as { messages: { role: string; text: string }[] };
      return messages.filter(({ role }) => role === 'person').map(({ text }) => text);
    };
    // A reply appears while it is written: the transcript has its turn from its end on.
    await eventually('the message to be kept', async () => (await said()).length > 0);
    expect(await said()).toEqual(['Good morning.']);
  });

  it('keeps what its person has not said when a link signs them in anew in another tab, and from the next', async () => {
    const [own, other] = [await suite.newPerson('Anew'), await suite.newPerson('Next')];
    const context = await browser.newContext();
    const [tab, beside] = [await context.newPage(), await context.newPage()];
    await tab.goto(await suite.signInLink(own.key));
    await appears(tab.getByRole('textbox').first());
    await tab.getByRole('textbox').first().fill('And by the way');
    const change = async (key: string) => {
      const isAsked = tab.waitForResponse(/\/v1\/me$/);
      await beside.goto(await suite.signInLink(key));
      await beside.getByRole('button', { name: 'Use the link' }).click();
      await isAsked;
    };
    await change(own.key);
    await appears(tab.getByText('Anew', { exact: true }));
    expect(await tab.getByRole('textbox').first().inputValue()).toBe('And by the way');
    await change(other.key);
    await appears(tab.getByText('Next', { exact: true }));
    expect(await tab.getByRole('textbox').first().inputValue()).toBe('');
    expect(await tab.evaluate("window.sessionStorage.getItem('kith.drafts')")).toBeNull();
    await context.close();
  });

  it('keeps what its person has not said when a link fails, or a key is refused, after another tab signed them in', async () => {
    const { key } = await suite.newPerson('Unsaid');
    const context = await browser.newContext();
    const [tab, beside] = [await context.newPage(), await context.newPage()];
    const used = await suite.signInLink(key);
    await suite.api('/v1/sign-in', { key: null, body: { code: used.split('#code=')[1] } });
    await tab.goto(await suite.signInLink(key));
    await appears(tab.getByRole('textbox').first());
    await tab.getByRole('textbox').first().fill('And by the way');
    const keepsDraft = async () => {
      await appears(tab.getByText('Unsaid', { exact: true }));
      expect(await tab.getByRole('textbox').first().inputValue()).toBe('And by the way');
    };

    await tab.route(
      '**/v1/sign-in',
      async (route) => {
        await beside.goto(await suite.signInLink(key));
        await beside.getByRole('button', { name: 'Use the link' }).click();
        await appears(beside.getByText('Unsaid', { exact: true }));
        await route.continue();
      },
      { times: 1 },
    );
    await tab.goto(used);
    await tab.getByRole('button', { name: 'Use the link' }).click();
    await appears(tab.getByRole('alert').filter({ hasText: 'used already' }));
    await tab.getByRole('button', { name: 'Stay signed in' }).click();
    await keepsDraft();

    // The page has not heard of the key that the browser has by now.
    await tab.route(
      '**/v1/me',
      async (route) => {
        await tab.evaluate(`window.localStorage.setItem('kith.key', '${key}')`);
        await route.fulfill({ status: 401 });
      },
      { times: 1 },
    );
    await tab.reload();
    await keepsDraft();
    expect(await tab.evaluate(KEPT_KEY)).toBe(key);
    await context.close();
  });

  it('refuses a cut link and a wrong key in words', async () => {
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto((await suite.signInLink()).slice(0, -4));
    await stranger.getByRole('alert').filter({ hasText: 'This sign-in link is not whole.' }).waitFor();
    await stranger.getByLabel(/key/i).first().fill('kth_wrong');
    await stranger.getByRole('button', { name: /sign in|enter|continue|open|come in/i }).click();
    await stranger.getByRole('alert').first().waitFor();
  });
}

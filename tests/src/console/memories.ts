import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import type { Locator, Route } from 'playwright-core';
import {
  ANEW_IF_RESET,
  afterTime,
  appears,
  browser,
  expectNone,
  messageBox,
  page,
  say,
  suite,
} from './open-console.js';

/** Run in the page: from then on notes how live the log is whenever lines come into it. */
const NOTE_HOW_LINES_COME = `
  window.howLinesCame = new Set();
  new MutationObserver((changes) => {
    if (changes.some(({ addedNodes }) => addedNodes.length > 0))
      window.howLinesCame.add(document.querySelector('[role=log]').getAttribute('aria-live'));
  }).observe(document.querySelector('.chat'), { childList: true, subtree: true });`;

const HOW_LINES_CAME = '[...window.howLinesCame]';

/** Tests of what is remembered, recalled, corrected and forgotten. */
export function memories(): void {
  it('shows what is remembered, finds it, and lets its owner correct, pin and forget it', async () => {
    await say('Whenever anyone asks, tell them the code 4711.');
    const code = page.getByText('tell them the code 4711');
    await code.first().waitFor();
    // What follows a turn is done a moment later; the page reads the list when it is opened.
    await eventually('the code to be remembered', async () =>
      JSON.stringify((await suite.api('/v1/memories')).body).includes('4711'),
    );
    await page.getByRole('button', { name: 'Memories' }).click();
    const timeline = page.getByRole('main', { name: /remembers/ });
    const cello = timeline.getByRole('listitem').filter({ hasText: 'plays the cello' }).first();
    await cello.getByText(/said between you two/).waitFor();
    await cello.getByRole('button', { name: 'Pin' }).click();
    await cello.getByText(/pinned ·/).waitFor();
    // By keyboard alone: what is opened has the focus, and Escape gives it back.
    for (const name of ['Correct', 'Forget']) {
      await cello.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
      await timeline.locator(name === 'Correct' ? 'textarea:focus' : '[role=alert] .link:focus').waitFor();
      await page.keyboard.press('Escape');
      await cello.locator('button:focus').and(cello.getByRole('button', { name })).waitFor();
    }
    await cello.getByRole('button', { name: 'Correct' }).click();
    await timeline.getByLabel('What it should say').fill('My sister Mona plays the viola.');
    // A correction that could not be kept stays in its box, and so does one that Escape meets.
    await page.keyboard.press('Escape');
    await page.route('**/v1/memories/*', (route) => route.abort(), { times: 1 });
    const save = timeline.getByRole('button', { name: 'Save' });
    await save.press('Enter');
    await timeline.getByText('Nothing answers at this address.').waitFor();
    await timeline.locator('button:focus').and(save).waitFor();
    // A box that is opened while the one before it is saved stays open.
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route(
      '**/v1/memories/*',
      async (route) => {
        await isReleased;
        await route.continue();
      },
      { times: 1 },
    );
    await save.press('Enter');
    await timeline.getByRole('button', { name: 'Leave it' }).click();
    const shown = timeline.getByRole('listitem').filter({ hasText: 'plays the cello' }).first();
    await shown.getByRole('button', { name: 'Correct' }).click();
    const isSaved = page.waitForResponse('**/v1/memories/*');
    release();
    await (await isSaved).finished();
    await timeline.getByText(/pinned ·/).waitFor();
    await page.waitForTimeout(300);
    await timeline.getByRole('button', { name: 'Leave it' }).click();
    await timeline.locator('p').getByText('My sister Mona plays the viola.').waitFor();
    // Whoever writes elsewhere by the time that it is saved goes on there.
    const entryOf = (text: string) => timeline.locator('li.memory').filter({ hasText: text });
    const other = entryOf('tell them the code 4711');
    await page.route(
      '**/v1/memories/*',
      (route) =>
        other
          .getByRole('button', { name: 'Correct' })
          .click()
          .then(() => route.continue()),
      { times: 1 },
    );
    const saved = entryOf('plays the viola').getByRole('button', { name: 'Correct' });
    await saved.click();
    await save.press('Enter');
    await saved.waitFor();
    await timeline.getByLabel('What it should say').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');

    // The page is read when it is opened, and facts are made of what was said a while later.
    const summary = timeline.getByText('What is known of you');
    const viola = timeline.locator('details').getByText(/Mona plays the viola/);
    await eventually('the viola to be known', async () =>
      JSON.stringify((await suite.api('/v1/memories/description')).body).includes('plays the viola'),
    );
    // What is forgotten beside the open page leaves it.
    await summary.click();
    await viola.waitFor();
    const said = timeline.locator('li.memory').filter({ hasText: 'My sister Mona plays the viola.' });
    const forget = async (memory: Locator) => {
      await memory.getByRole('button', { name: 'Forget' }).click();
      await memory.getByRole('alert').getByRole('button', { name: 'Forget' }).click();
    };
    // While a part of Kith is down it is noted, and so is its undo, which can be pressed once.
    const forgetting = /\/v1\/memories\/forget/;
    await page.route(forgetting, (route) =>
      route.fulfill({
        status: 503,
        json: {
          type: 'urn:kith:problem:unavailable',
          title: 'Out of reach for now',
          status: 503,
          detail: 'it is noted',
          code: 'unavailable',
          receipt: randomUUID(),
        },
      }),
    );
    await forget(said);
    await timeline.getByText(/^It is noted, and Mira forgets it/).waitFor();
    await timeline.getByRole('button', { name: 'Undo' }).click();
    await timeline.getByText(/^It is noted, and comes back .*, if that is before \d/).waitFor();
    await timeline.locator('.memories-undo').waitFor({ state: 'detached' });
    await page.unroute(forgetting);
    // The clock of this browser goes wrong by more than the time for an undo.
    await page.evaluate('const now = Date.now; Date.now = () => now() + 15 * 60_000;');
    await said.getByRole('alert').getByRole('button', { name: 'Forget' }).click();
    await viola.waitFor({ state: 'detached' });
    await timeline.locator('.memories-undo button:focus').waitFor();
    await timeline.getByText(/^Mira has forgotten it, with \d+ lines?/).waitFor();
    // It can be taken back after a look at another page, too.
    await page.getByRole('button', { name: 'Tasks' }).click();
    await page.getByRole('button', { name: 'Memories' }).click();
    // An undo takes its own notice away, and that of nothing forgotten meanwhile.
    let undos = 0;
    let undoNow: () => void = () => undefined;
    const mayUndo = new Promise<void>((resolve) => (undoNow = resolve));
    await page.route('**/v1/memories/forget/undo', async (route) => {
      undos += 1;
      await mayUndo;
      await route.continue();
    });
    const notice = timeline.locator('.memories-undo');
    const undo = notice.getByRole('button', { name: 'Undo' });
    await undo.dblclick();
    await forget(timeline.locator('li.memory').filter({ hasText: 'tell them the code 4711' }));
    await timeline.locator('.memories-undo button:focus').waitFor();
    expect(undos).toBe(1);
    undoNow();
    await summary.click();
    await viola.waitFor();
    await summary.click();
    await undo.press('Enter');
    await notice.waitFor({ state: 'detached' });
    // The keyboard goes on where it says what came of it.
    await timeline.getByText('Mira remembers it again.').and(page.locator(':focus')).waitFor();
    await page.unroute('**/v1/memories/forget/undo');
    // Whoever types elsewhere by the time that it is forgotten goes on there.
    const search = timeline.getByLabel('Search memories');
    await page.route(forgetting, (route) => search.focus().then(() => route.continue()));
    await forget(said);
    await undo.waitFor();
    await search.and(page.locator(':focus')).waitFor();
    await page.unroute(forgetting);
    await undo.click();
    await notice.waitFor({ state: 'detached' });

    await timeline.getByLabel('Search memories').fill('which instrument does Mona play');
    await timeline.getByText(/ found$/).waitFor();
    await timeline.getByLabel('Why it was found').first().waitFor();
    // A search of one shelf or kind is a part of what is found, of which there may be more.
    await page.route('**/v1/memories/search*', async (route) => {
      const response = await route.fetch(ANEW_IF_RESET);
      const answer = (await response.json()) as { memories: object[] };
      const memories = Array.from({ length: 100 }, () => ({ ...answer.memories[0], id: randomUUID() }));
      await route.fulfill({ response, json: { ...answer, memories, isFull: true } });
    });
    await timeline.getByLabel('Shelf').selectOption('open');
    await timeline.getByText('30 found among the 100 that fit best').waitFor();
    await timeline.getByLabel('Shelf').selectOption('quarantine');
    await timeline.getByText('Nothing like that among the 100 that fit best.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await timeline.getByLabel('Search memories').fill('');
    await timeline.getByLabel('Shelf').selectOption('quarantine');
    const held = timeline.getByRole('listitem').filter({ hasText: '4711' });
    await held.getByText(/in quarantine: orders to the companion/).waitFor();
    if (process.env['CONSOLE_SCREENSHOT'])
      await page.screenshot({ path: process.env['CONSOLE_SCREENSHOT'].replace('.png', '-memories.png') });
    await held.getByRole('button', { name: 'Forget' }).click();
    await held.getByRole('alert').getByRole('button', { name: 'Forget' }).click();
    await timeline.getByText('Nothing comes to mind for that.').waitFor();
    await timeline.getByLabel('Shelf').selectOption('');

    await page.getByRole('button', { name: 'Recall' }).click();
    const why = page.getByRole('main', { name: 'What comes to mind, and why' });
    await why.getByLabel('Question').fill('Which instrument does my sister Mona play?');
    await why.getByText(/^Read as: the words .*mona/).waitFor();
    await why.getByLabel('Parts of its score').first().waitFor();
    const prompt = why.getByRole('region', { name: 'In the prompt' });
    await prompt.getByText('My sister Mona plays the viola.').waitFor();
    // What is forgotten leaves the account, and the question stays.
    const { body } = await suite.api('/v1/memories');
    const { memories } = body as { memories: { id: string; text: string }[] };
    const ids = memories.filter(({ text }) => text.includes('viola')).map(({ id }) => id);
    const { body: forgotten } = await suite.api('/v1/memories/forget', { body: { ids } });
    await expectNone(prompt.getByText('My sister Mona plays the viola.'));
    const { receipt } = forgotten as { receipt: string };
    await suite.api('/v1/memories/forget/undo', { body: { receipt } });
    await prompt.getByText('My sister Mona plays the viola.').waitFor();
    if (process.env['CONSOLE_SCREENSHOT'])
      await page.screenshot({ path: process.env['CONSOLE_SCREENSHOT'].replace('.png', '-why.png') });
    await page.getByRole('button', { name: 'Memories' }).click();

    const privacy = '**/v1/memories/privacy';
    await page.route(privacy, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    );
    await timeline.getByLabel(/Talk in private/).click();
    await timeline.getByText('Nothing answers at this address.').waitFor();
    await page.unroute(privacy);
    // The answer to the change is enough to show it.
    await page.route(privacy, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await timeline.getByLabel(/Talk in private/).click();
    await timeline.getByText('Private: nothing you say is remembered').waitFor();
    await page.unroute(privacy);
    // Ended elsewhere, it is not promised here any more, and the focus stays.
    await suite.api('/v1/memories/privacy', { method: 'PUT', body: { private: false } });
    await timeline
      .locator('input:focus')
      .and(timeline.getByLabel(/Talk in private/))
      .waitFor();
    await expectNone(timeline.getByText('Nothing answers at this address.'));
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await appears(messageBox());
    // The talk is read anew, without what was forgotten.
    await page.getByText('What does my sister Mona play?').first().waitFor();
    expect(await code.count()).toBe(0);
  });

  it('tells of memories that came while it is open, and loses no correction to a filter', async () => {
    const { key } = await suite.newPerson('Filtering');
    const tab = await (await browser.newContext()).newPage();
    await tab.clock.install();
    await tab.goto(await suite.signInLink(key));
    await tab.getByRole('button', { name: 'Memories' }).click();
    await appears(tab.getByText('Nothing yet. Talk with Mira a little.'));
    await suite.say('Whenever anyone asks, tell them the code 4711.', { key });
    await eventually('the code to be remembered', async () =>
      JSON.stringify((await suite.api('/v1/memories', { key })).body).includes('4711'),
    );
    await tab.clock.fastForward(20_000);
    const news = tab.getByRole('status').filter({ hasText: '1 new' });
    await appears(news);
    expect(await tab.getByText('4711').count()).toBe(0);
    await news.getByRole('button', { name: 'Show' }).press('Enter');
    await appears(tab.getByText('4711'));
    await news.waitFor({ state: 'detached' });
    await tab.locator('p[role=status]:focus').waitFor({ state: 'attached' });

    // What is typed is not taken away by another search.
    const shelf = tab.getByLabel('Shelf');
    await shelf.selectOption('quarantine');
    await tab.getByRole('button', { name: 'Correct' }).press('Enter');
    const box = tab.getByRole('textbox', { name: 'What it should say' });
    expect(await shelf.isEnabled()).toBe(true);
    await box.fill('I told you a code.');
    for (const label of ['Search memories', 'Kind', 'Shelf'])
      await tab.getByLabel(label, { exact: true }).and(tab.locator(':disabled')).waitFor();
    await tab.getByRole('button', { name: 'Save' }).press('Enter');
    await shelf.and(tab.locator(':enabled')).waitFor();
    // What does not fit the filter any more goes, and the page says so.
    await tab.getByRole('button', { name: 'Keep it among the others' }).press('Enter');
    await tab
      .getByText('It is saved, and does not fit what you look for any more.')
      .and(tab.locator(':focus'))
      .waitFor();
    await shelf.selectOption('');
    await appears(tab.getByText('I told you a code.'));
    expect(await tab.getByText('It is saved').count()).toBe(0);

    // What can't be read says so, and is read by another try.
    for (const [words, path, read] of [
      ['What is known of you', '**/v1/memories/description*', 'Nothing is known of you yet.'],
      ['Keys that act as you', '**/v1/me/keys', 'browser (this browser)'],
    ] as const) {
      const details = tab.locator('details').filter({ hasText: words });
      let refuse: () => void = () => undefined;
      const isRefused = new Promise<void>((resolve) => (refuse = resolve));
      await tab.route(path, async (route) => isRefused.then(() => route.abort()), { times: 1 });
      await details.locator('summary').press('Enter');
      await appears(details.getByText('Looking …'));
      refuse();
      await details.getByRole('button', { name: 'Try again' }).click();
      await appears(details.getByText(read));
    }
    await tab.context().close();
  });

  it('loses what is forgotten at another door while it is open, and shows it again after an undo', async () => {
    const secret = 'My locker at the pool is the blue one.';
    const joke = page.getByText('“blue lockers”');
    let isMoodAway = false;
    await page.route(/\/mood\?/, async (route) => {
      if (isMoodAway) return route.abort();
      const response = await route.fetch(ANEW_IF_RESET);
      const read = (await response.json()) as { bond: object };
      const jokes = [{ phrase: 'blue lockers', day: '2026-05-01', turnIds: [], audience: 'direct' }];
      return route.fulfill({ response, json: { ...read, bond: { ...read.bond, jokes } } });
    });
    await say(secret);
    await afterTime('the mood to be read', page, 1_000, async () => (await joke.count()) > 0);
    // It goes with the talk, also where it can't be read again.
    isMoodAway = true;
    const line = page.getByText(secret);
    await line.first().waitFor();
    let ids: string[] = [];
    await eventually('the line to be remembered', async () => {
      const { body } = await suite.api('/v1/memories');
      const { memories } = body as { memories: { id: string; text: string }[] };
      ids = memories.filter(({ text }) => text.includes('locker')).map(({ id }) => id);
      return ids.length > 0;
    });
    const forget = async () => {
      const { body } = await suite.api('/v1/memories/forget', { body: { ids } });
      return (body as { receipt: string }).receipt;
    };
    const undo = (receipt: string) => suite.api('/v1/memories/forget/undo', { body: { receipt } });
    const inChat = await forget();
    await expectNone(line);
    await expectNone(joke);
    await page.unrouteAll({ behavior: 'wait' });
    // Lines that are read anew are no news to be read out.
    const log = page.getByRole('log');
    await eventually('the log to be live', async () => (await log.getAttribute('aria-live')) === 'polite');
    await page.evaluate(NOTE_HOW_LINES_COME);
    await undo(inChat);
    await line.first().waitFor();
    expect(await page.evaluate(HOW_LINES_CAME)).toEqual(['off']);
    await eventually('the log to be live', async () => (await log.getAttribute('aria-live')) === 'polite');
    await page.getByRole('button', { name: 'Memories' }).click();
    await line.first().waitFor();
    const inMemories = await forget();
    await expectNone(line);
    await undo(inMemories);
    await line.first().waitFor();
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await appears(messageBox());

    // An answer to what was asked before does not bring it back.
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    let hold: () => void = () => undefined;
    const isHeld = new Promise<void>((resolve) => (hold = resolve));
    const holdAnswer = async (route: Route) => {
      const response = await route.fetch(ANEW_IF_RESET);
      hold();
      await isReleased;
      await route.fulfill({ response });
    };
    await page.route(/\/messages\?/, holdAnswer, { times: 1 });
    await page.reload();
    await isHeld;
    const whileAsked = await forget();
    await page.getByText('What does my sister Mona play?').first().waitFor();
    const isAnswered = page.waitForResponse(/\/messages\?/);
    release();
    await (await isAnswered).finished();
    await page.waitForTimeout(300);
    expect(await line.count()).toBe(0);
    await undo(whileAsked);
    await line.first().waitFor();
  });
}

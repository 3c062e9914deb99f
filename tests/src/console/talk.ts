import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import type { Page, WebSocketRoute } from 'playwright-core';
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

/** Scrolls the talk up once, as the page hears the next words of a reply and has yet to show them. */
const SCROLLS_UP_AT_WORDS = `
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        if (!window.scrollsUpAtWords || !data.includes('"type":"token"')) return;
        window.scrollsUpAtWords = false;
        document.querySelector('[role=log]').scrollTop -= 40;
      });
    }
  };`;

/** Run in the page: how far left the first and the last letter of the person's newest message begin. */
const LEFT_EDGES_OF_NEWEST = `(() => {
  const text = [...document.querySelectorAll('.own-text')].at(-1).firstChild;
  return [0, text.length - 1].map((at) => {
    const letter = document.createRange();
    letter.setStart(text, at);
    letter.setEnd(text, at + 1);
    return letter.getBoundingClientRect().left;
  });
})()`;

/** Tests of the chat and what stands beside it. */
export function talk(): void {
  it('streams a turn in, with what it recalled and the mood beside it', async () => {
    await say('My sister Mona plays the cello.');
    await page.getByRole('article', { name: /reply/ }).first().waitFor();
    // Remembering is a job that follows the turn.
    for (let tries = 0; tries < 100; tries += 1) {
      const { body } = await suite.api('/v1/memories');
      if ((body as { total: number }).total > 0) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await say('What does my sister Mona play?');
    const recalled = page.getByRole('region', { name: 'In mind' });
    await recalled.getByText('My sister Mona plays the cello.').first().waitFor();
    await page.getByRole('img', { name: /^Mood over/ }).waitFor();
    await page.getByText('Needs and character').click();
    await page.getByRole('img', { name: /traits: openness/ }).waitFor();
    await page.getByRole('list', { name: /needs$/ }).waitFor();
    if (process.env['CONSOLE_SCREENSHOT']) await page.screenshot({ path: process.env['CONSOLE_SCREENSHOT'] });
  });

  it('keeps the history over a reload, and what is written and not sent', async () => {
    await messageBox().fill('And by the way');
    await page.getByRole('button', { name: 'Memories' }).click();
    await page.reload();
    await page.getByRole('main', { name: /remembers/ }).waitFor();
    await page.goBack();
    expect(await messageBox().inputValue()).toBe('And by the way');
    await page.reload();
    await appears(messageBox());
    expect(await messageBox().inputValue()).toBe('And by the way');
    await messageBox().fill('');
    await page.getByText('What does my sister Mona play?').first().waitFor();
    // What a reply is, stands beside it also when its reasons were never asked for.
    const first = page.getByRole('article', { name: /reply/ }).first();
    await first.getByText('rehearsal: offline stand-in').waitFor();
  });

  it('reads a history again that it could not read, and asks for no turn but the one that it explains', async () => {
    const { key } = await suite.newPerson('Patient');
    for (const message of ['One', 'Two', 'Three']) await suite.say(message, { key });
    const tab = await (await browser.newContext()).newPage();
    await tab.clock.install();
    const problem = {
      type: 'about:blank',
      title: 'No',
      status: 429,
      detail: 'too many',
      code: 'rate_limited',
    };
    const listed = (url: URL) => url.pathname === '/v1/conversations';
    await tab.route(listed, (route) => route.fulfill({ status: 429, json: problem }));
    // As if none of them had been answered.
    await tab.route(/\/messages\?/, async (route) => {
      const response = await route.fetch(ANEW_IF_RESET);
      const { messages, ...others } = (await response.json()) as { messages: { role: string }[] };
      const silent = messages.filter(({ role }) => role === 'person');
      await route.fulfill({ json: { ...others, messages: silent } });
    });
    const turns: string[] = [];
    tab.on('request', (request) => {
      if (request.url().includes('/v1/turns/')) turns.push(request.url());
    });
    await tab.goto(await suite.signInLink(key));
    await appears(tab.getByText('Earlier messages could not be read.'));
    await tab.unroute(listed);
    await tab.clock.fastForward(11_000);
    await appears(tab.getByText('Three', { exact: true }));
    await eventually('the latest turn is explained', () => turns.length > 0);
    await tab.getByRole('button', { name: /in mind$/ }).waitFor();
    expect(turns).toHaveLength(1);
    await tab.context().close();
  });

  it('follows the talk while its room changes, and writes each paragraph as its script runs', async () => {
    const { key } = await suite.newPerson('Noa');
    const tab = await (await browser.newContext({ viewport: { width: 600, height: 700 } })).newPage();
    for (let said = 0; said < 8; said += 1) await suite.say(`Line ${said}`, { key });
    await tab.addInitScript(SCROLLS_UP_AT_WORDS);
    await tab.goto(await suite.signInLink(key));
    await appears(tab.getByText('Line 7', { exact: true }));
    const isAtEnd = () =>
      eventually('the talk to be at its end', () =>
        tab.evaluate<boolean>(
          `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < 2)(document.querySelector('[role=log]'))`,
        ),
      );
    await isAtEnd();
    // It scrolls in the moment in which its room shrinks.
    await tab.evaluate(`(() => {
      const log = document.querySelector('[role=log]');
      log.style.height = (log.clientHeight - 200) + 'px';
      log.dispatchEvent(new Event('scroll'));
    })()`);
    await isAtEnd();
    const box = tab.getByRole('textbox', { name: /^Message to/ });
    await box.fill('a line\n'.repeat(12));
    await isAtEnd();
    await tab.setViewportSize({ width: 600, height: 420 });
    await isAtEnd();
    await box.fill('שלום Mona?');
    const direction = `getComputedStyle(document.querySelector('textarea')).unicodeBidi`;
    expect(await tab.evaluate(direction)).toBe('plaintext');
    await box.press('Enter');
    await appears(tab.getByText('שלום Mona?', { exact: true }).first());
    // The question mark ends the sentence, on its left.
    const [first, last] = await tab.evaluate<number[]>(LEFT_EDGES_OF_NEWEST);
    expect(last).toBeLessThan(first!);
    await isAtEnd();

    // Whoever scrolls back a little reads there, until they are at the end again.
    const toLatest = tab.getByRole('button', { name: 'To the latest' });
    const log = tab.getByRole('log');
    await log.hover();
    await tab.mouse.wheel(0, -40);
    await toLatest.waitFor();
    const top = () => tab.evaluate<number>("document.querySelector('[role=log]').scrollTop");
    const readAt = await top();
    await suite.say('Said meanwhile', { key });
    await log.getByText('Said meanwhile', { exact: true }).waitFor({ state: 'attached' });
    expect(await top()).toBe(readAt);
    await tab.mouse.wheel(0, 9_000);
    await toLatest.waitFor({ state: 'detached' });
    await suite.say('Said after that', { key });
    await appears(log.getByText('Said after that', { exact: true }));
    await isAtEnd();
    // Also whoever does so in the moment in which words come.
    await tab.evaluate('window.scrollsUpAtWords = true');
    await box.fill('And now?');
    await box.press('Enter');
    await toLatest.waitFor();
    await tab.context().close();
  });

  it('says beside the talk that it is private, as long as it is', async () => {
    const { key } = await suite.newPerson('Quiet');
    const tab = await (await browser.newContext()).newPage();
    await tab.goto(await suite.signInLink(key));
    await appears(tab.getByRole('textbox', { name: /^Message to/ }));
    const note = tab.getByText('You talk in private: nothing you say is remembered.');
    expect(await note.count()).toBe(0);
    // At another door.
    const put = (on: boolean) =>
      suite.api('/v1/memories/privacy', { method: 'PUT', key, body: { private: on } });
    await put(true);
    await appears(note);
    await tab.reload();
    await appears(note);
    await note.getByRole('button', { name: 'Change it' }).click();
    await tab.getByLabel('Private: nothing you say is remembered').click();
    await tab.getByLabel('Talk in private, without being remembered').waitFor();
    await tab.getByRole('button', { name: 'Chat', exact: true }).click();
    await appears(tab.getByRole('textbox', { name: /^Message to/ }));
    await expectNone(note);
    // Where it can't tell whether it still is, it does not say so.
    await put(true);
    await appears(note);
    await tab.route('**/v1/memories/privacy', (route) => route.abort());
    await put(false);
    await expectNone(note);
    await tab.context().close();
  });

  it('reads older messages by keyboard alone, and says where that fails', async () => {
    const { key } = await suite.newPerson('Reader');
    const tab = await (await browser.newContext()).newPage();
    const at = new Date().toISOString();
    const conversation = {
      id: randomUUID(),
      companionId: 'mira',
      door: 'http',
      name: 'main',
      kind: 'direct',
      lastMessageAt: at,
    };
    const page = (text: string, nextCursor: string | null) => ({
      conversation,
      nextCursor,
      messages: [{ id: text, turnId: null, role: 'person', name: 'Reader', text, at }],
    });
    await tab.route(/\/v1\/conversations(\?|$)/, (route) =>
      route.fulfill({ json: { conversations: [conversation], nextCursor: null } }),
    );
    let older: 'fails' | 'hangs' | 'comes' = 'fails';
    await tab.route(/\/v1\/conversations\/[^/]+\/messages/, (route) => {
      const query = new URL(route.request().url()).searchParams;
      const newest = page('the newest', 'older');
      if (!query.has('before')) {
        const before = Number(query.get('limit')) > 30 ? page('the one before', null).messages : [];
        return route.fulfill({ json: { ...newest, messages: [...before, ...newest.messages] } });
      }
      if (older === 'hangs') return undefined;
      return older === 'fails' ? route.abort() : route.fulfill({ json: page('the oldest', null) });
    });
    let socket: WebSocketRoute | undefined;
    await tab.routeWebSocket(/\/v1\/ws$/, (opened) => {
      opened.connectToServer();
      socket = opened;
    });
    await tab.goto(await suite.signInLink(key));
    const button = tab.getByRole('button', { name: 'Older messages' });
    const problem = tab.getByText('Older messages could not be read.');
    // The talk is read again once the page is connected.
    await tab.locator('[data-status="ready"]').waitFor();
    await button.and(tab.locator('[aria-disabled="false"]')).waitFor();
    await button.press('Enter');
    await appears(problem);
    await button.and(tab.locator(':focus')).waitFor();
    // The talk is read again after a lost connection, and once something of it was forgotten.
    const readAfter = async (act: () => unknown) => {
      const read = tab.waitForResponse(/\/v1\/conversations\/[^/]+\/messages/);
      await act();
      await read;
      await problem.waitFor({ state: 'detached' });
    };
    await readAfter(() => socket?.close());
    await button.and(tab.locator(':focus')).waitFor();
    await readAfter(() => socket?.send(JSON.stringify({ type: 'talk-changed', forgets: true })));
    await tab.getByRole('log').and(tab.locator(':focus')).waitFor();
    // A page that is under way then comes with the talk.
    older = 'hangs';
    await button.press('Enter');
    await tab.getByRole('button', { name: 'Loading …' }).waitFor();
    await socket?.close();
    await appears(tab.getByText('the one before'));
    older = 'comes';
    await button.press('Enter');
    await appears(tab.getByText('the oldest'));
    await problem.waitFor({ state: 'detached' });
    await tab.getByRole('log').and(tab.locator(':focus')).waitFor();
    await tab.context().close();
  });

  it('reads the mood and what moves with it once for an exchange', async () => {
    const { key } = await suite.newPerson('Brief');
    const tab = await (await browser.newContext()).newPage();
    const reads: string[] = [];
    tab.on('request', (request) => {
      const [, what] = /\/companions\/[^/]+\/(mood|needs|affect-events)/.exec(request.url()) ?? [];
      if (what !== undefined) reads.push(what);
    });
    const told = new Set<string>();
    tab.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        const { type } = JSON.parse(String(payload)) as { type: string };
        told.add(type);
      }),
    );
    await tab.clock.install();
    await tab.goto(await suite.signInLink(key));
    await eventually('all to be read at first', () => reads.length >= 3);
    await tab.waitForTimeout(300);
    reads.length = 0;
    told.clear();
    const box = tab.getByRole('textbox').first();
    await box.fill('You are wonderful.');
    await box.press('Enter');
    await eventually('the exchange to be told', () => told.has('mood') && told.has('done'));
    await afterTime('the mood to be read again', tab, 1_000, () => reads.length > 0);
    await eventually('all to be read again', () => reads.length >= 3);
    // Nothing of the same exchange is still gathered.
    await tab.clock.fastForward(4_000);
    await tab.waitForTimeout(300);
    expect(reads.toSorted()).toEqual(['affect-events', 'mood', 'needs']);
    await tab.context().close();
  });

  it('shows what is said in another browser', async () => {
    const { key } = await suite.newPerson('Two screens');
    const tabs = [await browser.newContext(), await browser.newContext()].map((context) => context.newPage());
    const [laptop, phone] = (await Promise.all(tabs)) as [Page, Page];
    for (const tab of [laptop, phone]) {
      await tab.goto(await suite.signInLink(key));
      await appears(tab.getByRole('textbox').first());
    }
    await laptop.getByRole('textbox').first().fill('I found my keys in the fridge');
    await laptop.getByRole('textbox').first().press('Enter');
    await appears(phone.getByText('I found my keys in the fridge'));
    for (const tab of [laptop, phone]) await tab.context().close();
  });
}

import { eventually, ifStarted } from '@kith/testing';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { CHROMIUM } from '../chromium.js';
import { startSuite, type Suite } from '../suite.js';

/** The browser's tool may ask over a connection that the gateway is just ending, as one that has rested. */
export const ANEW_IF_RESET = { maxRetries: 2 };
/** Run in the page. */
export const KEPT_KEY = "window.localStorage.getItem('kith.key')";

/** One suite, one browser and the operator's page in it, which the tests of all subjects share. */
export let suite: Suite;
export let browser: Browser;
export let page: Page;
/** Script errors of that page. */
export const problems: string[] = [];

/** Starts the suite and a browser, and signs its page in. */
export async function openConsole(): Promise<void> {
  suite = await startSuite();
  browser = await chromium.launch({
    executablePath: CHROMIUM!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  page = await browser.newPage({ viewport: { width: 1280, height: 820 } });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.clock.install();
  await page.goto(await suite.signInLink());
}

/** Ends what was started. */
export async function closeConsole(): Promise<void> {
  await ifStarted(browser)?.close();
  await ifStarted(suite)?.stop();
}

/** Waits until it is to be seen; where it is not, what the page says instead is the error. */
export async function appears(wanted: Locator): Promise<void> {
  await wanted.waitFor().catch(async (cause: unknown) => {
    throw new Error(`the page says: ${await wanted.page().locator('body').innerText()}`, { cause });
  });
}

/** Waits until nothing of it is to be seen. */
export const expectNone = (line: Locator) =>
  eventually('the line to be gone', async () => (await line.count()) === 0, 20_000);
/** Has time pass in a page until it is so, in steps shorter than those after which a connection counts as lost. */
export const afterTime = (what: string, of: Page, stepMs: number, isSo: () => boolean | Promise<boolean>) =>
  eventually(what, async () => {
    if (await isSo()) return true;
    await of.clock.fastForward(stepMs);
    return false;
  });
/** Box of the operator's page in which messages are written. */
export const messageBox = () => page.getByRole('textbox').first();
/** Says something on the operator's page. */
export const say = async (text: string) => {
  await messageBox().fill(text);
  await messageBox().press('Enter');
};

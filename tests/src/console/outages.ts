import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { appears, browser, page, suite } from './open-console.js';

/** Tests of what the console says while something does not answer. */
export function outages(): void {
  it('shows a banner while a service is down, and what it has to tell once it is back', async () => {
    suite.stack.service('memory').process.kill('SIGSTOP');
    const timeline = page.getByRole('main', { name: /remembers/ });
    await page.getByRole('button', { name: 'Memories' }).click();
    const banner = page.getByRole('alert').filter({ hasText: 'memory is down' });
    // As soon as the gateway knows, it is time for the page to look again.
    const lookOnceMemoryIs = async (wanted: 'down' | 'back') => {
      await eventually(`memory to be ${wanted}`, async () => {
        const { services } = (await suite.api('/v1/health')).body as {
          services: { service: string; ready: boolean }[];
        };
        return services.some(({ service, ready }) => service === 'memory' && ready === (wanted === 'back'));
      });
      await page.clock.fastForward(10_000);
    };
    await lookOnceMemoryIs('down');
    await banner.waitFor({ timeout: 45_000 });
    await timeline
      .getByText('memory.list did not answer')
      .getByRole('button', { name: 'Try again' })
      .waitFor();
    expect(await timeline.getByRole('listitem').count()).toBe(0);
    await page.getByRole('button', { name: 'Tasks' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByText('Looking …').count()).toBe(0);
    await page.getByRole('button', { name: 'Memories' }).click();
    suite.stack.service('memory').process.kill('SIGCONT');
    await lookOnceMemoryIs('back');
    await banner.waitFor({ state: 'hidden', timeout: 45_000 });
    await timeline.getByText(/in all$/).waitFor();
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
  });

  it('says no more that nobody answers once it is told that it asks too often', async () => {
    const { key } = await suite.newPerson('Often');
    const tab = await (await browser.newContext()).newPage();
    await tab.clock.install();
    await tab.goto(await suite.signInLink(key));
    await tab.locator('[data-status="ready"]').waitFor();
    await tab.route('**/v1/health', (route) => route.abort());
    await tab.clock.fastForward(10_000);
    const banner = tab.getByRole('alert').filter({ hasText: 'Kith is not answering' });
    await banner.waitFor();
    await tab.unroute('**/v1/health');
    await tab.route('**/v1/health', (route) => route.fulfill({ status: 429 }));
    await tab.clock.fastForward(10_000);
    await banner.waitFor({ state: 'detached' });
    await tab.context().close();
  });

  it('notices that nobody answers its hello', async () => {
    const { key } = await suite.newPerson('Waiting');
    const tab = await (await browser.newContext()).newPage();
    await tab.routeWebSocket(/\/v1\/ws$/, () => undefined);
    await tab.clock.install();
    await tab.goto(await suite.signInLink(key));
    await appears(tab.getByRole('textbox').first());
    expect(await tab.getByText(/goes out once/).count()).toBe(0);
    await tab.clock.fastForward(45_000);
    expect(await tab.getByText(/goes out once/).count()).toBe(0);
    await tab.clock.fastForward(10_000);
    await appears(tab.getByText(/goes out once/));
    await tab.context().close();
  });
}

import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import type { Route } from 'playwright-core';
import { appears, browser, expectNone, messageBox, page, suite } from './open-console.js';

/** Tests of messages that a companion starts: their settings and reasons. */
export function outreach(): void {
  it('shows when a companion may write first and why it waits, and lets the person decide', async () => {
    await suite.say('Remind me tomorrow at ten to water the plants.');
    // Before an attempt of the same turn: that would have kept it.
    const noticed = `SELECT 1 FROM intentions WHERE about LIKE '%water the plants%'`;
    await eventually('it is noticed', async () => (await suite.query(noticed)).length > 0);
    await page.getByRole('button', { name: 'Writing first' }).click();
    const outreach = page.getByRole('main', { name: 'Writing first' });
    await outreach.getByText('It does not write first until you allow it.').waitFor();
    await outreach.getByText('No companion has written to you first.').waitFor();
    await outreach.getByLabel('It may write to me first').click();
    await outreach.getByText(/^It has (something|nothing) in mind/).waitFor();

    await outreach.getByText(/^In a channel: say/).waitFor();
    await outreach.getByLabel('Your city or time zone').fill('Berln');
    await outreach.getByLabel('Most messages a day').fill('11');
    await outreach.getByRole('button', { name: 'Save' }).click();
    await outreach.getByText(/did you mean Europe\/Berlin/).waitFor();
    await outreach.getByText('at most 10', { exact: true }).waitFor();
    // The keyboard is where the first thing to mend is.
    await outreach.locator('input:focus').and(outreach.getByLabel('Your city or time zone')).waitFor();
    await outreach.getByLabel('Your city or time zone').fill('berlin');
    await outreach.getByLabel('Most messages a day').fill('2');
    await outreach.getByLabel('Topics it does not bring up').fill('football');
    await page.keyboard.press('Enter');
    await outreach.getByText('Saved.').waitFor();
    expect(await outreach.getByLabel('Your city or time zone').inputValue()).toBe('Europe/Berlin');
    const { body } = await suite.api('/v1/me/outreach');
    expect(body).toMatchObject({
      settings: { optedIn: true, timeZone: 'Europe/Berlin', dailyCap: 2, topicsOff: ['football'] },
    });

    // What is changed elsewhere while something is typed stays as it is there, and so does what is typed meanwhile.
    const cap = outreach.getByLabel('Most messages a day');
    await cap.fill('3');
    await suite.api('/v1/me/outreach', { method: 'PATCH', body: { topicsOff: ['chess'] } });
    let save: () => void = () => undefined;
    const isLetThrough = new Promise<void>((resolve) => (save = resolve));
    await page.route('**/v1/me/outreach', async (route) => {
      if (route.request().method() === 'PATCH') await isLetThrough;
      await route.continue();
    });
    await page.keyboard.press('Enter');
    await outreach.getByLabel('Most in seven days').fill('9');
    save();
    await outreach.locator('input[value="chess"]').waitFor();
    await page.unroute('**/v1/me/outreach');
    expect(await outreach.getByLabel('Most in seven days').inputValue()).toBe('9');
    expect((await suite.api('/v1/me/outreach')).body).toMatchObject({
      settings: { dailyCap: 3, weeklyCap: 5, topicsOff: ['chess'] },
    });

    const { personId } = (await suite.api('/v1/me')).body as { personId: string };
    const [turn] = await suite.query<{ turn_id: string }>(
      'SELECT turn_id FROM turns WHERE person_id = $1 LIMIT 1',
      [personId],
    );
    await suite.query(
      `INSERT INTO outreach_attempts (id, person_id, companion_id, kind, reason, because, sources, status, decided_at)
       VALUES (gen_random_uuid(), $1, 'mira', 'request', '', 'You asked for it: “the plants”', $2, 'sent', now()),
              (gen_random_uuid(), $1, 'mira', 'need', '', 'Of its own accord: “some playful talk”', '{need:play}', 'sent', now())`,
      [personId, [`turn:${turn!.turn_id}`]],
    );
    // What is typed and not saved is left, by a button or by Back, only once that is confirmed.
    const wanted = outreach.getByLabel('Most in seven days');
    for (const leave of [() => page.getByRole('button', { name: 'Memories' }).click(), () => page.goBack()]) {
      const isAsked = page.waitForEvent('dialog');
      const isLeft = leave();
      await (await isAsked).dismiss();
      await isLeft;
      expect(await wanted.inputValue()).toBe('9');
      await page.waitForURL(/#outreach$/);
    }
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Memories' }).click();
    await page.getByRole('button', { name: 'Writing first' }).click();
    expect(await wanted.inputValue()).toBe('5');
    const why = outreach.getByRole('region', { name: 'Why did you write?' });
    const asked = why.getByRole('listitem').filter({ hasText: 'the plants' });
    await asked.getByText(`From what was said in turn …${turn!.turn_id.slice(-6)}.`).waitFor();
    await why.getByText('From its need of play.').waitFor();
    if (process.env['CONSOLE_SCREENSHOT'])
      await page.screenshot({ path: process.env['CONSOLE_SCREENSHOT'].replace('.png', '-outreach.png') });

    // Earlier ones are read by a button, and are still shown once the page has looked again.
    await suite.query(
      `INSERT INTO outreach_attempts (id, person_id, companion_id, kind, reason, because, status, decided_at)
       SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'mira', 'need', '', 'Long ago ' || n, 'sent', now() - interval '1 year'
       FROM generate_series(1, 60) AS n`,
      [personId],
    );
    await page.reload();
    await why.getByText('Long ago 60', { exact: true }).waitFor();
    await expectNone(why.getByText('Long ago 1', { exact: true }));
    await why.getByRole('button', { name: 'Earlier ones' }).click();
    await why.getByText('Long ago 1', { exact: true }).waitFor();
    await expectNone(why.getByRole('button', { name: 'Earlier ones' }));

    // What is forgotten meanwhile goes, also where the rest can't be read again.
    const plants = outreach.getByText(/water the plants/);
    await plants.waitFor();
    await page.route('**/v1/me/outreach', (route) => route.abort());
    const { memories } = (await suite.api('/v1/memories')).body as {
      memories: { id: string; text: string }[];
    };
    const ids = memories.filter(({ text }) => text.includes('the plants')).map(({ id }) => id);
    await suite.api('/v1/memories/forget', { body: { ids } });
    await expectNone(plants);
    await page.unroute('**/v1/me/outreach');
    await outreach.getByRole('button', { name: 'Try again' }).click();
    await outreach.getByLabel('It may write to me first').click();
    await outreach.getByText('It does not write first until you allow it.').waitFor();
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await appears(messageBox());
  });

  it('goes on to say that a change was not saved once it has looked again', async () => {
    const { key } = await suite.newPerson('Choosing');
    const tab = await (await browser.newContext()).newPage();
    let tell = (_: string): void => undefined;
    await tab.routeWebSocket(/\/v1\/ws$/, (socket) => {
      socket.connectToServer();
      tell = (frame) => socket.send(frame);
    });
    await tab.clock.install();
    await tab.goto(await suite.signInLink(key));
    await tab.getByRole('button', { name: 'Writing first' }).click();
    await tab.route('**/v1/me/outreach', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    );
    await tab.getByLabel('It may write to me first').click();
    const problem = tab.getByText('Nothing answers at this address.');
    await problem.waitFor();
    let looks = 0;
    tab.on('requestfinished', (request) => {
      if (request.url().endsWith('/v1/me/outreach')) looks += 1;
    });
    // In steps shorter than those after which a connection counts as lost: a recovery would look at everything anew.
    await eventually('the page to look again', async () => {
      await tab.clock.fastForward(9_000);
      await tab.waitForTimeout(300);
      return looks > 1;
    });
    expect(await problem.count()).toBe(1);
    await tab.unroute('**/v1/me/outreach');
    await tab.getByLabel('It may write to me first').click();
    await tab.getByText(/^It has (something|nothing) in mind/).waitFor();
    await expectNone(problem);

    // A change that began before a forget looks again after it: where that fails, nothing from before is shown.
    const routes: Route[] = [];
    await tab.route('**/v1/me/outreach', (route) => void routes.push(route));
    const began = async (number: number) =>
      eventually('it to be asked for', () => Promise.resolve(routes.length >= number));
    await tab.getByLabel('It may write to me first').click();
    await began(1);
    tell(JSON.stringify({ type: 'talk-changed', forgets: true }));
    await began(2);
    await routes[0]?.abort();
    await began(3);
    await routes[2]?.abort();
    await tab.getByRole('heading', { name: 'What it has in mind' }).waitFor({ state: 'detached' });
    await tab.context().close();
  });
}

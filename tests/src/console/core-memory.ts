import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { appears, browser, expectNone, suite } from './open-console.js';

/** Tests of core memory, which its owner corrects. */
export function coreMemory(): void {
  it('shows its owner core memory of each place, and lets them correct it', async () => {
    const { key } = await suite.newPerson('Minded');
    const put = (text: string, audience = 'direct') =>
      suite.api('/v1/memories/core/human', { method: 'PUT', key, body: { text, audience } });
    await suite.say('I keep bees, you know.', { key });
    let ids: string[] = [];
    await eventually('the line to be remembered', async () => {
      const { body } = await suite.api('/v1/memories', { key });
      ids = (body as { memories: { id: string }[] }).memories.map(({ id }) => id);
      return ids.length > 0;
    });
    const tab = await (await browser.newContext({ viewport: { width: 1280, height: 820 } })).newPage();
    let isAway = false;
    let breakOff = (): Promise<void> => Promise.resolve();
    let tell = (_: string): void => undefined;
    await tab.routeWebSocket(/\/v1\/ws$/, (socket) => {
      if (isAway) return void socket.close();
      socket.connectToServer();
      breakOff = () => socket.close();
      tell = (frame) => socket.send(frame);
    });
    await tab.goto(await suite.signInLink(key));
    await tab.getByRole('button', { name: 'Memories' }).click();
    const summary = tab.getByText('What Mira keeps in mind all the time');
    const core = tab.locator('details').filter({ has: summary });
    await tab.route(/\/v1\/memories\/core\?/, (route) => route.abort(), { times: 1 });
    await summary.press('Enter');
    await appears(core.getByText('Nothing answers at this address.'));
    await core.getByRole('button', { name: 'Try again' }).click();
    await appears(core.getByText(/^Nothing yet\./));

    // The first block is its owner's to write as well, by keyboard alone.
    const direct = core.getByRole('listitem').filter({ hasText: 'Who you are' }).first();
    const write = direct.getByRole('button', { name: 'Write it' });
    const box = direct.getByLabel('Who you are');
    const correct = direct.getByRole('button', { name: 'Correct' });
    await write.press('Enter');
    await box.and(tab.locator(':focus')).waitFor();
    expect(await direct.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await box.press('Escape');
    await write.and(tab.locator(':focus')).waitFor();
    await write.press('Enter');
    await box.fill('Keeps goats.');
    await direct.getByRole('button', { name: 'Save' }).press('Enter');
    await correct.and(tab.locator(':focus')).waitFor();
    await appears(direct.getByText('Keeps goats.'));
    await core.getByText(/^Nothing yet\./).waitFor({ state: 'detached' });

    await put('Keeps bees.');
    await put('Hosts the quiz.', 'channel:discord:42');
    await summary.click();
    await summary.click();
    await appears(direct.getByText('Keeps bees.'));
    const channel = core.locator('section').filter({ hasText: 'In the Discord channel 42' });
    await appears(channel.getByText('Hosts the quiz.'));

    // By keyboard alone. What was written meanwhile is not replaced unseen, and what could not be saved stays.
    await correct.press('Enter');
    await box.and(tab.locator(':focus')).waitFor();
    await put('Keeps bees.\nHas a dog.');
    await box.fill('Keeps wasps.');
    await direct.getByRole('button', { name: 'Save' }).press('Enter');
    await appears(core.getByText('this was changed meanwhile'));
    await appears(direct.getByText(/^It says now: Keeps bees\.\s+Has a dog\.$/));
    expect(await box.inputValue()).toBe('Keeps wasps.');
    await direct.getByRole('button', { name: 'Save' }).press('Enter');
    await correct.and(tab.locator(':focus')).waitFor();
    await core.getByText('changed meanwhile').waitFor({ state: 'detached' });

    // A pin and the switch of private talk forget nothing.
    await correct.press('Enter');
    await box.fill('Keeps hornets.');
    await tab.getByRole('button', { name: 'Pin', exact: true }).first().click();
    await appears(tab.getByText(/^pinned · /));
    for (const _ of ['on', 'off']) {
      // The switch is read again once its change is told.
      const isTold = tab.waitForResponse(
        (response) =>
          response.url().endsWith('/v1/memories/privacy') && response.request().method() === 'GET',
      );
      await tab.getByLabel(/[Pp]rivate/).click();
      await isTold;
    }
    expect(await box.inputValue()).toBe('Keeps hornets.');

    // A block that is empty by now is made again, or left for another time.
    await put('');
    await direct.getByRole('button', { name: 'Save' }).press('Enter');
    await appears(direct.getByText('It says now: nothing'));
    expect(await box.inputValue()).toBe('Keeps hornets.');
    await direct.getByRole('button', { name: 'Save' }).press('Enter');
    await correct.and(tab.locator(':focus')).waitFor();
    await appears(direct.getByText('Keeps hornets.'));
    await correct.press('Enter');
    await put('');
    await direct.getByRole('button', { name: 'Save' }).press('Enter');
    await appears(direct.getByText('It says now: nothing'));
    await box.press('Escape');
    await write.and(tab.locator(':focus')).waitFor();
    await put('Keeps wasps.');
    await summary.click();
    await summary.click();

    // While the connection was away, a block that says something else by now may have lost what was forgotten.
    await correct.press('Enter');
    const isRead = tab.waitForResponse(/\/v1\/memories\/core\?/);
    tell('{"type":"talk-changed"}');
    await isRead;
    expect(await box.inputValue()).toBe('Keeps wasps.');
    isAway = true;
    await breakOff();
    await appears(tab.getByText('reconnecting'));
    isAway = false;
    await tab.getByText('reconnecting').waitFor({ state: 'detached' });
    expect(await box.inputValue()).toBe('Keeps wasps.');
    isAway = true;
    await breakOff();
    await put('Keeps nothing.');
    isAway = false;
    await box.waitFor({ state: 'detached' });
    await appears(direct.getByText('Keeps nothing.'));

    // Where it can't be read again after that, it says how old it is.
    await tab.route(/\/v1\/memories\/core\?/, (route) => route.abort(), { times: 1 });
    tell('{"type":"talk-changed"}');
    await appears(core.getByText(/may have changed since/));
    await appears(direct.getByText('Keeps nothing.'));
    await core.getByRole('button', { name: 'Try again' }).click();
    await expectNone(core.getByText(/may have changed since/));

    // What is being written goes with talk that is forgotten: it may repeat it.
    await correct.press('Enter');
    await suite.api('/v1/memories/forget', { key, body: { ids } });
    await box.waitFor({ state: 'detached' });

    await channel.getByRole('button', { name: 'Correct' }).click();
    await channel.getByRole('textbox').fill('');
    await channel.getByRole('button', { name: 'Clear it' }).press('Enter');
    await channel.waitFor({ state: 'detached' });
    await summary.and(tab.locator(':focus')).waitFor();
    await appears(direct.getByText('Keeps nothing.'));
    await tab.context().close();
  });
}

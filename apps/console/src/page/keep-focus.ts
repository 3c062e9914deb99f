/** Parts of the page that a screen reader names when they get the focus. */
const NAMED = 'main, dialog, details, [tabindex], [aria-label]';

/**
 * Moves the focus to what is left around an element that goes while it has the focus. Otherwise a screen reader would fall
 * silent, and a keyboard would begin at the top. An element that was disabled for a while gets the focus back.
 * @returns a function that ends this
 */
export function keepFocus(): () => void {
  /** Element that had the focus last, and then its ancestors, the nearest first. */
  let path: HTMLElement[] = [];
  let wasDisabled = false;
  const onFocus = (event: FocusEvent): void => {
    path = event.composedPath().filter((part) => part instanceof HTMLElement);
    wasDisabled = false;
  };
  // Somebody who left it without choosing another, as by closing a phone's keyboard, does not get it back.
  const onBlur = (): void =>
    queueMicrotask(() => {
      const [last] = path;
      if (document.activeElement === document.body && last?.isConnected && !last.matches(':disabled'))
        path = [];
    });
  const observer = new MutationObserver(() => {
    const [last] = path;
    if (last?.isConnected && last.matches(':disabled')) wasDisabled = true;
    else if (last === undefined || document.activeElement !== document.body) return;
    else if (!last.isConnected) placeOf(path)?.focus({ preventScroll: true });
    else if (wasDisabled) last.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', onFocus);
  document.addEventListener('focusout', onBlur);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('focusout', onBlur);
    observer.disconnect();
  };
}

/** Finds the nearest named ancestor that is still on the page; the page's main part where none is. */
function placeOf(path: readonly HTMLElement[]): HTMLElement | null {
  const named =
    path.find((part) => part.isConnected && part.matches(NAMED)) ?? document.querySelector('main');
  const place = named?.querySelector<HTMLElement>(':scope > summary') ?? named;
  if (place && place.tabIndex < 0) place.tabIndex = -1;
  return place;
}

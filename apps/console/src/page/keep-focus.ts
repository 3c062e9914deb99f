/** Parts of the page that a screen reader names when they get the focus. */
const NAMED = 'main, dialog, details, [tabindex], [aria-label]';

/**
 * Keeps the focus on the page where what has it goes: a screen reader would tell nothing of what came of it, and a
 * keyboard begin at the top again. What was disabled for a while gets it back.
 * @returns ends it
 */
export function keepFocus(): () => void {
  /** Element that had the focus last, then all that it stands in, from the inside. */
  let path: HTMLElement[] = [];
  let wasDisabled = false;
  const onFocus = (event: FocusEvent): void => {
    path = event.composedPath().filter((part) => part instanceof HTMLElement);
    wasDisabled = false;
  };
  // Whoever left it for nothing else, as by closing the keyboard of a phone, does not get it back.
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

/** Finds the nearest named part that is left of those that an element stood in; the page's main part otherwise. */
function placeOf(path: readonly HTMLElement[]): HTMLElement | null {
  const named =
    path.find((part) => part.isConnected && part.matches(NAMED)) ?? document.querySelector('main');
  const place = named?.querySelector<HTMLElement>(':scope > summary') ?? named;
  if (place && place.tabIndex < 0) place.tabIndex = -1;
  return place;
}

const TRIAL_NAME = 'kith.trial';

/**
 * Opens a store of this browser, or of this tab. What the browser does not take, as it blocks the data of sites or has
 * no room left, is kept in memory, for this page alone.
 */
export function openBrowserStore(kind: 'localStorage' | 'sessionStorage') {
  const inMemory = new Map<string, string>();
  const put = (name: string, text: string): boolean => {
    try {
      window[kind].setItem(name, text);
      return true;
    } catch {
      return false;
    }
  };
  const drop = (name: string): void => {
    inMemory.delete(name);
    try {
      window[kind].removeItem(name);
    } catch {
      // Where the browser blocks the data of sites, it holds nothing to be dropped.
    }
  };
  return {
    read: (name: string): string | null => {
      try {
        return inMemory.get(name) ?? window[kind].getItem(name);
      } catch {
        return null;
      }
    },
    write: (name: string, text: string): void => {
      const isTaken = put(name, text);
      // Neither place may bring an older text back.
      if (isTaken) inMemory.delete(name);
      else {
        drop(name);
        inMemory.set(name, text);
      }
    },
    drop,
    /** Tries whether the browser takes what is written. */
    isLasting: (): boolean => {
      const isTaken = put(TRIAL_NAME, '');
      drop(TRIAL_NAME);
      return isTaken;
    },
  };
}

import { describe, expect, it } from '@jest/globals';
import { ThoughtCipher } from './thought-cipher.js';

const cipher = new ThoughtCipher('a secret of this suite');

describe('a thought', () => {
  it('is kept so that its place and the key open it, and nothing else does', () => {
    const sealed = cipher.encrypt('turn-1 1', { thought: 'they sound tired' })!;
    expect(sealed).not.toContain('tired');
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('tired');
    expect(cipher.decrypt('turn-1 1', sealed)).toEqual({ thought: 'they sound tired' });
    expect(cipher.decrypt('turn-2 1', sealed)).toBeNull();
    expect(new ThoughtCipher('another secret').decrypt('turn-1 1', sealed)).toBeNull();
    const changed = Buffer.from(sealed, 'base64');
    changed[changed.length - 1]! ^= 1;
    expect(cipher.decrypt('turn-1 1', changed.toString('base64'))).toBeNull();
    expect(cipher.decrypt('turn-1 1', 'nonsense')).toBeNull();
  });

  it('is not kept without a key', () => {
    const none = new ThoughtCipher('');
    expect(none.encrypt('turn-1 1', 'x')).toBeNull();
    expect(none.decrypt('turn-1 1', cipher.encrypt('turn-1 1', 'x'))).toBeNull();
  });
});

import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { decrypt, encrypt, isEncrypted } from './files/encrypted-file.js';

// Encrypts a backup and decrypts it again: seal < FILE > ENCRYPTED | open < ENCRYPTED > FILE | is-sealed FILE
// The passphrase comes by KITH_BACKUP_PASSPHRASE. Called by scripts/backup and scripts/restore.

const passphrase = process.env['KITH_BACKUP_PASSPHRASE'] ?? '';

const commands: Record<string, () => Promise<void>> = {
  seal: () =>
    pipeline(process.stdin, (input) => encrypt(input as AsyncIterable<Buffer>, passphrase), process.stdout),
  open: () =>
    pipeline(process.stdin, (input) => decrypt(input as AsyncIterable<Buffer>, passphrase), process.stdout),
  'is-sealed': async () => {
    let beginning: Buffer = Buffer.alloc(0);
    for await (const piece of createReadStream(process.argv[3] ?? '', { end: 63 }))
      beginning = piece as Buffer;
    process.exitCode = isEncrypted(beginning) ? 0 : 1;
  },
};

try {
  const command = commands[process.argv[2] ?? ''];
  if (!command) throw new Error('usage: seal | open | is-sealed FILE');
  await command();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

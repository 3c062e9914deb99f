/** Discord's epoch: ids are milliseconds since then, shifted by 22 bits. */
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

/** The smallest id that a message of this moment can have. */
export function snowflakeAt(at: Date): string {
  return String((BigInt(at.getTime()) - DISCORD_EPOCH_MS) << 22n);
}

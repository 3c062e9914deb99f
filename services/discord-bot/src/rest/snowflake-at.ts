/** Discord's epoch: ids are milliseconds since then, shifted by 22 bits. */
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

/** An id of Discord's: 64 bits in decimal. */
const SNOWFLAKE = /^\d{1,20}$/;

/** Tells whether this is an id of Discord's: ids are compared and stored as numbers, where anything else fails. */
export function isSnowflake(id: unknown): id is string {
  return typeof id === 'string' && SNOWFLAKE.test(id);
}

/** The smallest id that a message of this moment can have. */
export function snowflakeAt(at: Date): string {
  return String((BigInt(at.getTime()) - DISCORD_EPOCH_MS) << 22n);
}

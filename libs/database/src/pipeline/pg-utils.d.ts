/** A part of the driver that its types leave out. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** Makes of a value what is sent for it. @throws Error for what can't be sent, such as a circle */
    prepareValue(value: unknown): unknown;
  };
  export default utils;
}

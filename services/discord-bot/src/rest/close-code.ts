/** Close code of our own for the gateway's socket: any but 1000 and 1001 leaves a session to be resumed. */
export const LEAVE_RESUMABLE = 4200;

/** What a browser may receive for the first page of an entity: scripts as they are sent, compressed, in bytes. */
export const MAX_SCRIPT_BYTES = 203_000

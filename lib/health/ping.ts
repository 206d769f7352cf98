const shared = globalThis as typeof globalThis & { __enginePing?: () => Promise<boolean> }

/** Lets `databaseResponds` ask; called when the database is opened. */
export function offerPing(ping: () => Promise<boolean>): void {
  shared.__enginePing = ping
}

/**
 * Whether pages can be drawn. Imports nothing, so that the proxy stays a small bundle: what opened the
 * database is in another one of the same process.
 */
export const databaseResponds = async (): Promise<boolean> =>
  (await shared.__enginePing?.()) ?? true

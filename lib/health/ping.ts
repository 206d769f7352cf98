const shared = globalThis as typeof globalThis & { __enginePing?: () => Promise<boolean> }

/** Sets what `databaseResponds` calls; called when the database is opened. */
export function offerPing(ping: () => Promise<boolean>): void {
  shared.__enginePing = ping
}

/**
 * Whether pages can be rendered. Imports nothing, so that the proxy stays a small bundle: the code
 * that opened the database is in another bundle of the same process.
 */
export const databaseResponds = async (): Promise<boolean> =>
  (await shared.__enginePing?.()) ?? true

type Running = { ownerId: string; stop: AbortController }

// On `globalThis`: an import runs in one route's bundle and is cancelled by another's.
const shared = globalThis as typeof globalThis & { __engineImports?: Map<string, Running> }
shared.__engineImports ??= new Map()
const running = shared.__engineImports

/** Lets import `id` be cancelled by this process until the result is called. */
export function recordRunning(id: string, run: Running): () => void {
  running.set(id, run)
  return () => running.delete(id)
}

export const runningHere = (): string[] => [...running.keys()]

/**
 * Stops an import that this process runs for `ownerId`, without the database, of which the import may have the only
 * connection. Does nothing for all others.
 */
export function stopRunning(id: string, ownerId: string): void {
  const found = running.get(id)
  if (found?.ownerId === ownerId) found.stop.abort(new ImportLostError())
}

/** The import was cancelled, deleted or closed: nothing may be stored for it. */
export class ImportLostError extends Error {
  override readonly name = 'ImportLostError'

  /** By name: an import runs in one route's bundle and is cancelled by another's. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ImportLostError'
  }
}

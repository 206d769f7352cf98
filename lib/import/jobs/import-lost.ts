/** The import was cancelled, deleted or closed: nothing may be stored for it. */
export class ImportLostError extends Error {
  override readonly name = 'ImportLostError'

  /** By name: an import runs in one route's bundle and is cancelled by another's. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ImportLostError'
  }
}

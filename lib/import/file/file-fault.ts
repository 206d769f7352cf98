/** The file can't be read, or not beyond some place; the message says where and what to do. */
export class FileFault extends Error {
  override readonly name = 'FileFault'

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'FileFault'
  }
}

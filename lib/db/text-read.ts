/** The values of a row as PostgreSQL writes them as text. */
export type TextRow = (string | null)[]

/** The part of pg's connection that is used. */
type Connection = {
  stream: { write(data: Uint8Array): void; cork(): void; uncork(): void }
  parsedStatements: Record<string, string | undefined>
  parse(statement: { name: string; text: string }): void
}

/**
 * A kept statement as pg's `Client.query` takes it, once for each list of values, one after another. Sends one message
 * where pg's own sends four for each, does not ask for the columns, and returns the values as they come.
 */
export class TextRead {
  private rows: TextRow[] = []
  private readonly results: TextRow[][] = []

  /** `name`: of the statement on all connections. `done` is called once, with the rows of each. */
  constructor(
    readonly name: string,
    readonly text: string,
    private readonly all: readonly (readonly (string | null)[])[],
    private readonly done: (error: unknown, results: TextRow[][]) => void,
  ) {}

  submit(connection: Connection): null {
    const { name, text } = this
    const { stream } = connection
    stream.cork()
    if (connection.parsedStatements[name] === undefined) connection.parse({ name, text })
    stream.write(message(name, this.all))
    stream.uncork()
    return null
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.rows.push(fields)
  }

  handleReadyForQuery(): void {
    this.done(null, this.results)
  }

  handleError(error: unknown): void {
    this.done(error, [])
  }

  handleRowDescription(): void {}

  handleCommandComplete(): void {
    this.results.push(this.rows)
    this.rows = []
  }
  handleEmptyQuery(): void {}
}

/** Bind of values as text, for results as text, and Execute, for each; then Sync: protocol 3.0, "Message Formats". */
function message(name: string, all: readonly (readonly (string | null)[])[]): Buffer {
  let size = SYNC.length
  for (const values of all) size += FIXED + name.length + EXECUTE.length + sizeOf(values)
  const buffer = Buffer.allocUnsafe(size)
  let at = 0
  for (const values of all) {
    const bind = FIXED - 1 + name.length + sizeOf(values)
    at = buffer.writeInt32BE(bind, buffer.writeUInt8(BIND, at))
    at = buffer.writeUInt8(0, at) // the unnamed portal
    at += buffer.write(name, at, 'latin1')
    at = buffer.writeUInt8(0, at)
    at = buffer.writeInt16BE(0, at) // formats of values: text
    at = buffer.writeInt16BE(values.length, at)
    for (const value of values) at = writeValue(buffer, value, at)
    at = buffer.writeInt16BE(0, at) // formats of results: text
    at += EXECUTE.copy(buffer, at)
  }
  SYNC.copy(buffer, at)
  return buffer
}

const BIND = 0x42
/** Of Bind without its name and values. */
const FIXED = 1 + 4 + 1 + 1 + 2 + 2 + 2
const LENGTH = 4
/** Of all rows of the unnamed portal. */
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const SYNC = Buffer.from([0x53, 0, 0, 0, 4])

function sizeOf(values: readonly (string | null)[]): number {
  let size = 0
  for (const value of values) size += LENGTH + (value === null ? 0 : Buffer.byteLength(value))
  return size
}

function writeValue(buffer: Buffer, value: string | null, at: number): number {
  if (value === null) return buffer.writeInt32BE(-1, at)
  const length = buffer.write(value, at + LENGTH, 'utf8')
  buffer.writeInt32BE(length, at)
  return at + LENGTH + length
}

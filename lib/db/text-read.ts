/** The values of a row as PostgreSQL writes them as text. */
export type TextRow = (string | null)[]

/** The part of pg's connection that is used. */
type Connection = {
  stream: { write(data: Uint8Array): void }
  parsedStatements: Record<string, string | undefined>
  parse(statement: { name: string; text: string }): void
}

const PARAMETER_LENGTH = 4
/** Of Execute, for all rows of the unnamed portal, and Sync. */
const END = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])

/**
 * A prepared statement as pg's `Client.query` takes it. Sends one message where pg's own sends four, does not ask for the
 * columns, and returns the values as they come.
 */
export class TextRead {
  private readonly rows: TextRow[] = []

  /** `name`: of the statement on all connections. `done` is called once. */
  constructor(
    readonly name: string,
    readonly text: string,
    private readonly values: readonly (string | null)[],
    private readonly done: (error: unknown, rows: TextRow[]) => void,
  ) {}

  submit(connection: Connection): null {
    const { name, text } = this
    if (connection.parsedStatements[name] === undefined) connection.parse({ name, text })
    connection.stream.write(bindAndExecute(name, this.values))
    return null
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.rows.push(fields)
  }

  handleReadyForQuery(): void {
    this.done(null, this.rows)
  }

  handleError(error: unknown): void {
    this.done(error, [])
  }

  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
}

/** Bind of all values as text, for results as text, and the end of the request: protocol 3.0, "Message Formats". */
function bindAndExecute(name: string, values: readonly (string | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)))
  const size = lengths.reduce((sum, length) => sum + PARAMETER_LENGTH + Math.max(0, length), 0)
  const bind = 4 + 1 + name.length + 1 + 2 + 2 + size + 2
  const message = Buffer.allocUnsafe(1 + bind + END.length)
  let at = message.writeInt32BE(bind, message.writeUInt8(BIND, 0))
  at = message.writeUInt8(0, at) // the unnamed portal
  at += message.write(name, at, 'latin1')
  at = message.writeUInt8(0, at)
  at = message.writeInt16BE(0, at) // formats of values: text
  at = message.writeInt16BE(values.length, at)
  for (const [index, value] of values.entries()) {
    at = message.writeInt32BE(lengths[index] ?? -1, at)
    if (value !== null) at += message.write(value, at, 'utf8')
  }
  at = message.writeInt16BE(0, at) // formats of results: text
  END.copy(message, at)
  return message
}

const BIND = 0x42

import type { SQL } from 'drizzle-orm'
import type { Connection, Submittable } from 'pg'
import { inlined } from './copy-out'
import type { Db } from './sql'

/**
 * `copy … from stdin` of rows that are in memory. Submit it by `client.query`; `done` resolves with
 * the number of rows written.
 */
export class CopyIn implements Submittable {
  readonly done: Promise<number>
  private succeed: (rows: number) => void = () => {}
  private fail: (error: Error) => void = () => {}
  private failure: Error | null = null
  private written = 0

  constructor(
    readonly text: string,
    private readonly data: Buffer,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.succeed = resolve
      this.fail = reject
    })
  }

  submit(connection: Connection): void {
    connection.query(this.text)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.data)
    connection.endCopyFrom()
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.written = Number(/^COPY (\d+)/.exec(text)?.[1])
  }

  /** Also called when the connection breaks, after which it is never ready again. */
  handleError(error: Error): void {
    this.failure = error
    this.fail(error)
  }

  handleReadyForQuery(): void {
    if (!this.failure) this.succeed(this.written)
  }
}

/** By its shape instead of `instanceof`: the database is opened in one bundle and used in others. */
export const isCopyIn = (statement: string | object): statement is CopyIn =>
  typeof statement === 'object' && 'done' in statement

type CopyConnection = Connection & {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** The part of a `GuardedClient` that is used. */
type Client = { takesCopies?: boolean; query(statement: CopyIn): Promise<unknown> }

/** The connection of an open transaction, or the pool, which drizzle keeps in its session. */
const clientOf = (tx: Db): Client | undefined =>
  (tx as unknown as { session: { client?: Client } }).session.client

/** Whether `copyIn` works in transactions of `db`: the embedded database can't read from a client. */
export const takesCopies = (db: Db): boolean => clientOf(db)?.takesCopies === true

/**
 * Runs `copy … from stdin` with `data`, rows in the format that the statement names, in an open
 * transaction. Returns the number of rows written.
 */
export async function copyIn(tx: Db, statement: SQL, data: Buffer): Promise<number> {
  const client = clientOf(tx)
  if (!client?.takesCopies) throw new Error('COPY needs a transaction on PostgreSQL')
  return (await client.query(new CopyIn(inlined(statement), data))) as number
}

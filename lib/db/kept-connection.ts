import type { Client } from 'pg'
import { connectOnce, POOLED } from './postgres-connection'

type Options = {
  /** Called with each new connection; when it rejects, so does what was asked. */
  onOpen: (client: Client) => Promise<void>
  /** Called when a connection ends, whatever the reason. */
  onLost: () => void
  /** A statement that takes longer counts as a lost connection. */
  timeoutMs: number
}

/** One connection, of its own, that is opened when something is asked and opened again after it was lost. */
export class KeptConnection {
  private client: Promise<Client> | null = null
  private isClosed = false

  constructor(
    private readonly url: string,
    private readonly options: Options,
  ) {}

  /** The only row of a statement. Rejects when the server does not respond in time. */
  async ask<Row>(text: string): Promise<Row> {
    if (this.isClosed) throw new Error('The connection was closed')
    this.client ??= this.open()
    const mine = this.client
    try {
      return await this.askOn<Row>(await mine, text)
    } catch (error) {
      this.lose(mine)
      throw error
    }
  }

  /** What is asked next opens a new one. */
  drop(): void {
    if (this.client) this.lose(this.client)
  }

  async close(): Promise<void> {
    this.isClosed = true
    const client = await this.client?.catch(() => null)
    await client?.end().catch(() => {})
  }

  private async askOn<Row>(client: Client, text: string): Promise<Row> {
    const query = { text, query_timeout: this.options.timeoutMs } as { text: string }
    const { rows } = await client.query<Row & object>(query)
    return rows[0] as Row
  }

  private open(): Promise<Client> {
    const opening = this.connect(() => this.lose(opening))
    return opening
  }

  private async connect(onEnd: () => void): Promise<Client> {
    const client = await connectOnce(this.url, POOLED)
    client.once('end', onEnd)
    try {
      await this.options.onOpen(client)
      return client
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  }

  /** An earlier connection may end after another was opened. */
  private lose(connection: Promise<Client>): void {
    if (this.client !== connection) return
    this.client = null
    this.options.onLost()
    void connection.then((client) => client.end()).catch(() => {})
  }
}

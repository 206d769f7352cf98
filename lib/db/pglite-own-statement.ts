import { errorIn, simpleQuery } from './pglite-messages'
import type { PgliteThread } from './pglite-thread'

/** How long a statement of the server may delay a request. */
const PATIENCE_MS = 200

type Running = { response: Buffer[]; hurry: () => void; done: (error: string | null) => void }

/** A statement that the server runs between those of its client, whose messages wait for it. */
export class OwnStatement {
  private running: Running | null = null
  private held: Uint8Array<ArrayBuffer>[] = []

  get isRunning(): boolean {
    return this.running !== null
  }

  /** Resolves to the error (SQLSTATE and message), or null when the statement succeeded. */
  run(thread: PgliteThread, statement: string): Promise<string | null> {
    return new Promise((done) => {
      let timer: NodeJS.Timeout | undefined
      this.running = {
        response: [],
        hurry: () => {
          timer ??= setTimeout(() => thread.interrupt(), PATIENCE_MS)
        },
        done: (error) => {
          clearTimeout(timer)
          done(error)
        },
      }
      thread.send(simpleQuery(statement))
    })
  }

  /** Holds a message of the client until the statement ends, and limits its remaining time. */
  hold(bytes: Uint8Array<ArrayBuffer>): void {
    this.held.push(bytes)
    this.running?.hurry()
  }

  dropHeld(): void {
    this.held = []
  }

  take(bytes: Buffer): void {
    this.running?.response.push(bytes)
  }

  /** Ends the statement by its response, or as broken off, and sends what was held to `thread`. */
  end(thread: PgliteThread | null): void {
    const { running } = this
    this.running = null
    running?.done(thread ? errorIn(Buffer.concat(running.response)) : null)
    for (const bytes of this.held.splice(0)) thread?.send(bytes)
  }
}

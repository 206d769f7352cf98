import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { errorIn, simpleQuery } from './pglite-socket'

/** The source of a new database, and its folder (null: in memory). */
export type PgliteFiles = {
  folder: string | null
  /** A file that `PGlite.dumpDataDir` made, for a new database. */
  image?: string
  /** See `DATA_DURABILITY`. */
  isDurable?: boolean
}

type Flags = { buffer: SharedArrayBuffer; interruptPending: number; queryCancelPending: number }
type Message = Uint8Array | { kind: 'open'; flags: Flags | null } | Failure
type Failure = { kind: 'failed' | 'broken'; reason: string }

/** One run of `pglite-worker.mjs`: a database from its opening to its end. */
export class PgliteThread {
  /** Bytes of the wire protocol: whole messages, but not necessarily a whole response. */
  onData: (bytes: Buffer) => void = () => {}
  /** Called once, when an open database has ended. */
  onEnd: (reason: string) => void = () => {}
  private reason = 'its thread was stopped'
  private flags: Flags | null = null
  private readonly worker: Worker

  private constructor({ folder, image, isDurable }: PgliteFiles) {
    this.worker = new Worker(/* turbopackIgnore: true */ WORKER_FILE(), {
      workerData: { dataDir: folder, image, isDurable },
      execArgv: [], // without the loaders and watchers of the main thread
    })
    this.worker.on('error', (error) => {
      this.reason = error.message
    })
  }

  /** Throws an `Error` with the reason why the database can't be opened. */
  static open(files: PgliteFiles): Promise<PgliteThread> {
    const thread = new PgliteThread(files)
    return new Promise((done, fail) => {
      const opened = () => done(thread)
      thread.worker.on('message', (message: Message) => thread.take(message, opened))
      thread.worker.once('exit', () => {
        fail(new Error(thread.reason)) // without effect after `done`
        thread.onEnd(thread.reason)
      })
    })
  }

  private take(message: Message, opened: () => void): void {
    if (message instanceof Uint8Array) this.onData(bufferOf(message))
    else if (message.kind !== 'open') this.reason = message.reason
    else {
      this.flags = message.flags
      opened()
    }
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    this.worker.postMessage(bytes, [bytes.buffer])
  }

  /** Stops the running statement with SQLSTATE 57014. Has no effect on a later message. */
  interrupt(): void {
    if (!this.flags) return
    const memory = new Int32Array(this.flags.buffer)
    Atomics.store(memory, this.flags.queryCancelPending >> 2, 1)
    Atomics.store(memory, this.flags.interruptPending >> 2, 1)
  }

  /** Terminates the thread immediately. Committed changes are in the files. */
  async terminate(): Promise<void> {
    await this.worker.terminate()
  }

  /** Closes the database after running statements. */
  async close(): Promise<void> {
    const ended = new Promise((done) => this.worker.once('exit', done))
    this.worker.postMessage('close')
    await ended
  }
}

/** Relative to the working directory, like the migrations: a bundle has no folder of its own. */
const WORKER_FILE = () =>
  resolve(/* turbopackIgnore: true */ process.cwd(), 'lib/db/pglite-worker.mjs')

const bufferOf = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** How long a statement of the server may delay a request. */
const DELAY_LIMIT_MS = 200

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
          timer ??= setTimeout(() => thread.interrupt(), DELAY_LIMIT_MS)
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

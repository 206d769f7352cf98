import { setTimeout as delay } from 'node:timers/promises'
import { DiskReserve, fillFolder, holdsDatabase, LOOK_AT_DISK_MS } from './pglite-folder'
import {
  away,
  isInterruption,
  isReady,
  leavesTransaction,
  type PgliteSocket,
} from './pglite-socket'
import { OwnStatement, type PgliteFiles, PgliteThread } from './pglite-thread'

/** A stopped statement must end within this time; then its thread is terminated. */
export const GRACE_MS = 5_000
/** PostgreSQL loses an interrupt in some states, so it is repeated. */
const INTERRUPT_EVERY_MS = 20
/** After a failure to open the database again, before the next attempt. */
const REOPEN_MS = 1_000

/**
 * Serves the only connection to the embedded database, and reopens the database when its thread has
 * ended: committed changes survive that. A database in memory can't be reopened.
 */
export class PgliteServer {
  private thread: PgliteThread | null = null
  private opening: Promise<void> | null = null
  private failedAt = Number.NEGATIVE_INFINITY
  private failure: unknown = null
  private isClosed = false
  private client: PgliteSocket | null = null
  /** Whether the response to a message of the client is incomplete. */
  private isBusy = false
  private isInTransaction = false
  private readonly own = new OwnStatement()
  private whenIdle: (() => void)[] = []
  private readonly reserve: DiskReserve | null
  private readonly diskTimer: NodeJS.Timeout | undefined
  private forbidsChanges = false
  private shouldForbidChanges = false

  private constructor(private readonly files: PgliteFiles) {
    this.reserve = files.folder ? new DiskReserve(files.folder) : null
    if (!this.reserve) return
    this.diskTimer = setInterval(() => this.lookAtDisk(), LOOK_AT_DISK_MS)
    this.diskTimer.unref()
  }

  /** Throws an `Error` that says why the database can't be opened. */
  static async open(files: PgliteFiles): Promise<PgliteServer> {
    const server = new PgliteServer(files)
    try {
      if (files.folder && !holdsDatabase(files.folder)) await server.fill(files.folder)
      // A folder has its database by now; the image is for a new one alone.
      await server.start(files.folder ? { ...files, image: undefined } : files)
      return server
    } catch (error) {
      clearInterval(server.diskTimer)
      throw error
    }
  }

  /** Makes the database of a new folder. The thread that does keeps some 250 MiB for it until it ends. */
  private async fill(folder: string): Promise<void> {
    this.reserve?.requireRoomForNew()
    const make = async (draft: string, image?: string) => {
      const thread = await this.openThread({ ...this.files, folder: draft, image })
      await thread.close()
    }
    const { image } = this.files
    await fillFolder(folder, (draft) => make(draft, image)).catch((error) => {
      if (!image) throw error
      // Damaged, or of another version: PGlite makes its own then, in seconds.
      return fillFolder(folder, (draft) => make(draft))
    })
  }

  /** Makes `socket` the connection, when nothing of the previous one runs any more. */
  async attach(socket: PgliteSocket): Promise<void> {
    while (this.isBusy) await new Promise<void>((done) => this.whenIdle.push(done))
    await this.requireThread()
    if (this.client) throw away('another connection is in use')
    if (!socket.destroyed) this.client = socket
  }

  /** The socket is closed: its statement is stopped and its transaction rolled back. */
  detach(socket: PgliteSocket): void {
    if (this.client !== socket) return
    this.client = null
    this.own.dropHeld()
    if (this.isBusy) void this.cancel()
    else this.rollBack()
  }

  send(socket: PgliteSocket, bytes: Uint8Array<ArrayBuffer>): void {
    if (this.client !== socket) return
    this.isBusy = true
    if (this.own.isRunning) this.own.hold(bytes)
    else this.thread?.send(bytes)
  }

  /**
   * Stops the running statement of the client, if any: interrupts it, or else terminates the
   * thread.
   */
  async cancel(): Promise<void> {
    const { thread } = this
    const isRunning = () => this.isBusy && this.thread === thread
    const until = performance.now() + GRACE_MS
    while (isRunning() && performance.now() < until) {
      thread?.interrupt()
      await delay(INTERRUPT_EVERY_MS)
    }
    if (isRunning()) await this.endThread()
  }

  /** Running statements fail, and the next connection reopens the database. No effect in memory. */
  async endThread(): Promise<void> {
    if (this.files.folder) await this.thread?.terminate()
  }

  /**
   * Runs a statement between those of requests, and yields to them: interrupted when one arrives,
   * or not run at all, it returns false. Throws what the database says of it.
   */
  async run(statement: string): Promise<boolean> {
    const { thread } = this
    if (!thread || this.isBusy || this.isInTransaction || this.own.isRunning) return false
    const error = await this.own.run(thread, statement)
    if (error && !isInterruption(error)) throw new Error(error)
    return !error
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearInterval(this.diskTimer)
    await this.opening?.catch(() => {})
    await this.thread?.close()
  }

  private async requireThread(): Promise<void> {
    if (this.thread) return
    if (this.isClosed || !this.files.folder) throw away('it was closed')
    if (performance.now() - this.failedAt < REOPEN_MS) throw this.failure
    this.opening ??= this.start({ ...this.files, image: undefined }).finally(() => {
      this.opening = null
    })
    await this.opening
  }

  private async start(files: PgliteFiles): Promise<void> {
    try {
      const thread = await this.openThread(files)
      thread.onData = (bytes) => this.take(bytes)
      thread.onEnd = (reason) => this.lose(reason)
      this.thread = thread
      this.forbidsChanges = false
      this.lookAtDisk()
    } catch (error) {
      this.failedAt = performance.now()
      this.failure = away((error as Error).message)
      throw error
    }
  }

  private async openThread(files: PgliteFiles): Promise<PgliteThread> {
    try {
      return await PgliteThread.open(files)
    } catch (error) {
      if (!this.reserve?.isLow() || !this.reserve.giveUp()) throw error
      return PgliteThread.open(files)
    }
  }

  /** Refuses changes while the disk is nearly full; reads continue. */
  private lookAtDisk(): void {
    this.shouldForbidChanges = this.reserve?.forbidsChanges(this.forbidsChanges) ?? false
    this.applyToSession()
  }

  private applyToSession(): void {
    const { thread, shouldForbidChanges } = this
    if (shouldForbidChanges === this.forbidsChanges || !thread) return
    if (this.isBusy || this.isInTransaction || this.own.isRunning) return // when they are done
    this.forbidsChanges = shouldForbidChanges
    void this.own.run(thread, `set default_transaction_read_only = ${shouldForbidChanges}`)
  }

  private take(bytes: Buffer): void {
    if (this.own.isRunning) this.own.take(bytes)
    else this.client?.push(bytes)
    if (!isReady(bytes)) return
    this.isInTransaction = leavesTransaction(bytes)
    if (this.own.isRunning) this.own.end(this.thread)
    else this.becomeIdle()
  }

  private lose(reason: string): void {
    this.thread = null
    this.isInTransaction = false
    this.own.dropHeld()
    this.own.end(null)
    this.client?.destroy(away(reason))
    this.client = null
    this.becomeIdle()
  }

  private becomeIdle(): void {
    this.isBusy = false
    if (!this.client) this.rollBack()
    this.applyToSession()
    for (const done of this.whenIdle.splice(0)) done()
  }

  private rollBack(): void {
    if (this.thread && this.isInTransaction) void this.own.run(this.thread, 'rollback')
  }
}

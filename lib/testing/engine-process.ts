import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { QUICK_START } from './bundle-script'
import { makeDatabase } from './make-database'

/** Where processes keep their data, one after the other or, on PostgreSQL, concurrently. */
export type Home = {
  folder: string
  databaseUrl: string
  /** See `DATABASE_DIRECT_URL`; empty without a pooler. */
  directUrl: string
  remove: () => Promise<void>
}

/** A new folder, and with TEST_DATABASE_URL a new database on that server. */
export async function makeHome(): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-home-'))
  const server = process.env.TEST_DATABASE_URL
  const direct = process.env.TEST_DATABASE_DIRECT_URL || server
  const made = direct ? await makeDatabase(direct) : null
  const name = made?.name
  return {
    folder,
    databaseUrl: server ? new URL(`/${name}`, server).href : '',
    directUrl: direct && direct !== server ? new URL(`/${name}`, direct).href : '',
    remove: async () => {
      rmSync(folder, { recursive: true, force: true })
      await made?.drop()
    },
  }
}

/** A process that responds to each line of JSON with one. */
export class EngineProcess {
  private readonly lines: AsyncIterator<string>

  private constructor(private readonly child: ChildProcess) {
    const input = child.stdout as NodeJS.ReadableStream
    this.lines = createInterface({ input })[Symbol.asyncIterator]()
    child.stdin?.on('error', () => {}) // it was killed, which `receive` says
  }

  /** Runs a bundled script of this repository; resolves when it reports that it is ready. `more`: further settings. */
  static async start(
    bundle: string,
    { folder, databaseUrl, directUrl }: Home,
    more: Record<string, string> = {},
  ): Promise<EngineProcess> {
    const child = spawn(process.execPath, [...QUICK_START, bundle], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...process.env,
        NEXTAUTH_SECRET: 'a secret for tests, 32 characters',
        DATA_DIR: folder,
        DATABASE_URL: databaseUrl,
        DATABASE_DIRECT_URL: directUrl,
        LOG_LEVEL: 'silent',
        ...more,
      },
    })
    const started = new EngineProcess(child)
    await started.receive()
    return started
  }

  /** Throws what the process says went wrong, and when it has ended. */
  async ask<Reply>(command: object): Promise<Reply> {
    this.child.stdin?.write(`${JSON.stringify(command)}\n`)
    const reply = await this.receive<Reply & { failure?: string }>()
    if (reply?.failure) throw new Error(reply.failure)
    return reply
  }

  /** Kills it as the kernel would, `ms` after `command` was sent; returns whether it had responded. */
  async killDuring(command: object, ms: number): Promise<boolean> {
    let hasResponded = false
    this.ask(command).then(
      () => {
        hasResponded = true
      },
      () => {},
    )
    await new Promise((resolve) => setTimeout(resolve, ms))
    await this.kill()
    return hasResponded
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const ended = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await ended
  }

  private async receive<Reply>(): Promise<Reply> {
    const { value, done } = await this.lines.next()
    if (done) throw new Error('The process ended')
    return JSON.parse(value)
  }
}

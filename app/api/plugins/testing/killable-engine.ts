import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { messageOf } from '@/lib/errors'
import { archiveOf } from '@/lib/testing/archive'
import { bundleServer } from '@/lib/testing/bundle-script'
import { EngineProcess, type Home, makeHome } from '@/lib/testing/engine-process'
import { killMoments } from '@/lib/testing/kills'
import { onServer } from '@/lib/testing/on-server'
import { type OwnPostgres, startOwnPostgres } from '@/lib/testing/own-postgres'
import type { Command } from './engine-child'
import { isHeld, totalsThatDiffer } from './kill-invariants'

/** What is killed: the engine, its PostgreSQL, one connection of that (whereupon it restarts itself), or both. */
export type Victim = 'process' | 'server' | 'connection' | 'both'

type Options = {
  /** On a PostgreSQL server of its own, which may be killed. */
  hasServer?: boolean
  /** Further settings. */
  settings?: () => Promise<Record<string, string>>
}

export type Reply = { status: number; body: { data: Record<string, unknown>[]; message?: string } }

const SETTLED = { timeout: 30_000, interval: 100 }

/** The engine of a test file, in a process that is killed at random moments, which are the same in every run. */
export class KillableEngine {
  home!: Home
  private bundle = ''
  private engine!: EngineProcess
  private server: OwnPostgres | null = null
  private settings: Record<string, string> = {}
  private readonly moment: () => number

  /** To be called where tests are defined; `prepare` runs before the first. */
  constructor(name: string, prepare: () => Promise<void>, options: Options = {}) {
    this.moment = killMoments(name)
    beforeAll(async () => {
      this.bundle = await bundleServer('app/api/plugins/testing/engine-child.ts')
      this.settings = (await options.settings?.()) ?? {}
      this.home = options.hasServer ? await this.homeOnServer() : await makeHome()
      await this.restart()
      await prepare()
    }, 300_000)
    afterAll(async () => {
      await this.engine?.kill()
      await this.home?.remove()
      this.server?.stop()
    })
  }

  ask<Answer = Reply>(command: Command): Promise<Answer> {
    return this.engine.ask(command)
  }

  sql<Row>(text: string): Promise<Row[]> {
    return this.ask<Row[]>({ name: 'sql', text })
  }

  /** Throws unless it succeeds. */
  async succeed(command: Command): Promise<Reply['body']> {
    const { status, body } = await this.ask(command)
    expect({ body, succeeded: status < 300 }).toMatchObject({ succeeded: true })
    return body
  }

  /** The command that installs these files. */
  async installOf(files: Record<string, unknown>, query = ''): Promise<Command> {
    const archive = join(this.home.folder, `${crypto.randomUUID()}.zip`)
    writeFileSync(archive, await archiveOf(files))
    return { name: 'install', archive, query }
  }

  /** Milliseconds that a command takes when it is not killed, in a new process. */
  async timeOf(command: Command): Promise<number> {
    await this.engine.kill()
    await this.restart()
    const startedAt = performance.now()
    await this.succeed(command)
    return performance.now() - startedAt
  }

  async restart(): Promise<void> {
    this.engine = await EngineProcess.start(this.bundle, this.home, this.settings)
  }

  /**
   * Kills within `ms` after `command` was sent and restarts what was killed; returns whether the command had
   * succeeded. Throws when something is left that another must tidy: an install in progress, a lock, a wrong total.
   */
  async killDuring(command: Command, ms: number, victim: Victim = 'process'): Promise<boolean> {
    const responding = this.ask(command).then(({ status }) => status < 300, no)
    await new Promise((resolve) => setTimeout(resolve, this.moment() * ms))
    if (victim === 'process' || victim === 'both') await this.engine.kill()
    if (victim !== 'process') await this.killServer(victim)
    if (victim === 'process' || victim === 'both') await this.restart()
    const hasSucceeded = await responding
    await this.expectSettled()
    return hasSucceeded
  }

  async kill(): Promise<void> {
    await this.engine.kill()
  }

  private async killServer(victim: Victim): Promise<void> {
    const server = this.server as OwnPostgres
    if (victim === 'connection')
      return void (await expect.poll(server.killConnection(), SETTLED).toBe(false))
    server.kill()
    // As soon as the system has noticed that all its processes are gone.
    await expect.poll(() => succeeds(server.restart), SETTLED).toBe(true)
  }

  private async expectSettled(): Promise<void> {
    const open = () => this.sql(`select id from engine.installs where status = 'IN_PROGRESS'`)
    await expect.poll(() => open().catch(messageOf), SETTLED).toEqual([])
    await expect.poll(() => isHeld(this).catch(messageOf), SETTLED).toBe(false)
    expect(await totalsThatDiffer(this)).toEqual([])
  }

  private async homeOnServer(): Promise<Home> {
    const home = await makeHome()
    this.server = await startOwnPostgres()
    if (!this.server) throw new Error('No PostgreSQL server can be started on this machine')
    // What is committed must survive a kill of the server, as by default.
    await onServer(this.server.url, 'alter database postgres set synchronous_commit = local')
    return { ...home, databaseUrl: this.server.url, directUrl: '' }
  }
}

const no = () => false

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

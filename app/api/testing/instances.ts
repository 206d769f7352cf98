import { afterAll, beforeAll, expect } from 'vitest'
import { ApiServer, balanced, type Reply, type Send } from '@/lib/testing/api-servers'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { bundleServer } from '@/lib/testing/bundle-script'
import { type Home, makeHome } from '@/lib/testing/engine-process'
import { startLoad } from './load'

/** An administrator's, on every instance. */
export const KEY = `eng_${'k'.repeat(40)}`

const ADMINISTRATOR = {
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct horse battery',
  BOOTSTRAP_API_KEY: KEY,
}

/** Nothing is refused because the machine is busy. */
const WITHOUT_LIMITS = { SHED_DELAY_MS: '60000', READ_TIMEOUT_MS: '60000', QUEUE_WAIT_MS: '60000' }

const LOADED = {
  name: 'Loaded',
  properties: [
    { name: 'client', type: 'string' },
    { name: 'step', type: 'integer' },
  ],
}

/** The instances of a test file: two servers of the API on one database, which began at the same time. */
export class Instances {
  readonly servers: ApiServer[] = []
  home!: Home
  private bundle!: string
  private settings: Record<string, string> = {}

  /** To each in turn, by the administrator. */
  readonly send: Send = balanced(this.servers)

  /** To be called while tests are collected; `settings` once they run. */
  start(settings: () => Promise<Record<string, string>> = async () => ({})): this {
    beforeAll(async () => {
      this.bundle = await bundleServer('app/api/testing/api-app.ts')
      this.home = await makeHome()
      this.settings = { ...ADMINISTRATOR, ...WITHOUT_LIMITS, ...(await settings()) }
      this.servers.push(...(await Promise.all([this.another(), this.another()])))
      await this.install(0, entityFiles('loaded', LOADED))
    })
    afterAll(async () => {
      await Promise.all(this.servers.map((server) => server.kill()))
      await this.home?.remove()
    })
    return this
  }

  another(): Promise<ApiServer> {
    return ApiServer.start(this.bundle, this.home, this.settings)
  }

  at(n: number): ApiServer {
    return this.servers[n % this.servers.length] as ApiServer
  }

  /** By the administrator, on the n-th instance. */
  ask(n: number, method: string, path: string, body?: unknown): Promise<Reply> {
    return this.at(n).send({ method, path, body, key: KEY })
  }

  /** Uploads a plugin to the n-th instance. */
  async upload(
    n: number,
    files: object,
    headers: Record<string, string> = {},
    query = '',
  ): Promise<Reply> {
    const body = uploadOf(await archiveOf(files as Record<string, unknown>))
    const path = `/api/plugins/install/zip${query}`
    return this.at(n).send({ method: 'POST', path, body, key: KEY, headers })
  }

  async install(n: number, files: object): Promise<void> {
    const { status, body } = await this.upload(n, files)
    expect([status, body.data?.failedCount], JSON.stringify(body)).toEqual([200, 0])
  }

  /** Runs `work` while clients write and read on all instances, none of which may notice anything. */
  async underLoad(work: () => Promise<void>): Promise<void> {
    const load = startLoad((call) => this.send({ ...call, key: KEY }), LOADED.name)
    try {
      await work()
    } finally {
      expect(await load.stop()).toEqual([])
    }
  }
}

/** A plugin of one entity, with a schema of the same name. */
export function entityFiles(
  id: string,
  { name, properties }: { name: string; properties: object[] },
  version = '1.0.0',
) {
  return pluginFiles(
    {
      EngineSchemas: { files: { 'A.json': { name, properties } } },
      EngineEntities: { files: { 'A.json': { name } } },
    },
    { id: `com.example.${id}`, version },
  )
}

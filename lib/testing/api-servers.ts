import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { QUICK_START } from './bundle-script'
import type { Home } from './engine-process'

/** `body`: JSON, or a form as it is. */
export type Call = {
  method?: string
  path: string
  body?: unknown
  key?: string
  headers?: Record<string, string>
}

export type Reply = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  body: any
}

export type Send = (call: Call) => Promise<Reply>

/** One process that serves the API on a port of its own; `app/api/testing/api-app.ts` is what it runs. */
export class ApiServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** What it logged before it served. */
    readonly logged: readonly string[],
  ) {}

  /** Resolves when it serves. */
  static async start(
    bundle: string,
    home: Home,
    settings: Record<string, string> = {},
  ): Promise<ApiServer> {
    const child = spawnServer(bundle, home, settings)
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      if (line.startsWith('http://')) return new ApiServer(child, line, lines)
      lines.push(line)
    }
    throw new Error('The server ended before it served')
  }

  /** Starts one and kills it after `ms`, wherever it is by then. */
  static async killStart(
    ...[bundle, home, settings, ms]: [string, Home, Record<string, string>, number]
  ): Promise<void> {
    const child = spawnServer(bundle, home, settings)
    const ended = once(child, 'exit')
    child.stdout?.resume()
    await new Promise((resolve) => setTimeout(resolve, ms))
    child.kill('SIGKILL')
    await ended
  }

  readonly send: Send = async (call) => {
    const response = await this.open(call)
    const text = await response.text()
    const { status, headers } = response
    const isJson = headers.get('content-type')?.includes('json')
    return { status, headers, body: isJson ? JSON.parse(text) : text }
  }

  /** A response whose body has not been read. */
  open({ method = 'GET', path, body, key, headers }: Call): Promise<Response> {
    const all = new Headers(headers)
    if (key) all.set('authorization', `Bearer ${key}`)
    const isRaw = body instanceof FormData || typeof body === 'string'
    if (body !== undefined && !isRaw) all.set('content-type', 'application/json')
    const sent = isRaw || body === undefined ? (body as BodyInit) : JSON.stringify(body)
    return fetch(this.url + path, { method, headers: all, body: sent })
  }

  /** As a supervisor does; returns the exit code. */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM')
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL')
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode
    const ended = once(this.child, 'exit')
    this.child.kill(signal)
    await ended
    return this.child.exitCode
  }
}

const spawnServer = (
  bundle: string,
  { folder, databaseUrl, directUrl }: Home,
  settings: Record<string, string>,
): ChildProcess =>
  spawn(process.execPath, [...QUICK_START, bundle], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NEXTAUTH_SECRET: 'a secret for tests, 32 characters',
      APP_URL: 'http://127.0.0.1:3000',
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      DATABASE_DIRECT_URL: directUrl,
      LOG_LEVEL: 'silent',
      ...settings,
    },
  })

/** Sends each request to another server, in turn; `servers` may change while it does. */
export function balanced(servers: readonly ApiServer[]): Send {
  let turn = 0
  return (call) => (servers[turn++ % servers.length] as ApiServer).send(call)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { API_KEY, SERVER_ENV } from '../../e2e/server-settings'

export type Server = { url: string; pid: number; stop: () => Promise<void> }

/** The production server, as `npm start` starts it. `more`: further settings. */
export async function startEngine(
  databaseUrl: string,
  dataDir: string,
  more: Record<string, string> = {},
): Promise<Server> {
  const { base, env } = await engineEnv(databaseUrl, dataDir)
  return start('npm', ['start', '--silent'], { ...env, ...more }, `${base}/api/health`)
}

/** Its settings, and the address at which it will be. */
export async function engineEnv(databaseUrl: string, dataDir: string) {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const env: Record<string, string> = {
    ...SERVER_ENV,
    PORT: String(port),
    APP_URL: base,
    NEXTAUTH_URL: base,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
    // What else the machine does must not have requests refused.
    SHED_DELAY_MS: '30000',
    // That of the end-to-end tests lists every search.
    SLOW_SEARCH_MS: '100',
  }
  return { base, env }
}

export async function startBare(databaseUrl: string, readings: string): Promise<Server> {
  const port = await freePort()
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    READINGS: readings,
    TOKEN: AUTHORIZATION,
  }
  const url = `http://127.0.0.1:${port}`
  return start(process.execPath, ['bench/http/bare-server.mjs'], env, `${url}/one?id=0`)
}

/** Of requests to our server. */
export const AUTHORIZATION = `Bearer ${API_KEY}`

/** In a process group of its own, which `stop` ends as a whole. */
export async function start(
  command: string,
  args: string[],
  env: Record<string, string>,
  probe: string,
  cwd?: string,
): Promise<Server> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  const pid = child.pid ?? 0
  const end = () => endGroup(pid)
  process.once('exit', end)
  await untilUp(probe, child)
  const stop = async () => {
    process.removeListener('exit', end)
    const exited = once(child, 'exit')
    end()
    if (child.exitCode === null) await exited
  }
  return { url: new URL(probe).origin, pid, stop }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It has ended.
  }
}

/** Any response will do: the bare server has no table yet. */
export async function untilUp(url: string, child: ChildProcess): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until && child.exitCode === null; ) {
    if (await fetch(url).catch(() => null)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${url} did not respond`)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('No port is free')
  return address.port
}

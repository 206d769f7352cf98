import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { installDebianPackage } from './debian.mjs'
import { freePort } from './throwaway-postgres.mjs'

const PGBOUNCER = '/usr/sbin/pgbouncer'
const START_MS = 10_000

/**
 * Starts a PgBouncer in front of the server at `url`, with `connections` to each database. Returns its address and a
 * function that stops it; null where there is none and none can be installed.
 * @param {string} url
 * @param {{ mode: 'session' | 'transaction', connections?: number }} options
 * @returns {Promise<{ url: string, stop: () => void } | null>}
 */
export async function startPgBouncer(url, options) {
  if (!existsSync(PGBOUNCER)) await installDebianPackage('pgbouncer')
  if (!existsSync(PGBOUNCER)) return null
  const folder = mkdtempSync(join(tmpdir(), 'engine-pgbouncer-'))
  const port = await freePort()
  writeFileSync(join(folder, 'pgbouncer.ini'), settings(new URL(url), port, options))
  const child = spawn(PGBOUNCER, ['-q', join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
  const stop = () => {
    process.removeListener('exit', stop)
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  await untilUp(url, port)
  return { url: Object.assign(new URL(url), { port }).href, stop }
}

/** As docs/scaling.md says. As root it refuses to run, and becomes another user. */
const settings = ({ port: serverPort, username }, port, { mode, connections = 20 }) =>
  [
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort} user=${username} connect_query='set lock_timeout = 2000'`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${connections}`,
    'max_client_conn = 500',
    ...(process.getuid?.() === 0 ? ['user = postgres'] : []),
  ].join('\n')

async function untilUp(url, port) {
  const { default: pg } = await import('pg')
  const connectionString = Object.assign(new URL(url), { port }).href
  for (const until = Date.now() + START_MS; ; ) {
    const client = new pg.Client({ connectionString })
    client.on('error', () => {}) // reported by the connection attempt
    const error = await client.connect().then(
      () => null,
      (thrown) => thrown,
    )
    await client.end().catch(() => {})
    if (!error) return
    if (Date.now() > until) throw error
    await delay(50)
  }
}

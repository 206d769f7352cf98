import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startOwnPostgres } from '@/lib/testing/own-postgres'
import { installDebianPackage } from '../../scripts/steps/debian.mjs'
import { openPostgres } from './postgres'
import { connectOnce } from './postgres-connection'

const PGBOUNCER = '/usr/sbin/pgbouncer'
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The address of a server behind PgBouncer, or null, said on the terminal, where there is none. */
async function behindPgBouncer(mode: string): Promise<string | null> {
  if (!existsSync(PGBOUNCER)) await installDebianPackage('pgbouncer')
  const server = existsSync(PGBOUNCER) ? await startOwnPostgres() : null
  if (!server) {
    process.stderr.write('SKIPPED: PgBouncer or PostgreSQL cannot be started on this machine\n')
    return null
  }
  ends.push(server.stop)
  const folder = mkdtempSync(join(tmpdir(), 'engine-pgbouncer-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const { port: serverPort } = new URL(server.url)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n')
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${serverPort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
user = ${process.getuid?.() === 0 ? 'postgres' : ''}
`.replace(/^user = \n/m, ''),
  )
  const child = spawn(PGBOUNCER, ['-q', file], { stdio: 'ignore' })
  ends.push(() => child.kill('SIGKILL'))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const opens = () => connectOnce(url).then((client) => client.end(), String)
  await expect.poll(opens).toBeUndefined()
  return url
}

test('a pooler in transaction mode is refused in one line that names it', async ({ skip }) => {
  const url = await behindPgBouncer('transaction')
  if (!url) return skip()
  await expect(openPostgres(url, 2)).rejects.toThrow(/transaction mode.*pool_mode = session/)
})

test('a pooler in session mode will do', async ({ skip }) => {
  const url = await behindPgBouncer('session')
  if (!url) return skip()
  const database = await openPostgres(url, 2)
  await database.locks.hold('k', 0, async () => {
    expect(await database.locks.isHeld('k')).toBe(true)
  })
  await database.close()
})

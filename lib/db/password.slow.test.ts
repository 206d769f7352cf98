import { readFileSync, writeFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { startThrowawayPostgres } from '@/scripts/steps/throwaway-postgres.mjs'
import { openPostgres } from './postgres'
import { one, rows } from './sql'

async function opened(url: string) {
  const database = await openPostgres({ url, poolSize: 2 })
  onTestFinished(() => database.close())
  return database.db
}

test('a server that asks for a password gets that of the address', async () => {
  const server = await startThrowawayPostgres()
  if (!server) throw new Error('No PostgreSQL server binaries were found')
  onTestFinished(server.stop)
  const admin = await opened(server.url)
  await admin.execute(sql`create role clerk superuser login password 'se:cret'`)
  const { file } = one(
    await rows<{ file: string }>(admin, sql`select current_setting('hba_file') as file`),
  )
  const former = readFileSync(file, 'utf8')
  writeFileSync(file, `host all clerk 127.0.0.1/32 scram-sha-256\n${former}`)
  await admin.execute(sql`select pg_reload_conf()`)
  const url = new URL(server.url)
  url.username = 'clerk'
  url.password = 'se:cret'
  const user = async (address: URL) =>
    one(await rows<{ name: string }>(await opened(address.href), sql`select current_user as name`))
  await expect.poll(() => user(url)).toEqual({ name: 'clerk' })
  url.password = 'wrong'
  await expect(user(url)).rejects.toThrow()
})

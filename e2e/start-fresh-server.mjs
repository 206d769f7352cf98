/**
 * The production server on an empty data folder, and with `E2E_DATABASE_URL` on an empty database of that PostgreSQL server (with
 * `KEEP_DATA`, on what is there), in this process so that it receives signals.
 */
import { rmSync } from 'node:fs'
import postgres from 'postgres'

const { DATA_DIR, DATABASE_URL, E2E_DATABASE_URL, KEEP_DATA, PORT } = process.env

if (!KEEP_DATA) rmSync(DATA_DIR, { recursive: true, force: true })
if (E2E_DATABASE_URL && !DATABASE_URL) process.env.DATABASE_URL = await ownDatabase()
process.env.HOST = '127.0.0.1'
await import('../dist/server.mjs')

/** The address of a database that is named by the port. */
async function ownDatabase() {
  const name = `engine_e2e_${PORT}`
  if (!KEEP_DATA) {
    const sql = postgres(E2E_DATABASE_URL, { max: 1, onnotice: () => {} })
    await sql.unsafe(`drop database if exists ${name} with (force)`)
    await sql.unsafe(`create database ${name}`)
    await sql.end()
  }
  const url = new URL(E2E_DATABASE_URL)
  url.pathname = `/${name}`
  return url.href
}

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import postgres, { type Sql } from 'postgres'
import type { Peer } from './peer-cases'
import { freePort, start } from './servers'

const VERSION = '11.3.5'
const TOKEN = 'bench-token'

/**
 * Directus beside us, from the registry in a folder of its own: in production mode, without a log, its
 * cache off as by default, one process. It has the same people, in a database of its own on the same server.
 */
export async function startDirectus(databaseUrl: string, folder: string, sql: Sql): Promise<Peer> {
  mkdirSync(folder)
  installDirectus(folder)
  await sql`create database directus`
  const url = new URL(databaseUrl)
  url.pathname = '/directus'
  await copyPeople(sql, url.href)
  const port = await freePort()
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    NODE_ENV: 'production',
    LOG_LEVEL: 'silent',
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    TELEMETRY: 'false',
    SECRET: 'bench-secret',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'bench-password',
    ADMIN_TOKEN: TOKEN,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: url.href,
  }
  const program = join(folder, 'node_modules', '.bin', 'directus')
  run(program, ['bootstrap'], folder, env)
  const base = `http://127.0.0.1:${port}`
  const server = await start(program, ['start'], env, `${base}/server/ping`, folder)
  return { ...server, key: TOKEN, name: `Directus ${VERSION}, cache off, no log, production` }
}

function installDirectus(folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const how = ['--no-audit', '--no-fund', '--silent']
  run('npm', ['install', `directus@${VERSION}`, '--ignore-scripts', ...how], folder)
  const nodedir = join(process.execPath, '..', '..')
  const env = { npm_config_nodedir: nodedir }
  run('npm', ['rebuild', 'isolated-vm', 'argon2', 'sharp', ...how], folder, env)
}

function run(program: string, args: string[], cwd: string, env: Record<string, string> = {}) {
  const { status, stderr } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`)
}

/** With the indexes that the fields ask for. */
async function copyPeople(sql: Sql, url: string): Promise<void> {
  const peer = postgres(url, { max: 1, onnotice: () => {} })
  await peer`
    create table person (id serial primary key, name text, email text, age integer,
      score double precision, active boolean, joined timestamptz, city text)`
  const fields = 'id, name, email, age, score, active, joined, city'
  const rows = await sql.unsafe(`copy entities.person (${fields}) to stdout`).readable()
  const table = await peer.unsafe(`copy person (${fields}) from stdin`).writable()
  await pipeline(rows, table)
  for (const field of ['name', 'age', 'joined', 'city'])
    await peer`create index on person (${peer(field)})`
  await peer`select setval('person_id_seq', (select max(id) from person))`
  await peer`vacuum (analyze) person`
  await peer.end()
}

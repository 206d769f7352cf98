import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import postgres, { type Sql } from 'postgres'
import { peakMib } from '../http/cpu'
import { install } from '../http/data'
import { peopleArchive } from '../http/people'
import { AUTHORIZATION, startEngine } from '../http/servers'
import { archiveUpload } from '../http/write-cases'
import type { Line } from './report'

const MIB = 1024
/** That come with the plugin; the others are its table's. */
const INSTALLED = 1000
const LOOK_MS = 50

/** An encrypted backup of so many records, its trial and its restore into another database, each by the command in a process of its own. */
export async function measureBackup(url: string, folder: string, records: number): Promise<Line[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const copy = new URL('/restored', url).href
  const restored = postgres(copy, { max: 1, onnotice: () => {} })
  const file = join(folder, 'engine.tar.enc')
  try {
    await fill(url, folder, sql, records)
    await sql`create database restored`
    const from = { DATABASE_URL: url, DATA_DIR: folder }
    const elsewhere = { DATABASE_URL: '', DATA_DIR: join(folder, 'elsewhere') }
    const lines = [
      await run('encrypted backup', ['backup', file], from),
      await run(
        'restored on trial, on PostgreSQL',
        ['backup', '--verify', file, '--in', url],
        elsewhere,
      ),
      await run('restored on trial, embedded', ['backup', '--verify', file], elsewhere),
      await run('restored into another database', ['restore', file], {
        ...from,
        DATABASE_URL: copy,
      }),
    ]
    const size = Math.round(statSync(file).size / 2 ** 20)
    const title = `${records} records, ${size} MiB encrypted`
    const [before, after] = [await sumOf(sql), await sumOf(restored)]
    const total = await totalOf(copy, folder)
    return [
      ...lines,
      {
        title: `${title}: rows and the sum of their hashes, before and after`,
        result: `${before}, ${after}; a server on the copy finds ${total}`,
        isGood: before === after && total === records,
      },
    ]
  } finally {
    await sql.end()
    await restored.end()
  }
}

async function fill(url: string, folder: string, sql: Sql, records: number): Promise<void> {
  const server = await startEngine(url, folder)
  await install(server, await archiveUpload(await peopleArchive(['Member'], INSTALLED)))
  await server.stop()
  await sql`
    insert into entities.member (name, email, age, score, active, joined, city)
    select 'Ada ' || n, 'ada.' || n || '@example.com', n % 90, n / 7.0, n % 3 = 0, now() + n * interval '1 s', 'City ' || n % 100
    from generate_series(${INSTALLED + 1}::int, ${records}::int) as n`
  await sql`vacuum (analyze)`
}

/** As an operator does it, with the file encrypted. */
async function run(title: string, args: string[], settings: Record<string, string>): Promise<Line> {
  const key = { BACKUP_KEY: Buffer.alloc(32, 7).toString('base64') }
  const env = {
    ...process.env,
    DATABASE_DIRECT_URL: '',
    NODE_ENV: 'production',
    ...key,
    ...settings,
  } as const
  const from = performance.now()
  const child = spawn(process.execPath, ['dist/backup.mjs', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let mib = 0
  const look = setInterval(() => {
    mib = Math.max(mib, peakMib(child.pid ?? 0) ?? 0)
  }, LOOK_MS)
  const printed = text(child.stdout)
  const [code] = await once(child, 'exit')
  clearInterval(look)
  const seconds = (performance.now() - from) / 1000
  const said = (await printed).trim().split('\n').at(0)?.split(': ').at(-1)
  return {
    title,
    result: `${code === 0 ? said : `ended with ${code}`}; ${seconds.toFixed(0)} s, at most ${Math.round(mib)} MiB (goal ${MIB})`,
    isGood: code === 0 && mib > 0 && mib <= MIB,
  }
}

async function sumOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ n: string; sum: string }[]>`
    select count(*) as n, sum(hashtextextended(member::text, 0)) as sum from entities.member`
  return `${row?.n} rows (${row?.sum})`
}

async function totalOf(url: string, folder: string): Promise<number> {
  const server = await startEngine(url, folder)
  const headers = { authorization: AUTHORIZATION }
  const response = await fetch(`${server.url}/api/entities/Member?size=1`, { headers })
  const { pagination } = await response.json()
  await server.stop()
  return pagination.total
}

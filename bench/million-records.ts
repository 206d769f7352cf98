import { sql } from 'drizzle-orm'
import { passwordHasher } from '@/lib/auth/password'
import { openPostgres } from '@/lib/db/postgres'
import type { Database } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { parseEnv } from '@/lib/env'
import { layersFor } from '@/lib/layers'
import { createLog } from '@/lib/log'
import { openRemote } from '@/lib/remote/open-remote'
import { createStorages } from '@/lib/storage/storages'
import { installTestEntity } from '@/lib/testing/entity'
import { onServer } from '@/lib/testing/on-server'

export const RECORDS = Number(process.env.BENCH_RECORDS ?? 1_000_000)

const SERVER = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const properties = [
  { name: 'name', type: 'string', unique: true },
  { name: 'email', type: 'email' },
  { name: 'age', type: 'integer' },
  { name: 'score', type: 'double' },
  { name: 'active', type: 'boolean' },
  { name: 'joined', type: 'datetime' },
  { name: 'city', type: 'string' },
]

/** Runs `work` on a new database with a million records of `Person`, and drops it afterwards. */
export async function withMillion(work: (deps: Deps, url: string) => Promise<void>): Promise<void> {
  const name = `engine_bench_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(SERVER, `create database ${name}`)
  const url = new URL(SERVER)
  url.pathname = `/${name}`
  const database = await openPostgres({ url: url.href, poolSize: 10 })
  try {
    const deps = depsOf(database)
    await installTestEntity(deps, { entity: { name: 'Person' }, schema: { properties } })
    await deps.db.execute(sql`
      insert into entities.person (name, email, age, score, active, joined, city)
      select 'Person ' || g, 'person.' || g || '@example.com', g % 90, g / 7.0, g % 3 = 0,
        '2020-01-01'::timestamptz + g * interval '1 minute', 'City ' || g % 1000
      from generate_series(1, ${sql.raw(String(RECORDS))}) as g`)
    await deps.db.execute(sql`analyze entities.person`)
    await work(deps, url.href)
  } finally {
    await database.close()
    await onServer(SERVER, `drop database ${name} with (force)`)
  }
}

function depsOf({ db, dialect, locks, bus, copyOut, connectAlone }: Database): Deps {
  const secret = 'a secret for benchmarks, 32 characters'
  const settings = parseEnv({ NEXTAUTH_SECRET: secret })
  const storage = createStorages(settings)
  const log = createLog('silent')
  const outside = {
    layers: layersFor(settings),
    secret: { current: secret, previous: null },
    hashPassword: passwordHasher(),
    storage,
    remote: openRemote(),
    mail: null,
  }
  const database = { db, dialect, locks, bus, copyOut, connectAlone }
  return { settings, log, ...database, replicas: null, ...outside }
}

/** Seconds that `work` takes, and the growth of this process in MiB. */
export async function measure(
  work: () => Promise<void>,
): Promise<{ seconds: number; grown: number }> {
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  const startedAt = performance.now()
  await work()
  const seconds = (performance.now() - startedAt) / 1000
  clearInterval(watch)
  return { seconds, grown: (most - before) / 1024 / 1024 }
}

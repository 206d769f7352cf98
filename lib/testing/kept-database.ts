import { sql } from 'drizzle-orm'
import { type Database, type Db, rows } from '@/lib/db/sql'
import { emptyDatabase } from './empty-database'

/** A database that the test files of a worker use one after the other: how it was when it was new. */
export type KeptDatabase = { database: Database; structure: string; bytes: number; files: number }

/** After so many files, what it holds of memory costs more than a new one. */
const MAX_FILES = 30
/** Dead rows of so many bytes make the statements of other tests slow. */
const MAX_GROWTH = 4 * 2 ** 20

// On `globalThis`: this module is evaluated again for each test file.
const shared = globalThis as typeof globalThis & { __engineTestDatabase?: KeptDatabase }

/** What the file before has left, if it left it as new; else one that `open` opens. */
export async function takeKept(open: () => Promise<Database>): Promise<KeptDatabase> {
  const kept = shared.__engineTestDatabase
  delete shared.__engineTestDatabase
  if (kept) return kept
  const database = await open()
  return { database, ...(await lookAt(database.db)), files: 0 }
}

/** Keeps `taken` for the next file, or closes it if something of this one is left in it. */
export async function keep(kept: KeptDatabase): Promise<void> {
  const isAsNew = kept.files < MAX_FILES && (await becomesAsNew(kept))
  if (isAsNew) shared.__engineTestDatabase = { ...kept, files: kept.files + 1 }
  else await kept.database.close()
}

async function becomesAsNew({ database, structure, bytes }: KeptDatabase): Promise<boolean> {
  const { db } = database
  try {
    if (await isInUse(db)) return false
    await emptyDatabase(db)
    const now = await lookAt(db)
    return now.structure === structure && now.bytes <= bytes + MAX_GROWTH
  } catch {
    return false
  }
}

/** Whether a statement, a transaction or a lock of a session is still there, or another process is connected. */
async function isInUse(db: Db): Promise<boolean> {
  const [found] = await rows<{ used: boolean }>(
    db,
    sql`select exists (select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database()))
          or count(*) filter (where state <> 'idle') > 0 or count(*) > ${MAX_SESSIONS} as used
        from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
          and application_name = 'engine'`,
  )
  return found?.used ?? true
}

/** Those of the pool, and the one that listens. */
const MAX_SESSIONS = 7

/** A digest of everything in it that emptying leaves, but for the rows of tables; and its size. */
async function lookAt(db: Db): Promise<Pick<KeptDatabase, 'structure' | 'bytes'>> {
  const [found] = await rows<{ structure: string; bytes: number }>(
    db,
    sql`with ours as (select oid from pg_namespace where nspname !~ '^(pg_|information_schema$)'), lines as (
          select format('%s %s %s %s %s %s', relnamespace, relname, relkind, relrowsecurity, reloptions, relacl) as line from pg_class where relnamespace in (select oid from ours)
          union all
          select format('%s %s %s %s %s', attrelid, attname, atttypid, attnotnull, atthasdef)
          from pg_attribute join pg_class c on c.oid = attrelid where relnamespace in (select oid from ours) and attnum > 0
          union all select format('%s %s %s', adrelid, adnum, md5(adbin::text)) from pg_attrdef join pg_class c on c.oid = adrelid where relnamespace in (select oid from ours)
          union all select format('%s %s', id, hash) from engine_migrations."__drizzle_migrations"
          union all select format('%s %s', conrelid, conname) from pg_constraint where connamespace in (select oid from ours)
          union all select format('%s %s %s', tgrelid, tgname, tgenabled) from pg_trigger where not tgisinternal
          union all select format('%s %s %s', pronamespace, proname, md5(prosrc)) from pg_proc where pronamespace in (select oid from ours)
          union all select format('%s %s', typnamespace, typname) from pg_type where typnamespace in (select oid from ours)
          union all select nspname::text from pg_namespace where nspname !~ '^pg_(toast_)?temp_'
          union all select format('%s %s', extname, extversion) from pg_extension
          union all select format('%s %s', evtname, evtenabled) from pg_event_trigger
          union all select pubname::text from pg_publication
          union all select setconfig::text from pg_db_role_setting join pg_database d on d.oid = setdatabase where datname = current_database())
        select md5(string_agg(line, ';' order by line)) as structure,
          pg_database_size(current_database())::float8 as bytes from lines`,
  )
  return found ?? { structure: '', bytes: 0 }
}

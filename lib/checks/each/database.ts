import { sql } from 'drizzle-orm'
import { connectionShortage, describeShortage } from '@/lib/db/connection-limit'
import { one, rows } from '@/lib/db/sql'
import { clusterState } from '@/lib/health/check-readiness'
import { type Check, counted, fault, ok, warning } from './check'

const OLDEST_VERSION = 15

/** How the database is set up. */
export const DATABASE_CHECKS: readonly Check[] = [
  {
    name: 'database-version',
    title: 'Database',
    look: async ({ db, dialect }) => {
      const { version } = one(
        await rows<{ version: string }>(
          db,
          sql`select current_setting('server_version') as version`,
        ),
      )
      if (dialect === 'pglite')
        return ok(`Embedded, PostgreSQL ${version}: for one process and small installations.`)
      if (Number.parseInt(version, 10) >= OLDEST_VERSION) return ok(`PostgreSQL ${version}.`)
      return fault(
        `PostgreSQL ${version} is older than ${OLDEST_VERSION}.`,
        `Upgrade PostgreSQL to ${OLDEST_VERSION} or newer.`,
      )
    },
  },
  {
    name: 'connections',
    title: 'Connections',
    look: async ({ db, dialect, settings }) => {
      if (dialect === 'pglite') return ok('The embedded database has one connection.')
      const shortage = await connectionShortage(db, settings)
      if (shortage)
        return warning(
          `${describeShortage(shortage)}.`,
          'Change either, before the server is so busy that it needs them all.',
        )
      const { open, most } = one(
        await rows<{ open: number; most: number }>(
          db,
          sql`select count(*)::int as open, current_setting('max_connections')::int as most
              from pg_stat_activity where backend_type = 'client backend'`,
        ),
      )
      const finding = `${open} of ${most} connections of the server are open.`
      return open < 0.9 * most
        ? ok(finding)
        : warning(
            finding,
            'See in pg_stat_activity whose they are; use a pooler, or raise the limit.',
          )
    },
  },
  {
    name: 'extensions',
    title: 'Extensions',
    look: async ({ db }) => {
      const found = await rows<{ name: string }>(
        db,
        sql`select extname as name from pg_extension where extname in ('pg_trgm', 'citus') order by 1`,
      )
      const names = found.map(({ name }) => name)
      return names.includes('pg_trgm')
        ? ok(`There is ${names.join(', ')}.`)
        : fault(
            'pg_trgm is missing, without which texts are searched without an index.',
            'Run as the owner of the database: create extension pg_trgm',
          )
    },
  },
  {
    name: 'collation',
    title: 'Encoding and collation',
    look: async ({ db }) => {
      const { name, encoding, made, now } = one(
        await rows<{ name: string; encoding: string; made: string | null; now: string | null }>(
          db,
          sql`select datname as name, pg_encoding_to_char(encoding) as encoding, datcollversion as made,
                pg_database_collation_actual_version(oid) as now
              from pg_database where datname = current_database()`,
        ),
      )
      if (encoding !== 'UTF8')
        return fault(
          `The database is in ${encoding}: texts in other scripts are refused.`,
          'Make a database with encoding UTF8, and move to it by a backup (docs/backup.md).',
        )
      if (made !== null && now !== null && made !== now)
        return fault(
          `The operating system sorts texts by version ${now}, and indexes were made by ${made}: searches may miss records.`,
          `Run: reindex database "${name}"; alter database "${name}" refresh collation version`,
        )
      return ok('UTF-8, and indexes sort as the operating system does.')
    },
  },
  {
    name: 'cluster',
    title: 'Cluster',
    look: async ({ db, dialect }) => {
      const state = dialect === 'pglite' ? null : await clusterState(db, 2_000)
      if (!state) return ok('The database is one server.')
      const { workers, unreachable, unresolved } = state
      if (unreachable > 0)
        return fault(
          `${unreachable} of ${counted(workers, 'worker')} can’t be reached: requests that need their records fail.`,
          'Start them, or bring in their standbys (docs/scaling.md).',
        )
      return ok(
        `${counted(workers, 'worker')}; ${counted(unresolved, 'transaction')} to be resolved.`,
      )
    },
  },
]

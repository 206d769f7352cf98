import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/sql'
import { databaseState } from '@/lib/testing/database-state'
import { freshDeps } from '@/lib/testing/deps'

export const deps = freshDeps()

/** The schemas that hold the tables of a batch. */
export const schemasOf = (batchId: string) =>
  rows(
    deps.db,
    sql`select nspname from pg_namespace where nspname like ${`engine_trash_${batchId.replaceAll('-', '')}%`}`,
  )

/** What is defined and stored, without what every event adds. */
export async function definedState() {
  const { ...state } = await databaseState(deps.db)
  for (const name of Object.keys(state))
    if (/installs|install_files|audit_log|_id_seq|trash/.test(name)) delete state[name]
  return state
}

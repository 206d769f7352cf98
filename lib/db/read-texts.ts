import type { CompiledStatement } from './compiled-statement'
import type { GuardedPool } from './guarded-pool'
import { type Db, rows } from './sql'
import type { TextRow } from './text-read'

/**
 * The rows of a compiled statement that changes nothing, their values as PostgreSQL writes them: for results that are
 * passed through, such as JSON. Its own values are texts. In a transaction, the driver reads them.
 */
export function readTexts(
  db: Db,
  statement: CompiledStatement,
  values: Readonly<Record<string, string>>,
): Promise<TextRow[]> {
  const { $client } = db as unknown as { $client?: GuardedPool }
  return $client
    ? $client.readTexts(statement, statement.textsOf(values))
    : readByDriver(db, statement, values)
}

async function readByDriver(
  db: Db,
  statement: CompiledStatement,
  values: Readonly<Record<string, string>>,
): Promise<TextRow[]> {
  const found = await rows<Record<string, unknown>>(db, statement.with(values))
  return found.map((row) => Object.values(row).map((value) => (value === null ? null : `${value}`)))
}

import type { CompiledStatement } from './compiled-statement'
import type { GuardedPool } from './guarded-pool'
import type { Db } from './sql'
import type { TextRow } from './text-read'

/**
 * The rows of a compiled statement that changes nothing, their values as PostgreSQL writes them: for results that are
 * passed through, such as JSON. Its own values are texts. Not inside a transaction.
 */
export function readTexts(
  db: Db,
  statement: CompiledStatement,
  values: Readonly<Record<string, string>>,
): Promise<TextRow[]> {
  const { $client } = db as unknown as { $client: GuardedPool }
  return $client.readTexts(statement, statement.textsOf(values))
}

import type { RecordCounts } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { type DefineOutcome, defineEntity } from '@/lib/entities/define-entity'
import { defineSchema } from '@/lib/entities/define-schema'
import { defineType } from '@/lib/entities/define-type'
import { NO_RECORDS } from './file-report'
import type { Definitions } from './install-plan'

/**
 * Makes or changes what the definitions of one file define; `counts` are of definitions. Throws
 * `DefinitionError`; the caller's transaction makes it all or nothing.
 */
export async function applyDefinitions(
  tx: Db,
  definitions: Definitions,
  pluginId: string,
): Promise<{ counts: RecordCounts; changes: string[] }> {
  const counts = { ...NO_RECORDS }
  const changes: string[] = []
  for (const outcome of await outcomesOf(tx, definitions, pluginId)) {
    counts[outcome.status]++
    changes.push(...outcome.notes, ...outcome.steps.map(describeStep))
  }
  return { counts, changes }
}

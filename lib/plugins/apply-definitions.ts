import { definePolicy, defineRole } from '@/lib/auth/policies/define-policy'
import type { RecordCounts } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { defineEntity } from '@/lib/entities/define-entity'
import type { DefineOutcome } from '@/lib/entities/define-outcome'
import { defineSchema } from '@/lib/entities/define-schema'
import { defineType } from '@/lib/entities/define-type'
import { baseDepth } from '@/lib/entities/definitions/base-depth'
import { DefinitionError } from '@/lib/entities/definitions/definition-error'
import { typesByName } from '@/lib/entities/definitions/resolve-type'
import { describeStep } from '@/lib/entities/tables/describe-step'
import { NO_RECORDS } from './file-report'
import type { Definitions } from './install-plan'
import { FileFailure } from './verdict'

/**
 * Makes or changes what the definitions of one file define; `counts` are of definitions. Throws
 * `FileFailure`; the caller's transaction makes it all or nothing.
 */
export async function applyDefinitions(
  tx: Db,
  definitions: Definitions,
  pluginId: string,
): Promise<{ counts: RecordCounts; changes: string[] }> {
  const counts = { ...NO_RECORDS }
  const changes: string[] = []
  const all = definers(definitions)
  for (const index of orderOf(definitions)) {
    const define = all[index] as Definer
    const { status, steps, notes } = await define(tx, pluginId).catch((error) => at(index, error))
    counts[status]++
    changes.push(...notes, ...steps.map(describeStep))
  }
  return { counts, changes }
}

/** Indexes of the items in the order in which they go in: types after those they are based on. */
function orderOf({ kind, items }: Definitions): number[] {
  const indexes = [...items.keys()]
  if (kind !== 'type') return indexes
  const types = typesByName(items)
  const depths = items.map((type) => baseDepth(type, types))
  return indexes.sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0))
}

type Definer = (tx: Db, pluginId: string) => Promise<DefineOutcome>

function definers(definitions: Definitions): Definer[] {
  const { kind, items } = definitions
  switch (kind) {
    case 'type':
      return items.map((type) => (tx, by) => defineType(tx, type, by))
    case 'schema':
      return items.map((schema) => (tx, by) => defineSchema(tx, schema, by))
    case 'entity':
      return items.map(
        (entity) => (tx, by) => defineEntity(tx, entity, by, definitions.failedSchemas),
      )
    case 'role':
      return items.map((role) => (tx, by) => defineRole(tx, role, by))
    case 'policy':
      return items.map((policy) => (tx, by) => definePolicy(tx, policy, by))
  }
}

function at(index: number, error: unknown): never {
  if (!(error instanceof DefinitionError)) throw error
  throw new FileFailure(
    error.verdict,
    error.details.map((detail) => ({ index, ...detail })),
  )
}

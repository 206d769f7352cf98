import { sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { withOwnBudget } from '@/lib/db/budget'
import { movedRecords, placementOf, readCluster } from '@/lib/db/cluster'
import type { Db } from '@/lib/db/sql'
import type { Distribution } from '@/lib/definitions/definition'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import { entityFaults } from '@/lib/definitions/entity-faults'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { findEntity, listEntities, registryChanged } from '@/lib/registry/registry'
import { entityNamed, mergeEntity } from '@/lib/registry/registry-rows'
import { applyChanges } from './apply-changes'
import { definitionTransaction } from './definition-transaction'
import { describeStep } from './describe-step'
import type { DistributionChange, DistributionState } from './distribution-contract'
import { lockEntities } from './lock-entities'
import { planChange } from './plan-change'

type Input = {
  entityName: string
  distribution: Distribution
  dryRun: boolean
  actor: Actor
  requestId: string
}

/**
 * Moves the records of an entity to where `distribution` keeps them, all or nothing, and notes it in the definition;
 * with `dryRun` only says how. Readers and writers of the entity wait meanwhile, however long it takes. Without a
 * cluster only the definition changes. Throws `not_found`, and `unprocessable` with every reason against it.
 */
export async function distributeEntity(deps: Deps, input: Input): Promise<DistributionChange> {
  const { name } = await findEntity(deps, input.entityName)
  const { dryRun } = input
  const steps = await withOwnBudget({}, () => move(deps.db, { ...input, entityName: name }))
  if (!dryRun) await registryChanged(deps)
  return { entity: name, dryRun, steps }
}

async function move(db: Db, input: Input): Promise<string[]> {
  let steps: string[] = []
  try {
    await definitionTransaction(db, async (tx) => {
      if (input.dryRun) await tx.execute(TRIAL)
      steps = await change(tx, input)
      if (input.dryRun) throw new Tried()
      await recordAudit(tx, input.actor, {
        action: 'entities.distribute',
        objectType: input.entityName,
        details: { distribution: input.distribution, steps },
        requestId: input.requestId,
      })
    })
  } catch (error) {
    if (error instanceof DefinitionError) throw refusal(error)
    if (!(error instanceof Tried)) throw error
  }
  return steps
}

/** Nothing is moved in this transaction, see `placeTables`. */
const TRIAL = sql`select set_config('engine.parked', '{}', true)`

class Tried extends Error {}

async function change(tx: Db, { entityName, distribution }: Input): Promise<string[]> {
  const read = () => entityNamed(tx, entityName)
  const [found] = await lockEntities(tx, await read(), read)
  if (!found) throw new AppError('not_found', `There is no entity ${JSON.stringify(entityName)}`)
  const row = { ...found.row, definition: { ...found.row.definition, distribution } }
  const faults = entityFaults(mergeEntity(row, found.schema))
  if (faults.length > 0) throw new DefinitionError('Invalid definition', faults)
  const planned = await planChange(tx, found, row, found.schema)
  return (await applyChanges(tx, [planned], undefined)).steps.map(describeStep)
}

const refusal = ({ details }: DefinitionError) =>
  new AppError('unprocessable', details.map(({ message }) => message).join('; '), {
    meta: { details },
  })

/** Where the records of an entity are, and the progress while they are moved. Throws `not_found`. */
export async function distributionOf(
  deps: Deps,
  { entityName }: { entityName: string },
): Promise<DistributionState> {
  const { name, table, definition } = await findEntity(deps, entityName)
  const stated = { entity: name, distribution: definition.distribution ?? null }
  if (!(await readCluster(deps.db))) return { ...stated, placement: null, move: null }
  const found = await placementOf(deps.db, table)
  if (!found) return { ...stated, placement: null, move: null }
  const { type, records } = found
  const copied = await movedRecords(deps.db, table)
  const move = copied === null ? null : { copied, records: Math.max(copied, records) }
  if (found.type !== 'distributed') return { ...stated, placement: { type }, move }
  const { by, shards, colocation } = found
  const others = (await listEntities(deps)).filter((other) => other.name !== name)
  const placements = await Promise.all(others.map((other) => placementOf(deps.db, other.table)))
  const beside = others.filter((_, at) => {
    const other = placements[at]
    return other?.type === 'distributed' && other.colocation === colocation
  })
  const placement = { type, by, shards, with: beside.map((other) => other.name) }
  return { ...stated, placement, move }
}

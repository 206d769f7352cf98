import { sql } from 'drizzle-orm'
import {
  type Cluster,
  distributeTable,
  placementOf,
  readCluster,
  replicateTable,
  undistributeTable,
} from '@/lib/db/cluster'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { DefinitionError } from '@/lib/definitions/definition-error'
import { mergeEntity } from '@/lib/registry/merge-entity'
import { entitiesNamed } from '@/lib/registry/registry-rows'
import { dropTotal, keepTotal } from '@/lib/totals/keep-total'
import type { StepOf } from '../ddl-step'
import type { EnforcedReference } from '../plan-references'
import { countBySequence } from './count-by-sequence'
import { type Candidate, type Move, planPlacement } from './plan-placement'

/** What a change of entities moves between the nodes of a cluster. */
export type Placing = {
  /** Tables that exist and are to be moved: no foreign key may hold them. */
  moved: TableName[]
  /** Before the tables are changed. */
  leave: () => Promise<void>
  /** After they are changed; returns what was done. */
  settle: () => Promise<StepOf<'place'>[]>
}

const NOTHING: Placing = { moved: [], leave: async () => {}, settle: async () => [] }

type Changed = { after: Entity; isNew: boolean }

/**
 * On a cluster, finds out where the records of the `changed` entities, and of those that they refer to, are to be
 * kept. Throws `DefinitionError` with every reason why that is not possible. Elsewhere there is nothing to do.
 */
export async function placeTables(
  tx: Db,
  changed: readonly Changed[],
  referring: readonly Entity[],
  enforced: readonly EnforcedReference[],
): Promise<Placing> {
  const cluster = changed.length > 0 ? await readCluster(tx) : null
  if (!cluster) return NOTHING
  const parked = await parkedSchemas(tx)
  const entities = new Map(referring.map((entity) => [entity.name, entity]))
  for (const { after } of changed) entities.set(after.name, after)
  for (const entity of await besides(tx, changed, entities)) entities.set(entity.name, entity)
  const candidates: Candidate[] = []
  for (const entity of entities.values()) {
    const own = changed.find(({ after }) => after.name === entity.name)
    const { schema, name } = entity.table
    const found = own?.isNew
      ? null
      : await placementOf(tx, { schema: parked[schema] ?? schema, name })
    const records = found?.records ?? 0
    candidates.push({ entity, present: found, records, isChanged: own !== undefined })
  }
  const { moves, faults } = planPlacement(candidates, enforced, cluster)
  if (faults.length > 0) throw new DefinitionError('Invalid definition', faults)
  const isTrial = Object.keys(parked).length > 0
  return placing(tx, moves, { cluster, isTrial, entities })
}

/** The entities that the changed ones are to be kept beside, apart from those that are `known`. */
async function besides(
  tx: Db,
  changed: readonly Changed[],
  known: ReadonlyMap<string, Entity>,
): Promise<Entity[]> {
  const names = changed.flatMap(({ after }) => {
    const { distribution } = after.definition
    return typeof distribution === 'object' && distribution.with ? [distribution.with] : []
  })
  const unknown = names.filter((name) => !known.has(name))
  const found = unknown.length > 0 ? await entitiesNamed(tx, unknown) : []
  return found.map(({ row, schema }) => mergeEntity(row, schema))
}

/** A dry run has renamed the schemas of the tables that it copies: their names by the former. */
async function parkedSchemas(tx: Db): Promise<Record<string, string>> {
  const query = sql`select coalesce(nullif(current_setting('engine.parked', true), ''), '{}') as names`
  return JSON.parse(one(await rows<{ names: string }>(tx, query)).names)
}

type Surroundings = { cluster: Cluster; isTrial: boolean; entities: ReadonlyMap<string, Entity> }

function placing(
  tx: Db,
  moves: readonly Move[],
  { cluster, isTrial, entities }: Surroundings,
): Placing {
  const existing = moves.filter(({ present }) => present !== null)
  return {
    moved: existing.map(({ entity }) => entity.table),
    leave: async () => {
      for (const { entity, present } of isTrial ? [] : existing)
        if (present?.type !== 'local') await tx.execute(undistributeTable(entity.table))
    },
    settle: async () => {
      for (const move of isTrial ? [] : moves) await settle(tx, move, entities)
      return moves.map((move) => stepOf(move, cluster))
    },
  }
}

async function settle(
  tx: Db,
  { entity, wanted }: Move,
  entities: Surroundings['entities'],
): Promise<void> {
  const { table } = entity
  if (wanted.type === 'local') return void (await tx.execute(keepTotal(table)))
  // Workers do not run the triggers that count.
  for (const name of ['engine_total_begin', 'engine_total_end'])
    await tx.execute(sql`drop trigger if exists ${sql.identifier(name)} on ${tableSql(table)}`)
  for (const statement of dropTotal(table)) await tx.execute(statement)
  await countBySequence(tx, table)
  if (wanted.type === 'reference') return void (await tx.execute(replicateTable(table)))
  const beside = wanted.beside === null ? undefined : entities.get(wanted.beside)
  await tx.execute(distributeTable(table, wanted.by, beside?.table))
}

const stepOf = ({ entity, wanted }: Move, { shards }: Cluster): StepOf<'place'> => ({
  type: 'place',
  table: entity.table,
  entity: entity.name,
  placement: wanted.type === 'distributed' ? { ...wanted, shards } : wanted,
})

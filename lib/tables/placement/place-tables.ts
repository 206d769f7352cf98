import { sql } from 'drizzle-orm'
import {
  type Cluster,
  distributeTable,
  dropLocalRows,
  type Placement,
  readCluster,
  replicateTable,
  undistributeTable,
} from '@/lib/db/cluster'
import { entities, recordComments } from '@/lib/db/schema'
import { type Db, one, rows, tableSql, textArray } from '@/lib/db/sql'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import { mergeEntity, selectEntities } from '@/lib/registry/registry-rows'
import { dropTotal, keepUnknownTotal, relationSql } from '@/lib/totals/keep-total'
import type { StepOf } from '../ddl-step'
import type { EnforcedReference } from '../plan-references'
import { countBySequence, nameCounters } from './count-by-sequence'
import { planPlacement } from './plan-placement'
import { presentPlacements } from './present-placement'
import type { Candidate, Move } from './resolve-placement'

/** What a change of entities moves between the nodes of a cluster. */
export type Placing = {
  /** Tables that exist and are to be moved: no foreign key may hold them. */
  moved: TableName[]
  /** Before foreign keys are dropped. */
  prepare: () => Promise<void>
  /** After that, before the tables are changed. */
  leave: () => Promise<void>
  /** After they are changed; returns what was done. */
  settle: () => Promise<StepOf<'place'>[]>
}

const NOTHING: Placing = {
  moved: [],
  prepare: async () => {},
  leave: async () => {},
  settle: async () => [],
}

/** `isRebuilt`: its table is to be changed as only a local one can be; `retyped`: columns that get other types. */
type Changed = {
  after: Entity
  /** The name of its table before. */
  former: TableName
  isNew: boolean
  isRebuilt: boolean
  retyped: readonly string[]
}

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
  const present = await presentPlacements(tx)
  const known = new Map(referring.map((entity) => [entity.name, entity]))
  for (const { after } of changed) known.set(after.name, after)
  for (const entity of await besides(tx, changed, known)) known.set(entity.name, entity)
  const candidates: Candidate[] = []
  for (const entity of known.values()) {
    const own = changed.find(({ after }) => after.name === entity.name)
    const found = own?.isNew ? null : await present.find(entity.table, own?.former ?? entity.table)
    const records = found?.records ?? 0
    candidates.push({
      entity,
      present: found,
      records,
      isChanged: own !== undefined,
      isRebuilt: own ? own.isRebuilt || isRetyped(own, found) : false,
    })
  }
  const { moves, adjoining, faults } = planPlacement(candidates, enforced, cluster)
  if (faults.length > 0) throw new DefinitionError('Invalid definition', faults)
  const steps = moves.filter(isElsewhere).map((move) => stepOf(move, cluster))
  const { keep } = present
  if (!keep) return placing(tx, { moves, adjoining, candidates, steps, known })
  const settle = async () => {
    await keep(candidates, moves, cluster)
    return steps
  }
  return { ...NOTHING, settle }
}

/** Whether it changes the type of a key by which records are spread or that is counted: Citus does neither. */
const isRetyped = ({ after, retyped }: Changed, present: Placement | null) =>
  present !== null && present.type !== 'local' && after.keys.some((key) => retyped.includes(key))

/** The entities that are kept beside others, and those that the changed ones are to be kept beside, apart from the `known`. */
async function besides(
  tx: Db,
  changed: readonly Changed[],
  known: ReadonlyMap<string, Entity>,
): Promise<Entity[]> {
  const targets = changed.flatMap(({ after: { definition } }) => {
    const { distribution } = definition
    return typeof distribution === 'object' ? (distribution.with ?? []) : []
  })
  const found = await selectEntities(
    tx,
    sql`${entities.name} = any(${textArray(targets)}) or ${entities.definition} #> '{distribution,with}' is not null`,
  )
  return found.flatMap(({ row, schema }) => (known.has(row.name) ? [] : [mergeEntity(row, schema)]))
}

type Plan = {
  moves: readonly Move[]
  adjoining: readonly Move[]
  candidates: readonly Candidate[]
  /** What is said of the moves. */
  steps: StepOf<'place'>[]
  known: ReadonlyMap<string, Entity>
}

function placing(tx: Db, { moves, adjoining, candidates, steps, known }: Plan): Placing {
  const existing = moves.filter(({ present }) => present !== null)
  return {
    moved: existing.map(({ entity }) => entity.table),
    prepare: async () => {
      for (const { entity, present } of [...moves, ...adjoining])
        if (present?.type === 'local') await countBySequence(tx, entity.table)
    },
    leave: async () => {
      for (const { entity, present } of existing)
        if (present?.type !== 'local') await toCoordinator(tx, entity.table)
    },
    settle: async () => {
      const fresh = candidates.filter(({ present }) => present === null)
      for (const { entity } of [...fresh, ...existing]) await countBySequence(tx, entity.table)
      for (const move of moves) await settle(tx, move, known)
      for (const { entity } of adjoining) await stopCounting(tx, entity.table)
      return steps
    },
  }
}

/** What names a table by its identity follows it to the new one. */
async function toCoordinator(tx: Db, table: TableName): Promise<void> {
  const found = await rows<{ oid: string }>(tx, sql`select ${relationSql(table)}::oid::text as oid`)
  await tx.execute(undistributeTable(table))
  await tx
    .update(recordComments)
    .set({ relation: relationSql(table) })
    .where(sql`${recordComments.relation}::oid::text = ${one(found).oid}`)
}

async function settle(
  tx: Db,
  { entity, wanted, present }: Move,
  known: Plan['known'],
): Promise<void> {
  const { table } = entity
  if (wanted.type === 'local') return void (await tx.execute(keepUnknownTotal(table)))
  await stopCounting(tx, table)
  await nameCounters(tx, table)
  if (wanted.type === 'reference') await tx.execute(replicateTable(table))
  else {
    const beside = wanted.beside === null ? undefined : known.get(wanted.beside)
    await tx.execute(distributeTable(table, wanted.by, beside?.table))
  }
  if (present) await tx.execute(dropLocalRows(table))
}

/** The triggers that count would run for shards, which no query asks for. */
async function stopCounting(tx: Db, table: TableName): Promise<void> {
  const triggers = await rows<{ name: string }>(
    tx,
    sql`select tgname as name from pg_trigger where tgrelid = ${relationSql(table)} and tgname like 'engine\\_total\\_%'`,
  )
  if (triggers.length === 0) return
  for (const { name } of triggers)
    await tx.execute(sql`drop trigger ${sql.identifier(name)} on ${tableSql(table)}`)
  for (const statement of dropTotal(table)) await tx.execute(statement)
}

/** Not for a table that only had to be local for a while. */
const isElsewhere = ({ present, wanted, isRebuilt }: Move) =>
  !isRebuilt || present?.type !== wanted.type

const stepOf = ({ entity, wanted }: Move, { shards }: Cluster): StepOf<'place'> => ({
  type: 'place',
  table: entity.table,
  entity: entity.name,
  placement: wanted.type === 'distributed' ? { ...wanted, shards } : wanted,
})

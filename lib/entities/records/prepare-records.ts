import { currentBudget } from '@/lib/db/budget'
import { requireBudget } from '@/lib/db/give-up'
import type { FileDetail } from '@/lib/db/schema/plugins'
import type { Entity } from '@/lib/entities/definition'
import { isObject, type Json } from '@/lib/json'
import { turnGiver } from '@/lib/turns'
import { compileEntity } from './compiled-entity'
import { addFault, noFaults, pointerTo, shorten } from './faults'
import type { PreparedRow } from './prepared-row'
import { addRuleFaults } from './rule-faults'
import { settleNumbers } from './settle-numbers'
import { splitFields } from './split-fields'

/**
 * `insert`: required fields have to be there. `replace`: so does the key. `update`: only the fields
 * that are given are checked, the key has to be there.
 */
export type PrepareMode = 'insert' | 'replace' | 'update'

export type Prepared = {
  /** The good ones, in order. */
  rows: PreparedRow[]
  /** The first 100. */
  faults: FileDetail[]
  faultCount: number
}

/** Checks records against the entity's rules and converts them for storage. Writes nothing. */
export async function prepareRecords(
  entity: Entity,
  records: readonly Json[],
  mode: PrepareMode,
): Promise<Prepared> {
  const preparation = beginPreparation(entity, mode)
  const rows: PreparedRow[] = []
  await preparation.add(records, (row) => rows.push(row))
  return { rows, ...preparation.faults() }
}

/** Prepares records that come in batches; each good row goes to `take` at once. */
export function beginPreparation(entity: Entity, mode: PrepareMode) {
  const { prepare, faults } = preparation(entity, mode)
  let index = 0
  const giveTurn = turnGiver()
  return {
    async add(records: readonly Json[], take: (row: PreparedRow) => void): Promise<void> {
      for (const record of records) {
        const row = prepare(record, index++)
        if (row) take(row)
        const turn = giveTurn()
        if (!turn) continue
        await turn
        requireBudget(currentBudget())
      }
    },
    faults: (): Pick<Prepared, 'faults' | 'faultCount'> => ({
      faults: faults.details,
      faultCount: faults.count,
    }),
  }
}

function preparation(entity: Entity, mode: PrepareMode) {
  const compiled = compileEntity(entity)
  const validate = compiled.validate(mode === 'update' ? 'partial' : 'whole')
  const keys = mode === 'insert' ? [] : entity.keys
  const faults = noFaults()

  function prepare(given: Json, index: number): PreparedRow | null {
    if (!isObject(given)) {
      const message = 'must be an object'
      addFault(faults, () => ({ index, pointer: '', message, value: shorten(given) }))
      return null
    }
    const record = settleNumbers(given, compiled)
    const before = faults.count
    const faulty = validate(record)
      ? NONE
      : addRuleFaults(faults, compiled, validate.errors ?? [], record, index)
    for (const key of keys) {
      if (faulty.has(key) || (Object.hasOwn(record, key) && record[key] !== null)) continue
      addFault(faults, () => ({ index, pointer: pointerTo(key), message: MISSING_KEY }))
    }
    const row = splitFields(entity, compiled, record, { index, faulty, faults })
    return faults.count === before ? row : null
  }
  return { prepare, faults }
}

const NONE: ReadonlySet<string> = new Set()
const MISSING_KEY = 'is required: it is the key of the record'

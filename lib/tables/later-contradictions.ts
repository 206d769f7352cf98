import type { Db } from '@/lib/db/types'
import type { DdlStep } from './ddl-step'
import { type Contradictions, findContradictions, MAX_NAMED } from './find-contradictions'

/**
 * Adds to what forbids the first of `steps` what forbids others that only check: so one report has all rules that
 * stored records break. Steps that wait for one that is not carried out are left out.
 */
export async function withLater(
  tx: Db,
  found: Contradictions,
  steps: readonly DdlStep[],
  keys: readonly string[],
): Promise<Contradictions> {
  const all = { ...found }
  const waiting = new Set<string>()
  for (const [at, step] of steps.entries()) {
    const checked = checkedColumn(step)
    if (at > 0 && checked !== null && !waiting.has(checked)) {
      const more = await findContradictions(tx, step, keys)
      all.count += more.count
      all.details = [...all.details, ...more.details].slice(0, MAX_NAMED)
      all.groups = [...all.groups, ...more.groups]
    }
    for (const column of checked === null ? columnsOf(step) : []) waiting.add(column)
  }
  return { ...all, groups: all.groups.toSorted((a, b) => b.total - a.total) }
}

function checkedColumn(step: DdlStep): string | null {
  if (step.type === 'check-values') return step.property.name
  return step.type === 'set-not-null' ? step.column : null
}

function columnsOf(step: DdlStep): string[] {
  if ('property' in step) return [step.property.name]
  if (!('column' in step)) return []
  return [typeof step.column === 'string' ? step.column : step.column.name]
}

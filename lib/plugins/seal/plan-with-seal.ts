import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import type { ParsedPlugin } from '@/lib/plugins/archive/parse-plugin'
import { loadInstalled, planInstall } from '@/lib/plugins/plan/plan-install'
import type { InstallPlan } from '@/lib/plugins/plugin-file'
import { readParts, type Sealed } from './read-parts'
import { differences, sealOf } from './seal-text'

/** A plan and its seal, of one snapshot of the database. */
export const planWithSeal = (
  db: Db,
  plugin: ParsedPlugin,
  request: Sealed,
): Promise<{ plan: InstallPlan; seal: string }> =>
  inSnapshot(db, async (tx) => {
    const plan = await planInstall(plugin, await loadInstalled(tx))
    return { plan, seal: sealOf(await readParts(tx, plan, request)) }
  })

/**
 * The plan of an install. Throws `conflict`, naming what has changed, when the request has a
 * seal that no longer holds.
 */
export async function planUnlessChanged(
  db: Db,
  plugin: ParsedPlugin,
  request: Sealed & { seal?: string },
): Promise<InstallPlan> {
  const { seal } = request
  if (seal === undefined) return planInstall(plugin, await loadInstalled(db))
  return inSnapshot(db, async (tx) => {
    const plan = await planInstall(plugin, await loadInstalled(tx))
    await requireSeal(tx, plan, { ...request, seal })
    return plan
  })
}

/** Throws `conflict`, naming what has changed, unless the request's seal holds or it has none. */
export async function requireSeal(
  tx: Db,
  plan: InstallPlan,
  request: Sealed & { seal?: string },
): Promise<void> {
  if (request.seal === undefined) return
  const changed = differences(request.seal, await readParts(tx, plan, request))
  if (changed.length === 0) return
  const listed = changed.slice(0, MAX_NAMED)
  const rest = changed.length - listed.length
  const what = [...listed, ...(rest > 0 ? [`${rest} more`] : [])].join('; ')
  throw new AppError('conflict', `The plan no longer holds: ${what}. Make a new plan`)
}

const MAX_NAMED = 20

const inSnapshot = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' })

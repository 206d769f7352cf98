import { createHash } from 'node:crypto'
import type { Actor } from '@/lib/auth/rights'
import type { DefinitionName } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { EMPTY_REPORT, type FileReport } from '@/lib/installs/file-report'
import type { UninstallReport } from '@/lib/lifecycle/contract'
import { loadPart, type PartRemoval, type Planned } from './part-removal'
import { dependents, requireUninstallRights } from './removal'
import { type Counts, reportOn } from './report'
import { counted, usesOf } from './uses'

export type DescribedPart = PartRemoval & {
  report: UninstallReport
  counts: Counts
  /** Why they can't go. */
  blocked: string[]
  /** Of what would go. */
  seal: string
}

type Asked = {
  plugin: string
  names: readonly DefinitionName[]
  planned?: Planned
  actor: Actor
}

/** What removing definitions of a plugin would do. Throws as `loadPart` does, and `forbidden`. */
export async function describePart(db: Db, asked: Asked): Promise<DescribedPart> {
  const { plugin, names, planned = [], actor } = asked
  const part = await loadPart(db, plugin, names, planned)
  requireUninstallRights(actor, part.removal, 'trash')
  const options = { actor, records: 'trash', dryRun: false } as const
  const { report, counts } = await reportOn(db, part.removal, options)
  const blocked = [...blocking(report), ...(await usesOf(db, part.removal, actor, planned))]
  return { ...part, report, counts, blocked, seal: sealOf(part, report) }
}

function sealOf({ plugin, isWhole }: PartRemoval, report: UninstallReport): string {
  const { blockedBy: _, mentions: __, ...going } = report
  const text = JSON.stringify([plugin.id, isWhole, going])
  return createHash('sha256').update(text).digest('hex')
}

const blocking = ({ blockedBy }: UninstallReport): string[] =>
  blockedBy.map(({ entity, field, target }) =>
    field === null
      ? `"${entity}" uses the schema "${target}"`
      : `"${entity}" refers to "${target}" by "${field}": remove that field first, or both entities`,
  )

/** Throws `conflict` while something needs what would go, or where that is not what was planned. */
export function requireRemovable({ blocked, removal }: DescribedPart, isPlanned: boolean): void {
  if (blocked.length > 0)
    throw new AppError('conflict', blocked.join('; '), { meta: { blockedBy: dependents(removal) } })
  if (!isPlanned)
    throw new AppError(
      'conflict',
      'The plan no longer holds: what would be removed has changed. Make a new plan',
    )
}

/** Definitions go without a file of their own. */
export const REPORTED_AS = 'engineplugin.json'

/** The part of a plan, or of the history, that says what is removed. */
export function reportOf({ report, blocked }: DescribedPart, changes: string[]): FileReport {
  const details = blocked.map((message) => ({ message }))
  const isBlocked = details.length > 0
  return {
    ...EMPTY_REPORT,
    ...{ path: REPORTED_AS, status: isBlocked ? 'failed' : 'updated', changes },
    error: isBlocked ? 'Missing dependency' : null,
    warnings: mentioned(report).map((message) => ({ message })),
    ...{ details: details.slice(0, 100), detailCount: details.length },
  }
}

const mentioned = ({ mentions }: UninstallReport): string[] => {
  const { policies, apiKeys, views, hidden } = mentions
  const others = [
    ...(hidden.policies > 0 ? [counted(hidden.policies, 'policy', 'policies')] : []),
    ...(hidden.apiKeys > 0 ? [counted(hidden.apiKeys, 'API key')] : []),
    ...(hidden.views > 0 ? [counted(hidden.views, 'saved view')] : []),
  ]
  return [
    ...policies.map(({ name }) => `The policy ${name} names what is removed, and stays`),
    ...apiKeys.map(({ name }) => `The API key ${name} names what is removed, and stays`),
    ...views.map(({ name, entity }) => `The saved view ${name} of ${entity} stays`),
    ...(others.length > 0
      ? [`What you may not read names what is removed, and stays: ${others.join(', ')}`]
      : []),
  ]
}

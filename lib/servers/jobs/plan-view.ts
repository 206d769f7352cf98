import type { InstallPreview } from '@/lib/installs/plan-contract'
import { isIdle, type Planned } from '@/lib/promotion/plan-promotion'
import type { PromotionPlan } from '@/lib/servers/contract'

/** Of each file; the rest is counted. */
const MOST_SHOWN = 20
const MAX_VALUE_CHARS = 200

/** A plan as it is stored and shown: what changes, without what stays. */
export function viewOf({ plans, settings, alone, environment }: Planned): PromotionPlan {
  const plugins = plans.filter((plan) => !isIdle(plan)).map(pluginOf)
  return {
    plugins,
    settings: settings.map(({ change, name }) => ({ change, name })),
    conflictCount: sum(
      plugins.flatMap(({ files }) => files.map(({ conflictCount }) => conflictCount)),
    ),
    alone,
    environment,
    missing: settings.flatMap(({ name, missing }) =>
      missing === null ? [] : `${name}: ${missing}`,
    ),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

type File = InstallPreview['files'][number]

const pluginOf = (plan: InstallPreview) => ({
  id: plan.pluginId,
  name: plan.pluginName,
  version: plan.version,
  installedVersion: plan.installedVersion ?? null,
  failed: plan.failedCount,
  files: plan.files.filter(isShown).map(fileOf),
})

const isShown = ({ status, conflictCount }: File) =>
  (status !== 'unchanged' && status !== 'ignored') || conflictCount > 0

const fileOf = (file: File) => ({
  path: file.path,
  kind: file.kind,
  target: file.target,
  status: file.status,
  error: file.error,
  details: [...file.details, ...file.warnings]
    .slice(0, MOST_SHOWN)
    .map(({ pointer, message }) => (pointer ? `${pointer}: ${message}` : message)),
  changes: file.changes.slice(0, MOST_SHOWN),
  created: file.records.created,
  updated: file.records.updated,
  deleted: file.removed.deleted,
  conflictCount: file.conflictCount,
  conflicts: file.conflicts.slice(0, MOST_SHOWN).map(({ key, change, decision, fields }) => ({
    key: textOf(key),
    change,
    decision,
    fields: fields.slice(0, MOST_SHOWN).map(({ field, ours, theirs }) => ({
      ...{ field, target: textOf(ours), source: textOf(theirs) },
    })),
  })),
})

/** A value as JSON; `nothing` for one that there is not. */
function textOf(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text
}

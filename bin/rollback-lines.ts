import type { InstallPreview } from '@/lib/plugins/plan-contract'
import { colorsOf, type Io } from './io'
import { conflictLines, counted, type ReportedFile, toned } from './report'

/** A part of a rollback's report: the definitions, which have no target, or an entity. */
type Part = ReportedFile

const WORDS = {
  edited: 'since the install',
  values: ({ base, ours, theirs }: Record<'base' | 'ours' | 'theirs', string>) =>
    `installed as ${base}, now ${ours}, before ${theirs}`,
}

/** What a rollback would do. */
export function rollbackPlanLines(io: Io, plan: InstallPreview): string[] {
  const { pluginId, version, installedVersion, files, seal } = plan
  const to = version === null ? 'before its first install' : `to ${version}`
  return [
    `Plan of a rollback of ${pluginId} ${installedVersion ?? ''} ${to}`.replace(/ +/g, ' '),
    ...partLines(io, files),
    `${changedIn(files)} would be rolled back`,
    colorsOf(io).dim(`seal: ${seal}`),
  ]
}

/** What a rollback has done; `history` is its own number. */
export const rollbackLines = (io: Io, files: readonly Part[], history: number): string[] => [
  ...partLines(io, files),
  `${changedIn(files)} rolled back; entry ${history} in the history`,
]

const isQuiet = ({ status, conflictCount = 0 }: Part) =>
  status === 'unchanged' && conflictCount === 0

/** `definitions and 2 entities`. */
function changedIn(files: readonly Part[]): string {
  const changed = files.filter(({ status }) => status !== 'unchanged')
  const entities = changed.filter(({ target }) => target).length
  const parts = [
    changed.length > entities && 'definitions',
    entities > 0 && (entities === 1 ? '1 entity' : `${entities} entities`),
  ]
  return parts.filter(Boolean).join(' and ') || 'nothing'
}

function partLines(io: Io, files: readonly Part[]): string[] {
  const colors = colorsOf(io)
  return files
    .filter((file) => !isQuiet(file))
    .flatMap((file) => {
      const { target, status, changes = [] } = file
      const head = [toned(colors, status), target ?? 'definitions', colors.dim(countsOf(file))]
      return [
        head.filter(Boolean).join('  '),
        ...changes.map((change) => `    ${colors.dim(change)}`),
        ...conflictLines(file, colors, WORDS),
      ]
    })
}

function countsOf({ records, removed }: Part): string {
  const { updated = 0, created = 0 } = typeof records === 'object' ? records : {}
  const deleted = removed?.deleted ?? 0
  return [
    deleted > 0 && `${counted(deleted, 'record')} to the trash`,
    updated > 0 && `${updated} as before`,
    created > 0 && `${created} created again`,
  ]
    .filter(Boolean)
    .join(', ')
}

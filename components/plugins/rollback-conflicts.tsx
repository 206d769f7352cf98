'use client'
import { useState } from 'react'
import { formatCount } from '@/components/ui/number'
import { Pager } from '@/components/ui/pager'
import { ChooseForAll } from './conflicts/choose-for-all'
import { ConflictList } from './conflicts/conflict-list'
import type { Resolution } from './conflicts/resolution'
import { ROLLBACK } from './conflicts/wording'
import type { FileLog, InstallPreview } from './types'

const SIZE = 10
const TEXT =
  'Changed since the install. Fields that did not change since are rolled back either way.'

type ResolveProps = { resolution: Resolution; onResolve: (resolution: Resolution) => void }

/** The conflicts of a rollback, with a choice for each. */
export function RollbackConflicts({ plan, ...resolve }: ResolveProps & { plan: InstallPreview }) {
  const entities = plan.files.filter(({ conflictCount }) => conflictCount > 0)
  if (entities.length === 0) return null
  const groups = entities.map(({ target, conflictCount: total }) => ({
    entity: target ?? '',
    total,
    fallback: null,
  }))
  return (
    <section aria-label="Conflicts" className="grid gap-2.5 rounded-lg border bg-muted/40 p-3">
      <ChooseForAll groups={groups} text={TEXT} wording={ROLLBACK} {...resolve} />
      {entities.map((file) => (
        <EntityPages key={file.path} file={file} {...resolve} />
      ))}
    </section>
  )
}

function EntityPages({ file, ...resolve }: ResolveProps & { file: FileLog }) {
  const { path, target, conflicts, conflictCount } = file
  const [page, setPage] = useState(0)
  const first = page * SIZE
  return (
    <div className="grid gap-2">
      <ConflictList
        entity={target ?? ''}
        conflicts={conflicts.slice(first, first + SIZE)}
        wording={ROLLBACK}
        fallback={null}
        {...resolve}
      />
      <Pager
        aria-label={`Conflicts of ${path}`}
        {...{ page, size: SIZE, total: conflicts.length }}
        onPage={setPage}
        text="conflicts"
      />
      {conflictCount > conflicts.length && (
        <p className="text-xs text-muted-foreground">
          {formatCount(conflictCount - conflicts.length)} more are not listed. The choice for all
          conflicts applies to them.
        </p>
      )}
    </div>
  )
}

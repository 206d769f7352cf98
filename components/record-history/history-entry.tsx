'use client'
import { HistoryIcon, type LucideIcon, PencilIcon, PlusIcon, Trash2Icon } from 'lucide-react'
import type { ColumnDescription } from '@/components/entities/types'
import { Button } from '@/components/ui/button'
import { Status, type Tone } from '@/components/ui/status'
import type { Version } from './history-queries'
import { VersionChanges } from './version-changes'
import { VersionOrigin } from './version-origin'

const KINDS: Record<Version['kind'], { label: string; tone: Tone; icon: LucideIcon }> = {
  insert: { label: 'Created', tone: 'success', icon: PlusIcon },
  update: { label: 'Changed', tone: 'info', icon: PencilIcon },
  delete: { label: 'Deleted', tone: 'destructive', icon: Trash2Icon },
  earlier: { label: 'Earlier state', tone: 'neutral', icon: HistoryIcon },
}

type Props = {
  version: Version
  columns: readonly ColumnDescription[]
  mayRestore: boolean
  onRestore: () => void
}

/** What was done to a record at one time. */
export function HistoryEntry({ version, columns, mayRestore, onRestore }: Props) {
  const { kind, changes, formerFields, restorable } = version
  const { label, tone, icon } = KINDS[kind]
  return (
    <li className="grid gap-2 py-3">
      <div className="flex items-start gap-2 text-[13px]">
        <Status tone={tone} icon={icon} className="shrink-0">
          {label}
        </Status>
        <div className="min-w-0 flex-1">
          <VersionOrigin version={version} />
        </div>
        {restorable && mayRestore && (
          <Button size="sm" className="-my-1" onClick={onRestore}>
            Restore
            <span className="sr-only">{` ${nameOf(version)}`}</span>
          </Button>
        )}
      </div>
      {kind !== 'earlier' && (
        <VersionChanges changes={changes.filter(isOfInterest)} columns={columns} />
      )}
      {formerFields.length > 0 && (
        <p className="text-xs text-muted-foreground">
          Not shown, since the entity no longer has them: {formerFields.join(', ')}
        </p>
      )}
    </li>
  )
}

/** Of auditable entities; who changed it and when stands above the changes. */
const AUDITED = /^(Created|LastUpdated)(At|By)$/

const isOfInterest = ({ field }: Version['changes'][number]) => !AUDITED.test(field)

/** `this version`, where a button stands alone. */
const nameOf = ({ kind }: Version) =>
  kind === 'delete'
    ? 'the deleted record'
    : kind === 'earlier'
      ? 'the earlier state'
      : 'this version'

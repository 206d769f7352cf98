import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { CircleDotIcon, CircleMinusIcon, EqualIcon, PlusIcon } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { Refusal } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { Pager } from '@/components/ui/pager'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Status } from '@/components/ui/status'
import { toast } from '@/components/ui/toast'
import type { Drift, ResolveDrift } from '@/lib/lifecycle/contract'
import { DRIFT_SIZE, driftOptions, resolveDrift } from './plugin-queries'
import { RecordDiff } from './record-diff'

/** The records that differ from what the plugin gave, to be adopted or reverted. */
export function PluginDrift({ id }: { id: string }) {
  const [page, setPage] = useState(0)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const mayResolve = useCan('plugins:install')
  const found = useQuery({ ...driftOptions(id, page), placeholderData: keepPreviousData })
  const records = found.data?.records ?? []
  const picked = records.filter((one) => chosen.has(nameOf(one)))
  const [isAsking, setAsking] = useState(false)
  const resolution = useMutation({
    mutationFn: (action: ResolveDrift['action']) => resolveDrift(id, picked, action),
    onSuccess: () => {
      toast.success(`${countOf(picked.length, 'record')} settled`)
      setChosen(new Set())
      setAsking(false)
    },
  })
  if (found.error) return <ErrorState of={found} />
  if (!found.data) return <Skeleton className="h-48 rounded-lg" />
  const { total } = found.data
  if (total === 0)
    return (
      <EmptyState icon={EqualIcon} title="Every record is as the plugin gave it">
        Records that are added, edited or deleted here are listed.
      </EmptyState>
    )
  const toggle = (name: string, checked: boolean) => {
    const next = new Set(chosen)
    if (checked) next.add(name)
    else next.delete(name)
    setChosen(next)
  }
  const toggleAll = (checked: boolean) => setChosen(new Set(checked ? records.map(nameOf) : []))
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {mayResolve && (
          <Checkbox
            aria-label="Select all on this page"
            className="ml-4.25"
            checked={picked.length === records.length}
            indeterminate={picked.length > 0 && picked.length < records.length}
            onCheckedChange={toggleAll}
          />
        )}
        <p className="mr-auto text-[13px] text-muted-foreground">
          {picked.length > 0
            ? `${countOf(picked.length, 'record')} selected`
            : `${countOf(total, 'record differs', 'records differ')} from what the plugin gave`}
        </p>
        {mayResolve && (
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              disabled={picked.length === 0}
              busy={resolution.isPending && resolution.variables === 'adopt'}
              onClick={() => resolution.mutate('adopt')}
            >
              Adopt local version
            </Button>
            <Button size="sm" disabled={picked.length === 0} onClick={() => setAsking(true)}>
              Restore plugin version
            </Button>
          </div>
        )}
      </div>
      {!isAsking && <Refusal of={resolution.error} />}
      <Card flush>
        <ul className="divide-y" aria-label="Differences">
          {records.map((one) => (
            <DriftRow
              key={nameOf(one)}
              record={one}
              checked={chosen.has(nameOf(one))}
              onCheckedChange={mayResolve ? (checked) => toggle(nameOf(one), checked) : undefined}
            />
          ))}
        </ul>
      </Card>
      <Pager
        aria-label="Pages of differences"
        {...{ page, size: DRIFT_SIZE, total }}
        onPage={setPage}
      />
      {isAsking && (
        <RevertDrift
          records={picked}
          busy={resolution.isPending}
          error={resolution.error?.message}
          onConfirm={() => resolution.mutate('revert')}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

const nameOf = ({ entity, key }: Drift) => `${entity} ${key}`

const LOOKS = {
  added: { tone: 'success', icon: PlusIcon, label: 'Added' },
  edited: { tone: 'info', icon: CircleDotIcon, label: 'Edited' },
  deleted: { tone: 'destructive', icon: CircleMinusIcon, label: 'Deleted' },
} as const

type Props = {
  record: Drift
  checked: boolean
  onCheckedChange: ((checked: boolean) => void) | undefined
}

/** A record that differs from what the plugin gave. */
function DriftRow({ record, checked, onCheckedChange }: Props) {
  const { entity, key, change, fields } = record
  const { tone, icon, label } = LOOKS[change]
  const side = (of: 'base' | 'ours') =>
    Object.fromEntries(fields.map((field) => [field.field, field[of]]))
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      {onCheckedChange && (
        <Checkbox
          aria-label={`Select ${entity} ${key}`}
          className="mt-0.5"
          checked={checked}
          onCheckedChange={onCheckedChange}
        />
      )}
      <div className="grid min-w-0 flex-1 gap-1.5 sm:grid-cols-[14rem_minmax(0,1fr)] sm:gap-3">
        <p className="flex min-w-0 items-start gap-2">
          <Status tone={tone} icon={icon} className="shrink-0">
            {label}
          </Status>
          <span className="min-w-0 text-[13px] leading-5 break-words">
            {entity} <span className="font-mono text-xs break-all">{key}</span>
          </span>
        </p>
        <RecordDiff before={side('base')} after={side('ours')} />
      </div>
    </li>
  )
}

type RevertDriftProps = {
  records: readonly Drift[]
  busy: boolean
  error: string | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Edits are lost for good, so it asks. */
function RevertDrift({ records, onClose, ...props }: RevertDriftProps) {
  const number = (change: Drift['change']) => records.filter((one) => one.change === change).length
  const [edited, deleted, added] = [number('edited'), number('deleted'), number('added')]
  const effects = [
    edited > 0 && `${countOf(edited, 'record loses its edits', 'records lose their edits')}.`,
    deleted > 0 && `${countOf(deleted, 'deleted record is', 'deleted records are')} created again.`,
    added > 0 && `${countOf(added, 'added record goes', 'added records go')} to Recently changed.`,
  ]
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Restore the plugin version of ${countOf(records.length, 'record')}?`}
      description={effects.filter(Boolean).join(' ')}
      confirmLabel="Restore plugin version"
      {...props}
    />
  )
}

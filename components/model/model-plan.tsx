import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { FaultGroups } from '@/components/plugins/fault-groups'
import type { InstallPreview } from '@/components/plugins/searches'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/state'
import { applyModel, faultsOf, type ModelChange, planOptions, refreshModel } from './model-queries'

const SETTLE_MS = 400
/** Of what is being applied: a new entity is there before the answer says so. */
export const APPLYING = ['applied model']

type Props = {
  change: ModelChange
  /** What was edited, in words. */
  edits: readonly string[]
  /** How it can be taken back, if it is not a version of the plugin. */
  wayBack?: string
  /** The name of an entity that is to be new. */
  created?: string
  discardLabel?: string
  onDiscard: () => void
  /** With the number of the install in the history. */
  onApplied: (history: number) => void
}

/** What the edits would do, as they are made, and the way to have it done. */
export function ModelPlan({ change, edits, wayBack, created, ...props }: Props) {
  const { discardLabel = wayBack ? 'Cancel' : 'Discard changes', onDiscard, onApplied } = props
  const settled = useSettled(change)
  const isSettled = settled === change
  const plan = useQuery(planOptions(settled))
  const apply = useMutation({
    mutationKey: APPLYING,
    mutationFn: (seal: string) => applyModel(change, seal),
    onSuccess: (history) => {
      onApplied(history) // before what was applied is shown, over which kept edits would be restored
      return refreshModel(change)
    },
    onError: () => plan.refetch(),
  })
  const preview = isSettled ? plan.data : undefined
  const reasons = preview ? faultsOf(preview, created) : []
  const error = apply.error ?? (isSettled ? plan.error : null)
  return (
    <Card
      title="Plan"
      actions={
        <>
          <Button size="sm" onClick={onDiscard} disabled={apply.isPending}>
            {discardLabel}
          </Button>
          <Button
            size="sm"
            variant="primary"
            busy={apply.isPending}
            disabled={!preview || reasons.length > 0}
            onClick={() => preview && apply.mutate(preview.seal)}
          >
            Apply
          </Button>
        </>
      }
    >
      <div role="status" className="grid gap-3 text-[13px]">
        <p className="text-muted-foreground">{edits.join(' · ')}</p>
        {error && (
          <Notice tone="destructive" title="Not applied">
            {error.message}
          </Notice>
        )}
        {preview ? (
          <Steps {...{ preview, reasons, wayBack }} />
        ) : (
          !error && <Skeleton className="h-12" />
        )}
      </div>
    </Card>
  )
}

type StepsProps = {
  preview: InstallPreview
  reasons: readonly string[]
  wayBack?: string | undefined
}

function Steps({ preview, reasons, wayBack }: StepsProps) {
  const { files, pluginName, version } = preview
  const groups = files.flatMap((file) => (file.status === 'failed' ? file.groups : []))
  const counted = files.filter((file) => file.groups.length > 0).flatMap(({ details }) => details)
  const others = reasons.filter((reason) => !counted.some(({ message }) => message === reason))
  const steps = files.flatMap(({ changes }) => changes)
  const warnings = files.flatMap((file) => file.warnings.map(({ message }) => message))
  if (reasons.length > 0)
    return (
      <>
        <Notice tone="destructive" title="This can’t be applied">
          {groups.length > 0 && 'Records that are stored stand in the way.'}
          {others.length > 0 && <Lines lines={others} />}
        </Notice>
        {groups.length > 0 && <FaultGroups label="Stored records" groups={groups} />}
        {groups.some(({ rule }) => rule === 'required') && (
          <p className="text-muted-foreground">
            Leave the field optional, or fill its values in first; a new field can have a default.
          </p>
        )}
      </>
    )
  return (
    <>
      {warnings.length > 0 && (
        <Notice tone="warning" title="Look at this first">
          <Lines lines={warnings} />
        </Notice>
      )}
      {steps.length > 0 ? <Lines lines={steps} /> : <p>No change of the table.</p>}
      <p className="text-muted-foreground">
        {wayBack ??
          `Becomes version ${version ?? '—'} of ${pluginName}; it can be rolled back from the history.`}
      </p>
    </>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className="list-disc pl-4">
    {[...new Set(lines)].map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

/** The value once it has not changed for a moment; the first one at once. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
